// consent.deleteNeedsSca: a bank, typed by hand, that ends a consent only once its PSU has agreed.
import { afterAll, expect, it } from 'vitest';
import { atBank, pathOf } from '../../helpers/bank-settings.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import type { RunningBank } from '../../helpers/typed-bank.ts';

const consent = ['consent', 'create', '--all-psd2', '--psu-id', 'anna'];
const settings = { consent: { deleteNeedsSca: true } };
const remove = ['consent', 'delete', 'c-1', '--yes'];
const env = { PASSWORD: 'p4ss', OTP: '123456' };
const secrets = ['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP', '--wait', '--json'];
const own = '/v1/consents/c-1/authorisations/d-1';

const banks: RunningBank[] = [];
afterAll(() => Promise.all(banks.map((bank) => bank.close())));

/** What the bank has of the PSU: by which way it asks, and whether they agree. */
async function deleting(way: 'embedded' | 'redirect', agrees = true) {
  let state: 'valid' | 'asked' | 'over' | 'refused' = 'valid';
  const bank = await typedBank(({ method, body, ...asked }) => {
    const path = pathOf({ method, body, ...asked });
    if (path === '/v1/consents') return [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }];
    if (method === 'DELETE') {
      state = 'asked';
      const _links =
        way === 'redirect'
          ? { scaRedirect: { href: 'https://login.bank.example/d' }, scaStatus: { href: own } }
          : { startAuthorisationWithPsuAuthentication: { href: '/v1/consents/c-1/authorisations' } };
      return [202, { _links }];
    }
    if (method === 'POST') {
      const isRight = (JSON.parse(body) as { psuData?: { password?: string } }).psuData?.password === 'p4ss';
      const _links = { authoriseTransaction: { href: own } };
      return isRight
        ? [201, { scaStatus: 'scaMethodSelected', authorisationId: 'd-1', _links }]
        : [401, { tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID' }] }];
    }
    if (method === 'PUT') {
      state = agrees ? 'over' : 'refused';
      return [200, { scaStatus: agrees ? 'finalised' : 'failed' }];
    }
    if (path === own) {
      const ended = { over: 'finalised', refused: 'failed' } as const;
      return [200, { scaStatus: state === 'over' || state === 'refused' ? ended[state] : 'started' }];
    }
    const consentStatus = state === 'over' ? 'terminatedByTpp' : 'valid';
    if (path.endsWith('/status')) return [200, { consentStatus }];
    return [
      200,
      {
        ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '2999-12-31' },
        ...{ frequencyPerDay: 4, lastActionDate: '2026-11-01', consentStatus },
      },
    ];
  });
  banks.push(bank);
  return { bank, decide: (as: typeof state) => (state = as) };
}

const count = ({ asked }: RunningBank, wanted: string) =>
  asked.filter(({ method }) => method === wanted).length;

it('the deletion of a consent is completed with the secrets of the PSU, each sent once', async () => {
  const { bank } = await deleting('embedded');
  const { name } = await atBank(bank, settings, [consent, ['consent', 'use', 'c-1']]);
  const done = await atBank(bank, settings, [[...remove, ...secrets]], { name, more: env });
  expect(done.code, done.stderr).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({ consentStatus: 'terminatedByTpp' });
  expect(['POST', 'PUT', 'DELETE'].map((method) => count(bank, method))).toEqual([2, 1, 1]);
  // The consent that was used unasked is over.
  const read = await atBank(bank, settings, [['accounts', 'list']], { name });
  expect(read.code).toBe(4);
});

it('the deletion of a consent is not completed without the setting, by the same bank', async () => {
  const { bank } = await deleting('embedded');
  const left = await atBank(bank, {}, [consent, remove]);
  expect(left.code).toBe(8);
  expect(count(bank, 'POST')).toBe(1);
});

it('the deletion of a consent leaves it as it was where the PSU refuses', async () => {
  const { bank } = await deleting('embedded', false);
  const refused = await atBank(bank, settings, [consent, [...remove, ...secrets]], { more: env });
  expect(refused.code, refused.stderr).toBe(9);
  expect(JSON.parse(refused.stdout)).toMatchObject({ consentStatus: 'valid' });
  const told = await atBank(bank, settings, [['consent', 'status', 'c-1', '--json']], { name: refused.name });
  expect(JSON.parse(told.stdout)).toMatchObject({ consentStatus: 'valid' });
});

it('the deletion of a consent is pending until the PSU has agreed elsewhere', async () => {
  const { bank, decide } = await deleting('redirect');
  const begun = await atBank(bank, settings, [consent, [...remove, '--json']]);
  const { name } = begun;
  expect(begun.code, begun.stderr).toBe(8);
  expect(JSON.parse(begun.stdout)).toMatchObject({
    consentStatus: 'valid',
    sca: { url: 'https://login.bank.example/d' },
    next: expect.stringMatching(/^obk consent authorise c-1 --wait/),
  });
  const pending = await atBank(bank, settings, [['pending', 'list', '--json']], { name });
  expect(JSON.parse(pending.stdout)).toMatchObject([{ consentId: 'c-1' }]);
  decide('over');
  const ended = await atBank(bank, settings, [['consent', 'authorise', 'c-1', '--json']], { name });
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ consentStatus: 'terminatedByTpp' });
  expect(count(bank, 'DELETE')).toBe(1);
  const after = await atBank(bank, settings, [['pending', 'list', '--json']], { name });
  expect(JSON.parse(after.stdout)).toEqual([]);
});
