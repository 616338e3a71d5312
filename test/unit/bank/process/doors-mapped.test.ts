import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TestBank } from '../../../helpers/bank.ts';
import { ask, linksOf, path, pay, started, useCleanup } from './callers.ts';

useCleanup();

describe('a mapped address', () => {
  it('stands with --base-path in front of every path and every link', async () => {
    const bank = await started({ doors: { open: true, basePath: '/my/bank' } });
    const { origin } = new URL(bank.baseUrl);
    expect(bank.baseUrl).toBe(`${origin}/my/bank`);
    expect((await pay(origin, bank)).status).toBe(404);
    const paid = await pay(bank.baseUrl, bank);
    const links = linksOf(paid);
    expect(paid.headers['location']).toMatch(/^\/my\/bank\/v1\/payments\/sepa-credit-transfers\/[^/]+$/);
    expect(links['self']).toBe(paid.headers['location']);
    expect((await ask(origin + (links['self'] ?? ''))).status).toBe(200);
    expect((await ask(origin + (links['scaStatus'] ?? ''))).status).toBe(200);
    expect(links['scaRedirect']).toMatch(`${bank.baseUrl}/sca/`);
    const page = await ask(links['scaRedirect'] ?? '');
    const place = new URL(links['scaRedirect'] ?? '').pathname;
    expect([page.status, page.text.includes(`action="${place}"`)]).toEqual([200, true]);
    expect(String(page.headers['set-cookie'])).toContain(`Path=${place};`);
    expect((await ask(`${bank.baseUrl}/phone`)).text).toContain('action="/my/bank/phone"');
    // The hand of the PSU takes the link as it is.
    const { redirectedTo } = bank.decide('approve', links['scaRedirect'] ?? '', 'redirect');
    expect(redirectedTo).toBe('https://tpp.example/cb');
  });

  it.each([
    '/my/bank/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/my/bank',
  ])('has with --base-path the OAuth metadata at %s', async (at) => {
    const bank = await started({ doors: { open: true, basePath: '/my/bank' } });
    const metadata = JSON.parse((await ask(new URL(at, bank.baseUrl).href)).text) as Record<string, string>;
    expect(metadata).toMatchObject({
      issuer: bank.baseUrl,
      authorization_endpoint: `${bank.baseUrl}/oauth/authorize`,
      token_endpoint: `${bank.baseUrl}/oauth/token`,
    });
  });

  it('stays with --base-path in links however the scenario spells them', async () => {
    const bank = await started({ doors: { open: true, basePath: '/my/bank' } });
    bank.scenario({ hrefs: 'without-product' });
    expect(linksOf(await pay(bank.baseUrl, bank))['self']).toMatch(
      /^\/my\/bank\/v1\/payments\/[0-9a-f-]{36}$/,
    );
    bank.scenario({ hrefs: 'absolute' });
    expect(linksOf(await pay(bank.baseUrl, bank))['self']).toMatch(`${bank.baseUrl}/v1/payments/sepa`);
  });

  it('is with --public-url in links, pages and OAuth metadata, and its Host is answered', async () => {
    const publicUrl = 'https://bank.example:8443/psd2';
    const bank = await started({ doors: { open: true, publicUrl } });
    const { origin } = new URL(bank.baseUrl);
    const paid = await pay(origin, bank, { headers: { Host: 'bank.example' } });
    const links = linksOf(paid);
    expect(links['self']).toMatch(/^\/psd2\/v1\/payments\//);
    expect(links['scaRedirect']).toMatch(`${publicUrl}/sca/`);
    const page = await ask((links['scaRedirect'] ?? '').replace(publicUrl, origin));
    expect(page.text).toContain(`action="${new URL(links['scaRedirect'] ?? '').pathname}"`);
    expect(String(page.headers['set-cookie'])).toMatch(/Path=\/psd2\/sca\/[^;]+;.*Secure/);
    const { text } = await ask(`${origin}/.well-known/oauth-authorization-server`);
    expect(JSON.parse(text)).toMatchObject({ issuer: publicUrl, token_endpoint: `${publicUrl}/oauth/token` });
  });
});

describe('the web pages of others', () => {
  const origin = 'https://app.example';
  const asks = (bank: TestBank, at: string, headers: Record<string, string> = {}) =>
    ask(new URL(at, bank.baseUrl).href, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-request-id,digest',
        ...headers,
      },
    });

  it('are not let in unless --cors names them', async () => {
    for (const doors of [{ open: true }, { open: true, cors: ['https://other.example'] }]) {
      const bank = await started({ doors });
      const asked = await asks(bank, path);
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([405, undefined]);
      const paid = await pay(bank.baseUrl, bank, { headers: { Origin: origin } });
      expect(paid.headers['access-control-allow-origin']).toBeUndefined();
      // A cache keeps apart what is for another origin, or for none.
      const vary = 'cors' in doors ? 'Origin' : undefined;
      const alone = await pay(bank.baseUrl, bank);
      expect([asked, paid, alone].map(({ headers }) => headers['vary'])).toEqual([vary, vary, vary]);
    }
  });

  it('call the interface and the token endpoint with --cors, but neither pages nor the control API', async () => {
    const bank = await started({ doors: { open: true, cors: ['https://other.example', origin] } });
    for (const at of [path, '/oauth/token', '/.well-known/oauth-authorization-server']) {
      const asked = await asks(bank, at);
      expect([at, asked.status]).toEqual([at, 204]);
      expect(asked.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'x-request-id,digest',
        vary: 'Origin',
      });
      expect(asked.headers['access-control-allow-methods']).toContain('PUT');
    }
    for (const at of ['/phone', '/consents', '/sca/x', '/oauth/authorize', '/sandbox/api/people'])
      expect([at, (await asks(bank, at)).headers['access-control-allow-origin']]).toEqual([at, undefined]);
    const paid = await pay(bank.baseUrl, bank, { headers: { Origin: origin } });
    expect(paid.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': '*',
    });
    const metadata = await ask(`${bank.baseUrl}/.well-known/oauth-authorization-server`, {
      headers: { Origin: origin },
    });
    expect(metadata.headers['access-control-allow-origin']).toBe(origin);
  });

  it('call the control API with --cors-control, and never without its token', async () => {
    const bank = await started({ doors: { open: true, cors: ['*'], corsControl: true } });
    const asked = await asks(bank, '/sandbox/api/people', {
      'Access-Control-Request-Private-Network': 'true',
    });
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-private-network': 'true',
    });
    const control = { Origin: origin, Authorization: `Bearer ${readFileSync(bank.tokenFile, 'utf8')}` };
    expect((await ask(`${bank.baseUrl}/sandbox/api/clock`, { headers: control })).status).toBe(200);
    const steered = await ask(`${bank.baseUrl}/sandbox/api/people`, { headers: { Origin: origin } });
    expect([steered.status, steered.headers['access-control-allow-origin']]).toEqual([401, '*']);
    expect((await asks(bank, '/phone')).headers['access-control-allow-origin']).toBeUndefined();
  });
});
