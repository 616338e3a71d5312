import { defined } from '../../base/defined.ts';
import { consentAdvice, messageAdvice, scaAdvice, transactionAdvice } from './advice.ts';
import type { Actor, Advice } from './advice.ts';
import { consentStatuses, messageCodes, scaStatuses, transactionStatuses } from './codes.ts';
import { fieldGroups } from './fields.ts';
import { linkMeanings } from './glossary.ts';
import { headerRows, headerSets } from './header-rows.ts';
import { answerHeaderOrigin } from './headers.ts';
import type { HeaderName } from './header-rows.ts';
import { httpStatuses } from './http-statuses.ts';
import { linkFact, linkFacts, linkOrigin, misspellings } from './link-names.ts';
import { memberChanges, nameOrigin } from './member-changes.ts';
import type { CodePlace } from './message-places.ts';
import { operations } from './operations.ts';
import type { Operation, OperationId } from './operations.ts';
import {
  always,
  frameworkNames,
  inGuidelines,
  sinceOf,
  sourceOf,
  sourceText,
  versionsText,
} from './origin.ts';
import type { Origin, Source, Version } from './origin.ts';
import { isXmlProduct, jsonProducts, products } from './products.ts';
import { absence, operationChanges, operationNames, presets, wireChanges, wireForm } from './variants.ts';
import { linkAdvice, productAdvice } from './wire-advice.ts';

/** The kinds of words that can be explained. */
export type TermKind =
  | 'transactionStatus'
  | 'scaStatus'
  | 'consentStatus'
  | 'tppMessage'
  | 'httpStatus'
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
  /** The version of the framework that brought it; undefined for what no framework has. */
  readonly since?: Version;
  readonly source: Source;
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

const renamings = [
  'consentMessage',
  'addressStreet',
  'addressTown',
  'addressPostCode',
  'cancellationList',
] as const;

const implied: readonly string[] = ['Date', 'Authorization', 'Accept', 'Content-Type'];

/** Everything that can be explained, statuses first. Source: guidelines 4, 11, 13 and 14. */
export const explanations: readonly Explanation[] = [
  ...transactionStatuses.map((fact) =>
    advised('transactionStatus', { term: fact.code, ...fact }, transactionAdvice, [
      ['ISO 20022', fact.name],
      ['final', yesNo(fact.final)],
    ]),
  ),
  ...scaStatuses.map((fact) =>
    advised('scaStatus', { term: fact.code, ...fact }, scaAdvice, [['final', yesNo(fact.final)]]),
  ),
  ...consentStatuses.map((fact) =>
    advised('consentStatus', { term: fact.code, ...fact }, consentAdvice, [
      ['final', yesNo(fact.final)],
      ['usable', yesNo(fact.usable)],
    ]),
  ),
  ...messageCodes.map(({ code, http, services, places, meaning, exit, origin }) => {
    const operation = places.length === 1 ? places[0]?.operation : undefined;
    return advised('tppMessage', { term: code, meaning, origin }, messageAdvice, [
      ['HTTP status', http.join(', ')],
      ['services', services?.join(', ') ?? 'all'],
      ...(operation === undefined ? [] : [['operation', operation] as const]),
      ...beyond(places, origin),
      ['exit code', String(exit)],
    ]);
  }),
  ...httpStatuses.map(({ status, meaning, who, advice, codes }): Explanation => ({
    term: String(status),
    kind: 'httpStatus',
    meaning,
    ...(ofInterface(status) ? from(always) : { source: sourceOf(always) }),
    who,
    advice,
    facts: codes.length === 0 ? [] : [['codes', codes.join(', ')]],
  })),
  ...Object.entries(headerRows).map(([name, { format, means, advice }]) =>
    advised(
      'header',
      { term: name, meaning: means, origin: originOfHeader(name as HeaderName) },
      { [name]: advice },
      [['format', format], ...takers(name), ...addedTo(name)],
    ),
  ),
  ...linkFacts.map(({ name, method, body, where }) =>
    advised('link', { term: name, meaning: linkMeanings[name], origin: linkOrigin(name) }, linkAdvice, [
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
      ...from(always),
      ...productAdvice[core],
      facts: [['body', isXmlProduct(product) ? 'pain.001 (XML)' : 'JSON']],
    };
  }),
  ...operations.map(({ id, method, path, role }): Explanation => ({
    term: id,
    kind: 'operation',
    meaning: `${method} ${path}`,
    ...from(always),
    who: 'TPP',
    advice: `Call it: obk api ${id}.`,
    facts: [['role', role], ...offeredIn(id), ...calledLater(id)],
  })),
  ...fieldGroups.flatMap(({ where, who, advice, meanings }) =>
    Object.entries(meanings).map(([term, meaning]): Explanation => ({
      term,
      kind: 'field',
      meaning,
      ...from(nameOrigin(term)),
      who,
      advice,
      facts: [['place', where], ...renamed(term), ...inObjects(term), ...versionsOf(nameOrigin(term))],
    })),
  ),
];

function advised(
  kind: TermKind,
  { term, meaning, origin }: { readonly term: string; readonly meaning: string; readonly origin: Origin },
  advices: Readonly<Record<string, Advice>>,
  facts: Facts,
): Explanation {
  const advice = advices[term];
  if (advice === undefined) throw new Error(`no advice on ${term}`);
  return { term, kind, meaning, ...from(origin), ...advice, facts: [...facts, ...versionsOf(origin)] };
}

/** Whether the interface gives a status a meaning; it leaves the faults of servers, and what gateways answer, to HTTP. */
function ofInterface(status: number): boolean {
  return status < 300 || (status < 500 && messageCodes.some(({ http }) => http.includes(status)));
}

function from(origin: Origin): Pick<Explanation, 'since' | 'source'> {
  const since = sinceOf(origin);
  return { ...defined({ since }), source: sourceOf(origin) };
}

/** The versions in detail, where file and guidelines disagree or it has ended. */
function versionsOf(origin: Origin): Facts {
  const text = versionsText(origin);
  return text === undefined ? [] : [['versions', text]];
}

/** Where else a code is seen, of which the framework knows nothing. */
function beyond(places: readonly CodePlace[], { dialect }: Origin): Facts {
  return places
    .filter(({ origin }) => origin.dialect !== undefined && origin.dialect !== dialect)
    .map(({ http, services, origin }) => [
      `${origin.dialect ?? ''} dialect`,
      `also ${http.join(', ')} of ${services.join(', ')}`,
    ]);
}

/** The origin of a header, in whatever operation or answer it came first. */
function originOfHeader(name: HeaderName): Origin {
  if (implied.includes(name)) return inGuidelines('1.3.2');
  const declares = (op: Operation) =>
    op.headers.some((set) => headerSets[set].some((rule) => rule.name === name));
  if (operations.some(declares)) return always;
  const change = operationChanges.find(({ headers }) =>
    headers.some((set) => headerSets[set].some((rule) => rule.name === name)),
  );
  return change?.origin ?? answerHeaderOrigin(name);
}

/** The operations that got a known header later. */
function addedTo(name: string): Facts {
  return operationChanges
    .filter(({ headers, instead = [] }) => {
      const sets = [...headers, ...instead].flatMap((set) => headerSets[set]);
      return sets.some((rule) => rule.name === name);
    })
    .map(({ id, origin }) => [id, said(origin)]);
}

/** The objects that got a known member later, or that have it by one source only. */
function inObjects(name: string): Facts {
  const general = said(nameOrigin(name));
  return memberChanges
    .filter(({ members, origin }) => members.includes(name) && said(origin) !== general)
    .map(({ object, origin }) => [`in ${object}`, said(origin)]);
}

/** Since when, and who says so. */
function said(origin: Origin): string {
  const since = sinceOf(origin);
  const source = sourceText(sourceOf(origin), origin.dialect);
  const versions = versionsText(origin);
  if (since === undefined) return source;
  return versions?.startsWith('guidelines') === true
    ? versions
    : `${versions ?? `since ${since}`} (${source})`;
}

/** The name that a later file has for an operation. */
function calledLater(id: OperationId): Facts {
  const later = operationNames[id];
  return later === undefined ? [] : [['also called', `${later.name} (${said(later.origin)})`]];
}

function offeredIn(id: (typeof operations)[number]['id']): Facts {
  const names = Object.entries(presets).flatMap(([name, variant]) =>
    absence(variant, id) === undefined ? [name] : [],
  );
  return [['offered in', names.length === 0 ? 'the framework only' : names.join(', ')]];
}

/** The names of a renamed member in the other frameworks. */
function renamed(name: string): Facts {
  const balances = [...wireChanges.withBalanceAccess.forms.map(([form]) => form)];
  if (balances.some((form) => form === name)) {
    const others = balances.filter((form) => form !== name);
    return [['also asked for by', others.join(', ')]];
  }
  return renamings.flatMap((key): Facts => {
    const forms = frameworkNames.map((framework) => [framework, wireForm(framework, key).form] as const);
    const own = forms.find(([, form]) => form === name)?.[0];
    // A name that others had before is no new name.
    const isOld = own !== undefined && own !== frameworkNames[0] && nameOrigin(name) === always;
    if (own === undefined || isOld) return [];
    return forms.flatMap(([framework, form]) => (form === name ? [] : [[`in ${framework}`, form] as const]));
  });
}

/** Which operations need a header, or may have it. */
function takers(name: string): Facts {
  const having = (needs: string) =>
    operations.filter(({ id, headers }) =>
      [...headers, ...operationChanges.flatMap((change) => (change.id === id ? change.headers : []))]
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

/** Returns every explanation of a word, in any case and under known misspellings; empty for an unknown word. */
export function explain(word: string): readonly Explanation[] {
  const wanted = word.toLowerCase();
  const right = Object.entries(misspellings).find(([wrong]) => wrong.toLowerCase() === wanted)?.[1];
  const operation = Object.entries(operationNames).find(([, { name }]) => name.toLowerCase() === wanted)?.[0];
  const names = [
    operation?.toLowerCase() ?? wanted,
    right === undefined ? wanted : linkFact(right).name.toLowerCase(),
  ];
  return explanations.filter(({ term }) => names.includes(term.toLowerCase()));
}
