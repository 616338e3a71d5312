import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { wire } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import { networkFaults } from '../network-faults.ts';
import { pay, payerAt, secrets } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank, Surprise } from '../plain-bank.ts';

const again = (status: string, body: object, links: object): Surprise => {
  return (socket) =>
    socket.write(
      wire(status, JSON.stringify({ ...body, _links: links }), ['Content-Type: application/json']),
    );
};
const below = '/v1/payments/sepa-credit-transfers/p-1/authorisations';
const otpLink = { authoriseTransaction: { href: `${below}/a-1` } };
const passwordLink = { startAuthorisationWithPsuAuthentication: { href: below } };
const updateLink = { updatePsuAuthentication: { href: `${below}/a-1` } };
const message = { tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text: 'wrong' }] };

/** Answers that lead back to the step that was just taken. */
const leadingBack: Readonly<Record<string, Surprise>> = {
  '200 and the same link': again('200 OK', { scaStatus: 'scaMethodSelected' }, otpLink),
  '200, started, and the same link': again('200 OK', { scaStatus: 'started' }, otpLink),
  '200 without a status, and the same link': again('200 OK', {}, otpLink),
  '400 and the same link': again('400 Bad Request', message, otpLink),
  '401 and the same link': again('401 Unauthorized', message, otpLink),
  '200 and the link of a start': again('200 OK', { scaStatus: 'received' }, passwordLink),
  '200 and the link of a password': again('200 OK', { scaStatus: 'psuIdentified' }, updateLink),
  '201 and both links': again('201 Created', { scaStatus: 'psuIdentified' }, { ...updateLink, ...otpLink }),
  '401 and the link of a password': again('401 Unauthorized', message, updateLink),
};
const surprises = { ...networkFaults, ...leadingBack };
const cases = ['POST authorisations', 'PUT authorisation'].flatMap((what) =>
  Object.keys(surprises).flatMap((how) => [true, false].map((always) => ({ what, how, always }))),
);
const row = trials('11', 24);
const chosen = cases.filter((_, at) => (at * row.count) % cases.length < row.count);

let bank: PlainBank;
beforeAll(async () => {
  bank = await startPlainBank();
});
afterAll(async () => {
  row.report('password and code arrive once for each entry', chosen.length);
  await bank.close();
});
let payer: Payer;
beforeEach(async () => {
  bank.afresh();
  payer = await payerAt(bank.baseUrl);
});
afterEach(() => {
  payer.close();
});

it.each(chosen)(
  'a secret is sent once: $what answered by: $how (each time: $always)',
  async ({ what, how, always }) => {
    bank.surprise(what, surprises[how]!, always);
    const first = await payer.run(...pay('5.00', ...secrets));
    // Whoever goes on with the same entries sends nothing a second time either.
    const later = await payer.run(
      'payment',
      'authorise',
      'p-1',
      '--no-input',
      '--json',
      '--timeout',
      '300ms',
      ...secrets,
    );
    const about = JSON.stringify([first, later, bank.asked.map(({ what: one, body }) => `${one} ${body}`)]);
    const carrying = (secret: string) => bank.asked.filter(({ body }) => body.includes(secret)).length;
    expect(carrying('480071'), about).toBeLessThanOrEqual(1);
    // A refused start makes no authorisation: the next run may make one, with the password once more.
    const starts = bank.count('POST authorisations');
    expect(carrying('c4n-pass-7Qz'), about).toBeLessThanOrEqual(Math.max(1, starts));
    expect(starts, about).toBeLessThanOrEqual(2);
    expect(bank.asked.length, about).toBeLessThan(30);
    expect([first.code, later.code], about).not.toContain(1);
  },
  row.timeout(30_000),
);
