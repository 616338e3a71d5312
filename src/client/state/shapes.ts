import type { JournalRecord } from '../../settings/records/journal.ts';
import { hasShape } from './kept-shape.ts';
import type { Shape } from './kept-shape.ts';

// The members that must be valid in what was kept, whichever obk wrote it; members that a later one adds are left alone. A value of
// another kind must not permit a second payment.

const ofExchange = { at: 'instant', exchange: 'text' } as const satisfies Shape;

const ofRecords: Readonly<Record<JournalRecord['type'], Shape>> = {
  run: {
    ...{ at: 'instant', version: 'text', command: 'text', profile: 'text', environment: 'text' },
    ...{ pid: 'number' },
  },
  prepared: {
    ...ofExchange,
    ...{ operation: 'text', method: 'text', url: 'text', headers: 'pairs', body: 'text', bodySha256: 'text' },
    ...{ requestId: 'text', write: 'flag', accounts: 'texts?', intent: 'text?', resource: 'object?' },
    ...{ signingString: 'text?' },
  },
  sending: ofExchange,
  answered: {
    ...ofExchange,
    ...{ outcome: 'text', status: 'number', headers: 'pairs', body: 'text', durationMs: 'number' },
    ...{ tls: 'object?', messages: 'objects?', doubt: 'text?' },
  },
  failed: { ...ofExchange, outcome: 'text', reason: 'text', detail: 'text', durationMs: 'number' },
  resolved: { ...ofExchange, resolution: 'text', by: 'text', reason: 'text?', resource: 'object?' },
  ended: { at: 'instant', exit: 'number' },
};

const ofUse: Shape = { at: 'number', what: 'text' };
const parent: Shape = { kind: 'text', id: 'text', service: 'text?', product: 'text?' };

const shapes = {
  usage: { name: 'text', uses: 'objects' },
  intent: {
    ...{ hash: 'text', profile: 'text', createdAt: 'instant', bodyHash: 'text', fingerprint: 'text' },
    ...{ chosen: 'flag?', summary: 'object', service: 'text?', product: 'text?' },
    ...{ endToEndIdentification: 'text?', production: 'flag?' },
  },
  'intent ending': { created: 'flag', at: 'instant', by: 'text', reason: 'text' },
  'open write': {
    ...{ operation: 'text?', profile: 'text?', at: 'instant?', requestId: 'text?', bodySha256: 'text?' },
    ...{ intent: 'text?', resource: 'object?' },
  },
  'ended run': { profile: 'text', writes: 'flag', free: 'flag?', exit: 'number?', calls: 'objects' },
  resource: {
    ...{ id: 'text', createdAt: 'instant', updatedAt: 'instant?', usableSince: 'instant?' },
    ...{ environment: 'text', prefix: 'text', baseUrl: 'text?', service: 'text?', product: 'text?' },
    ...{ intent: 'text?', status: 'text?', links: 'textsByName', redirect: 'object?', prefer: 'object?' },
    ...{ basket: 'object?', summary: 'object?', consent: 'object?' },
  },
  conversation: {
    ...{ parent: 'object', startedAt: 'instant', authorisationId: 'text?', changedAt: 'instant?' },
    ...{ approach: 'text?', scaStatus: 'text?', steering: 'textsByName', standing: 'textsByName' },
    ...{ unknownLinks: 'texts', certificateLink: 'text?', scaMethods: 'objects?' },
    ...{ chosenScaMethod: 'object?', challengeData: 'object?', psuMessage: 'text?', fees: 'object?' },
    ...{ psuId: 'text?', psu: 'object?', returnState: 'text?', oauth: 'object?', sent: 'objects' },
    ...{ steps: 'number?', entered: 'flag?', refused: 'flag?', inDoubt: 'object?', abandoned: 'texts?' },
    others: 'texts?',
  },
} as const satisfies Readonly<Record<string, Shape>>;

/** What a record is of. */
export type Kept = keyof typeof shapes | 'record';

/** What was kept, if it is as obk writes it. */
export function asKept(what: Kept, json: object | undefined): object | undefined {
  if (json === undefined) return undefined;
  if (what === 'record') {
    const { type } = json as JournalRecord;
    return Object.hasOwn(ofRecords, type) && hasShape(json, ofRecords[type]) ? json : undefined;
  }
  if (!hasShape(json, shapes[what])) return undefined;
  if (what === 'usage' && !(json as { uses: object[] }).uses.every((use) => hasShape(use, ofUse)))
    return undefined;
  if (what === 'conversation' && !hasShape((json as { parent: unknown }).parent, parent)) return undefined;
  return json;
}
