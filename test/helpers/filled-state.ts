// A shared state with something in each of its tables, and all that is known of it.
import type { JournalRecord } from '../../src/settings/records/journal.ts';
import { Secret } from '../../src/base/secret.ts';
import { conversation, intent, resource } from './adapter-homes.ts';
import { answered, prepared, runRecord, sending } from './journal-records.ts';
import { testKey, testState } from './postgres.ts';

interface Place {
  url: () => Promise<Secret>;
  schema?: string;
}

/** One text of its own for each thing that must not be read, wherever it is kept. */
export const canaries = {
  name: 'Zoë-Canary-4711',
  account: 'DE02120300000000202051',
  body: '{"remittance":"body-canary-8812"}',
  header: 'Bearer-canary-header-5523',
  token: 'token-canary-11d7a0',
  refresh: 'refresh-canary-77b1',
  verifier: 'verifier-canary-90aa',
  psu: 'psu-canary-erika',
  url: 'https://bank.example/v1/payments/url-canary-31',
  usage: 'consent-canary DE0212',
  key: 'intent-key-canary',
};

/** Writes something into each table. */
export async function filled({ url, schema }: Place, keys: readonly string[] = [testKey]): Promise<void> {
  const state = testState({ url, keys, ...(schema !== undefined && { schema }) });
  const made = { creditorName: canaries.name, creditorAccount: canaries.account };
  const payment = resource({ summary: made });
  const unnamed = conversation({ psuId: canaries.psu });
  await state.intents.claim(intent({ run: state.journal.run, key: canaries.key, summary: made }));
  const records: JournalRecord[] = [
    runRecord(),
    prepared('x1', {
      ...{ url: canaries.url, body: canaries.body, headers: [['Authorization', canaries.header]] },
      exact: { headers: [['Authorization', canaries.header]], body: canaries.body },
    }),
    sending('x1'),
    { ...(answered('x1', 'UNKNOWN') as Extract<JournalRecord, { type: 'answered' }>), body: canaries.body },
  ];
  for (const record of records) await state.journal.append(record);
  await state.resources.saveMade({ resource: payment, conversation: unnamed });
  await state.credentials.update('acme', () => ({
    token: new Secret(canaries.token),
    tokens: [
      { psuId: canaries.psu, token: new Secret(canaries.token), refreshToken: new Secret(canaries.refresh) },
    ],
    verifiers: [{ state: 's', verifier: new Secret(canaries.verifier), at: '2026-11-21T10:00:00.000Z' }],
  }));
  await state.credentials.machineKey();
  await state.usage.update(canaries.usage, () => [{ at: 1_000, what: canaries.account }]);
  await state.close();
}

/** What the drivers find of it. */
export async function known({ url, schema }: Place, keys: readonly string[] = [testKey]) {
  const state = testState({ url, keys, ...(schema !== undefined && { schema }) });
  const found = {
    intents: await state.intents.like('acme', intent({}).fingerprint),
    records: await state.journal.read(state.journal.run),
    open: await state.journal.openWrites(),
    resources: await state.resources.list('acme', 'payment'),
    conversations: await state.resources.conversations('acme', 'payment', 'p1'),
    token: (await state.credentials.read('acme')).token?.reveal(),
    machine: (await state.credentials.machineKey()).reveal(),
    usage: (await state.usage.read(canaries.usage)).map(({ what }) => what),
  };
  await state.close();
  return found;
}
