import { columnsOf, may, needed, rowSchema, rowsAs } from '../../../base/fields.ts';
import { number, oneOf as oneOfThese, text, truth } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Registers, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { BankFault } from '../../../settings/records/bank-state.ts';
import { detailKinds, faultBounds, faultKinds } from '../../../settings/records/fault-kinds.ts';
import { nearest } from '../../../base/nearest.ts';
import { operations } from '../../../standard/xs2a/operations.ts';
import { operationNamed } from '../../../standard/xs2a/variants.ts';
import { duration, integer, oneOf, usageError } from '../flags/flag-values.ts';

const flags = (command: Flags) =>
  command
    .argument('<operation>', 'operation that it affects, such as initiatePayment; * is any')
    .argument('<kind>', `one of ${faultKinds.join(', ')}`, oneOf('KIND', faultKinds))
    .argument('[value]', 'the status, how long the delay is (of drip between bytes), or what is edited')
    .option('--count <N>', 'how many requests it affects', integer('--count', ...faultBounds.count), 1)
    .option('--raw', 'of a status: without tppMessages and X-Request-ID, as a gateway answers');

type Options = OptionsOf<typeof flags>;

const fields = {
  operation: needed(text, 'OPERATION'),
  kind: needed(oneOfThese(...faultKinds), 'FAULT'),
  count: needed(number, 'LEFT', { align: 'right' }),
  status: may(number, 'STATUS', { align: 'right' }),
  delayMs: may(number, 'DELAY MS', { align: 'right' }),
  raw: may(truth),
  edit: may(text),
};

export const register: Registers = {
  add: (command, start) =>
    start(
      flags(command),
      {
        prints: { name: 'fault', schema: rowSchema(fields) },
        about: 'Make the bank inside misbehave in one operation',
        examples: [
          'obk sandbox fault add getPaymentInitiationStatus status 500',
          'obk sandbox fault add initiatePayment drop-after-commit',
          'obk sandbox fault add getPaymentInformation delay 2s --count 3',
          'obk sandbox fault add createConsent edit /_links/scaStatus',
        ],
        more: ['obk sandbox fault list', 'obk sandbox fault clear'],
      },
      add,
    ),
  list: (command, start) =>
    start(
      command,
      { prints: rowsAs('faults', fields), examples: ['obk sandbox fault list'] },
      async ({ ports: { bank } }) => ({
        kind: 'rows',
        columns: columnsOf(fields),
        rows: (await bank.control('listFaults')).faults.map((fault) => ({ ...fault })),
        nameKey: 'operation',
        empty: 'No faults wait.',
      }),
    ),
  clear: (command, start) =>
    start(command, { examples: ['obk sandbox fault clear'] }, async ({ ports: { bank } }) => {
      await bank.control('clearFaults');
      return { kind: 'data', data: { cleared: true }, text: () => 'The bank inside behaves again.' };
    }),
};

/** As the control API has it. */
const anyOperation = '*';

const add: Run<Options> = async (context, options) => {
  const { kind, value, count, raw } = options;
  const operation = options.operation === anyOperation ? anyOperation : operationNamed(options.operation);
  if (operation === undefined) {
    const near = nearest(options.operation, [anyOperation, ...operations.map(({ id }) => id)]);
    const rest = value === undefined ? [] : [value];
    throw usageError(
      `There is no operation ${JSON.stringify(options.operation)}.`,
      ...near.map((name) => line`obk sandbox fault add ${name} ${kind} ${rest}`),
      'obk api --list',
    );
  }
  if (raw === true && kind !== 'status')
    throw usageError(
      '--raw is for the fault "status".',
      line`obk sandbox fault add ${operation} status 503 --raw`,
    );
  const fault: BankFault = {
    operation,
    kind,
    count,
    ...detailOf(kind, value),
    ...(raw === true && { raw }),
  };
  await context.ports.bank.control('addFault', { body: fault });
  return {
    kind: 'data',
    data: fault,
    text: () =>
      `Added: ${kind}${value === undefined ? '' : ` ${value}`} for the next ${count} of ${operation}.`,
    name: operation,
  };
};

function detailOf(kind: BankFault['kind'], value: string | undefined): Partial<BankFault> {
  if (kind === 'status' && value === undefined)
    throw usageError('The fault "status" needs a status.', '… status 500');
  if (kind === 'delay' && value === undefined)
    throw usageError('The fault "delay" needs a duration.', '… delay 2s');
  if (kind === 'edit' && value === undefined)
    throw usageError('The fault "edit" needs an edit.', '… edit /consentId=7');
  if (value === undefined) return {};
  if (detailKinds.status.includes(kind))
    return { status: integer('The status', ...faultBounds.status)(value) };
  if (detailKinds.delayMs.includes(kind)) {
    const delayMs = duration('The delay')(value);
    const [, most] = faultBounds.delayMs;
    if (delayMs <= most) return { delayMs };
    throw usageError(`The delay is at most ${String(most / 60_000)} minutes.`, `… ${kind} 10m`);
  }
  if (kind === 'edit') return { edit: value };
  throw usageError(`The fault ${JSON.stringify(kind)} takes no value.`, `… ${kind}`);
}
