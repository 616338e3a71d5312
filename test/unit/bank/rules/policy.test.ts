import { afterEach, describe, expect, it } from 'vitest';
import { standardScenario } from '../../../../src/bank/rules/scenario.ts';
import type { Scenario } from '../../../../src/bank/rules/scenario.ts';
import { consentsOf } from '../consent-scene.ts';
import { back, codeOf, href, leads, useScene } from '../scene.ts';
import type { CreateOptions, Links } from '../scene.ts';
import { payment } from '../tpp.ts';

// Where the official files are, each answer of this bank is judged by them.
const scene = useScene();
const { ask, ibanOf } = consentsOf(scene);

afterEach(() => {
  scene.bank.scenario(standardScenario);
});

const set = (scenario: Partial<Scenario>) => {
  scene.bank.scenario(scenario);
};

/** The approach and the links of a new payment. */
async function opening(psuId: string, options: CreateOptions = {}): Promise<unknown[]> {
  const { created, links } = await scene.create(psuId, options);
  return [created.headers['aspsp-sca-approach'], ...leads(links)];
}

/** Has the PSU decide; an authorisation that waits for the TPP to start it is started first. */
async function approve(id: string, links: Links, psuId?: string): Promise<void> {
  const start = leads(links).find((name) => name.startsWith('startAuthorisation'));
  const headers = psuId === undefined ? {} : { 'PSU-ID': psuId };
  const started = start && (await scene.call('POST', href(links, start), { headers }));
  const { authorisationId } = (started ? started.json : {}) as { authorisationId?: string };
  scene.bank.decide('approve', authorisationId ?? id, psuId);
}

const unnamed = { named: false } as const;
const prefers = (redirect: boolean) => ({ headers: { 'TPP-Redirect-Preferred': String(redirect) } });

describe('the approach of the policy', () => {
  it.each<[Scenario['approach'], string, unknown[]]>([
    ['by-person', 'redirect', ['REDIRECT', 'scaRedirect']],
    ['by-person', 'embedded-one-implicit', ['EMBEDDED', 'updatePsuAuthentication']],
    ['redirect', 'embedded-one-implicit', ['REDIRECT', 'scaRedirect']],
    ['oauth', 'redirect', ['REDIRECT', 'scaOAuth']],
    ['embedded', 'redirect', ['EMBEDDED', 'updatePsuAuthentication']],
    ['embedded', 'decoupled', ['EMBEDDED', 'startAuthorisationWithPsuAuthentication']],
    ['decoupled', 'redirect', ['DECOUPLED']],
  ])('applies as %s to the PSU %s', async (approach, psuId, expected) => {
    set({ approach });
    expect(await opening(psuId)).toEqual(expected);
    const consent = await ask(psuId);
    expect([consent.headers['aspsp-sca-approach'], ...leads(consent.json._links)]).toEqual(expected);
  });

  it('exempts nobody from SCA who is in Embedded only by the policy', async () => {
    set({ approach: 'embedded' });
    const { links } = await scene.create('decoupled-implicit');
    const { password, otp } = scene.bank.person('decoupled-implicit');
    const at = href(links, 'updatePsuAuthentication');
    const next = await scene.call('PUT', at, { body: { psuData: { password } } });
    expect(next.json.scaStatus, next.text).toBe('scaMethodSelected');
    const done = await scene.call('PUT', at, { body: { scaAuthenticationData: otp } });
    expect(done.json.scaStatus).toBe('finalised');
  });

  it('asks who the PSU is before Embedded or Decoupled, and not before Redirect or OAuth', async () => {
    for (const [approach, link] of [
      ['redirect', 'scaRedirect'],
      ['oauth', 'scaOAuth'],
      ['embedded', 'updatePsuIdentification'],
      ['decoupled', 'updatePsuIdentification'],
    ] as const) {
      set({ approach });
      const { links } = await scene.create('redirect', unnamed);
      expect(leads(links)).toEqual([link]);
      if (link !== 'updatePsuIdentification') continue;
      const named = await scene.call('PUT', href(links, link), {
        body: {},
        headers: { 'PSU-ID': 'redirect' },
      });
      expect(named.headers['aspsp-sca-approach'], named.text).toBe(approach.toUpperCase());
    }
  });

  it('may depend on the product of a payment', async () => {
    set({ productApproach: 'sepa-credit-transfers:decoupled,instant-sepa-credit-transfers:embedded' });
    expect(await opening('redirect')).toEqual(['DECOUPLED']);
    const instant = await scene.call('POST', '/v136/payments/instant-sepa-credit-transfers', {
      body: payment(ibanOf('redirect'), '1.00'),
      headers: { 'PSU-ID': 'redirect' },
    });
    expect(instant.headers['aspsp-sca-approach']).toBe('EMBEDDED');
    expect((await ask('redirect')).headers['aspsp-sca-approach']).toBe('REDIRECT');
  });

  it('may depend on the product of the payments in a basket, where all have the same', async () => {
    set({ surface: 'framework', productApproach: 'sepa-credit-transfers:decoupled' });
    const psuId = 'embedded-one';
    const instant = await scene.call('POST', '/v136/payments/instant-sepa-credit-transfers', {
      body: payment(ibanOf(psuId), '1.00'),
      headers: { 'PSU-ID': psuId },
    });
    const started = async (...others: string[]) => {
      const basket = await scene.call('POST', '/v136/signing-baskets', {
        body: { paymentIds: [(await scene.create(psuId)).id, ...others] },
        headers: { 'PSU-ID': psuId, 'PSU-IP-Address': '192.0.2.1' },
      });
      return leads(basket.json._links as Links);
    };
    expect(await started()).toEqual(['startAuthorisation']);
    expect(await started(String(instant.json['paymentId']))).toEqual([
      'startAuthorisationWithPsuAuthentication',
    ]);
  });
});

describe('a preference of the TPP', () => {
  it('is honoured or ignored where it is for Redirect', async () => {
    expect(await opening('redirect', prefers(false))).toEqual(['EMBEDDED', 'updatePsuAuthentication']);
    set({ redirectPreferred: 'ignored' });
    expect(await opening('redirect', prefers(false))).toEqual(['REDIRECT', 'scaRedirect']);
    expect((await ask('redirect', prefers(false))).headers['aspsp-sca-approach']).toBe('REDIRECT');
  });

  it('leaves for Redirect the usual one of two in the browser, also where nobody is known yet', async () => {
    set({ approach: 'oauth' });
    expect(await opening('redirect', prefers(true))).toEqual(['REDIRECT', 'scaOAuth']);
    set({ approach: 'embedded' });
    expect(await opening('redirect', prefers(true))).toEqual(['REDIRECT', 'scaRedirect']);
    const { links } = await scene.create('redirect', { ...unnamed, ...prefers(true) });
    expect(leads(links)).toEqual(['scaRedirect']);
    set({ approach: 'embedded', redirectPreferred: 'ignored' });
    const ignored = await scene.create('redirect', { ...unnamed, ...prefers(true) });
    expect(leads(ignored.links)).toEqual(['updatePsuIdentification']);
  });

  it('is honoured or ignored where it is for an explicit start', async () => {
    const headers = { 'TPP-Explicit-Authorisation-Preferred': 'true' };
    expect(await opening('redirect', { headers })).toEqual(['REDIRECT', 'startAuthorisation']);
    set({ explicitPreferred: 'ignored' });
    expect(await opening('redirect', { headers })).toEqual(['REDIRECT', 'scaRedirect']);
    expect(leads((await ask('redirect', { headers })).json._links)).toEqual(['scaRedirect']);
  });
});

describe('the PSU-ID', () => {
  it('may be required', async () => {
    set({ psuId: 'required' });
    const refused = await scene.call('POST', '/v1/payments/sepa-credit-transfers', {
      body: payment(ibanOf('redirect'), '1.00'),
    });
    expect([...codeOf(refused), refused.json.tppMessages[0].path]).toEqual([400, 'FORMAT_ERROR', 'PSU-ID']);
    expect(codeOf(await ask('redirect', unnamed))).toEqual([400, 'FORMAT_ERROR']);
    expect(await opening('redirect')).toEqual(['REDIRECT', 'scaRedirect']);
  });

  it.each<[string, unknown[]]>([
    ['redirect', ['REDIRECT', 'scaRedirect']],
    ['oauth', ['REDIRECT', 'scaOAuth']],
    ['embedded-one-implicit', ['EMBEDDED', 'updatePsuAuthentication']],
    ['embedded-one', ['EMBEDDED', 'startAuthorisationWithPsuAuthentication']],
    ['decoupled-implicit', ['DECOUPLED']],
  ])('may be left to the account, whose owner %s keeps the approach', async (psuId, expected) => {
    set({ psuId: 'from-account' });
    expect(await opening(psuId, unnamed)).toEqual(expected);
    expect(leads((await ask(psuId, unnamed)).json._links)).toEqual(expected.slice(1));
  });

  it('is still asked for where an account has several owners', async () => {
    set({ psuId: 'from-account' });
    const { links } = await scene.create('pair-a', unnamed);
    expect(leads(links)).toEqual(['startAuthorisationWithPsuIdentification']);
  });

  it('carries an embedded payment to its end where it is left to the account', async () => {
    set({ psuId: 'from-account' });
    const { links } = await scene.create('embedded-one-implicit', unnamed);
    const { password, otp } = scene.bank.person('embedded-one-implicit');
    const at = href(links, 'updatePsuAuthentication');
    await scene.call('PUT', at, { body: { psuData: { password } } });
    await scene.call('PUT', at, { body: { scaAuthenticationData: otp } });
    expect(await scene.statusOf(links)).toBe('ACSC');
  });
});

describe('wrong secrets', () => {
  const fail = async (times: number) => {
    const { links } = await scene.create('embedded-one-implicit');
    const at = href(links, 'updatePsuAuthentication');
    for (let time = 0; time < times; time += 1)
      await scene.call('PUT', at, { body: { psuData: { password: 'wrong' } } });
    return scene.scaOf(links);
  };

  it('end an authorisation after as many as the policy sets, and lock nobody by default', async () => {
    set({ attempts: '2' });
    expect(await fail(1)).toBe('psuIdentified');
    expect(await fail(2)).toBe('failed');
    set({ attempts: '7' });
    expect(await fail(6)).toBe('psuIdentified');
  });

  it('lock the PSU where the policy sets it so', async () => {
    set({ attempts: '1', lock: 'always' });
    const { links } = await scene.create('embedded-additional');
    await scene.call('POST', href(links, 'startAuthorisationWithPsuAuthentication'), {
      body: { psuData: { password: 'wrong' } },
    });
    expect(codeOf(await ask('embedded-additional'))).toEqual([403, 'SERVICE_BLOCKED']);
    set({ lock: 'never', attempts: '1' });
    const other = await scene.create('locks');
    const begin = leads(other.links)[0]!;
    await scene.call(begin.startsWith('start') ? 'POST' : 'PUT', href(other.links, begin), {
      body: { psuData: { password: 'wrong' } },
    });
    expect((await ask('locks')).status).toBe(201);
  });
});

describe('wrong secrets that lock the access of a PSU', () => {
  const wrong = { body: { psuData: { password: 'wrong' } } };
  const start = async (psuId = 'embedded-none') => {
    const { links } = await scene.create(psuId);
    return href(links, 'startAuthorisationWithPsuAuthentication');
  };
  const text = async (at: string) => (await scene.call('POST', at, wrong)).json.tppMessages[0].text as string;

  it('count over all authorisations, since a new one would bring new attempts', async () => {
    set({ attempts: '3', lock: 'always' });
    const at = await start();
    expect(await text(at)).toContain('attempts left: 2');
    expect(await text(at)).toContain('attempts left: 1');
    expect(await text(await start())).toContain('wrong too often');
    expect(codeOf(await ask('embedded-none'))).toEqual([403, 'SERVICE_BLOCKED']);
  });

  it('count from the last authorisation that succeeded, and for each authorisation separately where nobody is locked', async () => {
    set({ attempts: '2', lock: 'always' });
    const psuId = 'embedded-one';
    expect(await text(await start(psuId))).toContain('attempts left: 1');
    const { id } = await scene.create(psuId);
    await scene.call('POST', `/v1/payments/sepa-credit-transfers/${id}/authorisations`);
    scene.bank.decide('approve', id);
    expect(await text(await start(psuId))).toContain('attempts left: 1');
    set({ attempts: '2', lock: 'never' });
    for (let time = 0; time < 3; time += 1)
      expect(await text(await start(psuId))).toContain('attempts left: 1');
  });
});

describe('a cancellation', () => {
  const made = async (psuId: string, authorised: boolean) => {
    const created = await scene.create(psuId, { more: { requestedExecutionDate: '2026-09-01' } });
    if (authorised) await approve(created.id, created.links);
    return created;
  };

  it.each<[Scenario['cancellation'], string, number, number]>([
    ['by-person', 'redirect', 204, 202],
    ['by-person', 'cancel-free', 204, 204],
    ['by-status', 'cancel-free', 204, 202],
    ['always-sca', 'redirect', 202, 202],
    ['always-sca', 'cancel-free', 202, 202],
    ['never-sca', 'redirect', 204, 204],
  ])(
    'is decided by %s (%s) for a new payment and an authorised one',
    async (cancellation, psuId, early, late) => {
      set({ cancellation });
      for (const authorised of [false, true]) {
        const { links } = await made(psuId, authorised);
        const asked = await scene.call('DELETE', href(links, 'self'));
        expect(asked.status, asked.text).toBe(authorised ? late : early);
        if (asked.status === 202) {
          expect(await scene.statusOf(links)).not.toBe('CANC');
          const list = await scene.call('GET', `${href(links, 'self')}/cancellation-authorisations`);
          await approve((list.json.authorisationIds as string[])[0] ?? '', asked.json._links as Links);
        }
        expect(await scene.statusOf(links)).toBe('CANC');
      }
    },
  );

  it('ends the authorisation of the payment where it is authorised first', async () => {
    set({ cancellation: 'always-sca' });
    const { links } = await made('redirect', false);
    await scene.call('DELETE', href(links, 'self'));
    const list = await scene.call('GET', `${href(links, 'self')}/cancellation-authorisations`);
    scene.bank.decide('approve', (list.json.authorisationIds as string[])[0]!);
    expect(await scene.scaOf(links)).toBe('failed');
  });

  it('stays impossible where it is', async () => {
    set({ cancellation: 'never-sca' });
    const { links } = await made('cancel-impossible', true);
    expect(codeOf(await scene.call('DELETE', href(links, 'self')))).toEqual([405, 'CANCELLATION_INVALID']);
  });
});

describe('several PSUs required by the amount', () => {
  const pay = async (psuId: string, amount: string, named = true) => {
    const created = await scene.call('POST', '/v136/payments/sepa-credit-transfers', {
      body: payment(ibanOf(psuId), amount),
      headers: { ...(named && { 'PSU-ID': psuId }), 'TPP-Redirect-URI': back },
    });
    expect(created.status, created.text).toBe(201);
    return created.json as { paymentId: string; _links: Record<string, { href: string }> };
  };

  it('are one below the amount and all of the account from it on', async () => {
    set({ multilevel: 'from-100.50' });
    const little = await pay('pair-a', '100.49');
    expect(leads(little._links)).not.toContain('startAuthorisationWithPsuIdentification');
    await approve(little.paymentId, little._links, 'pair-a');
    expect(await scene.statusOf(little._links)).toBe('ACSC');
    const much = await pay('pair-a', '100.50');
    expect(leads(much._links)).toEqual(['startAuthorisationWithPsuIdentification']);
    for (const [psuId, status] of [
      ['pair-a', 'PATC'],
      ['pair-b', 'ACSC'],
    ] as const) {
      await approve(much.paymentId, much._links, psuId);
      expect(await scene.statusOf(much._links)).toBe(status);
    }
  });

  it('are the owner and the next PSU of the bank where the account has one owner', async () => {
    set({ multilevel: 'from-1000' });
    const next = scene.bank.people[scene.bank.people.findIndex((one) => one.psuId === 'redirect') + 1]!.psuId;
    const { paymentId, _links } = await pay('redirect', '1000.00');
    expect(leads(_links)).toEqual(['startAuthorisationWithPsuIdentification']);
    const stranger = await scene.call('POST', href(_links, 'startAuthorisationWithPsuIdentification'), {
      headers: { 'PSU-ID': 'decoupled' },
    });
    expect(codeOf(stranger)).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
    for (const [psuId, status] of [
      ['redirect', 'PATC'],
      [next, 'ACSC'],
    ] as const) {
      await approve(paymentId, _links, psuId);
      expect(await scene.statusOf(_links)).toBe(status);
    }
    expect(leads((await pay('redirect', '999.99'))._links)).toEqual(['scaRedirect']);
  });
});

it('the fee of a payment is that of the policy', async () => {
  set({ fees: 'at-initiation', feeAmount: '0.35' });
  const { created } = await scene.create('redirect');
  expect(created.json.transactionFees).toEqual({ currency: 'EUR', amount: '0.35' });
  expect(created.json.estimatedTotalAmount).toEqual({ currency: 'EUR', amount: '1.35' });
});

describe('a switch with a number or a list', () => {
  it.each<[keyof Scenario, string]>([
    ['attempts', '0'],
    ['attempts', '100'],
    ['attempts', '1.5'],
    ['pages', 'of-0'],
    ['pages', 'of-10001'],
    ['pages', 'of-'],
    ['validUntil', '0-days'],
    ['validUntil', '-5-days'],
    ['redirectLink', '25-hours'],
    ['redirectLink', '5'],
    ['multilevel', 'from-0'],
    ['multilevel', 'from-1.001'],
    ['feeAmount', '0.00'],
    ['feeAmount', '01.00'],
    ['bookingStatuses', 'pending'],
    ['bookingStatuses', 'booked,booked'],
    ['bookingStatuses', 'booked,all'],
    ['bookingStatuses', 'booked,'],
    ['reportFormats', 'jsonx'],
    ['reportFormats', 'camtX052'],
    ['productApproach', 'sepa-credit-transfers:embedded,sepa-credit-transfers:redirect'],
    ['productApproach', 'transfers:embedded'],
    ['frequencyPerDay', 'up-to-0'],
    ['rateLimit', '0-per-minute'],
  ])('is checked: %s does not accept %s', (name, value) => {
    expect(() => {
      set({ [name]: value });
    }).toThrow();
  });
});
