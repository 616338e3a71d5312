import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantsBy } from '../settings/doors/doors.ts';
import { ObkError } from '../base/errors.ts';
import type { Bank } from './door.ts';
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
import { withLedger } from './addressing/ledger-of.ts';
import { describe } from './home/describe.ts';
import { findOrStart } from './process/embedded.ts';
import type { Embedded } from './process/embedded.ts';
import { ensureKeys } from './home/keys.ts';
import { resetAlways } from './process/reset.ts';
import {
  askControl,
  describeAddressed,
  passwordKeyOf,
  tenantOperation,
} from './addressing/steering-client.ts';
import { sweep } from './home/taking.ts';
import { stopBank, whatRuns } from './home/whereabouts.ts';

/** The sandbox as a port. Nothing is created before the first call. */
export function createBank(settings: BankSettings): Bank {
  const bank = bankOf(settings);
  const told = (error: unknown): never => {
    throw damage(error, join(settings.stateDir, 'sandbox'));
  };
  // Adds the path to every error that a file of the bank causes.
  return Object.fromEntries(
    Object.entries(bank).map(([name, work]) => [
      name,
      async (...given: never[]) => {
        try {
          return await (work as (...values: never[]) => unknown)(...given);
        } catch (error) {
          return told(error);
        }
      },
    ]),
  ) as unknown as Bank;
}

function bankOf(settings: BankSettings): Bank {
  const house = openBankHome(settings);
  let { at, tenant } = settings;
  const meant = (): BankSettings => ({
    ...settings,
    ...(at !== undefined && { at }),
    ...(tenant !== undefined && { tenant }),
  });
  /** A run means one bank from its first call to its last, whatever starts meanwhile. */
  let addressed: Promise<Addressed> | undefined;
  const target = () =>
    (addressed ??= findAddressed(meant()).catch((error: unknown) => {
      addressed = undefined;
      throw error;
    }));
  let embedded: Promise<Embedded> | undefined;
  /** The default bank as it runs, started where it does not. */
  const inside = async <Result>(use: (bank: Embedded) => Promise<Result>): Promise<Result> => {
    embedded ??= keysOf(house).then((keys) => findOrStart(house, keys, settings.launch));
    try {
      return await use(await embedded);
    } catch (error) {
      // After a reset another try may succeed.
      embedded = undefined;
      throw error;
    }
  };
  /** The home of a bank of a name of its own that this process serves. */
  let served: BankHome | undefined;
  /** The ports of the same home that mean other banks. */
  const others: Bank[] = [];
  /** Keys of this run alone, where the folder of the bank cannot be written. */
  let passing: string | undefined;
  const control: Bank['control'] = async (id, input = {}) => {
    // Loaded lazily, since a process that only serves never needs it.
    const { commanded } = await import('./control/by-command.ts');
    const { ofTheWhole, needsServer, request, here } = commanded(id, input);
    type Result = Awaited<ReturnType<typeof here>>;
    if (ofTheWhole)
      return (await askControl(await findWithTenants(meant(), await target()), request)) as Result;
    let bank = await findSteered(meant(), await target());
    if (bank.where === 'default' && needsServer) bank = await inside(() => asRunning(meant()));
    if (bank.where === 'default') return here({ ledger: house.ledger(), clock: house.clock });
    const path = (tenant === undefined ? '' : tenantOperation(tenant)) + request.path;
    return (await askControl(bank, { ...request, path })) as Result;
  };
  /** Makes a tenant that is not there yet, so that its ledger can be told from a later one. */
  const headerOf = async (bank: Remote, value: string) => {
    const asked = (method: 'GET' | 'PUT', path: string) => askControl(bank, { method, path, isJson: true });
    await asked('PUT', tenantOperation(value));
    const name = headerName(((await asked('GET', '/tenants')) as { by: TenantsBy | null }).by ?? undefined);
    return name === undefined ? undefined : { name, value };
  };
  const { accessKeyFrom } = settings;
  const keyed = accessKeyFrom === undefined ? {} : { accessKeyFrom };
  return {
    async place(named, ofBank) {
      tenant = ofBank ?? tenant;
      if (named !== undefined && named !== at) {
        at = named;
        addressed = undefined;
      }
      return placeOf(meant());
    },
    nameOf: (address) => nameAt(settings, address),
    at(bank) {
      const other = createBank({ ...settings, ...(bank !== undefined && { at: bank }) });
      others.push(other);
      return Promise.resolve(other);
    },
    names: () => Promise.resolve([defaultBank, ...bankNames(settings.stateDir)]),
    async ensure() {
      const bank = await findCalled(meant(), await target());
      if (bank.where !== 'default') {
        const described = describeAddressed(house, await keysOf(house), bank);
        const tenantHeader = tenant === undefined ? undefined : await headerOf(bank, tenant);
        return withLedger({ ...described, ...keyed, ...(tenantHeader && { tenantHeader }) });
      }
      return inside(async (own) => withLedger({ ...own.address(), ...keyed }));
    },
    async offline() {
      try {
        const bank = await findCalled(meant(), await target());
        const keys = await keysOf(house);
        if (bank.where === 'default') return { ...describe(house, keys, false), ...keyed };
        const name = bank.where === 'here' ? headerName(bank.running.tenants) : undefined;
        const tenantHeader =
          name === undefined || tenant === undefined ? {} : { tenantHeader: { name, value: tenant } };
        return { ...describeAddressed(house, keys, bank), ...keyed, ...tenantHeader };
      } catch (error) {
        // A run that never calls the bank still needs keys, if only for itself.
        if (!(error instanceof ObkError) || error.code === 'USAGE' || settings.warn === undefined)
          throw error;
        passing ??= mkdtempSync(join(tmpdir(), 'obk-bank-'));
        settings.warn(`${error.title} ${error.detail ?? ''} ${error.hint[0] ?? ''}`);
        return describe({ folder: passing }, await ensureKeys(passing, house.clock.now()), false);
      }
    },
    async serve(options, ready, signal) {
      const [{ serveStandalone }, { stateFolder }] = await Promise.all([
        import('./process/standalone.ts'),
        import('./home/state-folder.ts'),
      ]);
      const state = stateFolder(settings.stateDir, options.warn);
      const { stateDir } = state;
      const usual = stateDir === settings.stateDir;
      const own = usual ? house : openBankHome({ ...settings, stateDir });
      const homeOf = (name: string) =>
        name === defaultBank ? own : (served ??= openBankHome({ ...settings, stateDir }, name));
      sweep(stateDir);
      try {
        await serveStandalone(homeOf, options, ready, signal);
      } finally {
        if (!usual) own.close();
        state.remove();
      }
    },
    async relay(options, ready, signal) {
      const { serveRelay } = await import('./process/relay.ts');
      await serveRelay(house, options, ready, signal);
    },
    async serveDetached(words, warn, signal) {
      if (settings.startDetached === undefined) throw new Error('no program to start');
      return settings.startDetached(words, warn, signal);
    },
    async configSchema() {
      return (await import('./config/config.ts')).bankSchema;
    },
    async passwordKey() {
      const bank = await findSteered(meant(), await target());
      if (bank.where !== 'default') return passwordKeyOf(bank, tenant, await settings.accessKey?.());
      const { passwordKey } = await import('./sca/password-encryption.ts');
      return JSON.stringify(passwordKey(house.ledger()));
    },
    control,
    async reset() {
      const bank = await findSteered(meant(), await target());
      const usual = () => control('reset');
      return bank.where === 'default' ? resetAlways(house, usual) : usual();
    },
    async status() {
      if (at === undefined) return runningBanks(settings);
      const bank = await target();
      if (bank.where === 'elsewhere') throw elsewhere(bank.url);
      const found = bank.where === 'here' ? bank.running : await whatRuns(house);
      return found === undefined ? [] : [found];
    },
    async stop() {
      const bank = await target();
      if (bank.where === 'elsewhere') throw elsewhere(bank.url);
      return stopBank(bank.where === 'here' ? bank.house : house);
    },
    async close() {
      for (const other of others.splice(0)) await other.close();
      await (await embedded)?.close();
      embedded = undefined;
      house.close();
      served?.close();
      if (passing !== undefined) rmSync(passing, { recursive: true, force: true });
    },
  };
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
