import { prefixesOf } from '../commands/output/for-person.ts';
import { chosenProfile } from '../commands/run/with-target.ts';
import type { Context } from '../context.ts';
import { isFailure } from '../errors.ts';
import { listPending } from '../flows/payments/pending.ts';

/** A command line without `obk`, and what it is for. */
type Offer = readonly [about: string, ...words: string[]];

const shownPending = 3;

/** Says where one stands and offers what can be done next; returns the command line that was chosen, if any. */
export async function home(context: Context): Promise<readonly string[] | undefined> {
  const { notices, person } = context.ports;
  const offers = await offersOf(context);
  const longest = Math.max(...offers.map(([about]) => about.length));
  const chosen = await person.choose({
    ...{ id: 'home', flag: '', env: '', again: true, text: 'What next?' },
    options: [
      ...offers.map(([about, ...words], at) => ({
        value: String(at),
        name: `${about.padEnd(longest)}  obk ${words.join(' ')}`,
      })),
      { value: '', name: 'Nothing' },
    ],
  });
  const [, ...words] = chosen === '' ? [''] : (offers[Number(chosen)] ?? ['']);
  if (words.length === 0) return undefined;
  notices.say(`obk ${words.join(' ')}`);
  return words;
}

async function offersOf(context: Context): Promise<Offer[]> {
  const { ports } = context;
  const { notices } = ports;
  const { profiles } = await ports.settings.read();
  const { name, profile, builtIn } = await chosenProfile(context);
  const shown = profile.environment === 'production' ? 'PRODUCTION' : profile.environment;
  if (!builtIn) notices.say(`profile ${name} · ${shown} · ${profile.baseUrl ?? 'no address'}`);
  const pending = await listPending(ports, name).catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    notices.warn(error.title);
    return [];
  });
  notices.say(pending.length === 0 ? 'Nothing is pending.' : `Pending: ${String(pending.length)}`);
  // A whole id is wider than a line of 80 columns has room for, and a prefix is taken as well.
  const short = prefixesOf(pending.map(({ id }) => id));
  const connect: Offer = ['Connect a bank', 'profile', 'create'];
  return [
    ...pending
      .slice(0, shownPending)
      .map(({ id, kind }): Offer =>
        kind === 'unknown'
          ? ['Look at what is unknown', 'pending', 'show', short(id, {})]
          : ['Go on with what is open', 'pending', 'resume', short(id, {})],
      ),
    ...(builtIn && Object.keys(profiles).length === 0 ? [connect] : []),
    ['Read accounts', 'accounts', 'list'],
    ['Make a payment', 'payment', 'init'],
    ['See the payments', 'payment', 'list'],
    ...(builtIn ? [['See the customers of the bank inside', 'sandbox', 'people'] as const] : []),
    ['Check this profile', 'doctor'],
    ...(Object.keys(profiles).length > 0 ? [['See all profiles', 'doctor', '--all'] as const, connect] : []),
    ['See every command', 'help'],
  ];
}
