import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../src/bank/trust/call.ts';
import { deviate } from '../../../../src/bank/interface/deviations.ts';
import { switches } from '../../../../src/bank/rules/scenario.ts';
import type { Scenario } from '../../../../src/bank/rules/scenario.ts';
import { canonicalLink } from '../../../../src/standard/xs2a/links.ts';
import { leads, useScene } from '../scene.ts';
import { payment } from '../tpp.ts';

const standard = Object.fromEntries(
  Object.entries(switches).map(([name, { values }]) => [name, Object.keys(values)[0]]),
) as unknown as Scenario;
const origin = 'http://127.0.0.1:1';
const self = '/v1/bulk-payments/sepa-credit-transfers/p';
const reply: Reply = {
  status: 201,
  body: {
    transactionStatus: 'RCVD',
    scaStatus: 'received',
    _links: {
      scaRedirect: { href: `${origin}/sca/x` },
      updatePsuAuthentication: { href: `${self}/authorisations/a` },
      scaStatus: { href: `${self}/authorisations/a` },
    },
  },
};
const linksOf = (change: Partial<Scenario>) =>
  (
    deviate(reply, { scenario: { ...standard, ...change }, origin }).body as {
      _links?: Record<string, { href: string }>;
    }
  )._links;

describe('a bank that deviates', () => {
  it('follows the standard where nothing else is requested', () => {
    expect(deviate(reply, { scenario: standard, origin })).toBe(reply);
    expect(deviate({ status: 204 }, { scenario: { ...standard, links: 'none' }, origin })).toEqual({
      status: 204,
    });
  });

  it.each<[Scenario['hrefs'], string]>([
    ['absolute', `${origin}${self}/authorisations/a`],
    ['without-slash', `${self.slice(1)}/authorisations/a`],
    ['without-product', '/v1/bulk-payments/p/authorisations/a'],
    ['foreign', `https://inner-gateway.invalid${self}/authorisations/a`],
  ])('writes its own hrefs %s, and no others', (hrefs, expected) => {
    const links = linksOf({ hrefs });
    expect(links?.['scaStatus']?.href).toBe(expected);
    expect(links?.['scaRedirect']?.href).toBe(`${origin}/sca/x`);
  });

  it('misspells the names as the official files do', () => {
    const names = Object.keys(linksOf({ links: 'misspelt' }) ?? {});
    expect(names).toEqual(['redirect', 'udpatePsuAuthentication', 'scaStatus']);
    expect(names.map(canonicalLink)).toEqual(['scaRedirect', 'updatePsuAuthentication', 'scaStatus']);
  });

  it('leaves links out, or has one too many', () => {
    expect(linksOf({ links: 'none' })).toBeUndefined();
    expect(Object.keys(linksOf({ links: 'no-sca-status' }) ?? {})).toEqual([
      'scaRedirect',
      'updatePsuAuthentication',
    ]);
    expect(canonicalLink(Object.keys(linksOf({ links: 'unknown' }) ?? {}).at(-1) ?? '')).toBeUndefined();
  });

  it('has unknown statuses, but ends as it should', () => {
    const change = { scenario: { ...standard, statuses: 'unknown' }, origin } as const;
    expect(deviate(reply, change).body).toMatchObject({
      transactionStatus: 'ACXX',
      scaStatus: 'somewhereBetween',
    });
    const over: Reply = { status: 200, body: { transactionStatus: 'ACSC', scaStatus: 'finalised' } };
    expect(deviate(over, change).body).toEqual(over.body);
  });
});

const scene = useScene();

it('deviates on the wire', async () => {
  scene.bank.scenario({ hrefs: 'absolute' });
  const { json } = await scene.call('POST', '/v1/payments/sepa-credit-transfers', {
    body: payment(scene.bank.person('redirect').accounts[0]!.iban),
  });
  expect(json._links.self.href).toMatch(new RegExp(`^${scene.bank.baseUrl}/v1/payments/`));
  expect(leads(json._links)).toEqual(['scaRedirect']);
});
