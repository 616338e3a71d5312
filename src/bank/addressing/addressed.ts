import { defined } from '../../base/defined.ts';
import { isLoopback } from '../../base/url.ts';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import type { BankPlace, BankProcess } from '../door.ts';
import { bankUrl, defaultBank, isBankName, profileOfBank } from '../../base/profile-name.ts';
import { bankNames, openBankHome } from '../home/bank-home.ts';
import { lives, readAddress } from '../home/bank-address.ts';
import type { BankHome, BankSettings } from '../home/bank-home.ts';
import { whatRuns } from '../home/whereabouts.ts';

/**
 * The bank that a run means: that of the default ledger, running or not; another one that runs in this home; or one
 * elsewhere, of which the URL and the token are all that is known.
 */
export type Addressed =
  | { where: 'default' }
  | { where: 'here'; house: BankHome; running: BankProcess }
  | { where: 'elsewhere'; url: string; ca: string | undefined; token: Secret };

/**
 * The bank that is steered: one with tenants by its control API, since it alone has their ledgers open. Throws USAGE where a tenant is
 * wanted and not named, or named at a bank without any.
 */
export async function findSteered(settings: BankSettings, bank: Addressed): Promise<Addressed> {
  const { tenant, stateDir } = settings;
  if (bank.where === 'elsewhere') return bank;
  const reached =
    bank.where === 'default' && (tenant !== undefined || mayHaveTenants(stateDir))
      ? await asRunning(settings)
      : bank;
  if (reached.where === 'default' && tenant === undefined) return bank;
  if (reached.where === 'here' && tenant === undefined && reached.running.tenants !== undefined)
    throw new ObkError({
      code: 'USAGE',
      title: `The bank ${reached.running.name} has tenants, and none is named.`,
      detail: 'Each has a ledger of its own. obk does not guess which one is meant.',
      hint: ['--tenant NAME   # or OBK_SANDBOX_TENANT=NAME', 'obk sandbox tenant list'],
    });
  if (tenant !== undefined && (reached.where === 'default' || reached.running.tenants === undefined))
    throw noTenants(reached.where === 'here' ? reached.running.name : undefined);
  return reached;
}

/**
 * The bank that is called: as `findSteered`, but where tenants are told apart by their certificates none need be named, since the
 * certificate of the call says whose it is.
 */
export async function findCalled(settings: BankSettings, bank: Addressed): Promise<Addressed> {
  if (settings.tenant !== undefined) return findSteered(settings, bank);
  const { stateDir } = settings;
  const reached = bank.where === 'default' && mayHaveTenants(stateDir) ? await asRunning(settings) : bank;
  if (reached.where === 'here' && reached.running.tenants === 'certificate') return reached;
  return findSteered(settings, bank);
}

/** A bank with tenants that runs. Throws USAGE where it has none, or does not run. */
export async function findWithTenants(settings: BankSettings, bank: Addressed): Promise<Remote> {
  if (bank.where === 'elsewhere') return bank;
  const reached = bank.where === 'default' ? await asRunning(settings) : bank;
  if (reached.where === 'here' && reached.running.tenants !== undefined) return reached;
  throw noTenants(reached.where === 'here' ? reached.running.name : undefined);
}

/** A bank that is steered by HTTP. */
export type Remote = Exclude<Addressed, { where: 'default' }>;

/** The default bank as one that runs, where it does. */
export async function asRunning(settings: BankSettings): Promise<Exclude<Addressed, { where: 'elsewhere' }>> {
  const house = openBankHome(settings);
  const running = await whatRuns(house);
  return running === undefined ? { where: 'default' } : { where: 'here', house, running };
}

/** Whether the default bank was started with tenants, and may still run: nobody has to be asked. */
function mayHaveTenants(stateDir: string): boolean {
  const { started, servedBy } = readAddress(join(stateDir, 'sandbox'));
  return started?.tenants !== undefined && servedBy !== undefined && lives(servedBy);
}

function noTenants(name: string | undefined): ObkError {
  return new ObkError({
    code: 'USAGE',
    title: name === undefined ? 'No bank with tenants runs here.' : `The bank ${name} has no tenants.`,
    detail: 'A bank is started with them, and tells them apart by their certificates or by a header.',
    hint: ['obk sandbox start --tenants header:X-Tenant', 'obk sandbox status'],
  });
}

/** All banks of this home that run, the default one first. */
export async function runningBanks(settings: BankSettings): Promise<BankProcess[]> {
  const houses = [defaultBank, ...bankNames(settings.stateDir)].map((name) => openBankHome(settings, name));
  const found = await Promise.all(houses.map(whatRuns));
  return found.filter((one) => one !== undefined);
}

/**
 * Which bank is addressed: by name, by URL, or as the only one that runs; the default one where none does. Throws USAGE
 * where several could be meant, and where the one that is named does not run.
 */
export async function findAddressed(settings: BankSettings): Promise<Addressed> {
  const { at } = settings;
  if (at === defaultBank) return { where: 'default' };
  if (at !== undefined && isBankName(at)) return named(settings, at);
  if (at !== undefined) return byUrl(settings, at);
  // Without a folder of another bank nobody has to be asked.
  if (bankNames(settings.stateDir).length === 0) return { where: 'default' };
  const running = await runningBanks(settings);
  const [only, ...others] = running;
  if (only === undefined) return { where: 'default' };
  if (others.length > 0) {
    throw new ObkError({
      code: 'USAGE',
      title: `${String(running.length)} banks run here, and none is addressed.`,
      detail: `${listed(running)}. obk does not guess which one is meant.`,
      hint: [
        ...running
          .slice(0, 3)
          .map(
            ({ name }) =>
              `export OBK_SANDBOX=${name}   # or --profile ${profileOfBank(name)}; --at ${name} of obk sandbox`,
          ),
        'obk sandbox status',
      ],
    });
  }
  return here(settings, only);
}

function here(settings: BankSettings, running: BankProcess): Addressed {
  if (running.name === defaultBank) return { where: 'default' };
  return { where: 'here', house: openBankHome(settings, running.name), running };
}

async function named(settings: BankSettings, name: string): Promise<Addressed> {
  const house = openBankHome(settings, name);
  const running = await whatRuns(house);
  if (running !== undefined) return { where: 'here', house, running };
  throw unknown(`No bank ${name} runs here.`, await runningBanks(settings), [
    /^\d/.test(name) ? 'obk sandbox start' : `obk sandbox start --name ${name}`,
  ]);
}

async function byUrl(settings: BankSettings, at: string): Promise<Addressed> {
  const running = await runningBanks(settings);
  const url = needUrl(at, running);
  const known = running.find((bank) => answersAt(bank, url));
  if (known !== undefined) return here(settings, known);
  const token = await settings.token?.();
  if (token !== undefined) return { where: 'elsewhere', url, ca: settings.ca, token };
  throw unknown(`The bank at ${url} is none of those that run here.`, running, [
    'OBK_SANDBOX_TOKEN_FROM=file:PATH   # the token of a bank elsewhere; its `sandbox start --json` names the file',
  ]);
}

function needUrl(at: string, running: readonly BankProcess[]): string {
  const url = bankUrl(at);
  if (url !== undefined) return url;
  throw unknown(`${JSON.stringify(at)} is neither the name of a bank nor a URL.`, running, []);
}

/**
 * Which bank is addressed, whether or not it runs or can be reached: what is kept here about it needs no more. Throws USAGE
 * where several could be meant, and for what is neither a name nor a URL.
 */
export async function placeOf(settings: BankSettings): Promise<BankPlace> {
  const { tenant, stateDir } = settings;
  const place = await bankMeant(settings);
  return { ...place, ...defined({ tenant }), others: bankNames(stateDir).length > 0 };
}

async function bankMeant(settings: BankSettings): Promise<Pick<BankPlace, 'bank' | 'known'>> {
  const { at, stateDir } = settings;
  if (at !== undefined && isBankName(at))
    return { bank: at, known: at === defaultBank || bankNames(stateDir).includes(at) };
  if (at === undefined) {
    const found = await findAddressed(settings);
    return { bank: found.where === 'here' ? found.running.name : defaultBank, known: true };
  }
  const running = await runningBanks(settings);
  const url = needUrl(at, running);
  return { bank: running.find((bank) => answersAt(bank, url))?.name ?? url, known: true };
}

const answersAt = ({ baseUrl, httpsBaseUrl }: BankProcess, url: string): boolean =>
  [baseUrl, httpsBaseUrl].some((own) => own !== undefined && isSame(new URL(own), new URL(url)));

/** The name of the bank that runs here at an address; undefined where none does. */
export async function nameAt(settings: BankSettings, address: string): Promise<string | undefined> {
  const url = bankUrl(address);
  if (url === undefined) return undefined;
  return (await runningBanks(settings)).find((bank) => answersAt(bank, url))?.name;
}

/** Whether two addresses are one: this machine has several names. */
function isSame(own: URL, url: URL): boolean {
  if (own.protocol !== url.protocol || own.port !== url.port) return false;
  return own.hostname === url.hostname || (isLoopback(own.hostname) && isLoopback(url.hostname));
}

function unknown(title: string, running: readonly BankProcess[], hint: readonly string[]): ObkError {
  const detail = running.length === 0 ? 'No bank runs here.' : `Here run: ${listed(running)}.`;
  return new ObkError({ code: 'USAGE', title, detail, hint: [...hint, 'obk sandbox status'] });
}

const listed = (running: readonly BankProcess[]): string =>
  running.map(({ name, baseUrl }) => `${name} (${baseUrl})`).join(', ');
