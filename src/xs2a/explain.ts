import { consentAdvice, messageAdvice, scaAdvice, transactionAdvice } from './advice.ts';
import type { Actor, Advice } from './advice.ts';
import { consentStatuses, messageCodes, scaStatuses, transactionStatuses } from './codes.ts';
import type { Since } from './codes.ts';
import { fieldMeanings, headerMeanings, linkMeanings } from './glossary.ts';
import { headerFormats, headerSets } from './headers.ts';
import type { HeaderName } from './headers.ts';
import { linkFact, linkFacts, misspellings } from './link-names.ts';
import { operations } from './operations.ts';
import { isXmlProduct, products } from './products.ts';

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
  readonly since?: Since;
  readonly who?: Actor;
  readonly advice?: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

type Facts = Explanation['facts'];

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

const productMeanings: Readonly<Record<string, string>> = {
  'sepa-credit-transfers':
    'A credit transfer in euro within SEPA, booked on the next banking day at the latest.',
  'instant-sepa-credit-transfers': 'A credit transfer in euro within SEPA, at the payee within ten seconds.',
  'target-2-payments':
    'An urgent payment of a large amount in euro, through the system of the central banks.',
  'cross-border-credit-transfers': 'A credit transfer to another country or in another currency.',
};

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
  ...Object.entries(headerMeanings).map(([name, meaning]): Explanation => ({
    term: name,
    kind: 'header',
    meaning,
    facts: [['format', headerFormats[name as HeaderName]], ...takers(name)],
  })),
  ...linkFacts.map(({ name, method, body, where }): Explanation => ({
    term: name,
    kind: 'link',
    meaning: linkMeanings[name],
    facts: [
      [
        'followed by',
        where === 'api' ? `obk, with ${method}` : where === 'browser' ? 'the browser' : 'OAuth2',
      ],
      ...(body === 'none' ? [] : [['carries', body] as const]),
      ...also(name),
    ],
  })),
  ...products.map((product): Explanation => ({
    term: product,
    kind: 'product',
    meaning: productMeanings[product.replace('pain.001-', '')] ?? '',
    facts: [['body', isXmlProduct(product) ? 'pain.001 (XML)' : 'JSON']],
  })),
  ...operations.map(({ id, method, path, role }): Explanation => ({
    term: id,
    kind: 'operation',
    meaning: `${method} ${path}`,
    facts: [['role', role]],
  })),
  ...Object.entries(fieldMeanings).map(([term, meaning]): Explanation => ({
    term,
    kind: 'field',
    meaning,
    facts: [],
  })),
];

function advised(
  kind: TermKind,
  term: string,
  meaning: string,
  since: Since,
  advices: Readonly<Record<string, Advice>>,
  facts: Facts,
): Explanation {
  return { term, kind, meaning, since, ...advices[term], facts };
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
