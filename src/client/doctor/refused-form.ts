import { cleanLine } from '../../base/clean.ts';
import { line } from '../../base/command-line.ts';
import { presetNames, presets } from '../../standard/xs2a/variants.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import type { Target } from '../exchange/target.ts';
import { warn } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';

/** What servers write where a body has members or forms of another framework. */
const anotherForm =
  /cannot deserialize|unrecognized (?:field|property)|unknown (?:field|property)|(?:field|property|parameter)\b[^.\n]{0,120}\b(?:is )?not expected/i;

/** At most this many runs with refusals are read, the newest first. */
const mostRuns = 20;

/** A refusal in the journal that says that the bank speaks another framework than the profile, with what mends the profile. */
export async function refusedForms({ name, ports: { journal }, variant }: Target): Promise<Finding[]> {
  const runs = await journal.runsThat(
    ({ profile, calls }) =>
      profile === name && calls.some(({ status }) => status !== null && status >= 400 && status < 500),
  );
  let left = mostRuns;
  for await (const { run } of runs) {
    if ((left -= 1) < 0) break;
    const records: readonly JournalRecord[] = await journal.read(run).catch(() => []);
    const head = records.find((record) => record.type === 'run');
    // What was refused under another setting says nothing of the one of now.
    if (head?.profile !== name || head.framework !== variant.framework) continue;
    const answers = records.filter((record) => record.type === 'answered');
    const refusal = answers.find(
      ({ status, body }) => status >= 400 && status < 500 && anotherForm.test(body),
    );
    if (refusal === undefined) continue;
    const [says = ''] = new RegExp(`[^"\\n]*(?:${anotherForm.source})[^"\\n]*`, 'i').exec(refusal.body) ?? [];
    const other = presetNames
      .map((preset) => presets[preset].framework)
      .find((one) => one !== variant.framework);
    return [
      warn(
        'framework',
        `The bank refused a request in run ${run} ("${cleanLine(says, 160)}"): it does not speak framework ${variant.framework} of the profile.`,
        line`obk profile edit ${name} --framework ${other ?? variant.framework}`,
      ),
    ];
  }
  return [];
}
