import { isLoopbackAddress } from '../../base/url.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Doors } from './doors.ts';
import { doorKeys, doorOf } from './table.ts';
import type { DoorKey } from './table.ts';

/** The addresses to answer at that other machines may reach. */
export function elsewhere({ listen }: Pick<Doors, 'listen'>): readonly string[] {
  return listen.filter((address) => !isLoopbackAddress(address));
}

/** Whether every door stands open to whoever reaches the bank from elsewhere. */
export function isOpenElsewhere({ open, listenOpen }: Pick<Doors, 'open' | 'listenOpen'>): boolean {
  return open && listenOpen;
}

/** Doors that cannot be had together: what is wrong, why, and the changes that make them lawful. */
interface Conflict {
  title: string;
  detail: string;
  about: readonly DoorKey[];
  mend: readonly Changes[];
}

type Changes = Partial<Record<DoorKey, string | undefined>>;

/**
 * Throws USAGE for the first doors that cannot be had together, with a line that can. `fromOf` names the variable or the place in
 * a file that has set a door, and nothing for a flag.
 */
export function checkDoors(doors: Doors, fromOf: (key: DoorKey) => string | undefined): void {
  const conflict = conflictOf(doors);
  if (conflict === undefined) return;
  const { title, detail, about, mend } = conflict;
  const origins = about.flatMap((key) => {
    const from = fromOf(key);
    return from === undefined ? [] : [`${doorOf(key).flag} comes from ${from}.`];
  });
  // What a variable or a file sets is not gone where its flag is left out.
  const isPossible = (changes: Changes) =>
    doorKeys.every((key) => !(key in changes) || changes[key] !== undefined || fromOf(key) === undefined);
  throw new ObkError({
    code: 'USAGE',
    title,
    detail: [detail, ...origins].join(' '),
    hint: mend.filter(isPossible).map((changes) => line`obk sandbox start ${wordsOf(doors, changes)}`.trim()),
  });
}

function conflictOf(doors: Doors): Conflict | undefined {
  const [other] = elsewhere(doors);
  const { httpsPort, port } = doors;
  if (doors.listenOpen && !doors.open)
    return {
      title: '--listen-open goes with --open.',
      detail: 'It lets in whoever reaches the bank; without --open the bank asks who calls.',
      about: ['listenOpen'],
      mend: [
        { listenOpen: undefined },
        { open: 'true', listen: other ?? '0.0.0.0', host: doors.hosts[0] ?? 'localhost' },
      ],
    };
  if (doors.listenOpen && other === undefined)
    return {
      title: '--listen-open needs an address of --listen that other machines reach.',
      detail: 'On loopback --open is enough.',
      about: ['listenOpen'],
      mend: [{ listenOpen: undefined }, { listen: '0.0.0.0', host: doors.hosts[0] ?? 'localhost' }],
    };
  if (other !== undefined && doors.hosts.length === 0 && doors.publicUrl === undefined)
    return {
      title: `--listen ${other} needs --host.`,
      detail: `Beyond loopback the bank answers those names only that are given; any other may be a web page's trick (DNS rebinding).`,
      about: ['listen'],
      mend: [{ host: isAny(other) ? 'localhost' : other, ...(httpsPort === undefined && closed(doors)) }],
    };
  if (other !== undefined && httpsPort === undefined && !isOpenElsewhere(doors))
    return {
      title: `--listen ${other} needs --https-port.`,
      detail: 'Beyond loopback the bank wants TLS and an access key, or --open and --listen-open together.',
      about: ['listen'],
      mend: [{ httpsPort: '8443' }, { open: 'true', listenOpen: 'true' }],
    };
  if (doors.clientCertificate === 'required' && httpsPort === undefined)
    return {
      title: '--client-certificate required needs --https-port.',
      detail: 'Client certificates are shown on https; without it nobody would be let in.',
      about: ['clientCertificate'],
      mend: [{ httpsPort: '8443' }],
    };
  if (httpsPort !== undefined && httpsPort !== 0 && httpsPort === port)
    return {
      title: `--port and --https-port are both ${String(port)}.`,
      detail: 'http and https have a port each.',
      about: ['port', 'httpsPort'],
      mend: [{ httpsPort: port === 8443 ? '8444' : '8443' }],
    };
  if (doors.corsControl && doors.cors.length === 0)
    return {
      title: '--cors-control needs --cors.',
      detail: '--cors names the origins whose pages may call.',
      about: ['corsControl'],
      mend: [{ cors: 'http://localhost:3000' }, { corsControl: undefined }],
    };
  return undefined;
}

const closed = (doors: Doors): Changes => (isOpenElsewhere(doors) ? {} : { httpsPort: '8443' });

const isAny = (address: string): boolean => /^(0\.0\.0\.0|[0:]+)$/.test(address);

/** The flags that say these doors, with the changes; a reference stays out, since it is the user's own. */
function wordsOf(doors: Doors, changes: Changes): string[] {
  return doorKeys.flatMap((key) => {
    const { flag, kind, standard } = doorOf(key);
    const texts = key in changes ? (changes[key] === undefined ? [] : [changes[key]]) : textsOf(doors, key);
    return texts.flatMap((text) => {
      if (kind === 'switch') return text === 'true' ? [flag] : [];
      return text === standard ? [] : [flag, text];
    });
  });
}

function textsOf(doors: Doors, key: DoorKey): string[] {
  if (key === 'basePath') return doors.basePath === '' ? [] : [doors.basePath];
  const value = key === 'host' ? doors.hosts : doors[key];
  // What --open stands for is said by --open.
  if (doors.open && value === 'off' && doorOf(key).kind !== 'switch') return [];
  return value === undefined ? [] : [value].flat().map(String);
}
