import type { Register, Run } from '../../command.ts';
import { ObkError, exitCodes } from '../../errors.ts';
import { judgeExchanges } from '../../flows/check/exchanges.ts';
import type { CheckedExchange } from '../../flows/check/exchanges.ts';
import { countsOf, warningsOf } from '../../flows/check/summary.ts';
import { capturesOfRun } from '../../flows/evidence/captured-request.ts';
import { capturesIn } from '../../flows/evidence/judge-requests.ts';
import type { Context } from '../../context.ts';
import type { Outcome } from '../../outcome.ts';
import type { Style } from '../../render/style.ts';
import { frameworkNames } from '../../xs2a/variants.ts';
import type { Framework } from '../../xs2a/variants.ts';
import { demand, oneOf, several } from '../flags/flag-values.ts';
import { chosenProfile } from '../run/with-target.ts';
import { exchangeLines } from './finding-lines.ts';

interface Options {
  what?: string;
  framework?: Framework;
  signature?: 'required' | 'optional';
  trust?: readonly string[];
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('check')
      .argument('[what]', 'calls that were made: a HAR file, a run such as @last, - for stdin')
      .optionsGroup('BANK FLAGS')
      .option(
        '--framework <V>',
        'version of the framework (that of the profile or of the path)',
        oneOf('--framework', frameworkNames),
      )
      .option(
        '--signature <NEED>',
        'required where the bank wants every request signed (optional)',
        oneOf('--signature', ['required', 'optional'] as const),
      )
      .option(
        '--trust <FILE>',
        'PEM file of the CAs of TPP certificates (several; else issuers are not tested)',
        several,
      ),
    {
      about: 'Judge calls that were made, both sides of each, by the rules of the interface',
      usage: 'WHAT',
      examples: [
        'obk check @last',
        'obk check calls.har --json',
        'obk check calls.har --profile bank   # as that bank writes its answers',
        'obk check rules',
      ],
      exits: [10],
      more: ['obk help check rules', 'obk help check request', 'obk help log har'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { what } = options;
  demand([what === undefined && 'WHAT'], 'obk check @last', 'obk check --help');
  return judged(context, what ?? '', options);
};

async function judged(
  context: Context,
  what: string,
  { framework, signature, trust = [] }: Options,
): Promise<Outcome> {
  const { ports, globals } = context;
  const read = await callsOf(context, what);
  const profile = globals.profile === undefined ? read.profile : (await chosenProfile(context)).profile;
  const exchanges = await judgeExchanges(ports, read.captures, {
    framework,
    profile,
    needsSignature: signature === 'required',
    trust,
  });
  const counts = countsOf(exchanges);
  const warnings = warningsOf(exchanges);
  const isClean = counts.must + counts.should === 0 && exchanges.some(({ operation }) => operation !== null);
  return {
    kind: 'data',
    data: { ...counts, warnings, exchanges },
    text: (style) => text(exchanges, warnings, counts, style),
    exit: isClean ? exitCodes.ok : exitCodes.expectation,
  };
}

/** A run by its mark or its id; a word that looks like a path is one. */
const isRun = (what: string): boolean => what.startsWith('@') || /^[0-9a-f]{8}-[0-9a-f-]{10,}$/i.test(what);

/** The calls of a file, or of a run with the profile that made it. */
async function callsOf(context: Context, what: string) {
  const { ports, globals } = context;
  if (!isRun(what)) return { captures: await capturesIn(ports, what), profile: undefined };
  const { captures, profile: name } = await capturesOfRun(ports.journal, what);
  if (name === null) return { captures, profile: undefined };
  try {
    const { profile } = await chosenProfile({ ...context, globals: { ...globals, profile: name } });
    return { captures, profile };
  } catch (error) {
    // It was deleted since.
    if (error instanceof ObkError) return { captures, profile: undefined };
    throw error;
  }
}

function text(
  exchanges: readonly CheckedExchange[],
  warnings: readonly string[],
  { must, should, may }: ReturnType<typeof countsOf>,
  style: Style,
): string {
  const sum =
    must + should + may === 0
      ? style.good('nothing found')
      : `must: ${String(must)}, should: ${String(should)}, may: ${String(may)}`;
  return [
    ...warnings.map((one) => style.warn(one)),
    ...exchanges.flatMap((one) => exchangeLines(one, style)),
    sum,
  ].join('\n');
}
