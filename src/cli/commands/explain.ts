import type { Flags, OptionsOf, Register, Run } from '../command.ts';
import { line } from '../../base/command-line.ts';
import type { Context } from '../context.ts';
import { ObkError } from '../../base/errors.ts';
import type { DataOutcome } from '../outcome.ts';
import { listedRules } from '../../tester/check/rule-list.ts';
import { nearest } from '../../base/nearest.ts';
import type { Style } from '../render/style.ts';
import { definitions, wrap } from '../render/wrap.ts';
import { explain, explanations } from '../../standard/xs2a/explain.ts';
import type { Explanation, TermKind } from '../../standard/xs2a/explain.ts';
import { sourceText } from '../../standard/xs2a/origin.ts';
import { exitMeanings } from './output/exit-meanings.ts';
import { errorMeanings } from './help/errors.ts';
import { oauthErrors, outcomes } from './help/explained-words.ts';
import type { ExplainedWord } from './help/explained-words.ts';
import { fieldWords } from './help/field-words.ts';

/** A word of the interface, or a word of the field, a command, exit or error code of obk, which no framework defines. */
interface Explained extends Omit<Explanation, 'kind' | 'source'> {
  kind: TermKind | 'word' | 'exit code' | 'error code' | 'oauth error' | 'outcome' | 'rule' | 'command';
  source?: Explanation['source'];
}

const flags = (command: Flags) =>
  command.argument(
    '[term...]',
    'a word (PSU, SCA, QWAC), status, code, header, link, product, field, rule, exit or error code, or a command',
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Explain a word of the interface, offline: what it means, who must act, what helps',
      examples: [
        'obk explain CONSENT_INVALID',
        'obk explain ACTC',
        'obk explain scaRedirect',
        'obk explain 12',
        'obk explain 404',
        'obk explain DUPLICATE_PAYMENT',
        'obk explain payment authorise',
        'obk explain PSU',
      ],
      more: ['obk help exit-codes', 'obk help errors'],
    },
    run,
  );

const run: Run<Options> = ({ entries }, { term }) =>
  Promise.resolve().then(() => (term.length === 0 ? everything() : one(term.join(' '), ownWords(entries))));

const exits: readonly Explained[] = exitMeanings.map(({ code, name, long, who, advice }) => ({
  term: String(code),
  kind: 'exit code',
  meaning: long,
  who,
  advice,
  facts: [['name', name]],
}));

/** The exit code says who must act, and how. */
const errors: readonly Explained[] = errorMeanings.flatMap(({ code, exit, meaning }) =>
  exitMeanings
    .filter((one) => one.code === exit)
    .map(({ who, advice }) => ({
      term: code,
      kind: 'error code',
      meaning,
      who,
      advice,
      facts: [['exit code', String(exit)]],
    })),
);

const explained = (kind: Explained['kind'], words: readonly ExplainedWord[]): readonly Explained[] =>
  words.map(([term, meaning, who, advice]) => ({ term, kind, meaning, who, advice, facts: [] }));

const words = [...explained('oauth error', oauthErrors), ...explained('outcome', outcomes)];

const terms: readonly Explained[] = fieldWords.map(([term, names, meaning, who, advice]) => ({
  term,
  kind: 'word',
  meaning,
  who,
  advice,
  facts: names.length === 0 ? [] : [['also', names.join(', ')]],
}));

/** The words of the field that are called so, by any of their names. */
function termsCalled(name: string): readonly Explained[] {
  const isCalled = (names: readonly string[]) =>
    names.some((one) => one.toUpperCase() === name.toUpperCase());
  return fieldWords.flatMap(([term, names], at) =>
    isCalled([term, ...names]) ? terms.slice(at, at + 1) : [],
  );
}

/** The rules by which calls are judged. */
const rules: readonly Explained[] = listedRules.map(({ rule, side, area, level, says, source, example }) => ({
  term: rule,
  kind: 'rule',
  meaning: says,
  who: side === 'request' ? 'TPP' : 'ASPSP',
  advice:
    side === 'request' ? 'obk check request FILE judges a request.' : 'obk check FILE.har judges answers.',
  facts: [
    ['level', level],
    ['area', area],
    ['where', source],
    ['example', example],
  ],
}));

/** The words of obk itself: its exit and error codes, its rules and its commands. */
function ownWords(entries: Context['entries']): readonly Explained[] {
  const commands = entries
    .filter(({ hidden }) => hidden !== true)
    .map(({ path, summary }): Explained => ({
      term: path,
      kind: 'command',
      meaning: `${summary}.`,
      who: 'nobody',
      advice: `obk help ${path} has its flags and examples.`,
      facts: [],
    }));
  return [...exits, ...errors, ...words, ...rules, ...commands];
}

function one(term: string, ours: readonly Explained[]): DataOutcome {
  const own = ours.filter((explained) => explained.term.toUpperCase() === term.toUpperCase());
  const found: readonly Explained[] = [...termsCalled(term), ...explain(term), ...own];
  if (found.length === 0) throw unknownTerm(term, ours);
  return {
    kind: 'data',
    data: found.map(({ facts, ...rest }) => ({ ...rest, facts: Object.fromEntries(facts) })),
    text: (style) => found.map((explained) => page(explained, style)).join('\n'),
    name: found.map((explained) => explained.term).join('\n'),
  };
}

/** At most 80 columns, unless nothing is to be wrapped. */
const widthOf = (style: Style): number => (style.width === Infinity ? Infinity : Math.min(style.width, 80));

function page({ term, kind, meaning, since, source, who, advice, facts }: Explained, style: Style): string {
  const width = widthOf(style);
  const rows = [
    [acts[who], advice] as const,
    ...facts.map(([name, value]) => [name, width === Infinity ? value : shortened(value)] as const),
    ...(since === undefined ? [] : [['since', `framework ${since}`] as const]),
    ...(source === undefined ? [] : [['source', sourceText(source)] as const]),
  ];
  return [
    `${style.bold(term)}  ${style.dim(kinds[kind])}`,
    ...wrap(meaning, width - 2).map((line) => `  ${line}`),
    ...definitions(rows, { indent: 2, width, column: 18 }),
    '',
  ].join('\n');
}

/** Most headers are taken by most operations: the first ones are enough to a person. */
function shortened(value: string): string {
  const items = value.split(', ');
  const more = items.length - 6;
  return more < 3 ? value : `${items.slice(0, 6).join(', ')} and ${String(more)} more`;
}

const acts = { TPP: 'you', PSU: 'the PSU', ASPSP: 'the bank', nobody: 'next' } as const;

const kinds: Readonly<Record<Explained['kind'], string>> = {
  transactionStatus: 'status of a payment',
  scaStatus: 'status of an authorisation',
  consentStatus: 'status of a consent',
  tppMessage: 'error code of a bank',
  httpStatus: 'HTTP status',
  header: 'header',
  link: 'link in _links',
  product: 'payment product',
  operation: 'operation',
  field: 'member of a body or a query',
  word: 'word of the field',
  'exit code': 'exit code of obk',
  'error code': 'error code of obk',
  'oauth error': 'error code of OAuth2',
  outcome: 'outcome of a call in obk log',
  rule: 'rule by which calls are judged',
  command: 'command of obk',
};

/** Without a term: all words by kind; the commands have a list of their own. */
const all: readonly Explained[] = [...terms, ...explanations, ...exits, ...errors, ...words, ...rules];

/** The words that are explained, for the shells; those of several words are not completed. */
export const explainedTerms: readonly string[] = [...new Set(all.map(({ term }) => term))].filter(
  (term) => !/\s/.test(term),
);

function everything(): DataOutcome {
  const byKind = new Map<Explained['kind'], string[]>();
  for (const { kind, term } of all) byKind.set(kind, [...(byKind.get(kind) ?? []), term]);
  return {
    kind: 'data',
    data: all.map(({ term, kind, meaning }) => ({ term, kind, meaning })),
    text: (style) =>
      [...byKind]
        .map(([kind, terms]) =>
          [
            style.bold(kinds[kind]),
            ...wrap(terms.join(' '), widthOf(style) - 2).map((line) => `  ${line}`),
            '',
          ].join('\n'),
        )
        .join('\n'),
    name: all.map(({ term }) => term).join('\n'),
    next: ['obk explain ACSC', 'obk commands'],
  };
}

function unknownTerm(term: string, ours: readonly Explained[]): ObkError {
  const names = [...explanations, ...ours].map((explained) => explained.term);
  const near = nearest(term, [...fieldWords.flatMap(([word, names]) => [word, ...names]), ...names]);
  return new ObkError({
    code: 'USAGE',
    title: `obk does not know the word ${term}.`,
    detail:
      'It explains words of the field, statuses (also those of HTTP), error codes, headers, links, products, operations, fields, rules, exit codes and commands. Of a code that a bank has made up, its own documentation says what it means; obk log show @failed -vvv has all that the bank said with it.',
    hint: [...new Set(near)]
      .slice(0, 3)
      .map((name) => line`obk explain ${name.split(' ')}`)
      .concat('obk explain   # all words'),
  });
}
