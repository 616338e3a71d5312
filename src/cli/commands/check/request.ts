import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { exitCodes } from '../../../base/errors.ts';
import { judgeRequests } from '../../../client/evidence/judge-requests.ts';
import type { JudgedCapture } from '../../../client/evidence/judge-requests.ts';
import type { Style } from '../../render/style.ts';
import { judgingFlags } from './judging-flags.ts';

const flags = (command: Flags) =>
  judgingFlags(
    command
      .argument('<file>', 'requests as they were logged: raw HTTP, curl commands, HAR or JSON; - for stdin')
      .optionsGroup('BANK FLAGS'),
    'told from the path, else the newest',
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Judge requests of any TPP by the rules of the interface; no bank is asked',
      examples: ['obk check request request.http', 'obk check request calls.har --signature required --json'],
      exits: [10],
      more: ['obk help sign verify', 'obk help sandbox log'],
    },
    run,
  );

const run: Run<Options> = async (context, { file, framework, signature, trust = [] }) => {
  const requests = await judgeRequests(context.ports, file, {
    framework,
    needsSignature: signature === 'required',
    trust,
  });
  const all = requests.flatMap(({ findings }) => findings);
  const count = (severity: string) => all.filter((one) => one.severity === severity).length;
  const sums = { errors: count('error'), warnings: count('warning'), notes: count('note') };
  return {
    kind: 'data',
    data: { ...sums, requests },
    text: (style) => [...requests.flatMap((one) => linesOf(one, style)), verdict(sums, style)].join('\n'),
    exit: all.length === 0 ? exitCodes.ok : exitCodes.expectation,
  };
};

function linesOf(
  { method, target, operation, findings, notTested, notes }: JudgedCapture,
  style: Style,
): string[] {
  const marks = { error: style.bad('error'), warning: style.warn('warning'), note: style.dim('note') };
  const about = operation === null ? '' : style.dim(` ${operation}`);
  return [
    style.bold(cleanLine(`${method} ${target}`, 300)) + about,
    ...findings.flatMap(({ severity, place, pointer, what, why, source, status, code }) => [
      `  ${marks[severity]} ${cleanLine(`${place} ${pointer}`.trim(), 250)}: ${cleanLine(what, 600)}`,
      `    ${style.dim(`${why} [${source}] A bank answers ${String(status)}${code === '' ? '' : ` ${cleanLine(code)}`}.`)}`,
    ]),
    ...notTested.map((part) => `  ${style.dim(`not tested: ${part}`)}`),
    ...notes.map((note) => `  ${style.dim(`note ${cleanLine(note)}`)}`),
  ];
}

function verdict(
  { errors, warnings, notes }: { errors: number; warnings: number; notes: number },
  style: Style,
): string {
  if (errors + warnings + notes === 0) return style.good('nothing found');
  return `errors: ${String(errors)}, warnings: ${String(warnings)}, notes: ${String(notes)}`;
}
