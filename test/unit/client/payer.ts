import { authorise } from '../../../src/client/sca/authorise.ts';
import type { Authorised, AuthoriseOptions } from '../../../src/client/sca/authorise.ts';
import type { SavedResource } from '../../../src/settings/records/resources.ts';
import { newConversation } from '../../../src/standard/sca/state.ts';
import type { Conversation, ScaAnswer } from '../../../src/standard/sca/state.ts';
import { memoryJournal } from '../../helpers/fakes/index.ts';
import { world } from '../../helpers/world.ts';
import type { Wish, World } from '../../helpers/world.ts';

export const one = '/v1/payments/sepa-credit-transfers/pay-1';
export const list = `${one}/authorisations`;
export const auth = `${list}/auth-1`;

export const payment: SavedResource = {
  schemaVersion: 1,
  profile: 'acme',
  environment: 'test',
  noun: 'payment',
  id: 'pay-1',
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
  framework: '1.3.2',
  prefix: '/v1',
  baseUrl: 'https://bank.example',
  service: 'payments',
  product: 'sepa-credit-transfers',
  status: 'RCVD',
  links: {},
};

export function started(part: Partial<ScaAnswer> = {}): Conversation {
  const answer: ScaAnswer = {
    method: 'POST',
    status: 201,
    hasLinks: true,
    links: {},
    unknownLinks: [],
    ...part,
  };
  const parent = {
    kind: 'payment',
    id: 'pay-1',
    service: 'payments',
    product: 'sepa-credit-transfers',
  } as const;
  return newConversation(parent, answer, '2026-11-21T09:00:00.000Z');
}

export const explicit = () =>
  started({ links: { startAuthorisationWithPsuAuthentication: list }, approach: 'EMBEDDED' });
export const atOtp = () =>
  started({
    approach: 'EMBEDDED',
    authorisationId: 'auth-1',
    scaStatus: 'scaMethodSelected',
    links: { authoriseTransaction: auth, scaStatus: auth },
  });
export const decoupled = () =>
  started({
    approach: 'DECOUPLED',
    authorisationId: 'auth-1',
    scaStatus: 'started',
    links: { scaStatus: auth },
  });

export const finalised = { body: { scaStatus: 'finalised' } };
export const stillOpen = { body: { transactionStatus: 'RCVD' } };
export const settled = { body: { transactionStatus: 'ACSC' } };
export const wrong = (links: Record<string, string>) => ({
  status: 401,
  body: {
    tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text: 'Wrong.' }],
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
  },
});

const patient: AuthoriseOptions = { wait: true, timeoutMs: 300_000, browser: 'never', resumed: false };

export const run = (
  there: World,
  conversation: Conversation,
  options: Partial<AuthoriseOptions> = {},
  resource = payment,
): Promise<Authorised> => authorise(there.target, resource, conversation, { ...patient, ...options });

export const saved = (there: World) => there.store.resources.conversations('acme', 'payment', 'pay-1');
export const secret = 'geheim-geheim';

/** Another process: the same disk, another run. */
export function reopened(before: World, wish: Wish): Promise<World> {
  before.journal.die();
  return world({ ...wish, store: before.store, journal: memoryJournal({ state: before.journal.state }) });
}

export async function resume(there: World, options: Partial<AuthoriseOptions> = {}): Promise<Authorised> {
  const [conversation] = await saved(there);
  if (conversation === undefined) throw new Error('nothing saved');
  return run(there, conversation, { resumed: true, ...options });
}
