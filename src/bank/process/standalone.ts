import { defined } from '../../base/defined.ts';
import { isLoopbackAddress } from '../../base/url.ts';
import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { elsewhere, isOpenElsewhere } from '../../settings/doors/check-doors.ts';
import type { Doors } from '../../settings/doors/doors.ts';
import { readDoors } from '../../settings/doors/read-doors.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { BankOptions, OpenBank, ServedBank } from '../door.ts';
import { defaultBank } from '../../base/profile-name.ts';
import { Secret } from '../../base/secret.ts';
import { addressOf, siteOf } from '../trust/site.ts';
import { isGivenName, rememberPort, windowPath } from '../home/bank-address.ts';

import type { BankHome } from '../home/bank-home.ts';
import { accessKeyOf } from './access-key.ts';
import { ensureKeys, ensureRsaKeys, identityFor, trustedAuthorities } from '../home/keys.ts';
import { noteNames } from '../steering/names-file.ts';
import type { KeyFiles, RsaFiles } from '../home/keys.ts';
import { openListeners } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import { loadRest } from './load-rest.ts';
import { setLedgerDoors } from '../books/ledger-doors.ts';
import { knownSecrets } from '../books/people.ts';
import { openLedger } from '../books/ledger.ts';
import type { Ledger } from '../books/ledger.ts';
import type { ConfiguredBank } from '../config/read-bank.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { RunningBank } from '../trust/call.ts';
import type { TenantLedgers } from '../tenants/tenant-ledgers.ts';
import { openBank } from './running-bank.ts';
import type { Running } from './running-bank.ts';
import { bankListener } from './server.ts';
import type { ListenOptions } from './server.ts';
import { takeLedger } from '../home/shared-ledger.ts';
import { leave, takeName } from '../home/taking.ts';
import type { TakenName } from '../home/taking.ts';
import { describeRunning } from '../home/whereabouts.ts';

const closeMs = 2000;

/**
 * Serves until the signal aborts. Throws SANDBOX_UNAVAILABLE where a port is taken, and USAGE where a bank of the name
 * runs already.
 */
export async function serveStandalone(
  homeOf: (name: string) => BankHome,
  options: BankOptions,
  ready: (bank: ServedBank, link: Secret) => void,
  signal: AbortSignal,
): Promise<void> {
  const bank = new StandaloneBank(homeOf, await planOf(options));
  try {
    const { served, link } = await bank.open();
    ready(served, link);
    await bank.serveUntil(signal);
  } finally {
    await bank.close();
  }
}

/** What flags and file say of a bank, before anything is opened. */
interface BankPlan {
  options: BankOptions;
  configured: ConfiguredBank | undefined;
  doors: Doors;
  dialect: Dialect | undefined;
  /** The file of its ledger, where that is not the one of its folder. */
  database: string | undefined;
  /** Its name; a bank without one is named after its port. */
  name: string | undefined;
}

async function planOf(options: BankOptions): Promise<BankPlan> {
  // Loaded lazily: most banks have no file.
  const configured =
    options.config === undefined
      ? undefined
      : await (await import('../config/read-bank.ts')).readBank(options.config, options.doors);
  const doors = readDoors([...options.doors, ...(configured === undefined ? [] : [configured.doors])]);
  const dialect = await dialectFor(options, configured, doors);
  // A bank of a file keeps away from the ledgers that are there.
  const database = options.database ?? (configured === undefined ? undefined : ':memory:');
  const usual = database === undefined ? defaultBank : undefined;
  return { options, configured, doors, dialect, database, name: needName(options.name ?? usual, database) };
}

/** A bank with a process of its own: what of it is open, and has to be closed again. */
class StandaloneBank {
  readonly #homeOf: (name: string) => BankHome;
  readonly #plan: BankPlan;
  readonly #ending = new AbortController();
  /** Its name, until its port is remembered. */
  #place: TakenName | undefined;
  #giveLedgerBack: () => void = nothing;
  #ledger: Ledger | undefined;
  #bank: RunningBank | undefined;
  #tenants: TenantLedgers | undefined;
  #listeners: Listeners | undefined;
  #house: BankHome | undefined;
  #token: string | undefined;
  #endLoading: () => void = nothing;

  constructor(homeOf: (name: string) => BankHome, plan: BankPlan) {
    this.#homeOf = homeOf;
    this.#plan = plan;
  }

  /** Opens it; returns its description, and the link to its window with the token in it. */
  async open(): Promise<{ served: ServedBank; link: Secret }> {
    const { options, doors, name } = this.#plan;
    const { shared, clock } = this.#homeOf(defaultBank);
    const keys = await ensureKeys(shared, clock.now());
    const rsa = options.rsa === true ? await ensureRsaKeys(shared, keys, clock.now()) : undefined;
    if (name !== undefined) this.#place = await takeName(this.#homeOf(name));
    const ledger = await this.#openLedger();
    const trusted = trustedAuthorities(shared, keys, doors.trust, (file) => this.#trustedBy(file));
    const { without } = options;
    const bank = await this.#openBank(ledger, {
      ...{ clock, trusted, without, keys, doors },
      dialect: this.#plan.dialect,
    });
    const accessKey = await accessKeyOf(doors, shared, options.secret);
    const answer = bankListener(bank, accessKey);
    this.#listeners = await openListeners(doors, () => tlsOf(doors, keys, trusted, clock.now()), answer);
    const { house, formerOrigins } = this.#remember(bank, this.#listeners);
    const { idleMs: _idle, ...told } = describeRunning(house, bank.idleMs);
    const windowUrl = addressOf(siteOf(doors, new URL(told.controlUrl).origin)) + windowPath;
    const { port, httpsPort } = this.#listeners;
    const served: ServedBank = {
      ...told,
      windowUrl,
      embedded: false,
      furtherUrls: furtherUrls(doors, port, httpsPort),
      ...(accessKey?.path !== undefined && { accessKeyFile: accessKey.path }),
      ...(doors.open && { open: describeOpen(doors) }),
      ...pathsOf(keys),
      caPath: keys.ca,
      ...(rsa !== undefined && { rsa: pathsOf(rsa) }),
      formerOrigins,
    };
    return { served, link: new Secret(`${windowUrl}#token=${bank.adminToken}`) };
  }

  async #openLedger(): Promise<Ledger> {
    const { options, configured, database, name } = this.#plan;
    const { shared, clock } = this.#homeOf(defaultBank);
    if (options.database !== undefined)
      this.#giveLedgerBack = await takeLedger({ stateDir: dirname(shared), clock }, shared, options.database);
    this.#ledger =
      database === undefined
        ? this.#homeOf(name ?? defaultBank).ledger()
        : openNamed(database, () => openLedger(database, clock.now(), configured?.filling));
    return this.#ledger;
  }

  /** The flag or the key of the file that names a file of trusted certificates. */
  #trustedBy(file: string): string {
    const { options, configured } = this.#plan;
    const sources = [...options.doors, configured?.doors];
    return sources.find((source) => source?.trust?.values.includes(file))?.trust?.from ?? '--trust';
  }

  async #openBank(ledger: Ledger, parts: Omit<Running, 'name' | 'ending'>): Promise<RunningBank> {
    const { options, configured, doors, database, name } = this.#plan;
    const { idleMs = null } = options;
    const bank = openBank(ledger, { ...parts, name: name ?? '', idleMs, ending: this.#ending.signal });
    this.#bank = bank;
    if (options.recording !== undefined) {
      const { recordedBank } = await import('../recording/serve-recording.ts');
      bank.recording = recordedBank(options.recording, () => parts.clock.now());
      const { addRecordedPeople } = await import('./recorded-people.ts');
      addRecordedPeople(ledger.main, options.recording);
    }
    if (doors.tenants !== undefined) {
      const { openTenants } = await import('../tenants/tenant-ledgers.ts');
      bank.tenants = this.#tenants = openTenants(bank, {
        by: doors.tenants,
        path: database ?? this.#homeOf(name ?? defaultBank).ledgerPath,
        filling: configured?.filling,
        make: (own, ownDoors, ending) => openBank(own, { ...parts, doors: ownDoors, name: '', ending }),
      });
    }
    return bank;
  }

  /** Gives the bank its name and its token, now that it listens, and notes where others find it. */
  #remember(bank: RunningBank, { port, httpsPort }: Listeners) {
    const { doors, database, name } = this.#plan;
    const house = (this.#house = this.#homeOf(name ?? String(port)));
    bank.name = house.name;
    bank.adminToken = this.#token = house.newToken();
    bank.folder = house.folder;
    noteNames(bank);
    const { formerOrigins } = rememberPort(house.folder, port, {
      database: database ?? house.ledgerPath,
      ...defined({ httpsPort }),
      ...(doors.basePath !== '' && { basePath: doors.basePath }),
      ...defined({ tenants: doors.tenants }),
    });
    this.#place?.release();
    this.#place = undefined;
    this.#giveLedgerBack();
    this.#giveLedgerBack = nothing;
    return { house, formerOrigins };
  }

  /** Serves until the signal aborts, or nobody has called for as long as the bank waits. */
  async serveUntil(signal: AbortSignal): Promise<void> {
    const { idleMs = null } = this.#plan.options;
    // A payment of another day may be due.
    this.#bank?.pushes.wake();
    // The first request need not wait for it, nor who waits for the address.
    setImmediate(() => void import('../interface/api.ts'));
    this.#endLoading = loadRest();
    const idle = idleMs === null ? undefined : this.#listeners?.idle(idleMs);
    await Promise.race([aborted(signal), ...(idle === undefined ? [] : [idle])]);
  }

  async close(): Promise<void> {
    const { database, name } = this.#plan;
    const house = this.#house;
    this.#endLoading();
    this.#giveLedgerBack();
    this.#ending.abort();
    await this.#listeners?.close(closeMs);
    this.#bank?.pushes.close();
    this.#tenants?.close();
    // What the doors decided ends with them.
    if (this.#ledger !== undefined) setLedgerDoors(this.#ledger.main);
    if (database !== undefined) this.#ledger?.close();
    // Where another process has taken the place of the default bank, the secret is that one's.
    if (house !== undefined && (house.name !== defaultBank || house.claim().token() === this.#token))
      leave(house);
    if (this.#place === undefined) return;
    if (name !== defaultBank) this.#homeOf(name ?? '').close();
    this.#place.withdraw();
  }
}

const nothing = (): void => undefined;

const pathsOf = ({ certificate, key, tlsCertificate, tlsKey }: RsaFiles) => ({
  certificatePath: certificate,
  keyPath: key,
  tlsCertificatePath: tlsCertificate,
  tlsKeyPath: tlsKey,
});

/** The dialect of the bank: from the flag or the file. Throws USAGE where both name one. */
async function dialectFor(
  { bank, config }: BankOptions,
  configured: ConfiguredBank | undefined,
  doors: Doors,
): Promise<Dialect | undefined> {
  const named = bank ?? configured?.bank;
  if (named === undefined) return undefined;
  if (bank !== undefined && configured?.bank !== undefined)
    throw new ObkError({
      code: 'USAGE',
      title: '--bank and the key bank of the file say two things.',
      detail: `The file ${config ?? ''} has bank: ${configured.bank}. Take one of them away.`,
      hint: ['obk sandbox start --help'],
    });
  const { readDialect } = await import('../dialect/read-dialect.ts');
  return readDialect(named, doors.framework);
}

/** Throws USAGE for a name that nobody may give. */
function needName(name: string | undefined, database: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!isGivenName(name)) {
    throw new ObkError({
      code: 'USAGE',
      title: `${JSON.stringify(name)} cannot be the name of a bank.`,
      detail:
        'A name has letters, digits, - and _, at most 64, and is not a number: that is the port of a bank without a name.',
      hint: ['obk sandbox start --port 0 --name bank-1'],
    });
  }
  if (name === defaultBank && database !== undefined) {
    throw new ObkError({
      code: 'USAGE',
      title: `The bank ${defaultBank} has its own ledger.`,
      detail: 'Another ledger makes another bank: it has another name, or is named after its port.',
      hint: [line`obk sandbox start --port 0 --database ${database}`],
    });
  }
  return name;
}

/** A file of `--database` has nothing to do with the folder of the bank inside, nor with a reset of that. */
function openNamed(path: string, open: () => Ledger): Ledger {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof ObkError) || error.detail?.startsWith(path) !== true) throw error;
    throw new ObkError({
      code: error.code,
      title: `--database ${path} cannot be used.`,
      detail: error.detail.replace(`${path}.${String(process.pid)}.new`, path),
      hint: [
        ...error.hint.filter((one) => one.startsWith('obk sandbox start')),
        'obk sandbox start --port 0 --database :memory:   # or another file',
      ],
      cause: error,
    });
  }
}

const describeOpen = (doors: Doors): OpenBank => ({
  elsewhere: isOpenElsewhere(doors),
  ...(elsewhere(doors).length > 0 && !isOpenElsewhere(doors) && { withKey: true as const }),
  off: (['signature', 'clientCertificate', 'rate'] as const).filter((key) => doors[key] === 'off'),
  ...knownSecrets,
});

/** Where the bank answers besides loopback by IPv4. */
function furtherUrls(doors: Doors, port: number, httpsPort: number | undefined): string[] {
  const { listen, hosts, basePath, publicUrl } = doors;
  const own = listen.filter((address) => isLoopbackAddress(address) && address !== '127.0.0.1');
  const near = own.map((address) => (isIP(address) === 6 ? `[${address}]` : address));
  const at = (scheme: string, names: readonly string[], on: number | undefined) =>
    on === undefined ? [] : names.map((name) => `${scheme}://${name}:${on}${basePath}`);
  const plain = elsewhere(doors).length === 0 || isOpenElsewhere(doors);
  return [
    ...(publicUrl === undefined ? [] : [publicUrl]),
    ...at('http', plain ? [...near, ...hosts] : near, port),
    ...at('https', [...near, ...hosts], httpsPort),
  ];
}

/** What the https listener shows, and what it asks of clients. */
export async function tlsOf(
  { hosts, publicUrl, clientCertificate, tenants }: Doors,
  keys: KeyFiles,
  trusted: readonly X509Certificate[],
  now: Date,
): Promise<NonNullable<ListenOptions['tls']>> {
  const names = [...hosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  return {
    ...(await identityFor(
      keys,
      names.filter((name) => !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(name)),
      now,
    )),
    // Where it opens no door, it may still say whose ledger is meant.
    requestCert: clientCertificate !== 'off' || tenants === 'certificate',
    // The names of authorities are a hint to clients; one whose certificate is trusted by itself would not heed it.
    ...(trusted.every(({ ca }) => ca) && { ca: trusted.map((authority) => authority.toString()) }),
  };
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
  });
}
