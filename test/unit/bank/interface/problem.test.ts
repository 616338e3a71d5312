import { afterEach, describe, expect, it } from 'vitest';
import { readErrorBody } from '../../../../src/standard/xs2a/tpp-messages.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { consentBody, consentsOf } from '../consent-scene.ts';
import { back, href, useScene } from '../scene.ts';
import type { TestAnswer } from '../tpp.ts';
import { payment } from '../tpp.ts';

const scene = useScene({
  v1: { ...presets.v1, surface: 'framework' },
  v136: { ...presets.v136, surface: 'framework' },
});
const { valid } = consentsOf(scene);
const product = 'payments/sepa-credit-transfers';

afterEach(() => {
  scene.bank.scenario({ errors: 'tpp-messages', surface: 'service' });
});

/** The same answer in both dresses: what it says there, and what obk reads in it here. */
async function both(ask: () => Promise<TestAnswer>): Promise<[TestAnswer, TestAnswer]> {
  scene.bank.scenario({ errors: 'tpp-messages' });
  const usual = await ask();
  scene.bank.scenario({ errors: 'problem' });
  return [usual, await ask()];
}
const read = ({ bytes, headers }: TestAnswer) =>
  readErrorBody(bytes, { contentType: headers['content-type'] as string });

describe.each(['v1', 'v136'])('an error as a problem (%s)', (prefix) => {
  const iban = () => scene.bank.person('embedded-one').accounts[0]!.iban;
  const cases: [number, string, () => Promise<TestAnswer>][] = [
    [400, 'FORMAT_ERROR', () => scene.call('POST', `/${prefix}/${product}`, { body: {} })],
    [
      400,
      'CONSENT_UNKNOWN',
      () => scene.call('GET', `/${prefix}/accounts`, { headers: { 'Consent-ID': 'x' } }),
    ],
    [
      401,
      'SIGNATURE_MISSING',
      () =>
        scene.call('GET', `/${prefix}/${product}/x`, {
          tamper: (h) => void Reflect.deleteProperty(h, 'Signature'),
        }),
    ],
    [403, 'CONSENT_UNKNOWN', () => scene.call('GET', `/${prefix}/consents/x`)],
    [404, 'RESOURCE_UNKNOWN', () => scene.call('GET', `/${prefix}/${product}/x`)],
    [404, 'PRODUCT_UNKNOWN', () => scene.call('POST', `/${prefix}/payments/x`, { body: payment(iban()) })],
    [405, 'SERVICE_INVALID', () => scene.call('PUT', `/${prefix}/${product}`)],
    [
      400,
      'FORMAT_ERROR',
      () =>
        scene.call('POST', `/${prefix}/consents`, {
          body: consentBody({}),
          headers: { 'TPP-Redirect-URI': back },
        }),
    ],
  ];

  it.each(cases)('contains for %i %s what tppMessages contain', async (status, code, ask) => {
    const [usual, problem] = await both(ask);
    expect(problem.status).toBe(status);
    expect([problem.headers['content-type'], problem.headers['x-request-id']]).toEqual([
      'application/problem+json',
      expect.any(String),
    ]);
    const [message] = read(usual).messages;
    const { path, text = '', ...others } = message!;
    expect(read(problem)).toMatchObject({
      shape: 'problem',
      messages: [{ ...others, code, text: path === undefined ? text : `${path}: ${text}` }],
    });
    expect(problem.json.type).toBe(`https://berlingroup.com/error-codes/${code}`);
  });

  it('keeps the link that leads on', async () => {
    scene.bank.scenario({ errors: 'problem' });
    const { links } = await scene.create('embedded-one', { prefix });
    const start = href(links, 'startAuthorisationWithPsuAuthentication');
    const wrong = await scene.call('POST', start, { body: { psuData: { password: 'wrong' } } });
    expect([wrong.status, wrong.json.code], wrong.text).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
    expect(wrong.json.title).toBe('Psu credentials invalid');
    expect(Object.keys(read(wrong).links)).not.toEqual([]);
    expect(read(wrong).hasLinks).toBe(true);
  });

  it('is not made of an answer without a body, nor of a success', async () => {
    scene.bank.scenario({ errors: 'problem' });
    const { id } = await scene.create('embedded-one', { prefix });
    const at = `/${prefix}/${product}/${id}`;
    const none = await scene.call('GET', at, { headers: { Accept: 'text/html' } });
    expect([none.status, none.text]).toEqual([406, '']);
    expect((await scene.call('GET', `${at}/status`)).json).toEqual({ transactionStatus: 'RCVD' });
  });

  it('states that the PSU has to be present', async () => {
    const { id } = await valid('embedded-none', { prefix });
    scene.bank.scenario({ errors: 'problem' });
    const headers = { 'Consent-ID': id, 'PSU-IP-Address': undefined };
    const list = () => scene.call('GET', `/${prefix}/accounts`, { headers });
    for (let times = 0; times < 4; times += 1) expect((await list()).status).toBe(200);
    const over = await list();
    expect([over.status, over.json.code]).toEqual([429, 'ACCESS_EXCEEDED']);
  });

  it('has control characters in its text where a fault requires them', async () => {
    scene.bank.scenario({ errors: 'problem' });
    scene.bank.fault({ operation: 'getConsentInformation', kind: 'escape' });
    const { json } = await scene.call('GET', `/${prefix}/consents/x`);
    expect([json.code, json.detail]).toEqual(['CONSENT_UNKNOWN', expect.stringContaining('\u001b')]);
  });
});
