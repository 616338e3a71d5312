import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { standardScenario } from '../../../../src/bank/rules/scenario.ts';
import { consentsOf } from '../consent-scene.ts';
import { browser } from '../browser.ts';
import { get, loginRequest } from '../oauth-login.ts';
import { codeOf, href, useScene } from '../scene.ts';
import type { TestAnswer } from '../tpp.ts';

const scene = useScene();
const { ask } = consentsOf(scene);

beforeEach(() => {
  scene.bank.scenario({ attempts: '3', lock: 'always' });
});

afterEach(() => {
  scene.bank.scenario(standardScenario);
});

/** The page of a new login before any call. */
const login = async () =>
  scene.bank.baseUrl + String((await get(loginRequest(scene.bank).url)).headers['location']);

/** Enters passwords on a page, in a browser of its own; returns the last page. */
async function enter(at: string, psuId: string, ...passwords: string[]): Promise<TestAnswer> {
  const { visit, submit } = browser();
  let page = await visit(at);
  for (const password of passwords) page = await submit(at, page, { psuId, password });
  return page;
}

const isLocked = async (psuId: string) => (await ask(psuId)).status === 403;

describe('wrong passwords on pages', () => {
  it('count together for the PSU over several logins, since a new one would bring new attempts', async () => {
    const psuId = 'embedded-one';
    expect((await enter(await login(), psuId, 'a', 'b')).text).toContain('The password is wrong.');
    expect(await isLocked(psuId)).toBe(false);
    expect(String((await enter(await login(), psuId, 'c')).headers['location'])).toContain('access_denied');
    expect(codeOf(await ask(psuId))).toEqual([403, 'SERVICE_BLOCKED']);
  });

  it('do not lock another PSU who tries the same login', async () => {
    const at = await login();
    await enter(at, 'embedded-choice', 'a', 'b');
    expect(String((await enter(at, 'redirect', 'c')).headers['location'])).toContain('access_denied');
    expect(await isLocked('redirect')).toBe(false);
  });

  it.each(['/phone', '/consents'])('count on %s with those of an authorisation', async (path) => {
    const psuId = path === '/phone' ? 'embedded-additional' : 'embedded-none';
    const { links } = await scene.create(psuId);
    await scene.call('POST', href(links, 'startAuthorisationWithPsuAuthentication'), {
      body: { psuData: { password: 'wrong' } },
    });
    const at = scene.bank.baseUrl + path;
    expect((await enter(at, psuId, 'a')).text).toContain('The password is wrong.');
    expect((await enter(at, psuId, 'b')).text).toContain('Your access is blocked.');
    const { password } = scene.bank.person(psuId);
    expect((await enter(at, psuId, password)).text).toContain('Your access is blocked.');
    expect(await isLocked(psuId)).toBe(true);
  });

  it('end what the PSU is logged in to elsewhere when they lock the access', async () => {
    const psuId = 'decoupled';
    const { password } = scene.bank.person(psuId);
    const at = `${scene.bank.baseUrl}/phone`;
    const { visit, submit } = browser();
    expect((await submit(at, await visit(at), { psuId, password })).text).toContain('Log out');
    await enter(await login(), psuId, 'a', 'b', 'c');
    expect((await visit(at)).text).not.toContain('Log out');
  });

  it('are forgotten once the PSU has authorised something, and never lock where the bank locks nobody', async () => {
    const psuId = 'redirect-explicit';
    await enter(await login(), psuId, 'a', 'b');
    const { id } = await scene.create(psuId);
    await scene.call('POST', `/v1/payments/sepa-credit-transfers/${id}/authorisations`);
    scene.bank.decide('approve', id);
    await enter(await login(), psuId, 'c', 'd');
    expect(await isLocked(psuId)).toBe(false);
    scene.bank.scenario({ lock: 'never' });
    await enter(await login(), psuId, 'e', 'f', 'g');
    expect(await isLocked(psuId)).toBe(false);
  });
});
