import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../../../docs/bank/control.openapi.json' with { type: 'json' };
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import type { ControlRequest, ControlResponse } from '../../../helpers/control.ts';
import { listenForPushes } from '../../../helpers/push-listener.ts';
import type { PushListener } from '../../../helpers/push-listener.ts';
import { payment, tppOf } from '../tpp.ts';
import { schemaOf } from './document-schemas.ts';

interface Media {
  schema: object;
  examples: { usual: { value: unknown } };
}
interface Operation {
  operationId: string;
  security?: [];
  parameters?: { name: string; in: string; example: string | number }[];
  requestBody?: { content: { 'application/json': Media } };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}
interface Asked extends ControlRequest {
  method: string;
  path: string;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    id: operation.operationId,
    path,
    method: method.toUpperCase(),
    operation,
  })),
);
type Known = (typeof operations)[number];
/** With time an authorisation runs out, and a reset forgets what the other examples are about. */
const last = ['deleteSnapshot', 'deleteTenant', 'moveClock', 'reset'];
/** What these end, others are about. */
const forgetting = ['removeAccount', 'removePerson', 'reset'];
const inOrder = operations.toSorted((one, other) => last.indexOf(one.id) - last.indexOf(other.id));

let bank: TestBank;
let listener: PushListener;
/** A bank that has them: the others refuse to make any. */
let withTenants: TestBank;
let ask: ReturnType<typeof controlOf>;
let askOfTenants: ReturnType<typeof controlOf>;
let own: Readonly<Record<string, string>>;
const produced = new Set<string>();

beforeAll(async () => {
  listener = await listenForPushes();
  bank = await startBank();
  ask = controlOf(bank);
  withTenants = await startBank({
    name: 'tenants',
    database: ':memory:',
    doors: { tenants: 'header:X-Tenant' },
  });
  askOfTenants = controlOf(withTenants);
  await askOfTenants('PUT', '/tenants/team-a');
  own = await begin();
});
afterAll(async () => {
  await bank.close();
  await withTenants.close();
  await listener.close();
});

/** A payment and a consent whose ids stand in place of those of the examples. */
async function begin(): Promise<Record<string, string>> {
  const call = tppOf(bank);
  const headers = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/cb' };
  const body = payment(bank.person('redirect').accounts[0]!.iban);
  const paid = await call('POST', '/v1/payments/sepa-credit-transfers', {
    body,
    headers: { ...headers, 'TPP-Notification-URI': listener.uri },
  });
  const access = { access: { allPsd2: 'allAccounts' }, recurringIndicator: true, frequencyPerDay: 4 };
  const consent = { ...access, validUntil: '9999-12-31', combinedServiceIndicator: false };
  const agreed = await call('POST', '/v1/consents', { body: consent, headers });
  const paymentId = String(paid.json.paymentId);
  const { json } = await call('GET', `/v1/payments/sepa-credit-transfers/${paymentId}/authorisations`);
  return {
    '3d9a81b3-a47d-4130-8765-a9c0ff861b99': paymentId,
    '4f2c1d2e-94ab-4d55-8e0e-5a0e64a3a511': String(agreed.json.consentId),
    '0f1c2f6e-5f0e-4d5c-9a4e-8b8b3c5e7a01': String(json.authorisationIds[0]),
  };
}

/** The examples of the request of an operation, with ids of this bank. */
function exampleOf({ method, path, operation }: Known): Asked {
  const { parameters = [], requestBody } = operation;
  const asked = { path, query: new URLSearchParams(), headers: {} as Record<string, string> };
  for (const { name, in: where, example } of parameters) {
    const value = own[String(example)] ?? String(example);
    if (where === 'path') asked.path = asked.path.replace(`{${name}}`, encodeURIComponent(value));
    else if (where === 'query') asked.query.set(name, value);
    else asked.headers[name] = value;
  }
  const body = requestBody?.content['application/json'].examples.usual.value;
  const text = Object.entries(own).reduce(
    (whole, [from, to]) => whole.replaceAll(from, to),
    JSON.stringify(body ?? null),
  );
  const query = asked.query.size === 0 ? '' : `?${asked.query.toString()}`;
  return {
    method,
    path: asked.path + query,
    headers: asked.headers,
    ...(body !== undefined && { body: JSON.parse(text) as unknown }),
  };
}

async function send({ method, path, ...rest }: Asked, status?: string): Promise<ControlResponse> {
  const whose = path.startsWith('/tenants') && status !== '409' ? askOfTenants : ask;
  return whose(method, path, rest);
}

/** The answer is one that the document foresees for the operation, and has the form that it gives it. */
function expectForeseen({ id, operation }: Known, answer: ControlResponse): void {
  const { status, text } = answer;
  const declared = operation.responses[String(status)];
  expect(declared, `${id}: ${String(status)} ${text}`).toBeDefined();
  const name = declared?.$ref?.split('/').at(-1);
  const whole =
    name === undefined ? declared : (document.components.responses as Operation['responses'])[name];
  const [type, media] = Object.entries(whole?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) expect(text).toBe('');
  else {
    expect(String(answer.headers['content-type']).toLowerCase()).toMatch(
      new RegExp(`^${type.replace('+', '\\+')}`),
    );
    expect(schemaOf(media.schema)(answer.json ?? text), `${id}: ${text.slice(0, 500)}`).toEqual([]);
  }
  produced.add(`${id} ${String(status)}`);
}

describe('each example of the document', () => {
  it.each(inOrder)('works against a bank: $id', async (known) => {
    if (forgetting.includes(known.id)) return;
    // It goes out after the answer of the call that it tells of.
    if (known.id === 'resendNotification')
      await expect.poll(async () => (await bank.bank.pushes(0)).length).toBeGreaterThan(0);
    const answer = await send(exampleOf(known));
    expect(String(answer.status), answer.text).toMatch(/^2/);
    expectForeseen(known, answer);
  });
});

/** A body that is about nothing that the bank has. */
const missing: Readonly<Record<string, object>> = {
  addAccount: { psuId: 'unknown' },
  decide: { id: 'unknown', decision: 'approve' },
  resendNotification: { of: 'unknown' },
};

/** What is wrong with a request so that the bank answers with this status. */
const wrong: Readonly<Record<string, (asked: Asked, known: Known) => Asked>> = {
  400: (asked) => ({ ...asked, path: `${asked.path}${asked.path.includes('?') ? '&' : '?'}nonsense=1` }),
  401: (asked) => ({ ...asked, token: 'wrong' }),
  403: (asked) => ({ ...asked, headers: { ...asked.headers, Origin: 'https://other.example' } }),
  404: (asked, { id, path }) =>
    path.includes('{')
      ? { ...asked, path: path.replace('{number}', '999999999').replace(/\{\w+\}/, 'unknown') }
      : { ...asked, body: { ...missing[id] } },
  // What the example has made is there already; what it has decided is decided.
  409: (asked) => asked,
  413: (asked) => ({ ...asked, body: `"${'x'.repeat(4_200_000)}"` }),
  415: (asked) => ({ ...asked, headers: { 'Content-Type': 'text/plain' } }),
  421: (asked) => ({ ...asked, headers: { ...asked.headers, Host: 'bank.example' } }),
};

describe('each status of the document', () => {
  const cases = inOrder.flatMap((known) =>
    Object.keys(known.operation.responses)
      .filter((status) => Number(status) >= 400 && status !== '503' && status !== '429')
      .map((status) => ({ id: known.id, status, known })),
  );
  it.each(cases)(
    'is answered with cause, explanation and next step: $id $status',
    async ({ status, known }) => {
      const answer = await send(wrong[status]!(exampleOf(known), known), status);
      expect(String(answer.status), answer.text).toBe(status);
      expectForeseen(known, answer);
    },
  );

  it('is ready only with a ledger that answers', async () => {
    const known = operations.find(({ id }) => id === 'getReadiness')!;
    const ledger = openLedger(bank.database, new Date());
    ledger.main.exec('ALTER TABLE meta RENAME TO gone');
    const answer = await ask('GET', '/readiness');
    ledger.main.exec('ALTER TABLE gone RENAME TO meta');
    ledger.close();
    expect(answer.status).toBe(503);
    expectForeseen(known, answer);
    expect((await ask('GET', '/readiness')).status).toBe(200);
  });

  it('is a refusal where too many listen, until one of them has gone', async () => {
    const known = operations.find(({ id }) => id === 'followEvents')!;
    const open = async () => {
      const stop = new AbortController();
      const headers = { Authorization: `Bearer ${readFileSync(bank.tokenFile, 'utf8')}` };
      const { status } = await fetch(`${bank.controlUrl}/events`, { headers, signal: stop.signal });
      return { status, stop };
    };
    const all = await Promise.all(Array.from({ length: 70 }, open));
    const listening = all.filter(({ status }) => status === 200);
    expect(listening.length).toBeGreaterThan(0);
    expect(listening.length).toBeLessThanOrEqual(64);
    const answer = await send(exampleOf(known));
    expect(answer.status).toBe(429);
    expect(answer.json.title).toContain('64 streams');
    expectForeseen(known, answer);
    listening[0]!.stop.abort();
    await expect.poll(async () => (await send(exampleOf(known))).status).toBe(200);
    for (const { stop } of all) stop.abort();
  });

  it('was produced, and no other one', async () => {
    for (const each of forgetting) {
      const known = operations.find(({ id }) => id === each)!;
      const answer = await send(exampleOf(known));
      expect(answer.status).toBe(each === 'reset' ? 204 : 200);
      expectForeseen(known, answer);
    }
    const declared = operations.flatMap(({ id, operation }) =>
      Object.keys(operation.responses).map((status) => `${id} ${status}`),
    );
    expect([...produced].toSorted()).toEqual(declared.toSorted());
  });
});
