import { columnsOf, rowsAs, needed, rowSchema, may, mayAll } from '../../../base/fields.ts';
import type { Register, Run, Flags, OptionsOf } from '../../command.ts';
import { listPending, findPending } from '../../../client/payments/pending.ts';
import { ago, prefixesOf } from '../output/for-person.ts';
import { chosenProfile } from '../run/with-target.ts';
import { cleanLine } from '../../../base/clean.ts';
import { text, textOrNull, each } from '../../../base/schema.ts';
import { line } from '../../../base/command-line.ts';
import { cellText } from '../../render/table.ts';
import { definitions } from '../../render/wrap.ts';
import { describe } from '../../../client/resources/intent-state.ts';
import type { PendingItem } from '../../../client/payments/pending.ts';
import { idNames, kindOfOperation } from '../../../standard/sca/operations.ts';
import { statusNames } from '../flags/status-text.ts';
import { summary } from '../output/shapes.ts';

const registerList: Register = (command, start) =>
  start(
    command,
    {
      prints: rowsAs('pending', pendingFields, 'What is unfinished or unknown, unknown first.'),
      about: 'List what is unknown (first) or waits for an authorisation; no bank is asked',
      examples: ['obk pending list', 'obk pending list --json'],
      exits: [3],
      more: ['obk help pending resume', 'obk help pending resolve'],
    },
    runList,
  );

const runList: Run<object> = async (context) => {
  const { name } = await chosenProfile(context);
  const items = await listPending(context.ports, name);
  const isShared = (await context.ports.journal.host()) !== undefined;
  return {
    kind: 'rows',
    columns: columnsOf(pendingFields, {
      id: { forPerson: prefixesOf(items.map(({ id }) => id)) },
      at: { forPerson: ago(context.ports) },
    }).filter(({ key }) => isShared || (key !== 'host' && key !== 'run')),
    rows: items.map(pendingRow),
    nameKey: 'id',
    // A table that is too narrow for the steps leaves them out.
    next: items.slice(0, 3).map(({ next }) => next),
    empty: `Nothing is pending in the profile ${name}.`,
  };
};

const showFlags = (command: Flags) =>
  command.argument('<id>', 'as obk pending list shows it, or its beginning');

type ShowOptions = OptionsOf<typeof showFlags>;

const registerShow: Register = (command, start) =>
  start(
    showFlags(command),
    {
      prints: {
        name: 'pendingEntry',
        schema: rowSchema(
          { ...pendingFields, profile: needed(text), run: needed(textOrNull) },
          'One pending entry whole; `run` is its run in the journal.',
        ),
      },
      about: 'Show one pending entry whole',
      examples: ['obk pending show ID'],
      exits: [3],
      more: ['obk pending list'],
    },
    runShow,
  );

const runShow: Run<ShowOptions> = async (context, { id }) => {
  const { name } = await chosenProfile(context);
  const item = await findPending(context.ports, name, id);
  const row = pendingRow(item);
  return {
    kind: 'data',
    data: { ...row, profile: name, run: item.kind === 'unknown' ? item.run : null },
    text: () =>
      definitions(
        Object.entries(row)
          .filter(([, value]) => value !== null && value !== '')
          .map(([key, value]) => [key, cleanLine(cellText(value))] as const),
        { indent: 0, width: 400 },
      ).join('\n'),
    name: item.id,
    next: [item.next, ...(item.kind === 'unknown' ? [line`obk log show ${item.run} -vvv`] : [])],
  };
};

/** The members of a pending item. */
const pendingFields = {
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

export const register = {
  list: registerList,
  show: registerShow,
};
