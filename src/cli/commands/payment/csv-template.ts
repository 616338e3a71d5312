import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { columnsOf } from '../../../client/orders/bulk-columns.ts';
import { isXmlProduct } from '../../../standard/xs2a/products.ts';
import { checkProduct } from '../flags/check-product.ts';
import { oneOf } from '../flags/flag-values.ts';
import { chosenProfile } from '../run/with-target.ts';
import { needPain, painSchema } from './order.ts';

/** Reads `--decimal`: the sign before the decimals of an amount. */
export const decimalFlag = oneOf('--decimal', ['dot', 'comma'] as const);

const flags = (command: Flags) =>
  command
    .optionsGroup('PAYMENT FLAGS')
    .option('--product <P>', 'the columns of this payment product alone')
    .option('--schema <VERSION>', "version of the pain.001 (the profile's)", painSchema)
    .option(
      '--decimal <SIGN>',
      'comma: semicolons between cells, as spreadsheets with 1.234,56 have',
      decimalFlag,
    )
    .option('--example', 'with a row as an example, to be replaced');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Print the header of a CSV file for payment init --from-csv',
      examples: [
        'obk payment csv-template --product sepa-credit-transfers --output batch.csv',
        'obk payment csv-template --decimal comma --example',
        'obk payment csv-template --json   # what each column holds',
      ],
      exits: [3],
      more: ['obk help payment init'],
    },
    run,
  );

const run: Run<Options> = async (context, { product, schema, decimal = 'dot', example = false }) => {
  const { profile } = await chosenProfile(context);
  const { matrix, members, pain } = profile.payments ?? {};
  if (product !== undefined) checkProduct('bulk-payments', product, matrix);
  const isPain = product !== undefined && isXmlProduct(product);
  if (product !== undefined && !isPain) needPain({ ...defined({ schema }) }, product);
  const columns = columnsOf(product, members, isPain ? (schema ?? pain?.version) : undefined);
  const delimiter = decimal === 'comma' ? ';' : ',';
  const lines = [
    columns.map(({ name }) => name).join(delimiter),
    ...(example ? [columns.map((column) => exampleOf(column, decimal)).join(delimiter)] : []),
  ];
  return {
    kind: 'data',
    data: { columns, csv: lines.map((line) => `${line}\n`).join('') },
    text: () => lines.join('\n'),
  };
};

function exampleOf({ name, example }: { name: string; example: string }, decimal: 'dot' | 'comma'): string {
  return name === 'amount' && decimal === 'comma' ? example.replace('.', ',') : example;
}
