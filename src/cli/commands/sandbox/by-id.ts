import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { findAuthorisation } from '../../../client/authorisations/find-authorisation.ts';
import { resolved } from '../../../client/profile/inheritance.ts';
import { newestOfAll, placeOfLast } from '../../../client/resources/naming.ts';
import { livingResources } from '../../../client/resources/of-ledger.ts';
import { builtInName } from '../../../base/profile-name.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import { usageError } from '../flags/flag-values.ts';
import { inBank } from '../run/in-bank.ts';

/** What starts the first of each noun at the bank inside. */
const starts = {
  payment: ['payment', 'init'],
  consent: ['consent', 'create', '--all-psd2'],
  basket: ['basket', 'create'],
} as const satisfies Record<Noun, readonly string[]>;

/**
 * Has the bank inside act on what an id names: the id as the bank knows it, its first characters as this home knows it, or @last of
 * these nouns.
 */
export async function actOn<Acted>(
  context: Context,
  { id, nouns }: { id: string; nouns: readonly [Noun, ...Noun[]] },
  act: (id: string) => Promise<Acted>,
): Promise<Acted> {
  const { ports } = context;
  const back = placeOfLast(id);
  if (back !== undefined) {
    const name = await inBank(ports, builtInName);
    const newest = await newestOfAll(
      (noun) =>
        nouns.includes(noun) ? livingResources({ ports, name }, noun, back + 1) : Promise.resolve([]),
      back + 1,
    );
    const found = newest[back];
    if (found !== undefined) return act(found.id);
    throw usageError(
      `No ${nouns.join(' or ')} ${back === 0 ? 'was started at the bank inside yet' : `stands ${String(back)} before the newest one`}.`,
      line`obk ${[...starts[nouns[0]]]} --profile ${name}`,
    );
  }
  try {
    return await act(id);
  } catch (error) {
    const whole = error instanceof ObkError && error.code === 'USAGE' ? await wholeId(context, id) : id;
    if (whole === id) throw error;
    return act(whole);
  }
}

/**
 * The id that begins so, of what this home has started at the bank inside, by whichever of its profiles; the same word where there
 * is none. Throws ID_AMBIGUOUS.
 */
async function wholeId({ ports }: Context, id: string): Promise<string> {
  for await (const name of profilesAtBank(ports)) {
    try {
      const { resource, conversation, named } = await findAuthorisation({ name, ports }, id);
      return (named ? conversation?.authorisationId : undefined) ?? resource.id;
    } catch (error) {
      if (!(error instanceof ObkError) || error.code !== 'RESOURCE_NOT_SAVED') throw error;
    }
  }
  return id;
}

/** The built-in profile of the bank that this run addresses, then the saved ones whose address is that of this bank. */
async function* profilesAtBank(ports: Context['ports']): AsyncGenerator<string> {
  yield await inBank(ports, builtInName);
  const { bank } = await ports.bank.place();
  const settings = await ports.settings.read();
  for (const [name, saved] of Object.entries(settings.profiles)) {
    const { baseUrl } = resolved(settings, name, saved);
    if (baseUrl !== undefined && (await ports.bank.nameOf(baseUrl)) === bank) yield name;
  }
}
