import { cleanLine } from '../../base/clean.ts';
import type { Finding } from '../../base/finding.ts';
import { isProse, wrap } from './wrap.ts';
import type { Style } from './style.ts';

/** A line for each thing that was looked at, and below it what mends it. */
export const findingsText = (findings: readonly Finding[], style: Style): string =>
  findings.map((finding) => findingText(finding, style)).join('\n');

function findingText({ check, state, text, hint }: Finding, style: Style): string {
  const mark = { ok: style.good('ok  '), warn: style.warn('warn'), fail: style.bad('fail') }[state];
  const lead = ' '.repeat(19);
  const width = style.tty ? Math.max(40, style.width) - lead.length : Infinity;
  const [first = '', ...rest] = wrap(cleanLine(text), width);
  const below = rest.map((line) => lead + line);
  const head = [`${mark}  ${check.padEnd(11)}  ${first}`, ...below];
  if (hint === null) return head.join('\n');
  const mends = cleanLine(hint, 8192);
  const lines = isProse(mends) ? wrap(mends, width) : [mends];
  return [...head, ...lines.map((line) => lead + style.dim(line))].join('\n');
}
