// An entry that the bank does not take ends the run where no other can come, whoever gives it and however the bank says so.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { wire } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import { pay, payerAt } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank, Surprise } from '../plain-bank.ts';

const authorisations = '/v1/payments/sepa-credit-transfers/p-1/authorisations';
const says = (status: string, body: object, link: string, href = `${authorisations}/a-1`): Surprise => {
  const _links = { [link]: { href } };
  return (socket) =>
    socket.write(wire(status, JSON.stringify({ ...body, _links }), ['Content-Type: application/json']));
};
const made = says(
  '201 Created',
  { transactionStatus: 'RCVD', paymentId: 'p-1' },
  'startAuthorisation',
  authorisations,
);
const message = { tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text: 'wrong' }] };
const scaMethods = ['sms', 'chip'].map((id) => ({
  authenticationType: `${id.toUpperCase()}_OTP`,
  authenticationMethodId: id,
}));

/** An entry: by what the bank asks for it, the member of the body that has it, and whether a journey names a secret for it. */
const entries = {
  password: { link: 'updatePsuAuthentication', member: 'password', before: { scaStatus: 'psuIdentified' } },
  'second password': {
    link: 'updateAdditionalPsuAuthentication',
    member: 'additionalPassword',
    before: { scaStatus: 'psuIdentified' },
  },
  method: {
    link: 'selectAuthenticationMethod',
    member: 'authenticationMethodId',
    before: { scaStatus: 'psuAuthenticated', scaMethods },
  },
  OTP: {
    link: 'authoriseTransaction',
    member: 'scaAuthenticationData',
    before: { scaStatus: 'scaMethodSelected' },
  },
  'PSU-ID': { link: 'updatePsuIdentification', member: '{}', before: { scaStatus: 'received' } },
} as const;
type Entry = keyof typeof entries;

const answers = { 'a refusal': '401 Unauthorized', 'the same link once more': '200 OK' } as const;
const references = {
  'a variable': 'env:PLAIN_CODE',
  'a file': 'file:HOME/code.txt',
  'a program that says the same each time': 'cmd:echo 480071',
} as const;
const ways = ['flags', 'approve', 'wrong password then right', 'wrong otp then right'] as const;

const cases = (Object.keys(entries) as Entry[]).flatMap((entry) =>
  (Object.keys(answers) as (keyof typeof answers)[]).flatMap((answer) =>
    (Object.keys(references) as (keyof typeof references)[]).flatMap((from) =>
      ways.map((way) => ({ entry, answer, from, way })),
    ),
  ),
);
const row = trials('endless', 20);
const chosen = cases.filter((_, at) => (at * row.count) % cases.length < row.count);

let bank: PlainBank;
let payer: Payer;
beforeAll(async () => {
  bank = await startPlainBank();
});
afterAll(async () => {
  row.report('runs whose entry is not taken end', chosen.length);
  await bank.close();
});
beforeEach(async () => {
  bank.afresh();
  payer = await payerAt(bank.baseUrl);
  writeFileSync(join(payer.home, 'code.txt'), '480071\n', { mode: 0o600 });
});
afterEach(() => {
  payer.close();
});

it.each(chosen)(
  'a run that could be endless ends: $entry of $from, answered by $answer: $way',
  async ({ entry, answer, from, way }) => {
    const { link, member, before } = entries[entry];
    const reference = references[from].replace('HOME', payer.home);
    bank.surprise('POST payments', made);
    bank.surprise(
      'POST authorisations',
      says('201 Created', { ...before, authorisationId: 'a-1' }, link),
      true,
    );
    const again = answer === 'a refusal' ? message : before;
    bank.surprise('PUT authorisation', says(answers[answer], again, link), true);

    const told = way === 'flags' ? await byFlags(reference) : await byJourney(reference, way);
    const { code, text } = told;
    const put = bank.asked.filter(({ what }) => what === 'PUT authorisation');
    const about = JSON.stringify([told, put.map(({ body }) => body)]);
    expect(code, about).toBe(way === 'flags' ? 9 : 10);
    expect(text, about).toContain('no other entry can come');
    if (answer === 'a refusal') expect(text, about).toContain('PSU_CREDENTIALS_INVALID');
    // A wrong entry of the journey, and the right one after it.
    const errs = way.startsWith('wrong') && entry === (way.includes('otp') ? 'OTP' : 'password');
    expect(
      put.filter(({ body }) => body.includes(member)),
      about,
    ).toHaveLength(errs ? 2 : 1);
    expect(bank.asked.length, about).toBeLessThan(12);
  },
  row.timeout(30_000),
);

async function byFlags(reference: string) {
  const secrets = ['password', 'additional-password'].flatMap((name) => [`--psu-${name}-from`, reference]);
  const { code, stderr } = await payer.run(
    ...pay('5.00', ...secrets, '--otp-from', reference, '--sca-method', 'sms', '--profile', 'plain'),
  );
  return { code, text: stderr };
}

/** A step that fails, in a journey that cleans up and writes a report all the same. */
async function byJourney(reference: string, does: (typeof ways)[number]) {
  const fields = `product: sepa-credit-transfers, debtor: DE65990010000000002443, creditor-account: DE89370400440532013000, creditor-name: Shop, amount: '1.00'`;
  const journey = `journey: J
secrets: { pw: a password, code: a code }
steps:
  - payment init: { ${fields} }
    psu: { does: ${does}, password: pw, otp: code, method: sms }
always:
  - consent delete: c-1
`;
  writeFileSync(join(payer.home, 'j.yaml'), journey);
  const ran = await payer.run(
    ...['journey', 'run', 'j.yaml', '--profile', 'plain', '--junit', 'j.xml', '--no-input'],
    ...['--secret', `pw=${reference}`, '--secret', `code=${reference}`],
  );
  expect(bank.count('DELETE consent'), ran.stderr).toBe(1);
  return { code: ran.code, text: readFileSync(join(payer.home, 'j.xml'), 'utf8') };
}
