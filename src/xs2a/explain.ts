import { consentAdvice, messageAdvice, scaAdvice, transactionAdvice } from './advice.ts';
import type { Actor, Advice } from './advice.ts';
import { consentStatuses, messageCodes, scaStatuses, transactionStatuses } from './codes.ts';
import type { Since } from './codes.ts';
import { fieldGroups } from './fields.ts';
import { headerMeanings, linkMeanings } from './glossary.ts';
import { answerHeadersOf, declaredHeaders, headerFormats, headerSets } from './headers.ts';
import type { HeaderName } from './headers.ts';
import { addedLinks, linkFact, linkFacts, misspellings } from './link-names.ts';
import { newMemberNames } from './member-changes.ts';
import { operations } from './operations.ts';
import { isXmlProduct, jsonProducts, products } from './products.ts';
import { absence, changes136, presets, wireNames } from './variants.ts';
import type { Framework } from './variants.ts';
import { headerAdvice, linkAdvice, productAdvice } from './wire-advice.ts';

/** What kinds of words can be explained. */
export type TermKind =
  | 'transactionStatus'
  | 'scaStatus'
  | 'consentStatus'
  | 'tppMessage'
  | 'header'
  | 'link'
  | 'product'
  | 'operation'
  | 'field';

/** One word of the interface in plain words; `facts` are what the tables say of it, as name and value. */
export interface Explanation {
  readonly term: string;
  readonly kind: TermKind;
  readonly meaning: string;
  readonly since: Since;
  readonly who: Actor;
  readonly advice: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

type Facts = Explanation['facts'];

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

const productMeanings: Readonly<Record<(typeof jsonProducts)[number], string>> = {
  'sepa-credit-transfers':
    'A credit transfer in euro within SEPA, booked on the next banking day at the latest.',
  'instant-sepa-credit-transfers': 'A credit transfer in euro within SEPA, at the payee within ten seconds.',
  'target-2-payments':
    'An urgent payment of a large amount in euro, through the system of the central banks.',
  'cross-border-credit-transfers': 'A credit transfer to another country or in another currency.',
};

const newQueries = new Set(changes136.flatMap(({ addQuery = [] }) => addQuery.map(({ name }) => name)));

const fieldSince = (name: string): Framework =>
  newMemberNames.has(name) || newQueries.has(name) ? '1.3.6' : '1.3.2';

const renamings = [
  'withBalanceAccess',
  'consentMessage',
  'addressStreet',
  'addressTown',
  'addressPostCode',
  'cancellationList',
] as const;

/** Everything that can be explained, statuses first. Source: guidelines 4, 11, 13 and 14. */
export const explanations: readonly Explanation[] = [
  ...transactionStatuses.map(({ code, name, meaning, since, final }) =>
    advised('transactionStatus', code, meaning, since, transactionAdvice, [
      ['ISO 20022', name],
      ['final', yesNo(final)],
    ]),
  ),
  ...scaStatuses.map(({ code, meaning, since, final }) =>
    advised('scaStatus', code, meaning, since, scaAdvice, [['final', yesNo(final)]]),
  ),
  ...consentStatuses.map(({ code, meaning, since, final, usable }) =>
    advised('consentStatus', code, meaning, since, consentAdvice, [
      ['final', yesNo(final)],
      ['usable', yesNo(usable)],
    ]),
  ),
  ...messageCodes.map(({ code, http, services, meaning, exit, since, foreign }) =>
    advised('tppMessage', code, meaning, since, messageAdvice, [
      ['HTTP status', http.join(', ')],
      ['services', services?.join(', ') ?? 'all'],
      ['exit code', String(exit)],
      ...(foreign === true ? [['source', 'not of the guidelines; seen at banks'] as const] : []),
    ]),
  ),
  ...Object.entries(headerMeanings).map(([name, meaning]) =>
    advised('header', name, meaning, headerSince(name), headerAdvice, [
      ['format', headerFormats[name as HeaderName]],
      ...takers(name),
    ]),
  ),
  ...linkFacts.map(({ name, method, body, where }) =>
    advised('link', name, linkMeanings[name], addedLinks.includes(name) ? '1.3.6' : '1.3.2', linkAdvice, [
      [
        'followed by',
        where === 'api' ? `obk, with ${method}` : where === 'browser' ? 'the browser' : 'OAuth2',
      ],
      ...(body === 'none' ? [] : [['carries', body] as const]),
      ...also(name),
    ]),
  ),
  ...products.map((product): Explanation => {
    const core =
      jsonProducts.find((one) => product === one || product === `pain.001-${one}`) ?? jsonProducts[0];
    return {
      term: product,
      kind: 'product',
      meaning: productMeanings[core],
      since: '1.3.2',
      ...productAdvice[core],
      facts: [['body', isXmlProduct(product) ? 'pain.001 (XML)' : 'JSON']],
    };
  }),
  ...operations.map(({ id, method, path, role }): Explanation => ({
    term: id,
    kind: 'operation',
    meaning: `${method} ${path}`,
    since: '1.3.2',
    who: 'TPP',
    advice: `Call it: obk api ${id}.`,
    facts: [['role', role], ...offeredIn(id)],
  })),
  ...fieldGroups.flatMap(({ where, who, advice, meanings }) =>
    Object.entries(meanings).map(([term, meaning]): Explanation => ({
      term,
      kind: 'field',
      meaning,
      since: fieldSince(term),
      who,
      advice,
      facts: [['place', where], ...renamed(term)],
    })),
  ),
];

function advised(
  kind: TermKind,
  term: string,
  meaning: string,
  since: Since,
  advices: Readonly<Record<string, Advice>>,
  facts: Facts,
): Explanation {
  const advice = advices[term];
  if (advice === undefined) throw new Error(`no advice on ${term}`);
  return { term, kind, meaning, since, ...advice, facts };
}

/** The first framework in which an operation takes the header, or an answer has it. */
function headerSince(name: string): Framework {
  const before = { ...presets.v1, surface: 'framework' } as const;
  const rules = operations.flatMap((op) => [
    ...declaredHeaders(before, op),
    ...op.success.flatMap(({ status }) => answerHeadersOf(before, op, status)),
  ]);
  const implied = ['Date', 'Authorization', 'Accept', 'Content-Type'];
  return implied.includes(name) || rules.some((rule) => rule.name === name) ? '1.3.2' : '1.3.6';
}

function offeredIn(id: (typeof operations)[number]['id']): Facts {
  const names = Object.entries(presets).flatMap(([name, variant]) =>
    absence(variant, id) === undefined ? [name] : [],
  );
  return [['offered in', names.length === 0 ? 'the framework only' : names.join(', ')]];
}

/** What a member that was renamed is called in the other framework. */
function renamed(name: string): Facts {
  return renamings.flatMap((key): Facts => {
    const [before, now] = [wireNames['1.3.2'][key], wireNames['1.3.6'][key]];
    if (name === before) return [['in 1.3.6', now]];
    // A name that others had before is no new name.
    return name === now && newMemberNames.has(name) ? [['in 1.3.2', before]] : [];
  });
}

/** Which operations need a header, or may have it. */
function takers(name: string): Facts {
  const having = (needs: string) =>
    operations.filter(({ headers }) =>
      headers
        .flatMap((set) => headerSets[set])
        .some((rule) => rule.name === name && needs.includes(rule.need)),
    );
  const shown = (title: string, needs: string): Facts => {
    const found = having(needs);
    if (found.length === 0) return [];
    const all = found.length === operations.length;
    return [[title, all ? 'every operation' : found.map(({ id }) => id).join(', ')]];
  };
  return [...shown('needed by', 'm'), ...shown('taken by', 'co')];
}

function also(name: string): Facts {
  const wrong = Object.keys(misspellings).filter((spelling) => misspellings[spelling] === name);
  return wrong.length === 0 ? [] : [['also seen as', wrong.join(', ')]];
}

/** Everything that a word means, without regard to case and known misspellings; empty for a word that nobody knows. */
export function explain(word: string): readonly Explanation[] {
  const wanted = word.toLowerCase();
  const right = Object.entries(misspellings).find(([wrong]) => wrong.toLowerCase() === wanted)?.[1];
  const names = [wanted, right === undefined ? wanted : linkFact(right).name.toLowerCase()];
  return explanations.filter(({ term }) => names.includes(term.toLowerCase()));
}
