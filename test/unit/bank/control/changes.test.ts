import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../../../docs/bank/control.openapi.json' with { type: 'json' };
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import { schemaOf } from './document-schemas.ts';

let bank: TestBank;
let ask: ReturnType<typeof controlOf>;
let iban: string;
beforeAll(async () => {
  bank = await startBank();
  ask = controlOf(bank);
  iban = bank.person('redirect').accounts[0]!.iban;
});
afterAll(() => bank.close());

const { ChangedPerson, ChangedAccount } = document.components.schemas;
const method = { id: 'sms', type: 'SMS_OTP' };
const refused: readonly (readonly ['people' | 'accounts', string, unknown])[] = [
  ['people', 'name', 'a\nb'],
  ['people', 'description', ' '],
  ['people', 'password', 'cmd:pass'],
  ['people', 'additionalPassword', ''],
  ['people', 'otp', 'env:X'],
  ['people', 'corporateId', 'a\tb'],
  ['people', 'blocked', 'true'],
  ['people', 'locked', 'true'],
  ['people', 'passwordless', 'true'],
  ['people', 'encrypted', 'true'],
  ['people', 'confirmation', 'true'],
  ['people', 'preStep', 'true'],
  ['people', 'fundsConfirmation', 'false'],
  ['accounts', 'name', 'a\nb'],
  ['accounts', 'displayName', 'a\nb'],
  ['accounts', 'owner', ' '],
  ['accounts', 'product', 'a\nb'],
  ['accounts', 'cashAccountType', ' '],
  ['accounts', 'bic', 'DEUT'],
  ['accounts', 'details', 'a\nb'],
  ['accounts', 'linkedAccounts', ' '],
  ['accounts', 'creditLimit', 1e14],
  ['accounts', 'deposits', 'true'],
  // What differed within a member.
  ['people', 'methods', [{ ...method, name: 'a\nb' }]],
  ['people', 'methods', [{ ...method, withdrawn: 'true' }]],
  ['people', 'limits', { locks: 'true' }],
  ['people', 'authorisers', ['a\nb']],
];

describe('a change that a member does not accept', () => {
  it.each(refused)('is refused by the bank and by its document: %s %s %j', async (noun, member, value) => {
    const body = { [member]: value };
    const answer = await ask('PATCH', noun === 'people' ? '/people/redirect' : `/accounts/${iban}`, { body });
    expect(answer.status, answer.text).toBe(400);
    expect(String(answer.json.pointer)).toMatch(new RegExp(`^/${member}`));
    expect(schemaOf(noun === 'people' ? ChangedPerson : ChangedAccount)(body)).not.toEqual([]);
  });
});

describe('a change to null', () => {
  const all = Object.entries({ people: ChangedPerson, accounts: ChangedAccount }).flatMap(([noun, schema]) =>
    Object.keys(schema.properties).map((member) => [noun, member, schema] as const),
  );
  it.each(all)('is accepted by the bank and by its document: %s %s', async (noun, member, schema) => {
    const body = { [member]: null };
    const answer = await ask('PATCH', noun === 'people' ? '/people/redirect' : `/accounts/${iban}`, { body });
    expect(answer.status, answer.text).toBe(200);
    expect(schemaOf(schema)(body)).toEqual([]);
  });
});
