import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import type { ChosenProfile } from '../../../client/profile/choose-profile.ts';
import type { Journal } from '../../../client/ports/journal.ts';
import { isOn } from '../../render/style.ts';

/**
 * The journal of this run: the first record is preceded by who runs what, and the exit code comes last. With OBK_NO_LOG only
 * writes are recorded: without their intents and marks a payment could be sent twice.
 */
export function journalWithHead(context: Context, chosen: ChosenProfile, insecure: boolean): Journal {
  const { journal, clock, notices } = context.ports;
  const { version, pid } = context.process;
  let head: Promise<void> | undefined;
  const isQuiet = isOn(context.process.env['OBK_NO_LOG']);
  const reads = new Set<string>();
  const append: Journal['append'] = async (record) => {
    if (isQuiet && record.type === 'prepared' && !record.write) reads.add(record.exchange);
    if ('exchange' in record && reads.has(record.exchange)) return;
    head ??= begin();
    await head;
    await journal.append(record);
  };
  async function begin(): Promise<void> {
    context.atEnd(async (exit) => {
      // The calls of the run tell its outcome anyway; a full disk here must not change the exit code.
      await journal.append({ type: 'ended', at: clock.now().toISOString(), exit }).catch(() => {
        notices.trace(1, 'journal: the end of the run could not be written');
      });
      await retain(context);
    });
    await journal.append({
      type: 'run',
      at: clock.now().toISOString(),
      version,
      command: context.command,
      profile: chosen.name,
      environment: chosen.profile.environment,
      framework: chosen.profile.framework,
      pid,
      ...(insecure ? { insecure } : {}),
    });
  }
  return new Proxy(journal, {
    get: (target, name) => (name === 'append' ? append : (Reflect.get(target, name) as unknown)),
  });
}

/** How long a run may go on for the sake of old ones, once everything is printed. */
const forOldRunsMs = 50;

/** Old runs go by themselves where the setting says so; that they cannot changes nothing of this one. */
async function retain({ ports, signal }: Context): Promise<void> {
  if (signal.aborted) return;
  try {
    const { retention } = await ports.settings.read();
    if (retention === undefined) return;
    const { applyRetention } = await import('../../../client/evidence/retention.ts');
    await applyRetention(ports, forOldRunsMs);
  } catch (error) {
    const { title, detail = '' } = error instanceof ObkError ? error : { title: String(error) };
    ports.notices.trace(1, `journal: old runs could not be removed now: ${title} ${detail}`);
  }
}
