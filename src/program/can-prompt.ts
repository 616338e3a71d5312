import type { Process } from '../context.ts';
import { isOn } from '../render/style.ts';

/** Whether a question would reach a person: the one gate before every prompt. */
export function canPrompt(
  { stdin, stderr, env }: Pick<Process, 'stdin' | 'stderr' | 'env'>,
  flags: { input?: boolean },
): boolean {
  return (
    stdin.isTTY === true &&
    stderr.isTTY === true &&
    !isOn(env['CI']) &&
    flags.input !== false &&
    !isOn(env['OBK_NO_INPUT']) &&
    env['TERM'] !== 'dumb'
  );
}
