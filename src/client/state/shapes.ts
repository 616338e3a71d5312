import { checkValue } from '../../base/check-value.ts';
import { each, list, map, number, object, text, truth } from '../../base/schema.ts';
import type { Schema } from '../../base/schema.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';

// The members that must be valid in what was kept, whichever obk wrote it; members that a later one adds are left alone. A value of
// another kind must not permit a second payment.

/** ISO 8601, UTC. */
const instant: Schema<string> = {
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$`,
};
const anObject: Schema<object> = { type: 'object' };
const objects = list(anObject);
const texts = list(text);
const textsByName = map(text);
const pairs = list({ type: 'array', prefixItems: [text, text], minItems: 2, maxItems: 2 });

const ofExchange = { at: instant, exchange: text };

const ofRecords: Readonly<Record<JournalRecord['type'], Schema>> = {
  run: object({ at: instant, ...each(text, 'version command profile environment'), pid: number }),
  prepared: object(
    {
      ...{ ...ofExchange, ...each(text, 'operation method url body bodySha256 requestId') },
      ...{ headers: pairs, write: truth },
    },
    { accounts: texts, ...each(text, 'intent signingString'), resource: anObject },
  ),
  sending: object(ofExchange),
  answered: object(
    { ...ofExchange, ...each(text, 'outcome body'), ...each(number, 'status durationMs'), headers: pairs },
    { tls: anObject, messages: objects, doubt: text },
  ),
  failed: object({ ...ofExchange, ...each(text, 'outcome reason detail'), durationMs: number }),
  resolved: object({ ...ofExchange, ...each(text, 'resolution by') }, { reason: text, resource: anObject }),
  ended: object({ at: instant, exit: number }),
};

const shapes = {
  usage: object({ name: text, uses: list(object({ at: number, what: text })) }),
  intent: object(
    { ...each(text, 'hash profile bodyHash fingerprint'), createdAt: instant, summary: anObject },
    { ...each(text, 'service product endToEndIdentification'), ...each(truth, 'chosen production') },
  ),
  'intent ending': object({ created: truth, at: instant, ...each(text, 'by reason') }),
  'open write': object(
    {},
    { ...each(text, 'operation profile requestId bodySha256 intent'), at: instant, resource: anObject },
  ),
  'ended run': object({ profile: text, writes: truth, calls: objects }, { free: truth, exit: number }),
  resource: object(
    { ...each(text, 'id environment prefix'), createdAt: instant, links: textsByName },
    {
      ...{
        ...each(instant, 'updatedAt usableSince'),
        ...each(text, 'baseUrl service product intent status'),
      },
      ...each(anObject, 'redirect prefer basket summary consent'),
    },
  ),
  conversation: object(
    {
      parent: object(each(text, 'kind id'), each(text, 'service product')),
      ...{
        startedAt: instant,
        ...each(textsByName, 'steering standing'),
        unknownLinks: texts,
        sent: objects,
      },
    },
    {
      ...each(text, 'authorisationId approach scaStatus certificateLink psuMessage psuId returnState'),
      ...{ changedAt: instant, scaMethods: objects, ...each(texts, 'abandoned others'), steps: number },
      ...each(anObject, 'chosenScaMethod challengeData fees psu oauth inDoubt'),
      ...each(truth, 'entered refused'),
    },
  ),
} as const satisfies Readonly<Record<string, Schema>>;

/** What a record is of. */
export type Kept = keyof typeof shapes | 'record';

/** What was kept, if it is as obk writes it. */
export function asKept(what: Kept, json: object | undefined): object | undefined {
  const shape = what === 'record' ? shapeOf(json as JournalRecord | undefined) : shapes[what];
  return shape !== undefined && checkValue(json, shape) === undefined ? json : undefined;
}

const shapeOf = (record: JournalRecord | undefined): Schema | undefined =>
  record !== undefined && Object.hasOwn(ofRecords, record.type) ? ofRecords[record.type] : undefined;
