import { expect } from 'vitest';
import { browser } from './browser.ts';
import { consentsOf } from './consent-scene.ts';
import { back, codeOf, href } from './scene.ts';
import type { Links, useScene } from './scene.ts';
import { payment } from './tpp.ts';
import type { TestAnswer } from './tpp.ts';

interface Paid {
  created: TestAnswer;
  links: Links;
}

/** What a TPP does with the ready people of a scene. */
export function stepsOf(scene: ReturnType<typeof useScene>) {
  const { ask } = consentsOf(scene);

  /** What the TPP sends besides PSU-ID: a corporate PSU names the company. */
  const headersOf = (psuId: string) => ({
    'PSU-ID': psuId,
    ...(psuId.startsWith('corporate-') && { 'PSU-Corporate-ID': 'obk-company' }),
  });

  const debtorOf = (psuId: string) => {
    const { iban, bban, msisdn } = scene.bank.person(psuId).accounts[0]!;
    return iban !== '' ? { iban } : bban !== undefined ? { bban } : { msisdn };
  };

  async function create(psuId: string, amount = '1.00', prefix = 'v136', of = psuId): Promise<Paid> {
    const created = await scene.call('POST', `/${prefix}/payments/sepa-credit-transfers`, {
      body: { ...payment('', amount), debtorAccount: debtorOf(of) },
      headers: { ...headersOf(psuId), 'TPP-Redirect-URI': back },
    });
    expect(created.status, `${psuId}: ${created.text}`).toBe(201);
    return { created, links: created.json._links as Links };
  }

  /** Leads one authorisation to its end as its links say; returns the steps that it took, the last one being its scaStatus. */
  async function authorise(psuId: string, { created, links }: Paid, method?: string): Promise<string[]> {
    const { password, otp, methods } = scene.bank.person(psuId);
    const steps: string[] = [];
    let answer = created;
    const start = Object.keys(links).find((name) => name.startsWith('startAuthorisation'));
    if (start !== undefined) {
      const withPassword = start.endsWith('WithPsuAuthentication');
      answer = await scene.call('POST', href(links, start), {
        headers: headersOf(psuId),
        ...(withPassword && { body: { psuData: { password } } }),
      });
      if (withPassword) steps.push('password');
    }
    for (;;) {
      const at = answer.json._links as Links;
      expect(answer.status, `${psuId}: ${answer.text}`).toBeLessThan(300);
      const chosen = method ?? methods.at(-1)?.id;
      if (at['updatePsuAuthentication'] !== undefined) {
        steps.push('password');
        answer = await scene.call('PUT', at['updatePsuAuthentication'].href, {
          body: { psuData: { password } },
        });
      } else if (at['selectAuthenticationMethod'] !== undefined) {
        steps.push(`choice of ${String(answer.json.scaMethods.length)}`);
        answer = await scene.call('PUT', at['selectAuthenticationMethod'].href, {
          body: { authenticationMethodId: chosen },
        });
      } else if (at['authoriseTransaction'] !== undefined) {
        steps.push('otp');
        answer = await scene.call('PUT', at['authoriseTransaction'].href, {
          body: { scaAuthenticationData: otp },
        });
      } else if (at['scaRedirect'] !== undefined) {
        steps.push('redirect', ...(await onPage(at['scaRedirect'].href, psuId)));
        break;
      } else if (at['scaOAuth'] !== undefined) {
        steps.push('oauth');
        scene.bank.decide('approve', created.json.paymentId as string, psuId);
        break;
      } else {
        if (answer.json.scaStatus === 'started') {
          expect(answer.headers['aspsp-sca-approach']).toBe('DECOUPLED');
          steps.push('phone');
          scene.bank.decide('approve', created.json.paymentId as string, psuId);
        }
        break;
      }
    }
    return [...steps, await scene.scaOf(answer.json._links as Links)];
  }

  /** What the bank's page asks for. */
  async function onPage(url: string, psuId: string): Promise<string[]> {
    const { password, otp } = scene.bank.person(psuId);
    const { visit, submit } = browser();
    let shown = await submit(url, await visit(url), { psuId, password });
    const asked = ['password'];
    const choices = shown.text.match(/name="method"/g)?.length;
    if (choices !== undefined) {
      asked.push(`choice of ${String(choices)}`);
      shown = await submit(url, shown, { method: 'sms' });
    }
    if (shown.text.includes('name="otp"')) asked.push('otp');
    await submit(url, shown, { otp, decision: 'approve' });
    return asked;
  }

  const paid = async (psuId: string, amount?: string): Promise<[string[], string]> => {
    const one = await create(psuId, amount);
    return [await authorise(psuId, one), await scene.statusOf(one.links)];
  };

  /** A new authorisation of an Embedded PSU, after the password. */
  async function embedded(psuId: string): Promise<{ one: Paid; started: TestAnswer; at: Links }> {
    const one = await create(psuId);
    const { password } = scene.bank.person(psuId);
    const name = Object.keys(one.links).find((link) => link.startsWith('startAuthorisation'))!;
    const started = await scene.call('POST', href(one.links, name), { body: { psuData: { password } } });
    expect(started.status, started.text).toBe(201);
    return { one, started, at: started.json._links as Links };
  }

  const wrongOtp = async (at: Links) =>
    scene.call('PUT', href(at, 'authoriseTransaction'), { body: { scaAuthenticationData: 'wrong' } });

  /** A list of transactions in a form, or the refusal. */
  async function report(psuId: string, accept?: string): Promise<[number, string]> {
    const consent = await ask(psuId, { access: { allPsd2: 'allAccounts' } });
    const { _links: links, consentId } = consent.json as { _links: Links; consentId: string };
    const start = Object.keys(links).find((name) => name.startsWith('startAuthorisation'))!;
    const { password } = scene.bank.person(psuId);
    const done = await scene.call('POST', href(links, start), { body: { psuData: { password } } });
    expect(done.json.scaStatus, done.text).toBe('exempted');
    const headers = { 'Consent-ID': consentId };
    const accounts = await scene.call('GET', '/v136/accounts', { headers });
    const first = accounts.json.accounts[0] as { _links: Links };
    const answer = await scene.call(
      'GET',
      `${href(first._links, 'transactions')}?bookingStatus=booked&dateFrom=2026-01-01`,
      { headers: { ...headers, ...(accept !== undefined && { Accept: accept }) } },
    );
    return [answer.status, codeOf(answer)[1] ?? String(answer.headers['content-type']).split(';')[0]!];
  }

  async function accountsSeen(psuId: string): Promise<Record<string, unknown>[]> {
    const consent = await ask(psuId, { access: { allPsd2: 'allAccounts' } });
    scene.bank.decide('approve', await begun(consent), psuId);
    const headers = { 'Consent-ID': String(consent.json.consentId) };
    return (await scene.call('GET', '/v136/accounts', { headers })).json.accounts;
  }

  async function begun({ json }: TestAnswer): Promise<string> {
    const links = json._links as Links;
    const start = Object.keys(links).find((name) => name.startsWith('startAuthorisation'));
    if (start !== undefined) await scene.call('POST', href(links, start));
    return String(json.consentId);
  }

  const funds = async (psuId: string, amount: string) => {
    const answer = await scene.call('POST', '/v1/funds-confirmations', {
      headers: { 'PSU-IP-Address': undefined },
      body: { account: debtorOf(psuId), instructedAmount: { currency: 'EUR', amount } },
    });
    return (answer.json.fundsAvailable as boolean | undefined) ?? codeOf(answer)[1];
  };

  return { ask, debtorOf, create, authorise, paid, embedded, wrongOtp, report, accountsSeen, begun, funds };
}
