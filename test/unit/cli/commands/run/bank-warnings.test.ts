import { describe, expect, it } from 'vitest';
import { accountBank } from '../account-bank.ts';

const warning = (text: string) => ({ category: 'WARNING', code: 'WARNING', text });

describe('what a bank warns of', () => {
  it('stands on stderr, clean, once, and changes nothing else', async () => {
    const bank = await accountBank();
    const tppMessages = [warning('late'), warning('late'), warning('a\u001b[31mb')];
    bank.http.expect('GET', '/v1/accounts', { body: { accounts: [], tppMessages } });
    const { code, stdout, notices } = await bank.run('accounts --json');
    expect([code, stdout]).toEqual([0, '[]\n']);
    expect(notices.warned).toEqual(['WARNING late', 'WARNING a\\x1b[31mb']);
  });

  it('at the status of a consent too', async () => {
    const bank = await accountBank();
    const body = { consentStatus: 'valid', tppMessages: [warning('old')] };
    bank.http.expect('GET', '/v1/consents/con-1/status', { body });
    const { code, notices } = await bank.run('consent status con-1');
    expect(code).toBe(0);
    expect(notices.warned).toEqual(['WARNING old']);
  });
});
