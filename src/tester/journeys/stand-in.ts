import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Person } from '../../client/ports/person.ts';
import type { Secrets } from '../../client/ports/secrets.ts';
import type { Commands } from './commands.ts';
import type { JourneyStep } from './journey.ts';
import { createPsu } from './psu.ts';
import type { PsuSources } from './psu.ts';
import { resolveText } from './references.ts';
import type { Scope } from './references.ts';

/** What a step is run with, as far as its PSU needs it. */
interface Surroundings extends Pick<PsuSources, 'human' | 'say'> {
  commands: Commands;
  secrets: Secrets;
  bound: ReadonlyMap<string, string>;
}

/** What stands for the PSU in one run of a step. */
interface StandIn {
  /** Undefined where nobody acts. */
  person: ((scripted: Person) => Person) | undefined;
  /** The further words of the command line. */
  words: readonly string[];
  /** What the bank asked for and the journey could not give; it grows while the command runs. */
  lacking: readonly string[];
}

/** Who acts for the PSU where a step says what they do. */
export function standInOf(
  world: Surroundings,
  { scope, psuId }: { scope: Scope; psuId: string | undefined },
  step: JourneyStep,
  bank: PsuSources['bank'],
): StandIn {
  const { psu } = step;
  if (psu === undefined) return { person: undefined, words: [], lacking: [] };
  if (psu.does === 'leave') return { person: undefined, words: noBrowser, lacking: [] };
  const { secrets, bound, human, say } = world;
  const named = { password: psu.password, otp: psu.otp };
  const lacking: string[] = [];
  const { browser } = psu;
  const person = createPsu({
    does: psu.does,
    psuId,
    bank,
    human,
    say,
    lacks: (what) => lacking.push(what),
    ...(psu.method !== undefined && { method: resolveText(psu.method, scope) }),
    secret: (purpose) => {
      const given = bound.get(named[purpose] ?? '');
      if (given === undefined) return undefined;
      const read = () => secrets.read(given, purpose, { anew: true });
      return { from: given.startsWith('cmd:') ? 'program' : 'value', read };
    },
    browse:
      browser === undefined
        ? undefined
        : (url) => addressFrom(secrets, { name: browser, reference: referenceOf(bound, browser) }, url),
  });
  return { person, words: [...noBrowser, ...authorised(world, step)], lacking };
}

/** What stands for the PSU opens links itself. */
const noBrowser = ['--browser', 'never'];

/** A step in which the PSU acts is about an authorisation: what is made and not authorised is not its end. */
function authorised({ commands }: Surroundings, { command, flags }: JourneyStep): string[] {
  const known = (commands.find(command)?.flags ?? []).map(({ name }) => name);
  const leads = known.includes('--wait') && known.includes('--otp-from');
  const decided = flags.some(({ flag }) => flag === '--wait' || flag === '--authorise-later');
  return leads && !decided ? ['--wait'] : [];
}

function referenceOf(bound: Surroundings['bound'], name: string): string {
  const found = bound.get(name);
  if (found !== undefined) return found;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `The secret ${name} of the journey is not bound.`,
    hint: [line`--secret ${`${name}=REF`}   # obk help references`],
  });
}

/** As long as a command waits for a PSU where no flag says otherwise. */
const longestMs = 5 * 60_000;

/**
 * Leads a browser to a link by the program that a secret of the journey is bound to; returns the address that it ended at, which
 * the program prints.
 */
export async function addressFrom(
  secrets: Secrets,
  { name, reference }: { name: string; reference: string },
  url: string,
): Promise<string> {
  if (!reference.startsWith('cmd:'))
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: `The secret ${name} drives a browser, so it is a program: --secret ${name}=cmd:PROGRAM.`,
    });
  try {
    const ended = await secrets.read(`${reference} ${line`${[url]}`}`, name, {
      anew: true,
      withinMs: longestMs,
    });
    return ended.reveal();
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    throw new ObkError({
      code: error.code,
      title: `The program ${name} prints no address.`,
      detail:
        `${error.detail ?? ''} It gets the link as its last argument, leads a browser there, and prints the address at which that ended.`.trim(),
      hint: error.hint,
    });
  }
}
