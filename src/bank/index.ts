import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantsBy } from '../settings/doors/doors.ts';
import { ObkError } from '../base/errors.ts';
import type { Bank, BankPerson, BankSeed, BankTenant } from './door.ts';
import { defaultBank } from '../base/profile-name.ts';
import { Secret } from '../base/secret.ts';
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
import type { AnySteering, Steered, SteeredPerson } from './steering/steering.ts';
import {
  askControl,
  describeAddressed,
  passwordKeyOf,
  steerBank,
  tenantOperation,
} from './addressing/steering-client.ts';
import type { ControlRequest } from './addressing/control-request.ts';
import { sweep } from './home/taking.ts';
import { needTenantName } from './trust/tenants.ts';
import { stopBank, whatRuns } from './home/whereabouts.ts';

/** How many transactions are made in one go: others may call the bank in between. */
const seedPart = 10_000;

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
  const here = async (command: AnySteering): Promise<Steered> => {
    // Loaded lazily, since a process that only serves never needs it.
    const { steerAny } = await import('./steering/steering.ts');
    return steerAny({ ledger: house.ledger(), clock: house.clock }, command);
  };
  const steered = async <Result>(command: AnySteering): Promise<Result> => {
    return (await told(await findSteered(meant(), await target()), command)) as Result;
  };
  const told = async (bank: Addressed, command: AnySteering): Promise<unknown> =>
    unrefused(bank.where === 'default' ? await here(command) : await steerBank(bank, command, tenant));
  const unrefused = (answer: Steered): unknown => {
    if ('result' in answer) return answer.result;
    throw new ObkError({
      code: 'USAGE',
      title: answer.refused,
      ...(answer.detail && { detail: answer.detail }),
      ...(answer.hint !== undefined && { hint: answer.hint }),
    });
  };
  const ofTenants = async (request: ControlRequest): Promise<unknown> =>
    unrefused(await askControl(await findWithTenants(meant(), await target()), request));
  /** Makes a tenant that is not there yet, so that its ledger can be told from a later one. */
  const headerOf = async (bank: Remote, value: string) => {
    const asked = (method: 'GET' | 'PUT', path: string) =>
      askControl(bank, { method, path, result: (text): unknown => JSON.parse(text) }).then(unrefused);
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
    exportConfig: () => steered<string>({ do: 'export' }),
    async configSchema() {
      return (await import('./config/config.ts')).bankSchema;
    },
    async passwordKey() {
      const bank = await findSteered(meant(), await target());
      if (bank.where !== 'default') return passwordKeyOf(bank, tenant, await settings.accessKey?.());
      const { passwordKey } = await import('./sca/password-encryption.ts');
      return JSON.stringify(passwordKey(house.ledger()));
    },
    people: async () => (await steered<SteeredPerson[]>({ do: 'people' })).map(withSecrets),
    decide: (decision, id, psuId) =>
      steered({ do: 'decide', decision, id, ...(psuId !== undefined && { psuId }) }),
    revoke: (id, psuId) => steered({ do: 'revoke', id, ...(psuId !== undefined && { psuId }) }),
    async seed({ transactions, psuId }, progress) {
      let done = 0;
      let seeded: BankSeed | undefined;
      while (done < transactions) {
        const seed = { from: done, to: Math.min(done + seedPart, transactions), of: transactions, psuId };
        seeded = await steered<BankSeed>({ do: 'seed', seed });
        done = seed.to;
        progress?.(done);
      }
      if (seeded === undefined) throw new Error('nothing to seed');
      return seeded;
    },
    pushes: (after) => steered({ do: 'pushes', after }),
    async resend(of) {
      let bank = await findSteered(meant(), await target());
      // It is the bank that pushes: one that does not run is started, and one that runs is told by a request.
      if (bank.where === 'default') {
        bank = await inside(() => asRunning(meant()));
      }
      return (await told(bank, { do: 'resend', of })) as { resent: number };
    },
    log: (after) => steered({ do: 'log', after }),
    addFault: (fault) => steered({ do: 'add-fault', fault }),
    faults: () => steered({ do: 'faults' }),
    clearFaults: () => steered({ do: 'clear-faults' }),
    addClient: (client) => steered({ do: 'add-client', client }),
    clients: () => steered({ do: 'clients' }),
    snapshots: () => steered({ do: 'snapshots' }),
    async snapshot(what, name) {
      // A name becomes a part of a path.
      (await import('./books/snapshots.ts')).needSnapshotName(name);
      return steered({ do: `${what}-snapshot`, name });
    },
    async tenants() {
      const result = (text: string) => (JSON.parse(text) as { tenants: unknown }).tenants;
      return (await ofTenants({ method: 'GET', path: '/tenants', result })) as BankTenant[];
    },
    async tenant(what, name) {
      needTenantName(name);
      const method = what === 'create' ? 'PUT' : 'DELETE';
      const result = (text: string): unknown => JSON.parse(text);
      return (await ofTenants({ method, path: tenantOperation(name), result })) as BankTenant;
    },
    async reset() {
      const bank = await findSteered(meant(), await target());
      const usual = () => steered<undefined>({ do: 'reset' });
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
    scenarios: () => steered({ do: 'scenarios' }),
    setScenario: (name, value) => steered({ do: 'scenario', scenario: { [name]: value } }),
    clock: (move) => steered({ do: 'clock', ...(move !== undefined && { move }) }),
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

/** Wraps the secrets that the steering carries as plain text. */
function withSecrets(person: SteeredPerson): BankPerson {
  const { password, otp, additionalPassword, encryptedPassword, additionalEncryptedPassword, ...open } =
    person;
  return {
    ...open,
    password: new Secret(password),
    otp: new Secret(otp),
    ...(additionalPassword !== undefined && { additionalPassword: new Secret(additionalPassword) }),
    ...(encryptedPassword !== undefined && { encryptedPassword: new Secret(encryptedPassword) }),
    ...(additionalEncryptedPassword !== undefined && {
      additionalEncryptedPassword: new Secret(additionalEncryptedPassword),
    }),
  };
}

/** The keys of the bank, made where it has none yet. Throws SANDBOX_UNAVAILABLE where its folder cannot be written. */
async function keysOf(house: BankHome) {
  try {
    return await ensureKeys(house.shared, house.clock.now());
  } catch (cause) {
    throw damage(cause, house.folder);
  }
}
