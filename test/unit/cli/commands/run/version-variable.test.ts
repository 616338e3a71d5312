import { afterAll, expect, it } from 'vitest';
import { insideOf } from '../../../../helpers/inside.ts';
import { createObk, shop } from '../../../../helpers/obk.ts';

const obk = createObk({ OBK_PROFILE: 'sandbox' });
const inside = insideOf(obk);
afterAll(() => {
  obk.close();
});

const pay = ['payment', 'init', ...shop, '--amount', '1.00', '--dry-run', '--json'];

it.each([
  [undefined, '/v1/payments/', '1.3.2', 'built-in'],
  ['', '/v1/payments/', '1.3.2', 'built-in'],
  ['v1', '/v1/payments/', '1.3.2', 'environment'],
  ['v136', '/v136/payments/', '1.3.6', 'environment'],
])(
  'OBK_VERSION %j chooses the version at the bank inside as at any other',
  async (version, path, framework, origin) => {
    const env = version === undefined ? {} : { OBK_VERSION: version };
    const { code, stdout, stderr } = await inside.run(pay, { env });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(path);
    expect(await inside.json(['config', 'get', 'framework'], { env })).toMatchObject({
      value: framework,
      origin,
    });
  },
);

it('at the bank inside, a payment is made and followed in the version', async () => {
  const env = { OBK_VERSION: 'v136' };
  const { paymentId } = (await inside.json(
    pay.filter((word) => !/^--(dry-run|json)$/.test(word)),
    { env },
  )) as {
    paymentId: string;
  };
  expect(await inside.json(['payment', 'status', paymentId], { env })).toMatchObject({
    transactionStatus: 'RCVD',
  });
  const arrivals = (await inside.json(['sandbox', 'log'])) as { path: string }[];
  expect(arrivals.length).toBeGreaterThan(1);
  for (const { path } of arrivals) expect(path).toMatch(/^\/v136\//);
});

it('OBK_VERSION that is no version is refused, and says which there are', async () => {
  const { code, stderr } = await inside.run(pay, { env: { OBK_VERSION: 'v2' } });
  expect(code).toBe(2);
  expect(stderr).toContain('OBK_VERSION takes v1, v136');
});
