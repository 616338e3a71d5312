import { defined } from '../../../base/defined.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { exitCodes } from '../../../base/errors.ts';
import { lintPayment } from '../../../client/orders/lint-payment.ts';
import type { LintReport } from '../../../client/orders/lint-payment.ts';
import type { LintFinding } from '../../../client/orders/lint-json.ts';
import type { Style } from '../../render/style.ts';
import { chosenProfile } from '../run/with-target.ts';
import { checkProduct, checkService } from '../flags/check-product.ts';
import type { ProductMatrix } from '../flags/check-product.ts';

const flags = (command: Flags) =>
  command
    .argument('<file>', 'payment in JSON or pain.001, or a form of both; - for stdin')
    .optionsGroup('PAYMENT FLAGS')
    .option('--service <S>', 'payments, bulk-payments or periodic-payments (told from the file)')
    .option('--product <P>', 'adds the rules of this payment product')
    .option('--strict', 'a warning is an error');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Check a payment file before it is sent; no bank is asked',
      examples: [
        'obk payment lint payment.json',
        'obk payment lint pain.xml --product pain.001-sepa-credit-transfers --strict',
      ],
      exits: [3, 10],
      more: ['obk help payment init'],
    },
    run,
  );

const run: Run<Options> = async (context, { file, service, product, strict = false }) => {
  if (service !== undefined) checkService(service);
  const { files, clock } = context.ports;
  const { profile } = await chosenProfile(context);
  const { matrix, pain } = profile.payments ?? {};
  if (product !== undefined) checkProduct(service ?? serviceOf(product, matrix), product, matrix);
  const report = await lintPayment(await files.read(file), {
    service,
    product,
    framework: profile.framework,
    today: clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length),
    strict,
    ...defined({ pain }),
    ...(profile.lint?.charset !== undefined && { charset: profile.lint.charset }),
  });
  return {
    kind: 'data',
    data: { file, ...report },
    text: (style) => reportLines(file, report, style).join('\n'),
    exit: report.errors > 0 ? exitCodes.expectation : exitCodes.ok,
  };
};

/** The service of a product where only the bank's own list tells it. */
function serviceOf(product: string, matrix: ProductMatrix = {}): string {
  const own = Object.keys(matrix).find((service) => Object.hasOwn(matrix[service] ?? {}, product));
  return own ?? 'payments';
}

function reportLines(
  file: string,
  { format, payments, sums, errors, warnings, findings }: LintReport,
  style: Style,
) {
  const total = sums.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ');
  const untold = errors + warnings - findings.length;
  return [
    `${style.bold(cleanLine(file))}: ${format}, payments: ${String(payments)}${total === '' ? '' : `, sum: ${total}`}`,
    ...findings.map((finding) => findingLine(finding, style)),
    ...(untold > 0 ? [`  and ${String(untold)} more`] : []),
    errors + warnings === 0
      ? style.good('  nothing found')
      : `  errors: ${String(errors)}, warnings: ${String(warnings)}`,
  ];
}

function findingLine({ path, line, column, rule, text, severity }: LintFinding, style: Style): string {
  const place = line === undefined ? '' : `${String(line)}:${String(column ?? 1)} `;
  const level = severity === 'error' ? style.bad('error') : style.warn('warning');
  return `  ${level} ${cleanLine(`${place}${path === '' ? '' : `${path}: `}${text} [${rule}]`)}`;
}
