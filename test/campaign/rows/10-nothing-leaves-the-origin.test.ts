// A second listener on this machine stands for everybody whom a bank would like to lead obk to: it must not get one byte.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rawServer, wire } from '../../helpers/raw-server.ts';
import type { RawServer } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import { hostileLinks } from '../hostile-links.ts';
import { pay, payerAt, secrets } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank, Surprise } from '../plain-bank.ts';

const payment = '/v1/payments/sepa-credit-transfers/p-1';
const json = ['Content-Type: application/json'];
const say = (status: string, body: object, ...more: string[]) =>
  wire(status, JSON.stringify(body), [...json, ...more]);

/** Where a link can stand, what obk is asked to do there, and where an honest one would lead. */
const places: Readonly<
  Record<string, { what: string; path: string; answer: (href: string) => Buffer; run: string[][] }>
> = {
  'the start of an authorisation': {
    what: 'POST payments',
    path: `${payment}/authorisations`,
    answer: (href) =>
      say('201 Created', {
        ...{ transactionStatus: 'RCVD', paymentId: 'p-1' },
        _links: { startAuthorisationWithPsuAuthentication: { href }, self: { href }, status: { href } },
      }),
    run: [pay('5.00', ...secrets), ['payment', 'status', 'p-1']],
  },
  'a step of an authorisation': {
    what: 'POST authorisations',
    path: `${payment}/authorisations/a-1`,
    answer: (href) =>
      say('201 Created', {
        ...{ scaStatus: 'scaMethodSelected', authorisationId: 'a-1' },
        chosenScaMethod: { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms' },
        _links: { authoriseTransaction: { href }, scaStatus: { href } },
      }),
    run: [pay('5.00', ...secrets), ['payment', 'status', 'p-1']],
  },
  'the header Location': {
    what: 'POST payments',
    path: payment,
    answer: (href) =>
      say(
        '201 Created',
        { transactionStatus: 'RCVD', paymentId: 'p-1', _links: { scaRedirect: { href } } },
        // A line feed would be another header.
        `Location: ${href.replaceAll(/[^\x20-\x7e]/g, '')}`,
      ),
    run: [pay('5.00', ...secrets, '--timeout', '200ms'), ['payment', 'status', 'p-1']],
  },
  'the next page of a report': {
    what: 'GET transactions',
    path: '/v1/accounts/acc-1/transactions',
    answer: (href) =>
      say('200 OK', { transactions: { booked: [], _links: { next: { href }, account: { href } } } }),
    run: [
      ['transactions', 'list', '--account', 'acc-1', '--consent', 'c-1', '--all', '--json', '--no-input'],
    ],
  },
};
const linkNames = Object.keys(hostileLinks('', '', '/x/y'));
const statuses = ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent', '300 Choices'];
const asks = ['POST payments', 'POST authorisations', 'PUT authorisation', 'GET status', 'DELETE payment'];
const cells = [
  ...Object.keys(places).flatMap((place) => linkNames.map((link) => ({ place, link }))),
  ...asks.flatMap((place) => statuses.map((link) => ({ place, link }))),
];
const row = trials('10', 34);
const chosen = cells.filter((_, at) => (at * row.count) % cells.length < row.count);

let bank: PlainBank;
let other: RawServer;
let payer: Payer;
beforeAll(async () => {
  bank = await startPlainBank();
  other = await rawServer((socket) => socket.end(say('200 OK', {})));
});
afterAll(async () => {
  row.report(`${String(other.received().length)} bytes at the other listener`, chosen.length);
  await bank.close();
  await other.close();
});
beforeEach(async () => {
  bank.afresh();
  payer = await payerAt(bank.baseUrl, '--debtor', 'DE65990010000000002443');
});
afterEach(() => {
  payer.close();
});

const hostOf = () => bank.baseUrl.slice('http://'.length);
const away = () => `127.0.0.1:${String(other.port)}`;

/** How a redirect of the bank stands in an answer to this question. */
const redirect = (status: string): Surprise => {
  return (socket) => socket.write(wire(status, '', [`Location: http://${away()}/v1/consents`]));
};

it.each(chosen)(
  'nothing leaves the origin by a link: $place: $link',
  { timeout: row.timeout(30_000) },
  async ({ place, link }) => {
    const given = places[place];
    const runs = given?.run ?? [
      pay('5.00', ...secrets),
      ['payment', 'status', 'p-1', '--no-input'],
      ['payment', 'cancel', 'p-1', '--yes', '--no-input'],
    ];
    if (given === undefined) bank.surprise(place, redirect(link), true);
    else {
      const href = hostileLinks(hostOf(), away(), given.path)[link] ?? '';
      bank.surprise(given.what, (socket) => socket.write(given.answer(href)), true);
    }
    const codes: (number | null)[] = [];
    for (const words of runs) codes.push((await payer.run(...words)).code);
    const about = JSON.stringify([codes, bank.asked.map(({ method, path }) => `${method} ${path}`)]);
    expect(other.received().toString('latin1'), about).toBe('');
    expect(other.connections, about).toBe(0);
    expect(codes, about).not.toContain(1);
    // It was led away once; a write did not leave again, and at its own bank nothing outside of the interface was asked.
    const what = given?.what ?? place;
    expect(bank.count(what), about).toBeGreaterThan(0);
    if (!what.startsWith('GET')) expect(bank.count(what), about).toBe(1);
    for (const { path } of bank.asked) {
      expect(path, about).toMatch(/^\/v1\/(payments|consents|accounts)(\/[\w-]+)*$/);
    }
  },
);

describe('an address in plain http beyond this machine', () => {
  /** They all end at the other listener, were they called. */
  const addresses = () => [
    `http://0.0.0.0:${String(other.port)}`,
    `HTTP://0.0.0.0:${String(other.port)}/xs2a`,
    `http://[::ffff:127.0.0.1]:${String(other.port)}`,
    `http://0:${String(other.port)}`,
    `http://[::]:${String(other.port)}`,
  ];

  it('gets nothing, by whatever setting it is given', async () => {
    const reads = ['consent', 'status', 'c-1', '--no-input'];
    for (const address of addresses()) {
      for (const words of [
        [...pay('5.00', ...secrets), '--base-url', address],
        ['api', 'GET', 'v1/accounts', '--base-url', address, '--no-input'],
        ['doctor', '--base-url', address],
        [...reads, '--base-url', address],
      ]) {
        const ran = await payer.run(...words);
        expect(ran.code, `${words.join(' ')}\n${ran.stderr}`).toBeGreaterThan(1);
      }
      for (const words of [
        ['profile', 'edit', 'plain', '--base-url', address],
        ['config', 'set', 'baseUrl', address, '--profile', 'plain'],
      ]) {
        // It is not even saved; what an earlier obk has saved is refused by each call (plain-http.test.ts).
        const ran = await payer.run(...words);
        expect([ran.code, ran.stderr], words.join(' ')).toEqual([3, expect.stringContaining('plain http')]);
      }
    }
    expect(other.connections).toBe(0);
    expect(bank.asked).toEqual([]);
  });

  it('gets no password and no code where an operator has allowed it', async () => {
    const allowed = await rawServer((socket, { head }) => {
      const start = { startAuthorisationWithPsuAuthentication: { href: `${payment}/authorisations` } };
      const step = { authoriseTransaction: { href: `${payment}/authorisations/a-1` } };
      const created = { transactionStatus: 'RCVD', paymentId: 'p-1', _links: start };
      const started = { scaStatus: 'scaMethodSelected', authorisationId: 'a-1', _links: step };
      socket.write(say('201 Created', head.includes('/authorisations') ? started : created));
    });
    try {
      await payer.run(
        ...['profile', 'edit', 'plain', '--allow-http', 'yes'],
        ...['--base-url', `http://0.0.0.0:${String(allowed.port)}`],
      );
      await payer.run(...pay('5.00', ...secrets));
      await payer.run('payment', 'authorise', 'p-1', '--no-input', ...secrets);
      const text = allowed.received().toString('latin1');
      expect(text).toContain('POST /v1/payments');
      expect(text).not.toMatch(/c4n-pass-7Qz|480071/);
    } finally {
      await allowed.close();
    }
  });
});
