import { may, mayAll, needed } from '../../../base/fields.ts';
import { each, text, textOrNull } from '../../../base/schema.ts';
import { describe } from '../../../client/resources/intent-state.ts';
import type { PendingItem } from '../../../client/payments/pending.ts';
import { idNames, kindOfOperation } from '../../../standard/sca/operations.ts';
import { statusNames } from '../flags/status-text.ts';
import { summary } from '../output/shapes.ts';

/** The members of a pending item. */
export const pendingFields = {
  id: needed(text, 'ID'),
  kind: needed(text, 'KIND'),
  of: may(textOrNull, 'OF'),
  at: needed(text, 'SINCE', { spare: 2 }),
  payment: needed(text, 'PAYMENT'),
  what: needed(text, 'WHAT', {
    forPerson: (what) => what.replace(/^[A-Za-z]+: (?:[^ ]+:\d+: )?/, ''),
  }),
  next: needed(text, 'NEXT STEP', { whole: true, spare: 1 }),
  /** There in a journal of several machines, as is the run. */
  host: may(text, 'HOST', { spare: 3 }),
  run: may(textOrNull, 'RUN', { wide: true }),
  ...mayAll({
    ...summary,
    ...each(text, 'paymentId consentId basketId operation requestId'),
    ...each(textOrNull, 'transactionStatus consentStatus scaStatus authorisationId psuId intent intentKey'),
  }),
};

/** A pending item as `--json` prints it. */
export function pendingRow(item: PendingItem) {
  if (item.kind === 'open') {
    const { resource, conversation } = item;
    return {
      id: item.id,
      kind: item.kind,
      of: conversation.parent.kind,
      at: item.at,
      what:
        conversation.parent.kind === 'payment'
          ? 'authorisation is open'
          : `authorisation of a ${conversation.parent.kind} is open`,
      [idNames[resource.noun]]: resource.id,
      [statusNames[resource.noun]]: resource.status ?? null,
      scaStatus: conversation.scaStatus ?? null,
      authorisationId: conversation.authorisationId ?? null,
      psuId: conversation.psuId ?? null,
      ...resource.summary,
      payment: resource.summary === undefined ? '' : describe({ summary: resource.summary }),
      next: item.next,
    };
  }
  return {
    id: item.id,
    kind: item.kind,
    of: kindOfOperation(item.operation) ?? null,
    at: item.at,
    what: `${item.operation}: ${item.detail}`,
    ...(item.host !== undefined && { host: item.host, run: item.run }),
    requestId: item.requestId,
    operation: item.operation,
    intent: item.hash ?? null,
    intentKey: item.intent?.chosen === true ? item.intent.key : null,
    ...item.resource,
    ...item.intent?.summary,
    payment: item.intent === undefined ? '' : describe(item.intent),
    next: item.next,
  };
}
