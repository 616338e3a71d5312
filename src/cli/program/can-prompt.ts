import type { Process } from '../context.ts';
import { isOn } from '../render/style.ts';

/** Whether a question would reach a person: the one gate before every prompt. */
export function canPrompt(
  host: Pick<Process, 'stdin' | 'stderr' | 'env'>,
  flags: { noInput?: boolean },
): boolean {
  const { env, stderr } = host;
  return (
    flags.noInput !== true &&
    !isOn(env['OBK_NO_INPUT']) &&
    !isOn(env['CI']) &&
    env['TERM'] !== 'dumb' &&
    stderr.isTTY === true &&
    host.stdin.isTTY === true
  );
}
