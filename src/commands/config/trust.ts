import { clean } from '../../clean.ts';
import type { Register, Run } from '../../command.ts';
import { ObkError } from '../../errors.ts';
import { distrusting, missingProject, projectSettings, trusting } from '../../flows/profile/project-file.ts';

interface Options {
  remove?: boolean;
  sha256?: string;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('trust')
      .option('--remove', 'trust it no longer')
      .option('--sha256 <HASH>', 'trust it only where its content has this SHA-256 (hex), for a CI'),
    {
      about:
        'Trust .obk.json of this folder or the nearest above, as it is now: profile and requireEnvironment of a project',
      examples: ['obk config trust'],
      exits: [3],
      more: ['obk help environment', 'obk help config list'],
    },
    run,
  );

const run: Run<Options> = async ({ ports: { files, settings } }, { remove = false, sha256: wanted }) => {
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
