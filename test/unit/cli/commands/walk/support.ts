import { connect } from 'node:net';
import { freePort } from '../../../../../src/adapters/system/free-port.ts';
import { access } from './accounts.ts';
import { after } from './walk.ts';
import type { Cases, Walk } from './walk.ts';

const status = async (walk: Walk) => `v1/payments/sepa-credit-transfers/${await walk.payment()}/status`;

/** A run that called the bank, as the newest of the journal. */
async function called(walk: Walk): Promise<string> {
  await walk.payment();
  return '@last';
}

const plainRequest = 'GET /v1/consents/c1 HTTP/1.1\nX-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721\n';

const payment = `
  - payment init:
      product: sepa-credit-transfers
      psu-id: embedded-one
      creditor-account: DE89370400440532013000
      creditor-name: Shop
      amount: '1.00'`;
const twoSteps = `journey: Pay, and read it
steps:${payment}
    psu: approve
    save: payment
  - payment status: $payment.paymentId
`;
const wrongStep = `journey: Pay what nobody pays
steps:${payment}
    expect: { body: { transactionStatus: RJCT } }
`;
const outwardStep = `journey: A program
steps:${payment}
      psu-password-from: 'cmd:./steal'
`;

const unknown = { words: 'never-seen', exit: 2, code: 'RESOURCE_NOT_SAVED' };

/** A payment whose PSU refuses as soon as somebody listens for its notifications. */
async function notified(walk: Walk): Promise<string> {
  const port = await freePort();
  const id = await walk.payment('redirect', `--notification-uri http://127.0.0.1:${String(port)}/`);
  const knock = (left: number): void => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {
      if (left > 0) setTimeout(knock, 20, left - 1).unref();
    });
    socket.on('connect', () => {
      socket.destroy();
      walk.bank.decide('refuse', id);
    });
  };
  knock(200);
  return `--port ${String(port)} --until RJCT`;
}

export const support: Cases = {
  listen: {
    runs: [{ words: notified }],
    fails: [
      { words: '--until RJCTED', exit: 2, code: 'USAGE' },
      { words: '--forward http://app.example/', exit: 2, code: 'USAGE' },
      { words: '--address 0.0.0.0', exit: 2, code: 'USAGE' },
    ],
  },
  api: {
    runs: [
      { words: async (walk) => `GET ${await status(walk)}` },
      { words: async (walk) => `GET v1/accounts -H Consent-ID:${await access(walk)} --paginate` },
    ],
    fails: [
      { words: 'GET v1/consents/none/status', exit: 4, code: 'AUTH_NEEDED' },
      { words: 'GET v1/payments/sepa-credit-transfers/none/status', exit: 5, code: 'REFUSED' },
    ],
  },
  explain: {
    runs: [
      { words: '' },
      { words: 'ACSC' },
      { words: 'CONSENT_INVALID' },
      { words: '12' },
      { words: 'CERTIFICATE_EXPIRED' },
      { words: 'payment authorise' },
      { words: 'PSU-ID' },
    ],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  report: {
    runs: [{ words: async (walk) => `${await walk.payment()} --output ticket.html --force` }],
    fails: [{ words: 'never-seen --output none.html', exit: 2, code: 'RESOURCE_NOT_SAVED' }],
  },
  'log list': {
    runs: [{ words: '' }],
    fails: [{ words: '--since yesterday', exit: 2, code: 'USAGE' }],
  },
  'log tail': {
    runs: [{ words: after(called, '') }],
    fails: [{ words: '--limit 0', exit: 2, code: 'USAGE' }],
  },
  'log prune': {
    runs: [{ words: '--keep 1000 --dry-run' }, { words: '--older-than 90d' }],
    fails: [{ words: '', exit: 2, code: 'USAGE' }],
  },
  'log erase': {
    runs: [{ words: '--psu-id nobody --dry-run' }, { words: '--psu-id nobody' }],
    fails: [{ words: '', exit: 2, code: 'USAGE' }],
  },
  'log show': { runs: [{ words: called }, { words: (walk) => walk.payment() }], fails: [unknown] },
  'log har': { runs: [{ words: called }], fails: [unknown] },
  'log curl': { runs: [{ words: called }], fails: [unknown] },
  'log diff': {
    runs: [
      {
        words: async (walk) => {
          await called(walk);
          await called(walk);
          return '@last-1 @last';
        },
      },
    ],
    fails: [{ words: '@last never-seen', exit: 2, code: 'RESOURCE_NOT_SAVED' }],
  },
  'spec diff': {
    runs: [{ words: 'v1 v136' }],
    fails: [{ words: 'v1 v2', exit: 2, code: 'USAGE' }],
  },
  'sign explain': {
    runs: [{ words: called }],
    fails: [unknown],
  },
  'journey run': {
    runs: [
      { words: (walk) => `${walk.file('two.yaml', twoSteps)} --profile sandbox` },
      { words: (walk) => `${walk.file('two.yaml', twoSteps)} --profile sandbox --plan` },
      { words: (walk) => `${walk.file('no.yaml', wrongStep)} --profile sandbox`, exit: 10 },
    ],
    fails: [
      { words: 'none.yaml', exit: 2, code: 'INPUT_INVALID' },
      { words: (walk) => walk.file('empty.yaml', 'journey: x'), exit: 2, code: 'INPUT_INVALID' },
      {
        words: (walk) => `${walk.file('far.yaml', outwardStep)} --profile sandbox`,
        exit: 3,
        code: 'JOURNEY_UNTRUSTED',
      },
    ],
  },
  'journey list': {
    runs: [{ words: (walk) => walk.file('two.yaml', twoSteps) }],
    fails: [{ words: 'none.yaml', exit: 2, code: 'INPUT_INVALID' }],
  },
  'journey record': {
    runs: [
      {
        words: async (walk) => {
          await walk.payment();
          return '@last';
        },
      },
    ],
    fails: [unknown],
  },
  'journey diff': {
    runs: [
      {
        words: async (walk) => {
          for (const text of [
            twoSteps,
            twoSteps.replace('psu: approve', 'psu: approve\n    expect: { exit: declined }'),
          ])
            await walk.run(['journey', 'run', walk.file('two.yaml', text), '--profile', 'sandbox']);
          return '@last-1 @last';
        },
      },
    ],
    fails: [{ words: 'never-seen', exit: 2, code: 'RESOURCE_NOT_SAVED' }],
  },
  'journey schema': { runs: [{ words: '' }], fails: [{ words: 'more', exit: 2, code: 'USAGE' }] },
  check: {
    runs: [
      { words: called },
      { words: '--plan' },
      { words: '--only status' },
      { words: (walk) => walk.file('right.http', `${plainRequest}PSU-IP-Address: 192.0.2.1\n`) },
      { words: (walk) => walk.file('wrong.http', `${plainRequest}PSU-IP-Address: here\n`), exit: 10 },
    ],
    fails: [
      { words: 'none.har', exit: 2, code: 'INPUT_INVALID' },
      { words: '@last-999', exit: 2, code: 'RESOURCE_NOT_SAVED' },
    ],
  },
  'check diff': {
    runs: [
      {
        words: async (walk) => {
          for (const only of ['consent status', 'payment status'])
            await walk.run(['check', '--only', only, '--profile', 'sandbox']);
          return '@last-1 @last';
        },
      },
    ],
    fails: [{ words: 'never-seen', exit: 2, code: 'RESOURCE_NOT_SAVED' }],
  },
  'check rules': {
    runs: [{ words: '' }, { words: '--side answer' }],
    fails: [{ words: 'more', exit: 2, code: 'USAGE' }],
  },
  'check request': {
    runs: [
      { words: (walk) => walk.file('right.http', `${plainRequest}PSU-IP-Address: 192.0.2.1\n`) },
      { words: (walk) => walk.file('wrong.http', `${plainRequest}PSU-IP-Address: here\n`), exit: 10 },
    ],
    fails: [
      { words: 'none.http', exit: 2, code: 'INPUT_INVALID' },
      { words: (walk) => walk.file('no-request.json', '{}'), exit: 2, code: 'INPUT_INVALID' },
      {
        words: (walk) => `${walk.file('a.http', plainRequest)} --trust ${walk.file('no.pem', 'x')}`,
        exit: 2,
        code: 'INPUT_INVALID',
      },
    ],
  },
  'sign verify': {
    runs: [{ words: called }],
    fails: [unknown],
  },
};
