// creditorAgentName has 70 characters, and 140 from 1.3.9 on: to obk before it sends, to the bank inside, and to the referee.
import { expect, it } from 'vitest';
import { lintPayment } from '../../src/client/orders/lint-payment.ts';
import { judge } from '../../src/referee/judge.ts';
import { readJsonOrder } from '../../src/bank/payments/order-json.ts';
import { Refusal } from '../../src/bank/rules/refusal.ts';
import { frameworkNames } from '../../src/standard/xs2a/origin.ts';

const product = 'sepa-credit-transfers';
const today = '2026-11-21';
const longest = { '1.3.2': 70, '1.3.6': 70, '1.3.8': 70, '1.3.11': 140, '1.3.12': 140 } as const;

const payment = (length: number) => ({
  debtorAccount: { iban: 'DE40100100103307118608' },
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Shop',
  creditorAgentName: 'x'.repeat(length),
});

it.each(
  frameworkNames.flatMap((framework) =>
    [70, 71, 140, 141].map((length) => [framework, length, length <= longest[framework]] as const),
  ),
)('an agent name is checked in %s: %i characters are accepted: %s', async (framework, length, isTaken) => {
  const body = payment(length);
  const { findings } = await lintPayment(Buffer.from(JSON.stringify(body)), {
    ...{ framework, today, product, strict: false },
  });
  expect(findings.filter(({ severity }) => severity === 'error').map(({ path }) => path)).toEqual(
    isTaken ? [] : ['creditorAgentName'],
  );
  const scenario = { conditionalFields: 'optional', otherFields: 'accept' } as const;
  const read = () => readJsonOrder(body, { framework, service: 'payments', product, today, scenario });
  if (isTaken) expect(read).not.toThrow();
  else expect(read).toThrow(Refusal);
  const request = {
    ...{ method: 'POST', target: `/v1/payments/${product}`, body: Buffer.from(JSON.stringify(body)) },
    headers: [['Content-Type', 'application/json']] as [string, string][],
  };
  const variant = { framework, prefix: '/v1', surface: 'framework' } as const;
  const judged = await judge(request, { variant, now: new Date(today), signing: 'off' });
  const pointers = judged.findings.filter(({ place }) => place === 'body').map(({ pointer }) => pointer);
  expect(pointers).toEqual(isTaken ? [] : ['/creditorAgentName']);
});
