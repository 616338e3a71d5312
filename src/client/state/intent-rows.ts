import type { Intent, IntentEnd } from '../../settings/records/journal.ts';
import type { Codec, Row } from '../ports/engine.ts';
import { openIn, sealIn } from './sealed-rows.ts';
import { contentTags, intents, read } from './tables.ts';
import type { RowOf } from './tables.ts';

export type IntentRow = RowOf<typeof intents>;

/**
 * What an intent says of its request: `claimed` did not leave; `sending` left, and what became of it is not known; `returned` came to
 * nothing and `made` to something, as its own run has recorded.
 */
export type IntentRowState = 'claimed' | 'sending' | 'returned' | 'made';

/** The row of an intent that a run begins. */
export function rowOfIntent(codec: Codec, intent: Intent, owner: string, fence: number): IntentRow {
  const { hash, profile, run, createdAt, resourceId, settled } = intent;
  return {
    ...{ hash, profile, run, owner, fence, state: 'claimed' satisfies IntentRowState },
    content: contentTags(codec, profile, intent.fingerprint)[0],
    created_at: Date.parse(createdAt),
    resource_id: resourceId === undefined ? null : Buffer.from(resourceId),
    record: sealed(codec, intent),
    ending: settled === undefined ? null : sealIn(codec, intents, 'ending', { hash, profile }, settled),
  };
}

// Columns of their own have these: a change of one of them writes nothing else anew.
function sealed(codec: Codec, intent: Intent): Uint8Array {
  const { resourceId: _, sent: __, settled: ___, run: ____, nothing: _____, ...record } = intent;
  const { hash, profile } = intent;
  return sealIn(codec, intents, 'record', { hash, profile }, record);
}

/** The row of an intent that has changed, at its next fence. */
export function rowAfter(codec: Codec, before: IntentRow, after: Intent): IntentRow {
  return { ...rowOfIntent(codec, after, before.owner, before.fence + 1), state: before.state };
}

/** The intent of a row; undefined where a bit of it is not as it was written. */
export function intentOf(codec: Codec, found: Row): { row: IntentRow; intent: Intent } | undefined {
  const row = read(intents, found);
  const record = row && (openIn(codec, intents, 'record', row) as Intent | undefined);
  if (row === undefined || record === undefined) return undefined;
  const settled =
    row.ending === null ? null : (openIn(codec, intents, 'ending', row) as IntentEnd | undefined);
  if (settled === undefined) return undefined;
  return {
    row,
    intent: {
      ...record,
      run: row.run,
      sent: row.state !== 'claimed',
      ...(row.state === 'returned' && { nothing: true as const }),
      ...(row.resource_id !== null && { resourceId: Buffer.from(row.resource_id).toString() }),
      ...(settled !== null && { settled }),
    },
  };
}
