import { cleanLine } from '../../../base/clean.ts';
import type { CheckedExchange, SideFinding } from '../../../tester/check/exchanges.ts';
import type { Style } from '../../render/style.ts';

/** A call with what is to be said of it, for a person. */
export function exchangeLines(
  { method, target, status, operation, findings, notTested, notes }: CheckedExchange,
  style: Style,
): string[] {
  const about = operation === null ? '' : style.dim(` ${operation}`);
  const came = status === null ? '' : ` → ${String(status)}`;
  return [
    style.bold(cleanLine(`${method} ${target}`, 300)) + came + about,
    ...findings.flatMap((one) => findingLines(one, style)),
    ...notTested.map((part) => `  ${style.dim(`not tested: ${part}`)}`),
    ...notes.map((note) => `  ${style.dim(`note ${cleanLine(note)}`)}`),
  ];
}

/** A finding in two lines: what is wrong where, and what rule says so; in a third why it is taken. */
function findingLines(
  { side, rule, level, place, pointer, what, why, source, waived }: SideFinding,
  style: Style,
): string[] {
  const mark =
    waived === undefined
      ? { must: style.bad('must'), should: style.warn('should'), may: style.dim('may') }[level]
      : style.dim('waived');
  return [
    `  ${mark} ${side} ${cleanLine(`${place} ${pointer}`.trim(), 250)}: ${cleanLine(what, 600)}`,
    `    ${style.dim(`${rule}: ${why} [${source}]`)}`,
    ...(waived === undefined ? [] : [`    ${style.dim(`waived: ${cleanLine(waived, 300)}`)}`]),
  ];
}
