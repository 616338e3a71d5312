import type { Process } from '../context.ts';
import { isOn } from '../render/style.ts';

/** Whether a question would reach a person: the one gate before every prompt. */
export function canPrompt(
  process: Pick<Process, 'stdin' | 'stderr' | 'env'>,
  flags: { noInput?: boolean },
): boolean {
  const { env, stderr } = process;
  return (
    flags.noInput !== true &&
    !isOn(env['OBK_NO_INPUT']) &&
    !isOn(env['CI']) &&
    env['TERM'] !== 'dumb' &&
    stderr.isTTY === true &&
    process.stdin.isTTY === true
  );
}
