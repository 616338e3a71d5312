// Open authorisations, and the hand of the PSU.
import { ask } from './api.ts';
import type { AnswerAt } from './api.ts';
import { button, dayTime, el, empty, facts, messageOf, put, say, sideBySide } from './dom.ts';
import type { Child } from './dom.ts';
import { aboutFacts } from './order.ts';
import { refreshing } from './refreshing.ts';
import { atMost, newest, section } from './resource-list.ts';

type Authorisation = AnswerAt<'GET /authorisations'>['authorisations'][number];
type Done = () => unknown;

interface Decision {
  id: string;
  decision: 'approve' | 'refuse' | 'revoke';
  psuId: string | null | undefined;
}

/** Decides as the PSU, says the result, and has the new state shown. */
export async function decide({ id, decision, psuId }: Decision, done: Done): Promise<void> {
  try {
    const given = psuId ?? '';
    const body = { id, decision, ...(given !== '' && { psuId: given }) };
    const { scaStatus, consentStatus } = await ask('POST /decisions', { body });
    say(`Done: ${scaStatus ?? consentStatus ?? decision}.`, 'good');
    await done();
  } catch (error) {
    say(messageOf(error));
  }
}

function decisions(one: Authorisation, people: readonly string[], done: Done) {
  const { authorisationId: id } = one;
  const who =
    one.psuId === null &&
    el(
      'select',
      { id: `who-${id}` },
      people.map((psuId) => el('option', { value: psuId }, psuId)),
    );
  const act = (decision: 'approve' | 'refuse') => () =>
    decide({ id, decision, psuId: one.psuId ?? (who ? who.value : undefined) }, done);
  const about = ` ${one.parentKind} ${one.parentId}`;
  return sideBySide(
    who && el('label', 'As PSU', who),
    button('Approve', act('approve'), { id: `approve-${id}`, 'aria-label': `Approve${about}` }),
    button('Refuse', act('refuse'), { id: `refuse-${id}`, class: 'second', 'aria-label': `Refuse${about}` }),
  );
}

const places: Readonly<Record<string, string>> = {
  payment: 'payments',
  cancellation: 'payments',
  consent: 'consents',
};

function parentOf({ parentKind, parentId }: Authorisation): Child {
  const place = places[parentKind];
  return place === undefined
    ? parentId
    : el('a', { href: `#/${place}/${encodeURIComponent(parentId)}` }, parentId);
}

const card = (one: Authorisation, people: readonly string[], done: Done) =>
  el(
    'li',
    { class: 'card' },
    el('h2', `${one.parentKind} `, parentOf(one)),
    facts([
      ...aboutFacts(one),
      ['PSU', one.psuId ?? 'not known yet'],
      ['Approach', one.approach],
      ['scaStatus', one.scaStatus],
      ['Began', dayTime(one.createdAt)],
      ['Authorisation', one.authorisationId],
    ]),
    decisions(one, people, done),
  );

/** The open authorisations, and the names of all PSUs. */
async function openOnes(query: Readonly<Record<string, string>>) {
  const [{ authorisations }, { people }] = await Promise.all([
    ask('GET /authorisations', { query: { open: 'true', ...query } }),
    ask('GET /people'),
  ]);
  return { authorisations, people: people.map(({ psuId }) => psuId) };
}

export function showAuthorisations(main: Element): () => void {
  const list = el('ul', { class: 'cards' });
  const count = el('p', { class: 'quiet' });
  put(
    main,
    el('h1', 'Open authorisations'),
    el('p', 'Approve and refuse stand for the PSU at the page or the app of the bank.'),
    count,
    list,
  );
  return refreshing(['authorisation', 'decision', 'reset'], async () => {
    const { authorisations, people } = await openOnes(newest);
    put(count, atMost(authorisations));
    put(
      list,
      authorisations.length === 0
        ? el('li', empty('Nothing waits for a PSU.'))
        : authorisations.map((one) => card(one, people, () => undefined)),
    );
  });
}

/** The open authorisations of a payment or consent. */
export async function waiting(id: string, done: Done): Promise<Child> {
  const { authorisations, people } = await openOnes({ limit: '1000' });
  const own = authorisations.filter((one) => one.parentId === id);
  if (own.length === 0) return undefined;
  return section(
    'Waits for the PSU',
    el(
      'ul',
      { class: 'cards' },
      own.map((one) => card(one, people, done)),
    ),
  );
}
