import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { findResource } from '../run/find-resource.ts';

/**
 * The saved id that a placeholder stands for: the newest payment or basket, the consent of this run, its only account.
 */
const ids: Readonly<Record<string, (target: Target, consent: string | undefined) => Promise<string>>> = {
  paymentId: async (target) => (await findResource(target, 'payment', { id: '@last' })).id,
  basketId: async (target) => (await findResource(target, 'basket', { id: '@last' })).id,
  consentId: async (target, consent) => (await consentOf(target, consent)).id,
  accountId: async (target, consent) => onlyAccount(await consentOf(target, consent)),
};

/** The text with its placeholders filled, each value as `write` makes it fit; one that is none stays as it is. */
export async function fillPlaceholders(
  target: Target,
  text: string,
  options: { consent: string | undefined; write: (id: string) => string },
): Promise<string> {
  let filled = text;
  for (const [name, find] of Object.entries(ids)) {
    if (!filled.includes(`{${name}}`)) continue;
    const id = options.write(await find(target, options.consent));
    filled = filled.replaceAll(`{${name}}`, () => id);
  }
  return filled;
}

/** The one that is named for this run, else the active one of the profile, else the newest. */
async function consentOf(target: Target, named: string | undefined): Promise<SavedResource> {
  const id = named ?? (await target.ports.credentials.read(target.name)).consentId ?? '@last';
  return findResource(target, 'consent', { id });
}

function onlyAccount({ id, consent }: SavedResource): string {
  const accounts = consent?.accounts ?? [];
  const [only, ...others] = accounts;
  if (only !== undefined && others.length === 0) return only.resourceId;
  throw new ObkError({
    code: only === undefined ? 'ACCOUNT_UNKNOWN' : 'ID_AMBIGUOUS',
    title:
      only === undefined
        ? `No account of the consent ${id} is known here yet.`
        : `{accountId} may be each of ${String(accounts.length)} accounts of the consent ${id}.`,
    hint:
      only === undefined
        ? [line`obk accounts list --consent ${id}`]
        : accounts
            .slice(0, 5)
            .map(({ resourceId, number = '' }) => line`${resourceId}   # ${number}`.replace(/ +# *$/, '')),
  });
}
