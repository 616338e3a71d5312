import { cleanLine } from '../../base/clean.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { redactMessage } from '../redaction/redact.ts';
import type { Target } from '../exchange/target.ts';

const told = new WeakMap<Target['state'], Set<string>>();

/** Says what a bank warns of in an answer that succeeded, each warning once in a run. */
export function tellWarnings(target: Target, { messages }: Answer): void {
  if (messages.length === 0) return;
  const before = told.get(target.state) ?? new Set();
  told.set(target.state, before);
  for (const { code = '', text = '' } of messages.map(redactMessage)) {
    const line = cleanLine(`${code} ${text}`.trim());
    if (before.has(line)) continue;
    before.add(line);
    target.ports.notices.warn(line);
  }
}
