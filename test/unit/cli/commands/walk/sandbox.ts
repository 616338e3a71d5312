import { expect } from 'vitest';
import { after } from './walk.ts';
import type { Cases, Walk } from './walk.ts';

/** A payment of which the bank has pushed a notification, to nobody. */
async function pushed(walk: Walk): Promise<string> {
  const id = await walk.payment('redirect', '--notification-uri http://127.0.0.1:9/');
  walk.bank.decide('refuse', id);
  const told = async () => (await walk.bank.bank.pushes(0)).some(({ resourceId }) => resourceId === id);
  await expect.poll(told, { timeout: 8000 }).toBe(true);
  return id;
}

async function saved(walk: Walk): Promise<string> {
  return (await walk.bank.bank.snapshot('save', 'walked')).name;
}

async function newTenant(walk: Walk): Promise<string> {
  return (await (await walk.withTenants()).bank.tenant('create', 'team-b')).name;
}

export const sandbox: Cases = {
  'sandbox start': {
    runs: [{ words: '--port 0 --database :memory:', serves: true }],
    fails: [{ words: '--port 99999', exit: 2, code: 'USAGE' }],
  },
  'sandbox replay': {
    runs: [
      {
        words: async (walk) => {
          await walk.payment();
          return '@last --port 0';
        },
        serves: true,
      },
    ],
    fails: [{ words: '--port 0', exit: 2, code: 'USAGE' }],
  },
  'sandbox record': {
    runs: [
      {
        words: (walk) => `${walk.file('record.har', '')} --to ${walk.bank.baseUrl} --port 0 --force`,
        serves: true,
      },
    ],
    fails: [
      { words: 'x.har', exit: 2, code: 'USAGE' },
      {
        words: 'x.har --to https://bank.example --port 0 --profile sandbox',
        exit: 3,
        code: 'ENVIRONMENT_REQUIRED',
      },
    ],
  },
  'sandbox people': {
    runs: [
      { words: '' },
      { words: 'embedded-choice' },
      { words: 'embedded-choice --field otp' },
      { words: 'redirect --tenant team-a', tenants: true },
    ],
    fails: [
      { words: 'nobody', exit: 2, code: 'USAGE' },
      { words: '', tenants: true, exit: 2, code: 'USAGE' },
      { words: '--tenant none-such', tenants: true, exit: 2, code: 'USAGE' },
      { words: '--tenant team-a', exit: 2, code: 'USAGE' },
    ],
  },
  'sandbox seed': {
    runs: [{ words: '--transactions 2' }],
    fails: [{ words: '--transactions 2 --as nobody', exit: 2, code: 'USAGE' }],
  },
  'sandbox export': {
    runs: [{ words: '' }, { words: '--tenant team-a', tenants: true }],
    fails: [{ words: '--nothing', exit: 2, code: 'USAGE' }],
  },
  'sandbox schema': { runs: [{ words: '' }], fails: [{ words: '--nothing', exit: 2, code: 'USAGE' }] },
  'sandbox psu approve': {
    runs: [{ words: (walk) => walk.payment() }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'sandbox psu refuse': {
    runs: [{ words: (walk) => walk.payment() }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'sandbox psu revoke': {
    runs: [
      {
        words: async (walk) => {
          const id = await walk.consent();
          walk.bank.decide('approve', id);
          return id;
        },
      },
    ],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'sandbox fault add': {
    runs: [
      { words: '* delay 1ms' },
      { words: 'getPaymentInformation delay 1ms' },
      { words: 'getPaymentInformation status 500 --count 2' },
      { words: 'getPaymentInformation html' },
    ],
    fails: [
      { words: 'getPaymentInformatio html', exit: 2, code: 'USAGE' },
      { words: 'getPaymentInformation htm', exit: 2, code: 'USAGE' },
    ],
  },
  'sandbox fault list': {
    runs: [
      {
        words: (walk) => {
          walk.bank.fault({ operation: 'getPaymentInformation', kind: 'status', status: 500 });
          return '';
        },
      },
    ],
    fails: [{ words: 'too many', exit: 2, code: 'USAGE' }],
  },
  'sandbox fault clear': {
    runs: [{ words: '' }],
    fails: [{ words: 'too many', exit: 2, code: 'USAGE' }],
  },
  'sandbox client add': {
    runs: [{ words: 'PSDDE-BAFIN-125314' }, { words: 'x --redirect-uri https://tpp.example/cb?x=1' }],
    fails: [
      { words: 'x --redirect-uri javascript:alert(1)', exit: 2, code: 'USAGE' },
      { words: 'x --redirect-uri https://tpp.example/#x', exit: 2, code: 'USAGE' },
      { words: 'ä', exit: 2, code: 'USAGE' },
    ],
  },
  'sandbox client list': {
    runs: [{ words: '' }],
    fails: [{ words: 'too many', exit: 2, code: 'USAGE' }],
  },
  'sandbox scenario': {
    runs: [{ words: '' }, { words: 'bulk' }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'sandbox scenario list': {
    runs: [{ words: '' }],
    fails: [{ words: 'too many', exit: 2, code: 'USAGE' }],
  },
  'sandbox scenario get': {
    runs: [{ words: 'lifeCycle' }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'sandbox scenario set': {
    runs: [{ words: 'bulk whole' }],
    fails: [{ words: 'bulk none-such', exit: 2, code: 'USAGE' }],
  },
  'sandbox clock': {
    runs: [{ words: '' }, { words: '+1s' }, { words: 'reset' }],
    fails: [{ words: '-1d', exit: 2, code: 'USAGE' }],
  },
  'sandbox log': {
    runs: [{ words: '--limit 100' }, { words: '--findings' }, { words: after(pushed, '--notifications') }],
    fails: [
      { words: '--limit 0', exit: 2, code: 'USAGE' },
      { words: '--findings --notifications', exit: 2, code: 'USAGE' },
    ],
  },
  'sandbox status': {
    runs: [{ words: '' }],
    fails: [{ words: 'too many', exit: 2, code: 'USAGE' }],
  },
  'sandbox stop': {
    runs: [{ words: '' }],
    fails: [{ words: 'too many', exit: 2, code: 'USAGE' }],
  },
  'sandbox resend': {
    runs: [{ words: pushed }],
    fails: [{ words: 'never-pushed', exit: 2, code: 'USAGE' }],
  },
  'sandbox snapshot save': {
    runs: [{ words: 'walked' }],
    fails: [{ words: '../hostile', exit: 2, code: 'USAGE' }],
  },
  'sandbox snapshot list': {
    runs: [{ words: '' }],
    fails: [{ words: 'too many', exit: 2, code: 'USAGE' }],
  },
  'sandbox snapshot restore': {
    runs: [{ words: saved }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'sandbox snapshot delete': {
    runs: [{ words: saved }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'sandbox tenant list': {
    runs: [{ words: '', tenants: true }],
    fails: [{ words: '', exit: 2, code: 'USAGE' }],
  },
  'sandbox tenant create': {
    runs: [{ words: 'team-b', tenants: true }],
    fails: [
      { words: '../hostile', tenants: true, exit: 2, code: 'USAGE' },
      { words: 'team-b', exit: 2, code: 'USAGE' },
    ],
  },
  'sandbox tenant delete': {
    runs: [{ words: newTenant, tenants: true }],
    fails: [
      { words: 'none-such', tenants: true, exit: 2, code: 'USAGE' },
      { words: 'team-a', exit: 2, code: 'USAGE' },
    ],
  },
  'sandbox reset': {
    runs: [{ words: '--yes' }],
    fails: [{ words: 'too many', exit: 2, code: 'USAGE' }],
  },
};
