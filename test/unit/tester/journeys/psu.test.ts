// Who stands for the PSU in a step: what is entered, and whether another entry can come after it.
import { describe, expect, it } from 'vitest';
import { createPsu } from '../../../../src/tester/journeys/psu.ts';
import type { PsuSources } from '../../../../src/tester/journeys/psu.ts';
import type { Person, Question, SecretQuestion } from '../../../../src/client/ports/person.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { createScriptedPerson } from '../../../../src/adapters/terminal/scripted-person.ts';
import { fakePerson, fakeSecrets } from '../../../helpers/fakes/index.ts';

const otp = { id: 'otp', flag: '--otp-from', env: '', text: '' };
const password = { id: 'psu-password', flag: '--psu-password-from', env: '', text: '' };
const options = [
  { value: 'sms', name: 'SMS' },
  { value: 'chip', name: 'Chip' },
];
const method = { id: 'sca-method', flag: '--sca-method', env: '', text: '', options };
const psuId = { id: 'psu-id', flag: '--psu-id', env: '', text: '' };

interface Wish extends Partial<PsuSources> {
  flags?: Readonly<Record<string, string>>;
}

function psu({ flags = {}, ...wish }: Wish = {}): Person {
  const scripted = createScriptedPerson({
    answer: ({ flag }: Question) => flags[flag],
    agreed: () => false,
    secrets: fakeSecrets({ 'env:X': 'abc1', 'cmd:x': 'abc1' }),
  });
  return createPsu({
    ...{ does: 'approve', psuId: undefined, bank: undefined, browse: undefined, human: undefined },
    ...{ secret: () => undefined, say: () => undefined, lacks: () => undefined },
    ...wish,
  })(scripted);
}

const bound = (from: 'program' | 'value') => ({
  secret: () => ({ from, read: () => Promise.resolve(new Secret('abc1')) }),
});
const bank = {
  people: () => Promise.resolve([{ psuId: 'anna', password: 'abc1', otp: 'abc1' }]),
} as unknown as NonNullable<PsuSources['bank']>;
const entered = async (person: Person, question: Omit<SecretQuestion, 'again'>, again: boolean) =>
  (await person.askSecret({ ...question, again })).reveal();

describe('the entry after the right one', () => {
  it.each<[string, Wish, string | undefined]>([
    ['a secret of the journey that is a value', bound('value'), undefined],
    ['a secret of the journey that a program gives', bound('program'), 'program'],
    ['a flag with a value', { flags: { '--otp-from': 'env:X', '--psu-password-from': 'env:X' } }, undefined],
    [
      'a flag with a program',
      { flags: { '--otp-from': 'cmd:x', '--psu-password-from': 'cmd:x' } },
      'program',
    ],
    ['the bank inside', { bank, psuId: 'anna' }, undefined],
    ['a human', { human: fakePerson().answer('otp', 'abc1').answer('psu-password', 'abc1') }, 'human'],
  ])('is for %s another where one can come: %s', async (_, wish, from) => {
    for (const question of [otp, password]) {
      const person = psu(wish);
      expect(await entered(person, question, false)).toBe('abc1');
      expect(await person.another(question)).toBe(from);
    }
  });
});

describe.each([
  ['wrong otp', otp],
  ['wrong password', password],
] as const)('the entry %s', (does, question) => {
  it('is one, and no other', async () => {
    const person = psu({ does, ...bound('value') });
    expect(await entered(person, question, false)).not.toBe('abc1');
    expect(await person.another(question)).toBeUndefined();
    await expect(entered(person, question, true)).rejects.toMatchObject({ code: 'INTERACTION_NEEDED' });
  });

  it.each<[string, Wish]>([
    ['a secret of the journey', bound('value')],
    ['a flag', { flags: { [question.flag]: 'env:X' } }],
    ['the bank inside', { bank, psuId: 'anna' }],
  ])('is followed by one right %s with "then right", and no third', async (_, wish) => {
    const person = psu({ does: `${does} then right`, ...wish });
    expect(await entered(person, question, false)).not.toBe('abc1');
    expect(await person.another(question)).toBe('program');
    expect(await entered(person, question, true)).toBe('abc1');
    expect(await person.another(question)).toBeUndefined();
  });
});

describe('another entry than the step names', () => {
  it('does not come for a method', async () => {
    const person = psu({ method: 'chip' });
    expect(await person.choose(method)).toBe('chip');
    expect(await person.another(method)).toBeUndefined();
    await expect(person.choose({ ...method, again: true })).rejects.toMatchObject({
      flags: ['--sca-method'],
    });
  });

  it('does not come for a PSU-ID', async () => {
    const person = psu({ psuId: 'anna' });
    expect(await person.ask(psuId)).toBe('anna');
    expect(await person.another(psuId)).toBeUndefined();
    await expect(person.ask({ ...psuId, again: true })).rejects.toMatchObject({ flags: ['--psu-id'] });
  });

  it('does not come from a PSU who refuses', async () => {
    const person = psu({ does: 'refuse', ...bound('program') });
    expect(await person.another(otp)).toBeUndefined();
  });
});

describe('a question that is not for the PSU', () => {
  it.each([
    ['the address of a return', 'return-url', '--return-url-from'],
    ['the passphrase of a key', 'key-passphrase', '--key-passphrase-from'],
  ])('is not answered with a secret of the PSU: %s', async (_, id, flag) => {
    const question = { id, flag, env: '', text: '' };
    const person = psu({ ...bound('program'), bank, psuId: 'anna' });
    await expect(entered(person, question, false)).rejects.toMatchObject({ flags: [flag] });
    expect(await person.another(question)).toBeUndefined();
    expect(await entered(psu({ ...bound('value'), flags: { [flag]: 'env:X' } }), question, false)).toBe(
      'abc1',
    );
  });
});

it('a journey reports what is asked for and missing', async () => {
  const lacking: string[] = [];
  const person = psu({ lacks: (what) => lacking.push(what) });
  await expect(entered(person, otp, false)).rejects.toThrow('Missing --otp-from.');
  await expect(person.ask(psuId)).rejects.toThrow('Missing --psu-id.');
  expect(lacking).toEqual([
    expect.stringMatching(/^Missing --otp-from\. .* psu\.otp, and bind it with --secret\.$/),
    expect.stringMatching(/^Missing --psu-id\./),
  ]);
});
