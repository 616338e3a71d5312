import { openTarget } from '../../../src/client/exchange/open-target.ts';
import type { RunOptions, Target } from '../../../src/client/exchange/target.ts';
import type { Ports } from '../../../src/client/ports.ts';
import type { Profile } from '../../../src/settings/records/profile.ts';
import { Secret } from '../../../src/base/secret.ts';
import { createTestCa, createTestCertificate } from '../../../src/signing/certificate.ts';
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
} from '../../helpers/fakes/index.ts';
import type { FakeHttp, JournalState, MemoryJournal } from '../../helpers/fakes/index.ts';

/** A signing profile on fake ports, with a token and a passphrase. */
export interface Wire {
  target: Target;
  http: FakeHttp;
  journal: MemoryJournal;
}

export const base = 'https://api.bank.example/psd2';

const validity = { notBefore: new Date('2026-01-01T00:00:00Z'), notAfter: new Date('2028-01-01T00:00:00Z') };
const ca = await createTestCa({ ...validity, subject: [['CN', 'Test CA']] });
const seal = await createTestCertificate({
  ...validity,
  ca,
  type: 'qsealc',
  roles: ['PSP_PI'],
  organizationIdentifier: 'PSDDE-BAFIN-125314',
  organizationName: 'Example TPP GmbH',
  ncaName: 'BaFin',
  ncaId: 'DE-BAFIN',
  serial: '0a1b2c3d4e',
});

export async function openWire(
  options: {
    token?: string;
    passphrase?: string;
    profile?: Partial<Profile>;
    run?: Partial<RunOptions>;
    state?: JournalState;
    runId?: string;
  } = {},
): Promise<Wire> {
  const http = fakeHttp();
  const journal = memoryJournal({
    ...(options.state && { state: options.state }),
    ...(options.runId && { run: options.runId }),
  });
  const store = memoryStore();
  if (options.token !== undefined) {
    const token = new Secret(options.token);
    await store.credentials.update('acme', () => ({ token }));
  }
  const ports: Ports = {
    http,
    journal,
    intents: journal.intents,
    usage: memoryUsage(),
    settings: store.settings,
    credentials: store.credentials,
    resources: store.resources,
    locks: store.locks,
    secrets: fakeSecrets({ 'env:PASSPHRASE': options.passphrase ?? 'none' }),
    person: fakePerson({ present: false }),
    notices: fakeNotices(),
    browser: fakeBrowser(),
    listener: fakeListener(),
    notifications: undefined as never,
    files: memoryFiles({ '/seal.pem': seal.certificatePem, '/seal.key': seal.keyPem.reveal() }),
    tlsPeers: undefined as never,
    signer: undefined as never,
    stateStore: undefined as never,
    bank: undefined as never,
    clock: fakeClock(),
    ids: fakeIds(),
  };
  const profile: Profile = {
    environment: 'test',
    framework: '1.3.2',
    prefix: '/v1',
    surface: 'service',
    baseUrl: base,
    certificate: '/seal.pem',
    key: '/seal.key',
    ...(options.passphrase === undefined ? {} : { keyPassphraseFrom: 'env:PASSPHRASE' }),
    ...options.profile,
  };
  const chosen = { name: 'acme', profile, origin: 'flag', builtIn: false } as const;
  return { target: await openTarget(ports, chosen, { dryRun: false, ...options.run }), http, journal };
}
