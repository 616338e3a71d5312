import { defined } from '../base/defined.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantsBy } from '../settings/doors/doors.ts';
import { ObkError } from '../base/errors.ts';
import type { Bank, BankAddress, BankPlace, BankProcess } from './door.ts';
import type { ControlInput, ControlResults, OperationId } from './control/operations.ts';
import { defaultBank } from '../base/profile-name.ts';
import {
  asRunning,
  findAddressed,
  findCalled,
  findSteered,
  findWithTenants,
  nameAt,
  placeOf,
  runningBanks,
} from './addressing/addressed.ts';
import type { Addressed, Remote } from './addressing/addressed.ts';
import { bankNames, openBankHome } from './home/bank-home.ts';
import type { BankHome, BankSettings } from './home/bank-home.ts';
import { damage } from './books/damage.ts';
import {
  withLedger,
  askControl,
  describeAddressed,
  passwordKeyOf,
  tenantOperation,
} from './addressing/ask-bank.ts';
import { describe } from './home/describe.ts';
import { findOrStart } from './process/embedded.ts';
import type { Embedded } from './process/embedded.ts';
import { ensureKeys } from './home/keys.ts';
import { resetAlways } from './process/reset.ts';
import { sweep } from './home/taking.ts';
import { stopBank, whatRuns } from './home/whereabouts.ts';

/** The sandbox as a port. Nothing is created before the first call. */
export function createBank(settings: BankSettings): Bank {
  const bank = new BankOfRun(settings);
  const names = Object.getOwnPropertyNames(BankOfRun.prototype).filter((name) => name !== 'constructor');
  // Adds the path to every error that a file of the bank causes.
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (...given: never[]) => {
        try {
          return await (bank[name as keyof Bank] as (...values: never[]) => unknown).apply(bank, given);
        } catch (error) {
          throw damage(error, join(settings.stateDir, 'sandbox'));
        }
      },
    ]),
  ) as unknown as Bank;
}

/** The bank that a run means, and what the run has opened of it. */
class BankOfRun implements Bank {
  readonly #first: BankSettings;
  /** With the bank and the tenant that are meant by now. */
  #settings: BankSettings;
  readonly #house: BankHome;
  /** A run means one bank from its first call to its last, whatever starts meanwhile. */
  #addressed: Promise<Addressed> | undefined;
  #embedded: Promise<Embedded> | undefined;
  /** The home of a bank of a name of its own that this process serves. */
  #served: BankHome | undefined;
  /** The ports of the same home that mean other banks. */
  readonly #others: Bank[] = [];
  /** Keys of this run only, where the folder of the bank cannot be written. */
  #passing: string | undefined;

  constructor(settings: BankSettings) {
    this.#first = this.#settings = settings;
    this.#house = openBankHome(settings);
  }

  #target(): Promise<Addressed> {
    return (this.#addressed ??= findAddressed(this.#settings).catch((error: unknown) => {
      this.#addressed = undefined;
      throw error;
    }));
  }

  /** The default bank as it runs, started where it does not. */
  async #inside<Result>(use: (bank: Embedded) => Promise<Result>): Promise<Result> {
    const house = this.#house;
    this.#embedded ??= keysOf(house).then((keys) => findOrStart(house, keys, this.#settings.launch));
    try {
      return await use(await this.#embedded);
    } catch (error) {
      // After a reset another try may succeed.
      this.#embedded = undefined;
      throw error;
    }
  }

  /** The reference of the access key, as a member of an address. */
  #keyed(): Pick<BankAddress, 'accessKeyFrom'> {
    const { accessKeyFrom } = this.#settings;
    return accessKeyFrom === undefined ? {} : { accessKeyFrom };
  }

  async place(named?: string, tenant = this.#settings.tenant): Promise<BankPlace> {
    const { at } = this.#settings;
    if (named !== undefined && named !== at) this.#addressed = undefined;
    const meant = named ?? at;
    this.#settings = {
      ...this.#settings,
      ...defined({ at: meant, tenant }),
    };
    return placeOf(this.#settings);
  }

  nameOf(address: string): Promise<string | undefined> {
    return nameAt(this.#settings, address);
  }

  at(bank?: string): Promise<Bank> {
    const other = createBank({ ...this.#first, ...defined({ at: bank }) });
    this.#others.push(other);
    return Promise.resolve(other);
  }

  names(): Promise<readonly string[]> {
    return Promise.resolve([defaultBank, ...bankNames(this.#settings.stateDir)]);
  }

  async ensure(): Promise<BankAddress> {
    const { tenant } = this.#settings;
    const bank = await findCalled(this.#settings, await this.#target());
    if (bank.where === 'default')
      return this.#inside(async (own) => withLedger({ ...own.address(), ...this.#keyed() }));
    const described = describeAddressed(this.#house, await keysOf(this.#house), bank);
    const tenantHeader = tenant === undefined ? undefined : await headerOf(bank, tenant);
    return withLedger({ ...described, ...this.#keyed(), ...(tenantHeader && { tenantHeader }) });
  }

  async offline(): Promise<BankAddress> {
    const { tenant, warn } = this.#settings;
    const house = this.#house;
    try {
      const bank = await findCalled(this.#settings, await this.#target());
      const keys = await keysOf(house);
      if (bank.where === 'default') return { ...describe(house, keys, false), ...this.#keyed() };
      const name = bank.where === 'here' ? headerName(bank.running.tenants) : undefined;
      const tenantHeader =
        name === undefined || tenant === undefined ? {} : { tenantHeader: { name, value: tenant } };
      return { ...describeAddressed(house, keys, bank), ...this.#keyed(), ...tenantHeader };
    } catch (error) {
      // A run that never calls the bank still needs keys, if only for itself.
      if (!(error instanceof ObkError) || error.code === 'USAGE' || warn === undefined) throw error;
      this.#passing ??= mkdtempSync(join(tmpdir(), 'obk-bank-'));
      warn(`${error.title} ${error.detail ?? ''} ${error.hint[0] ?? ''}`);
      return describe({ folder: this.#passing }, await ensureKeys(this.#passing, house.clock.now()), false);
    }
  }

  async serve(...[options, ready, signal]: Parameters<Bank['serve']>): Promise<void> {
    const [{ serveStandalone }, { stateFolder }] = await Promise.all([
      import('./process/standalone.ts'),
      import('./home/state-folder.ts'),
    ]);
    const settings = this.#settings;
    const state = stateFolder(settings.stateDir, options.warn);
    const { stateDir } = state;
    const usual = stateDir === settings.stateDir;
    const own = usual ? this.#house : openBankHome({ ...settings, stateDir });
    const homeOf = (name: string) =>
      name === defaultBank ? own : (this.#served ??= openBankHome({ ...settings, stateDir }, name));
    sweep(stateDir);
    try {
      await serveStandalone(homeOf, options, ready, signal);
    } finally {
      if (!usual) own.close();
      state.remove();
    }
  }

  async relay(...[options, ready, signal]: Parameters<Bank['relay']>): Promise<void> {
    const { serveRelay } = await import('./process/relay.ts');
    await serveRelay(this.#house, options, ready, signal);
  }

  async serveDetached(...start: Parameters<Bank['serveDetached']>): ReturnType<Bank['serveDetached']> {
    const { startDetached } = this.#settings;
    if (startDetached === undefined) throw new Error('no program to start');
    return startDetached(...start);
  }

  async configSchema(): ReturnType<Bank['configSchema']> {
    return (await import('./config/config.ts')).bankSchema;
  }

  async passwordKey(): Promise<string> {
    const { tenant, accessKey } = this.#settings;
    const bank = await findSteered(this.#settings, await this.#target());
    if (bank.where !== 'default') return passwordKeyOf(bank, tenant, await accessKey?.());
    const { passwordKey } = await import('./sca/password-encryption.ts');
    return JSON.stringify(passwordKey(this.#house.ledger()));
  }

  async control<Id extends OperationId>(id: Id, input: ControlInput<Id> = {}): Promise<ControlResults[Id]> {
    // Loaded lazily, since a process that only serves never needs it.
    const { commanded } = await import('./control/by-command.ts');
    const { ofTheWhole, needsServer, request, here } = commanded(id, input);
    const settings = this.#settings;
    const { tenant } = settings;
    if (ofTheWhole)
      return (await askControl(
        await findWithTenants(settings, await this.#target()),
        request,
      )) as ControlResults[Id];
    let bank = await findSteered(settings, await this.#target());
    if (bank.where === 'default' && needsServer) bank = await this.#inside(() => asRunning(settings));
    if (bank.where === 'default') return here({ ledger: this.#house.ledger(), clock: this.#house.clock });
    const path = (tenant === undefined ? '' : tenantOperation(tenant)) + request.path;
    return (await askControl(bank, { ...request, path })) as ControlResults[Id];
  }

  async reset(): Promise<void> {
    const bank = await findSteered(this.#settings, await this.#target());
    const usual = () => this.control('reset');
    return bank.where === 'default' ? resetAlways(this.#house, usual) : usual();
  }

  async status(): Promise<readonly BankProcess[]> {
    if (this.#settings.at === undefined) return runningBanks(this.#settings);
    const bank = await this.#target();
    if (bank.where === 'elsewhere') throw elsewhere(bank.url);
    const found = bank.where === 'here' ? bank.running : await whatRuns(this.#house);
    return found === undefined ? [] : [found];
  }

  async stop(): Promise<BankProcess | undefined> {
    const bank = await this.#target();
    if (bank.where === 'elsewhere') throw elsewhere(bank.url);
    return stopBank(bank.where === 'here' ? bank.house : this.#house);
  }

  async close(): Promise<void> {
    for (const other of this.#others.splice(0)) await other.close();
    await (await this.#embedded)?.close();
    this.#embedded = undefined;
    this.#house.close();
    this.#served?.close();
    if (this.#passing !== undefined) rmSync(this.#passing, { recursive: true, force: true });
  }
}

/** The header by which a bank tells a tenant, which is made where it is not there yet, so that its ledger can be told from a later one. */
async function headerOf(bank: Remote, value: string) {
  const asked = (method: 'GET' | 'PUT', path: string) => askControl(bank, { method, path, isJson: true });
  await asked('PUT', tenantOperation(value));
  const name = headerName(((await asked('GET', '/tenants')) as { by: TenantsBy | null }).by ?? undefined);
  return name === undefined ? undefined : { name, value };
}

/** The header that names a tenant; undefined where its certificate does. */
function headerName(by: TenantsBy | undefined): string | undefined {
  return by?.startsWith('header:') === true ? by.slice('header:'.length) : undefined;
}

/** The process of a bank elsewhere is not known here. */
function elsewhere(url: string): ObkError {
  return new ObkError({
    code: 'USAGE',
    title: `The bank at ${url} runs elsewhere.`,
    detail: 'Its process is known only where it was started.',
  });
}

/** The keys of the bank, made where it has none yet. Throws SANDBOX_UNAVAILABLE where its folder cannot be written. */
async function keysOf(house: BankHome) {
  try {
    return await ensureKeys(house.shared, house.clock.now());
  } catch (cause) {
    throw damage(cause, house.folder);
  }
}
