import { cleanLine } from '../../base/clean.ts';
import { prefixesOf } from '../commands/output/for-person.ts';
import { pendingRow } from '../commands/pending/list.ts';
import { chosenProfile } from '../commands/run/with-target.ts';
import type { Context } from '../context.ts';
import { isFailure } from '../../base/errors.ts';
import { listPending } from '../../client/payments/pending.ts';
import type { PendingItem } from '../../client/payments/pending.ts';
import { subjectOf } from '../../client/resources/subject.ts';
import { span } from '../render/wrap.ts';
import { isEnding } from '../../standard/sca/operations.ts';

/** A command line without `obk`, and what it is for. */
type Offer = readonly [about: string, ...words: string[]];

const shownPending = 3;
const shownProfiles = 6;
/** The columns that may be taken by what a payment is. */
const widest = 40;

/** Says where one stands and offers what can be done next; returns the command line that was chosen, if any. */
export async function home(context: Context): Promise<readonly string[] | undefined> {
  const { notices, person } = context.ports;
  const offers = await offersOf(context);
  const longest = Math.max(...offers.map(([about]) => span(about)));
  const chosen = await person.choose({
    ...{ id: 'home', flag: '', env: '', again: true, text: 'What next?' },
    options: [
      ...offers.map(([about, ...words], at) => ({
        value: String(at),
        name: `${about}${' '.repeat(longest - span(about))}  obk ${words.join(' ')}`,
      })),
      { value: '', name: 'Nothing' },
    ],
  });
  const [, ...words] = chosen === '' ? [''] : (offers[Number(chosen)] ?? ['']);
  if (words.length === 0) return undefined;
  notices.say(`obk ${words.join(' ')}`);
  return words;
}

function textOf(item: PendingItem): string {
  if (item.kind === 'open' && isEnding(item.conversation.parent.kind))
    return subjectOf(item.resource, item.conversation.parent.kind);
  const { payment } = pendingRow(item);
  if (typeof payment === 'string' && payment !== '') return payment;
  return item.kind === 'open' ? `a ${item.resource.noun}` : item.operation;
}

/** What is pending, as short as a menu has room for. */
function shortOf(item: PendingItem): string {
  const text = textOf(item);
  const all = [...cleanLine(text)];
  let columns = 0;
  const fits = all.findIndex((one) => (columns += span(one)) > widest);
  return fits < 0
    ? all.join('')
    : `${all
        .slice(0, fits - 1)
        .join('')
        .trimEnd()}…`;
}

/** What could be read, or undefined where that failed, which is said: the menu is shown all the same. */
function told<T>(notices: Context['ports']['notices'], reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    notices.warn(error.title);
    return undefined;
  });
}

async function offersOf(context: Context): Promise<Offer[]> {
  const { ports } = context;
  const { notices } = ports;
  const { profiles } = await ports.settings.read();
  const connect: Offer = ['Connect a bank', 'profile', 'create'];
  const all: Offer = ['See every command', 'help'];
  const chosen = await told(notices, chosenProfile(context));
  if (chosen === undefined)
    return [
      ...Object.keys(profiles)
        .slice(0, shownProfiles)
        .map((one): Offer => [`Work with ${one}`, 'profile', 'use', one]),
      ['See all profiles', 'doctor', '--all'],
      ['See the banks inside that run', 'sandbox', 'status'],
      connect,
      all,
    ];
  const { name, profile, builtIn } = chosen;
  const shown = profile.environment === 'production' ? 'PRODUCTION' : profile.environment;
  // Without any profile the bank inside was told already.
  if (!builtIn || Object.keys(profiles).length > 0)
    notices.say(
      `profile ${name} · ${shown} · ${builtIn ? 'the bank inside' : (profile.baseUrl ?? 'no address')}`,
    );
  const pending = (await told(notices, listPending(ports, name))) ?? [];
  notices.say(pending.length === 0 ? 'Nothing is pending.' : `Pending: ${String(pending.length)}`);
  // A whole id is wider than a line of 80 columns has room for, and a prefix is taken as well.
  const short = prefixesOf(pending.map(({ id }) => id));
  return [
    ...pending
      .slice(0, shownPending)
      .map((item): Offer =>
        item.kind === 'unknown'
          ? [`Unknown: ${shortOf(item)}`, 'pending', 'show', short(item.id, {})]
          : [`Open: ${shortOf(item)}`, 'pending', 'resume', short(item.id, {})],
      ),
    ...(builtIn && Object.keys(profiles).length === 0 ? [connect] : []),
    ['Read accounts', 'accounts', 'list'],
    ['Make a payment', 'payment', 'init'],
    ['See the payments', 'payment', 'list'],
    ...(builtIn ? [['See the customers of the bank inside', 'sandbox', 'people'] as const] : []),
    ['Check this profile', 'doctor'],
    ...(Object.keys(profiles).length > 0 ? [['See all profiles', 'doctor', '--all'] as const, connect] : []),
    all,
  ];
}
