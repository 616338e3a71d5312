import { columnsOf, may, needed, rowsAs } from '../../../base/fields.ts';
import { number, numberOrNull, text, textOrNull, truth } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { SealedElsewhere } from '../../../base/errors.ts';
import type { CredentialStore } from '../../../client/ports/credentials.ts';
import { aboutEarlier, earlier, earlierNote, inProfile, ofEarlier } from '../output/of-earlier.ts';
import { usesLeft } from '../../../client/consents/budget.ts';
import { addDays, isoDate } from '../../../client/consents/consent-body.ts';
import { accessText } from '../../../client/consents/explain-consent.ts';
import { resourceBatches } from '../../../client/resources/resource-batches.ts';
import type { PrintedRow } from '../../outcome.ts';
import type { SavedConsent, SavedResource } from '../../../settings/records/resources.ts';
import { integer } from '../flags/flag-values.ts';
import { consentMembers } from '../output/resource-document.ts';
import { accountsGrouped, shortIds, ago } from '../output/for-person.ts';
import { starting } from '../run/starting.ts';
import { chosenProfile } from '../run/with-target.ts';

const flags = (command: Flags) =>
  command.option('--limit <N>', 'so many consents', integer('--limit', 1, 1_000_000));

const fields = {
  consentId: needed(text, 'CONSENT'),
  active: needed(truth, '', { cell: ({ active }) => (active === true ? 'active' : '') }),
  consentStatus: needed(textOrNull, 'STATUS', { whole: true, forPerson: withUse }),
  validUntil: may(text, 'UNTIL'),
  daysLeft: needed(numberOrNull, 'DAYS', { align: 'right', spare: 1 }),
  usesLeft: needed(numberOrNull, 'USES', { align: 'right', spare: 2 }),
  recurringIndicator: may(truth, 'RECURRING', { wide: true }),
  frequencyPerDay: may(number),
  access: may({ type: 'object' }, 'FOR', { cell: forText, forPerson: accountsGrouped }),
  psuId: needed(textOrNull, 'PSU', { wide: true }),
  createdAt: needed(text, 'CREATED', { wide: true }),
  ...inProfile,
  earlier,
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the consents that were created from here, newest first; no bank is asked',
      prints: rowsAs('consents', fields, `Consents created from here, newest first. ${aboutEarlier}`),
      examples: ['obk consent list', 'obk consent list --json --limit 5'],
      exits: [3],
      more: ['obk help consent use', 'obk help consent renew'],
    },
    run,
  );

const run: Run<Options> = async (context, { limit }) => {
  const { name, profile } = await chosenProfile(context);
  const { ports } = context;
  const active = await activeOf(ports.credentials, name);
  const ledgerOf = await ofEarlier(ports, name);
  const now = ports.clock.now();
  const rowOf = async (resource: SavedResource): Promise<PrintedRow> => {
    const { id, createdAt, status, consent, environment } = resource;
    return {
      consentId: id,
      createdAt,
      consentStatus: status ?? null,
      active: id === active,
      ...(consent === undefined ? {} : consentMembers(consent)),
      daysLeft: consent === undefined ? null : daysLeft(consent, now),
      usesLeft: consent === undefined ? null : await usesLeft({ ports, name }, resource, now),
      psuId: consent?.psuId ?? null,
      profile: name,
      environment,
      ...ledgerOf(resource),
    };
  };
  let count = 0;
  async function* rows(): AsyncGenerator<readonly PrintedRow[]> {
    for await (const saved of resourceBatches(ports, name, 'consent', limit)) {
      count += saved.length;
      yield await Promise.all(saved.map(rowOf));
    }
  }
  return {
    kind: 'rows',
    columns: columnsOf(fields, {
      consentId: { forPerson: await shortIds(context, name) },
      createdAt: { forPerson: ago(ports) },
    }),
    rows: rows(),
    nameKey: 'consentId',
    empty: `No consent was created with the profile ${name} yet.`,
    get next() {
      return count === 0 ? starting(profile, 'consent') : [];
    },
  };
};

/** The consent that is used unasked; a list goes without it where this run does not have the key of the credentials. */
async function activeOf(credentials: CredentialStore, name: string): Promise<string | undefined> {
  try {
    return (await credentials.read(name)).consentId;
  } catch (error) {
    if (error instanceof SealedElsewhere) return undefined;
    throw error;
  }
}

/** A bank may go on calling a one-off consent valid that was used. */
function withUse(status: string, row: PrintedRow): string {
  const { recurringIndicator, usesLeft: left } = row;
  return earlierNote(recurringIndicator === false && left === 0 ? `${status}, used up` : status, row);
}

function forText({ access }: PrintedRow): string {
  return access === undefined ? '' : accessText(access as SavedConsent['access']);
}

/** Days on which it may still be used, today among them; null for one without a last day. */
function daysLeft({ validUntil }: NonNullable<SavedResource['consent']>, now: Date): number | null {
  if (validUntil >= '9999') return null;
  const last = addDays(new Date(`${validUntil}T00:00:00Z`), 1).getTime();
  return Math.max(0, Math.round((last - Date.parse(isoDate(now))) / 86_400_000));
}
