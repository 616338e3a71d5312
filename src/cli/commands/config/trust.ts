import { clean } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { ObkError } from '../../../base/errors.ts';
import { sha256Of } from '../../../tester/journeys/read-journey.ts';
import type { Outcome } from '../../outcome.ts';
import type { Ports } from '../../../client/ports.ts';
import {
  distrusting,
  missingProject,
  projectSettings,
  trusting,
} from '../../../client/profile/project-file.ts';

const flags = (command: Flags) =>
  command
    .argument('[file]', 'a journey; without it the project file')
    .option('--remove', 'trust it no longer')
    .option('--sha256 <HASH>', 'trust it only where its content has this SHA-256 (hex), for a CI');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Trust .obk.json of this folder or the nearest above, as it is now, or a journey that names secrets and programs itself',
      examples: ['obk config trust', 'obk config trust pay.yaml'],
      exits: [3],
      more: ['obk help environment', 'obk help config list'],
    },
    run,
  );

const run: Run<Options> = async (
  { ports: { files, settings } },
  { file: journey, remove = false, sha256: wanted },
) => {
  if (journey !== undefined) return trustJourney({ files, settings }, journey, { remove, wanted });
  const file = await files.project();
  const gone = remove
    ? missingProject(await settings.read(), files.absolute('.obk.json'), file?.path)
    : undefined;
  if (gone !== undefined) {
    await settings.update((before) => distrusting(before, gone));
    const data = { path: gone, sha256: '', trusted: false, settings: null };
    return { kind: 'data', data, text: () => clean(`Not trusted: ${gone}`), name: gone };
  }
  if (file === undefined) {
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'There is no project file.',
      detail: 'No .obk.json is in this folder, nor in one above it up to the home folder.',
      hint: [`echo '{ "profile": "NAME", "requireEnvironment": "test" }' > .obk.json`],
    });
  }
  if (wanted !== undefined && wanted.toLowerCase() !== file.sha256) {
    throw new ObkError({
      code: 'CONFIG_UNREADABLE',
      title: 'The project file is not the one that was expected.',
      detail: `${file.path} has the SHA-256 ${file.sha256 === '' ? 'of nothing that can be read' : file.sha256}.`,
    });
  }
  await settings.update((before) => (remove ? distrusting(before, file.path) : trusting(before, file)));
  const { path, sha256, text = '' } = file;
  return {
    kind: 'data',
    data: { path, sha256, trusted: !remove, settings: remove ? null : projectSettings(file) },
    text: () => clean(remove ? `Not trusted: ${path}` : `Trusted as it is now: ${path}\n${text.trimEnd()}`),
    name: path,
  };
};

/** A journey is trusted by its hash, so that a change of it is looked at again. */
async function trustJourney(
  { files, settings }: Pick<Ports, 'files' | 'settings'>,
  journey: string,
  { remove, wanted }: { remove: boolean; wanted: string | undefined },
): Promise<Outcome> {
  const path = files.absolute(journey);
  const sha256 = remove ? '' : sha256Of(await files.read(journey));
  if (!remove && wanted !== undefined && wanted.toLowerCase() !== sha256)
    throw new ObkError({
      code: 'CONFIG_UNREADABLE',
      title: 'The journey is not the one that was expected.',
      detail: `${path} has the SHA-256 ${sha256}.`,
    });
  await settings.update(({ trustedJourneys = {}, ...before }) => {
    const { [path]: _, ...others } = trustedJourneys;
    const after = remove ? others : { ...others, [path]: sha256 };
    return Object.keys(after).length === 0 ? before : { ...before, trustedJourneys: after };
  });
  return {
    kind: 'data',
    data: { path, sha256, trusted: !remove, settings: null },
    text: () => clean(remove ? `Not trusted: ${path}` : `Trusted as it is now: ${path}`),
    name: path,
  };
}
