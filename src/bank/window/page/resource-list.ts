// Payments, consents and authorisations alike: their lists, the badge of a status, and the steps of a life.
import { badge, dayTime, el, empty, put } from './dom.ts';
import type { Child } from './dom.ts';
import { refreshing } from './refreshing.ts';

const kinds: Readonly<Record<string, string>> = {
  ...{
    ACSC: 'good',
    ACCC: 'good',
    ACSP: 'good',
    ACWC: 'good',
    valid: 'good',
    finalised: 'good',
    exempted: 'good',
  },
  ...{ RJCT: 'bad', rejected: 'bad', revokedByPsu: 'bad', terminatedByTpp: 'bad', failed: 'bad' },
  ...{ CANC: 'bad', expired: 'bad' },
};
export const status = (text: string) => badge(text, kinds[text] ?? 'warn');

type Steps = readonly { status: string; at?: string }[];

export const life = (steps: Steps) =>
  el(
    'ol',
    { class: 'life' },
    steps.map((one) => el('li', status(one.status), ' ', one.at === undefined ? '' : dayTime(one.at))),
  );

export const lifeText = (steps: Steps) => steps.map((one) => one.status).join(' → ');

/** Lists show at most this number, the newest. */
const most = 200;
export const newest = { newest: 'true', limit: String(most) };
export const atMost = (found: readonly unknown[]) =>
  found.length < most ? undefined : `The newest ${most} are shown.`;

/** Parts of a line, those that there are, with a dot between them. */
const dotted = (parts: readonly (string | undefined)[]) =>
  parts.filter(Boolean).flatMap((part, at) => (at === 0 ? [part] : [' · ', part]));

/** A line of a list; `more` are the parts of its small print. */
interface Line {
  id: string;
  at: string | undefined;
  is: Child;
  money?: string;
  state: string;
  more: readonly (string | undefined)[];
}
export type ResourceKind = 'payments' | 'consents';

const row = (what: ResourceKind, { id, at, is, money, state, more }: Line) =>
  el(
    'li',
    el(
      'a',
      { href: `#/${what}/${encodeURIComponent(id)}`, id: `${what}-${id}` },
      at !== undefined && el('span', { class: 'time' }, dayTime(at)),
      el('span', { class: 'what' }, is),
      money !== undefined && el('span', { class: 'money' }, money),
      status(state),
      el('span', { class: 'why' }, dotted(more)),
    ),
  );

/** Shows a list, which `read` gets from the bank. */
export function showList(
  main: Element,
  { title, what, read }: { title: string; what: ResourceKind; read: () => Promise<readonly Line[]> },
): () => void {
  const count = el('p', { class: 'quiet' });
  const list = el('ol', { class: 'calls' });
  put(main, el('h1', title), count, list);
  return refreshing([what.slice(0, -1), 'reset'], async () => {
    const found = await read();
    put(count, atMost(found));
    put(
      list,
      found.length === 0 ? el('li', empty('There is none yet.')) : found.map((line) => row(what, line)),
    );
  });
}

export const back = (what: ResourceKind) =>
  el('p', { class: 'back always' }, el('a', { href: `#/${what}` }, `All ${what}`));

export const section = (title: string, ...content: readonly Child[]) =>
  el('section', el('h2', title), content);
