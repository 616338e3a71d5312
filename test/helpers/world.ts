import { openTarget } from '../../src/client/exchange/open-target.ts';
import type { RunOptions, Target } from '../../src/client/exchange/target.ts';
import type { Ports } from '../../src/client/ports.ts';
import type { BankAddress } from '../../src/bank/door.ts';
import type { Environment, Profile } from '../../src/settings/records/profile.ts';
import { Secret } from '../../src/base/secret.ts';
import { presets } from '../../src/standard/xs2a/variants.ts';
import {
  fakeBrowser,
  fakeClock,
  fakeHttp,
  fakeIds,
  fakeListener,
  fakeNotices,
  fakePerson,
  fakeSecrets,
  memoryFiles,
  memoryJournal,
  memoryStore,
  memoryUsage,
  notedAt,
} from './fakes/index.ts';
import type {
  FakeBrowser,
  FakeClock,
  FakeHttp,
  FakeListener,
  FakeNotices,
  FakePerson,
  MemoryFiles,
  MemoryJournal,
  MemoryStore,
} from './fakes/index.ts';

/** A target whose every port is a fake, and the fakes. */
export interface World {
  target: Target;
  http: FakeHttp;
  store: MemoryStore;
  files: MemoryFiles;
  journal: MemoryJournal;
  person: FakePerson;
  notices: FakeNotices;
  browser: FakeBrowser;
  listener: FakeListener;
  clock: FakeClock;
  /** Throws where something expected never happened. */
  verify(): void;
}

/** What a test wants otherwise than usual. */
export interface Wish {
  name?: string;
  environment?: Environment;
  variant?: keyof typeof presets;
  profile?: Partial<Profile>;
  run?: Partial<RunOptions>;
  token?: string;
  /** The bank inside is used, with this address. */
  inside?: Partial<BankAddress>;
  http?: FakeHttp;
  store?: MemoryStore;
  journal?: MemoryJournal;
  person?: FakePerson;
  browser?: FakeBrowser;
  listener?: FakeListener;
  clock?: FakeClock;
}

/** An unsigned profile of environment `test` at https://bank.example, a scripted person, nothing saved. */
export async function world(wish: Wish = {}): Promise<World> {
  const http = wish.http ?? fakeHttp();
  const store = wish.store ?? memoryStore();
  const files = memoryFiles();
  const journal = wish.journal ?? memoryJournal();
  const person = wish.person ?? fakePerson({ present: false });
  const notices = fakeNotices();
  const browser = wish.browser ?? fakeBrowser();
  const listener = wish.listener ?? fakeListener();
  const clock = wish.clock ?? fakeClock();
  const name = wish.name ?? 'acme';
  const address: BankAddress = {
    baseUrl: 'http://127.0.0.1:4711',
    embedded: true,
    certificatePath: '/state/cert.pem',
    keyPath: '/state/key.pem',
    tlsCertificatePath: '/state/tpp-tls.pem',
    tlsKeyPath: '/state/tpp-tls-key.pem',
    caPath: '/state/ca.pem',
    formerOrigins: [],
    ...wish.inside,
  };
  const ports: Ports = {
    http,
    settings: store.settings,
    credentials: store.credentials,
    resources: notedAt(journal.intents, store.resources),
    locks: store.locks,
    journal,
    intents: journal.intents,
    usage: memoryUsage(),
    person,
    notices,
    browser,
    listener,
    clock,
    ids: fakeIds(),
    secrets: fakeSecrets(),
    files,
    tlsPeers: undefined as never,
    signer: undefined as never,
    stateStore: undefined as never,
    notifications: undefined as never,
    bank: {
      ensure: () => Promise.resolve(address),
      offline: () => Promise.resolve(address),
    } as Partial<Ports['bank']> as Ports['bank'],
  };
  if (wish.token !== undefined) {
    const token = new Secret(wish.token);
    await store.credentials.update(name, () => ({ token }));
  }
  const profile: Profile = {
    environment: wish.environment ?? 'test',
    baseUrl: 'https://bank.example',
    ...presets[wish.variant ?? 'v1'],
    signing: { mode: 'none' },
    psu: { ipAddress: '192.0.2.7' },
    ...wish.profile,
  };
  const builtIn = wish.inside !== undefined;
  const target = await openTarget(
    ports,
    { name, profile, origin: 'flag', builtIn },
    { dryRun: false, ...wish.run },
  );
  return {
    target,
    http,
    store,
    files,
    journal,
    person,
    notices,
    browser,
    listener,
    clock,
    verify: () => {
      http.verify();
      person.verify();
    },
  };
}
