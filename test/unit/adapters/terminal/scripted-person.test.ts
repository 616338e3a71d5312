import { describe, expect, it } from 'vitest';
import { createScriptedPerson } from '../../../../src/adapters/terminal/scripted-person.ts';
import type { Question } from '../../../../src/client/ports/person.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { fakePerson, fakeSecrets } from '../../../helpers/fakes/index.ts';

const question = { id: 'otp', flag: '--otp-from', env: 'OBK_OTP_FROM', text: 'One-time password' };
const secret = { ...question, again: false };
const options = [
  { value: 'm1', name: 'SMS', aliases: ['SMS_OTP', 'shared'] },
  { value: 'm2', name: 'Card reader', aliases: ['CHIP_OTP', 'shared'] },
];

function person(answers: Record<string, string> = {}, human?: ReturnType<typeof fakePerson>) {
  return createScriptedPerson({
    answer: ({ flag }: Question) => answers[flag],
    agreed: ({ flag }: Question) => answers[flag] === 'yes',
    secrets: fakeSecrets({ 'env:OTP': '123456' }),
    ...(human === undefined ? {} : { human }),
  });
}

describe('a question without a person', () => {
  const alone = person();
  it.each<[string, () => Promise<unknown>]>([
    ['ask', () => alone.ask(question)],
    ['askSecret', () => alone.askSecret(secret)],
    ['choose', () => alone.choose({ ...question, options })],
    ['confirm', () => alone.confirm(question)],
  ])('names the flag in %s', async (_, ask) => {
    await expect(ask()).rejects.toMatchObject({ code: 'INTERACTION_NEEDED', exit: 2, flags: ['--otp-from'] });
  });

  it('shows that nobody is present', () => {
    expect(alone.present).toBe(false);
  });

  it('never gets a paste, and ends with its signal', async () => {
    const stop = new AbortController();
    const pasted = alone.paste('', stop.signal);
    stop.abort(new Error('over'));
    await expect(pasted).rejects.toThrow('over');
    await expect(alone.paste('', stop.signal)).rejects.toThrow('over');
  });
});

describe('a question with a given answer', () => {
  it('is answered, and the answer checked', async () => {
    const given = person({ '--otp-from': 'x' });
    expect(await given.ask(question)).toBe('x');
    await expect(given.ask({ ...question, check: () => 'too short' })).rejects.toMatchObject({
      detail: '"x": too short',
    });
  });

  it('is answered from a reference', async () => {
    expect((await person({ '--otp-from': 'env:OTP' }).askSecret(secret)).reveal()).toBe('123456');
    expect((await person().askSecret({ ...secret, fallback: 'env:OTP' })).reveal()).toBe('123456');
  });

  it.each<[string, { maxLength?: number; format?: 'integer'; trim?: true; text?: string }]>([
    ['At most 5 characters.', { maxLength: 5 }],
    ['Digits only.', { format: 'integer', text: '12 456' }],
    ['Type the value.', { trim: true, text: '  ' }],
  ])(
    'is refused without being shown where the bank requires another form: %s',
    async (why, { text, ...form }) => {
      const script = createScriptedPerson({
        answer: () => 'env:OTP',
        agreed: () => false,
        secrets: fakeSecrets({ 'env:OTP': text ?? '123456' }),
      });
      const error: unknown = await script
        .askSecret({ ...secret, ...form })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'SECRET_FORM',
        exit: 2,
        detail: expect.stringContaining(why) as string,
      });
      expect((error as Error).message).toContain('--otp-from');
      expect(JSON.stringify(error)).not.toContain(text ?? '123456');
    },
  );

  it('loses the blanks around a one-time password only', async () => {
    const script = createScriptedPerson({
      answer: () => 'env:OTP',
      agreed: () => false,
      secrets: fakeSecrets({ 'env:OTP': ' 123456\n' }),
    });
    const trimmed = await script.askSecret({ ...secret, trim: true, maxLength: 6, format: 'integer' });
    expect(trimmed.reveal()).toBe('123456');
    expect((await script.askSecret(secret)).reveal()).toBe(' 123456\n');
  });

  it('is distinguished from one without an answer', () => {
    expect(person({ '--otp-from': 'prompt' }).answered(question)).toBe(true);
    expect(person().answered({ ...question, fallback: 'env:OTP' })).toBe(true);
    expect(person({}, fakePerson()).answered(question)).toBe(false);
  });

  it('does not read a refused secret again', async () => {
    await expect(
      person({ '--otp-from': 'env:OTP' }).askSecret({ ...secret, again: true }),
    ).rejects.toMatchObject({
      code: 'INTERACTION_NEEDED',
    });
  });

  it('needs somebody for "prompt"', async () => {
    await expect(person({ '--otp-from': 'prompt' }).askSecret(secret)).rejects.toMatchObject({
      code: 'INTERACTION_NEEDED',
    });
    const human = fakePerson().answer('otp', 'typed');
    expect((await person({ '--otp-from': 'prompt' }, human).askSecret(secret)).reveal()).toBe('typed');
  });

  it.each<[string, string | undefined]>([
    ['m2', 'm2'],
    ['sms', 'm1'],
    ['Chip_otp', 'm2'],
    ['card READER', 'm2'],
    ['shared', undefined],
    ['pigeon', undefined],
  ])('is answered for the choice %s: %s', async (wish, value) => {
    const chosen = person({ '--otp-from': wish }).choose({ ...question, options });
    if (value === undefined) await expect(chosen).rejects.toMatchObject({ code: 'INTERACTION_NEEDED' });
    else expect(await chosen).toBe(value);
  });

  it('is not a choice with one option', async () => {
    expect(await person().choose({ ...question, options: options.slice(0, 1) })).toBe('m1');
  });

  it('is answered with yes by --yes', async () => {
    expect(await person({ '--otp-from': 'yes' }).confirm(question)).toBe(true);
  });
});

it('a question that nothing answers is put to a person, and again after a refusal', async () => {
  const human = fakePerson().answer('otp', 'first', 'second');
  const both = person({}, human);
  expect(both.present).toBe(true);
  expect(await both.ask(question)).toBe('first');
  expect(
    (await person({ '--otp-from': 'env:OTP' }, human).askSecret({ ...secret, again: true })).reveal(),
  ).toBe('second');
  human.verify();
});

describe('a question that the bank asks again', () => {
  const secrets = {
    ...fakeSecrets(),
    read: async (_ref: string, _for: string, how?: { anew: boolean }) =>
      new Secret(how?.anew === true ? 'new' : 'old'),
  };
  const asked = (answer: string, human?: ReturnType<typeof fakePerson>) =>
    createScriptedPerson({
      answer: () => answer,
      agreed: () => false,
      secrets,
      ...(human === undefined ? {} : { human }),
    });
  const anew = { ...question, again: true };

  it.each(['env:OTP', 'file:otp', 'stdin', 'keyring:otp', 'prompt'])(
    'does not accept %s a second time',
    async (reference) => {
      await expect(asked(reference).askSecret(anew)).rejects.toMatchObject({ flags: ['--otp-from'] });
    },
  );

  it('is put to a program anew, which may have another answer by now', async () => {
    expect((await asked('cmd:otp').askSecret(secret)).reveal()).toBe('old');
    expect((await asked('cmd:otp').askSecret(anew)).reveal()).toBe('new');
  });

  it('goes to the person, whatever was given', async () => {
    const human = fakePerson().answer('otp', 'typed', 'typed', 'm2');
    expect((await asked('cmd:otp', human).askSecret(anew)).reveal()).toBe('typed');
    await expect(asked('given', human).ask(anew)).resolves.toBe('typed');
    await expect(asked('m1', human).choose({ ...anew, options })).resolves.toBe('m2');
    await expect(asked('m1').choose({ ...anew, options })).rejects.toMatchObject({ exit: 2 });
    await expect(asked('m1').ask(anew)).rejects.toMatchObject({ exit: 2 });
  });
});

describe('another entry after a refusal', () => {
  it.each([
    ['nothing', undefined, undefined],
    ['a variable', 'env:OTP', undefined],
    ['a file', 'file:otp.txt', undefined],
    ['stdin', 'stdin', undefined],
    ['the keyring', 'keyring:otp', undefined],
    ['a prompt that nobody sees', 'prompt', undefined],
    ['a program', 'cmd:otp', 'program'],
  ])('is taken after %s from: %s', async (_, reference, from) => {
    expect(await person(reference === undefined ? {} : { '--otp-from': reference }).another(secret)).toBe(
      from,
    );
    expect(await person().another({ ...secret, ...(reference && { fallback: reference }) })).toBe(from);
    const answers: Record<string, string> = reference === undefined ? {} : { '--otp-from': reference };
    expect(await person(answers, fakePerson()).another(secret)).toBe('human');
  });
});
