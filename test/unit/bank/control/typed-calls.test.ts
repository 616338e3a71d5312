import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import type { ControlResponse } from '../../../helpers/control.ts';
import { payment, tppOf } from '../tpp.ts';
import document from '../../../../docs/bank/control.openapi.json' with { type: 'json' };
import { schemaOf } from './document-schemas.ts';
import { typedCalls } from './typed-calls.ts';

interface Operation {
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, Operation>).map(([method, { responses }]) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    responses,
  })),
);

/** What is wrong with an answer by the schema that the document has for its status. */
function wrongIn(method: string, path: string, { status, json }: ControlResponse): unknown[] {
  const found = operations.find((one) => one.method === method && one.path.test(path.replace(/\?.*/, '')));
  if (found === undefined) return path.includes('/tenants/') ? [] : [`no operation ${method} ${path}`];
  const told = found.responses[String(status)];
  if (told === undefined)
    return [`${String(status)} is not among ${Object.keys(found.responses).join(', ')}`];
  const schema = told.content?.['application/json']?.schema;
  return schema === undefined ? [] : schemaOf(schema)(json);
}

let bank: TestBank;
let ask: ReturnType<typeof controlOf>;
/** Stands for ids that a TPP has got. */
const ids: Record<string, string> = {};
const back = { 'TPP-Redirect-URI': 'https://tpp.example/cb' };

async function asTpp(path: string, body: object, psuId: string): Promise<string> {
  const answer = await tppOf(bank)('POST', path, { body, headers: { 'PSU-ID': psuId, ...back } });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.json.paymentId ?? answer.json.consentId);
}

beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  ask = controlOf(bank);
  const { iban } = bank.person('redirect').accounts[0]!;
  const order = (amount: string) =>
    asTpp('/v1/payments/sepa-credit-transfers', payment(iban, amount), 'redirect');
  Object.assign(ids, {
    OWN: iban,
    P1: await order('1.00'),
    P2: await order('2.00'),
    P3: await order('3.00'),
  });
  const access = { accounts: [{ iban }] };
  const more = {
    recurringIndicator: true,
    validUntil: '9999-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const consent = () => asTpp('/v1/consents', { access, ...more }, 'redirect');
  Object.assign(ids, { C1: await consent(), C2: await consent() });
});
afterAll(() => bank.close());

const filled = (text: string) => text.replace(/\$([A-Z]+\d*)/g, (_, name: string) => ids[name] ?? name);

/** The clock of the bank goes on until it has answered: its times are compared by their days. */
const byDays = (value: object): object =>
  JSON.parse(filled(JSON.stringify(value)).replace(/(?<="\d{4}-\d\d-\d\d)T[\d:.]+Z(?=")/g, '')) as object;

it.each(typedCalls.map((row) => ({ row })))(
  'a typed call is accepted or refused: $row.0 $row.1: $row.2',
  async ({ row }) => {
    const [call, body, status, told] = row;
    const [method = '', path = ''] = filled(call).split(' ');
    const sent = body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body))) as unknown };
    const answer = await ask(method, path, sent);
    expect(answer.status, answer.text).toBe(status);
    expect(wrongIn(method, path, answer)).toEqual([]);
    if (told !== undefined) expect(byDays(answer.json)).toMatchObject(byDays(told));
    if (status >= 400) {
      expect(answer.json.title).toMatch(/^\S.*\.$/);
      expect(answer.json.detail).toMatch(/^[A-Z].*\S$/);
      expect(answer.json.next).not.toHaveLength(0);
    }
  },
);
