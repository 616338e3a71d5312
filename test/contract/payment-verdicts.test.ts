import { describe, expect, it } from 'vitest';
import { lintPayment } from '../../src/client/orders/lint-payment.ts';
import { judge } from '../../src/referee/judge.ts';
import { readJsonOrder } from '../../src/bank/payments/order-json.ts';
import { standardScenario } from '../../src/bank/rules/scenario.ts';
import { Refusal } from '../../src/bank/rules/refusal.ts';
import { readJson } from '../../src/standard/xs2a/json.ts';
import { compiled } from '../helpers/contract-schema.ts';
import { hasOfficialFiles, official } from '../helpers/official.ts';
import type { Row } from './payment-verdicts/bodies.ts';
import { byOneOnly, ofMembers } from './payment-verdicts/members.ts';
import { ofValues } from './payment-verdicts/values.ts';

// `payment lint`, the referee and the built-in bank give one verdict on each body: what is wrong, and where.

const frameworks = ['1.3.2', '1.3.6'] as const;
/** A row without its verdict. */
type Body = Omit<Row, 'verdict'>;
type Framework = (typeof frameworks)[number];
const today = '2026-11-28';
const rows: readonly Row[] = [...ofValues, ...ofMembers];

/** A verdict is `lawful`, or the places that are refused. */
const verdictOf = (paths: readonly string[]): string => (paths.length === 0 ? 'lawful' : paths.join(' '));

/** `/payments/1/creditorName` as people and tppMessages write it. */
const placeOf = (pointer: string): string =>
  pointer
    .slice(1)
    .replace(/\/([0-9]+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');

async function lintSays(framework: Framework, { service, product, body }: Body): Promise<string> {
  const options = { framework, service, product, today, strict: false };
  const { findings } = await lintPayment(Buffer.from(JSON.stringify(body)), options);
  return verdictOf(findings.filter(({ severity }) => severity === 'error').map(({ path }) => path));
}

async function refereeSays(framework: Framework, { service, product, body }: Body): Promise<string> {
  const { findings } = await judge(
    {
      method: 'POST',
      target: `/v1/${service}/${product}`,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.from(JSON.stringify(body)),
    },
    { variant: { framework, prefix: '/v1', surface: 'framework' }, now: new Date(today), signing: 'off' },
  );
  const errors = findings.filter(({ place, severity }) => place === 'body' && severity === 'error');
  return verdictOf(errors.map(({ pointer }) => placeOf(pointer)));
}

function bankSays(framework: Framework, { service, product, body }: Body): string {
  const scenario = { ...standardScenario, otherFields: 'accept' } as const;
  try {
    const json = readJson(Buffer.from(JSON.stringify(body)));
    readJsonOrder(json, { framework, service, product, today, scenario });
    return 'lawful';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.detail.path ?? '';
  }
}

const wantedOf = ({ verdict }: Row, framework: Framework): string | undefined =>
  typeof verdict === 'string' ? verdict : verdict[framework];
const shown = ({ service, product, change }: Body): string =>
  `${service} ${product} ${JSON.stringify(change, (_, value: unknown) => value ?? 'absent').slice(0, 120)}`;

describe.each(frameworks)('lint, referee and bank agree in %s', (framework) => {
  it.each(
    rows.flatMap((row) => {
      const wanted = wantedOf(row, framework);
      return wanted === undefined ? [] : [[shown(row), wanted, row] as const];
    }),
  )('on %s: %s', async (_, wanted, row) => {
    const said = {
      lint: await lintSays(framework, row),
      referee: await refereeSays(framework, row),
      bank: bankSays(framework, row),
    };
    const due = wanted === 'lawful' ? wanted : placeOf(wanted);
    expect(said).toEqual({ lint: due, referee: due, bank: due });
  });

  it.each(byOneOnly.map((row) => [shown(row), row] as const))(
    'on %s but for the reason given',
    async (_, row) => {
      expect({
        lint: await lintSays(framework, row),
        referee: await refereeSays(framework, row),
        bank: bankSays(framework, row),
      }).toEqual(row.said);
    },
  );
});

describe.runIf(hasOfficialFiles()).each(frameworks)('a body that is lawful in %s', (framework) => {
  const schemas = {
    payments: 'paymentInitiation_json',
    'bulk-payments': 'bulkPaymentInitiation_json',
    'periodic-payments': 'periodicPaymentInitiation_json',
  } as const;

  it('is one that the official file takes', () => {
    official(framework);
    const refused = rows.filter((row) => {
      const takes = compiled(framework, { $ref: `#/components/schemas/${schemas[row.service]}` });
      return wantedOf(row, framework) === 'lawful' && !takes(JSON.parse(JSON.stringify(row.body)));
    });
    expect(refused.map(shown)).toEqual([]);
  });
});
