import { cleanLine } from '../../../base/clean.ts';
import type { Register, Run } from '../../command.ts';
import type { StateContents } from '../../../client/ports/state-store.ts';
import { definitions } from '../../render/wrap.ts';
import { bytesText, siteText, stateOptions } from './state-options.ts';

export const register: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Show what is in the state, how large it is, the oldest unknown outcome, and of a database who is connected',
      examples: ['obk state status', 'obk state status --json'],
      exits: [3],
      more: ['obk help state doctor', 'obk help pending list'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const contents = await context.ports.stateStore.contents();
  return {
    kind: 'data',
    data: contents,
    name: siteText(contents),
    next: contents.unknown.count === 0 ? [] : ['obk pending list'],
    text: () =>
      definitions(
        [
          ['Place', siteText(contents)],
          ['Engine', cleanLine(contents.engine)],
          ['Version', versionText(contents)],
          ['Size', bytesText(contents.bytes)],
          ...contents.kinds.map(
            ({ kind, count, bytes }) =>
              [capital(kind), `${String(count)}${bytes === null ? '' : ` · ${bytesText(bytes)}`}`] as const,
          ),
          ['Profiles', contents.profiles.length === 0 ? 'none' : contents.profiles.join(', ')],
          ...(contents.store === 'files'
            ? []
            : ([
                ['Keys', keysText(contents)],
                ['Connected', sessionsText(contents)],
              ] as const)),
          ['Unknown outcomes', unknownText(contents)],
        ],
        { indent: 0, width: 400, column: 25 },
      ).join('\n'),
  };
};

const versionText = ({ schemaVersion }: StateContents): string =>
  schemaVersion === 0 ? 'nothing is kept yet' : String(schemaVersion);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function keysText({ keys }: StateContents): string {
  if (keys.length === 0) return 'nothing is sealed yet';
  return keys
    .map(({ key, values, known, current }) => {
      const which = current ? 'in use' : known ? 'the one before' : 'not known here';
      return `${key} (${which}): ${String(values)} values`;
    })
    .join('; ');
}

function sessionsText({ sessions }: StateContents): string {
  return sessions
    .map(({ application, user, address, since, self }) => {
      const who = `${cleanLine(application)} as ${cleanLine(user)}${address === null ? '' : ` from ${address}`}`;
      return self ? `${who} (this run)` : since === null ? who : `${who} since ${since}`;
    })
    .join('; ');
}

function unknownText({ unknown: { count, oldest } }: StateContents): string {
  if (oldest === null) return 'none';
  const { run, profile, operation, at } = oldest;
  const what = [operation, profile === null ? null : `profile ${profile}`, `run ${run}`].filter(
    (part) => part !== null,
  );
  return `${String(count)}, the oldest of ${at ?? 'an unknown time'}: ${cleanLine(what.join(', '))}`;
}
