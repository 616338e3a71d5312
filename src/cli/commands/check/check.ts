import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError, exitCodes } from '../../../base/errors.ts';
import { judgeExchanges } from '../../../tester/check/exchanges.ts';
import type { CheckedExchange } from '../../../tester/check/exchanges.ts';
import { checkOfCalls } from '../../../tester/check/check-of-calls.ts';
import { countsOf, warningsOf } from '../../../tester/check/summary.ts';
import { needKnownRules } from '../../../client/profile/waived-rules.ts';
import { isOldWaiver } from '../../../tester/check/waivers.ts';
import { redactText } from '../../../client/redaction/redact.ts';
import { callsNamed } from '../../../client/evidence/judge-requests.ts';
import type { Context } from '../../context.ts';
import type { Outcome } from '../../outcome.ts';
import type { Style } from '../../render/style.ts';
import type { WaiverResult } from '../../../settings/records/check-run.ts';
import { usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { chosenProfile } from '../run/with-target.ts';
import { exchangeLines } from './finding-lines.ts';
import { judgingFlags } from './judging-flags.ts';
import { writeReports } from './reports.ts';
import { checkBank, suiteFlags } from './suite.ts';

const flags = (command: Flags) =>
  wireOptions(
    judgingFlags(
      suiteFlags(
        command.argument(
          '[what]',
          'calls that were made: a HAR file, a run (its id, @last) or what it was about, - for stdin; without it the bank is tried',
        ),
      ).optionsGroup('FLAGS FOR CALLS THAT WERE MADE'),
      'that of the profile or of the path',
    ),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Try a bank by a suite, or judge calls that were made, by the rules of the interface',
      usual:
        'writes wrong-requests debtor creditor only plan resume junit html framework signature ' + 'psu-id',
      examples: [
        'obk check --profile sandbox --html report.html',
        'obk check --profile sandbox --writes --wrong-requests --junit junit.xml',
        'obk check --plan   # what would be tried',
        'obk check @last',
        'obk check calls.har --profile sandbox   # as that bank writes its answers',
      ],
      exits: [10, 4, 7],
      more: ['obk help check rules', 'obk help check diff', 'obk help log har'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  options.what === undefined ? tried(context, options) : judged(context, options.what, options);

/** Flags that are about one of the two alone. */
const ofCalls = ['framework', 'signature', 'trust'] as const;
const ofBank = [
  'writes',
  'wrongRequests',
  'debtor',
  'creditor',
  'only',
  'plan',
  'resume',
  'printWaivers',
] as const;

const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function tried(context: Context, options: Options): Promise<Outcome> {
  const odd = ofCalls.find((name) => options[name] !== undefined);
  if (odd !== undefined) throw usageError(`${flagOf(odd)} is for calls that were made.`, 'obk check @last');
  return checkBank(context, options);
}

async function judged(context: Context, what: string, options: Options): Promise<Outcome> {
  const odd = ofBank.find((name) => options[name] !== undefined);
  if (odd !== undefined)
    throw usageError(
      `${flagOf(odd)} is for a check of a bank, and ${what} names calls that were made.`,
      line`obk check ${what}`,
    );
  const { framework, signature, trust = [], junit, html } = options;
  const { ports, globals } = context;
  const read = await callsOf(context, what);
  const chosen = globals.profile === undefined ? undefined : await chosenProfile(context);
  const profile = chosen?.profile ?? read.profile;
  if (profile !== undefined) needKnownRules(profile, line`obk bank lint ${chosen?.name ?? 'NAME'}`);
  const { exchanges: found, waivers } = await judgeExchanges(ports, read.captures, {
    framework,
    profile,
    needsSignature: signature === 'required',
    trust,
  });
  // Findings quote what was captured.
  const exchanges = JSON.parse(redactText(JSON.stringify(found))) as CheckedExchange[];
  const counts = countsOf(exchanges);
  const warnings = warningsOf(exchanges);
  const old = waivers.filter(isOldWaiver);
  const isClean =
    counts.must + counts.should + old.length === 0 && exchanges.some(({ operation }) => operation !== null);
  if (junit !== undefined || html !== undefined) {
    const name = chosen?.name ?? (what === '-' ? 'stdin' : (what.split(/[\\/]/).at(-1) ?? what));
    const about = { run: ports.journal.run, name, at: ports.clock.now().toISOString() };
    const whole = checkOfCalls(read.captures, exchanges, { ...about, profile, warnings, waivers });
    await writeReports(context, whole, { junit, html });
  }
  return {
    kind: 'data',
    data: { ...counts, warnings, exchanges, waivers },
    text: (style) => text(exchanges, [...warnings, ...old.map(oldWaiver)], counts, style),
    exit: isClean ? exitCodes.ok : exitCodes.expectation,
  };
}

const oldWaiver = ({ rule, reason, verdict }: WaiverResult): string =>
  cleanLine(`The waiver of ${rule} is ${verdict}: ${reason}`, 300);

/** The calls of a file, or of a run with the profile that made it. */
async function callsOf(context: Context, what: string) {
  const { ports, globals } = context;
  const { captures, profile: name } = await callsNamed(ports, what, globals);
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
