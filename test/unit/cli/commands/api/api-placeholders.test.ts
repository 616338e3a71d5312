import { describe, expect, it } from 'vitest';
import { accountBank } from '../account-bank.ts';

const own = { resourceId: 'a$&/1', number: 'DE89370400440532013000' };

async function bankWith(...accounts: readonly (typeof own)[]) {
  const bank = await accountBank();
  const saved = (await bank.store.resources.find('acme', 'consent', 'con-1'))!;
  const save = (id: string, createdAt: string) =>
    bank.store.resources.save({ ...saved, id, createdAt, consent: { ...saved.consent!, accounts } });
  await save('con-1', '2026-11-20T10:00:00.000Z');
  await save('con-2', '2026-11-21T10:00:00.000Z');
  const sent = async (line: string, env = {}) => {
    const { code, stdout, stderr } = await bank.run(`${line} --dry-run --json`, env);
    expect(code, stderr).toBe(0);
    const { url, headers } = JSON.parse(stdout) as {
      url: string;
      headers: { name: string; value: string }[];
    };
    const consent = headers.find(({ name }) => name === 'Consent-ID')?.value;
    return { path: new URL(url).pathname, consent };
  };
  return { ...bank, sent };
}

const header = '-H Consent-ID:{consentId}';

describe('a placeholder', () => {
  it('{consentId} is the newest consent, the active one, or that of the variable', async () => {
    const { sent, store } = await bankWith();
    const line = `api GET v1/consents/{consentId}/status ${header}`;
    const of = (id: string) => ({ path: `/v1/consents/${id}/status`, consent: id });
    expect(await sent(line)).toEqual(of('con-2'));
    await store.credentials.update('acme', () => ({ consentId: 'con-1' }));
    expect(await sent(line)).toEqual(of('con-1'));
    expect(await sent(line, { OBK_CONSENT_ID: 'con-other' })).toEqual(of('con-other'));
  });

  it('{accountId} is the only account of that consent, written as a path takes it', async () => {
    const { sent } = await bankWith(own);
    expect(await sent(`api GET v1/accounts/{accountId}/balances ${header}`)).toEqual({
      path: '/v1/accounts/a%24%26%2F1/balances',
      consent: 'con-2',
    });
  });

  it.each([
    [[], 'obk accounts list --consent con-2'],
    [[own, { ...own, resourceId: 'b' }], 'b   # DE89370400440532013000'],
  ])('{accountId} of none or several is refused, and nothing is sent', async (accounts, hint) => {
    const { run, http } = await bankWith(...accounts);
    const { code, stdout, stderr } = await run('api GET v1/accounts/{accountId}');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
    expect(http.requests).toEqual([]);
  });

  it('{basketId} without a basket says how one is made; @last goes by the name of an operation too', async () => {
    const { run, sent } = await bankWith();
    expect((await run('api GET v1/signing-baskets/{basketId}')).stderr).toContain('obk basket create');
    expect(await sent('api getConsentStatus -f consentId=@last-1')).toMatchObject({
      path: '/v1/consents/con-1/status',
    });
  });

  it('that is none stays what it is', async () => {
    const { sent } = await bankWith();
    expect(await sent('api GET v1/consents/{other}/status')).toMatchObject({
      path: '/v1/consents/%7Bother%7D/status',
    });
  });
});
