import { describe, expect, it } from 'vitest';
import {
  challengeLines,
  keepPicture,
  otpForm,
  withoutPicture,
} from '../../../../src/client/sca/challenge.ts';
import { digitsAsPng } from '../../../../src/bank/sca/png.ts';
import type { Conversation } from '../../../../src/standard/sca/state.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { atOtp, auth, finalised, list, one, run, saved, settled, wrong } from '../payer.ts';

const png = digitsAsPng('739184');
const image = png.toString('base64');
const withImage = (text: string): Conversation => ({ ...atOtp(), challengeData: { image: text } });

describe('a challenge in words', () => {
  it.each<[string, Parameters<typeof challengeLines>[0], string[]]>([
    ['nothing', {}, []],
    [
      'the words of the bank first',
      { data: '1234', additionalInformation: 'Type it.' },
      ['The bank says: "Type it."', 'Challenge: 1234'],
    ],
    ['each of several data', { data: ['1234', '5678'] }, ['Challenge: 1234', 'Challenge: 5678']],
    [
      'flicker code line by line',
      { data: '11048813\r\n0456F\n\n' },
      ['Challenge: 11048813', 'Challenge: 0456F'],
    ],
    ['where the picture is', { imageFile: '/p/1.png' }, ['Picture: /p/1.png']],
    ['a link', { imageLink: 'https://bank.example/p' }, ['Picture on the web: https://bank.example/p']],
    [
      'a link on this machine',
      { imageLink: 'http://127.0.0.1:1/p' },
      ['Picture on the web: http://127.0.0.1:1/p'],
    ],
  ])('is shown: %s', (_, challenge, lines) => {
    expect(challengeLines(challenge)).toEqual(lines);
  });

  it.each([
    'javascript:alert(1)',
    'http://bank.example/p',
    'file:///etc/passwd',
    'https://u:p@bank.example/',
  ])('is shown as text, with the reason, where it is the link %s', (imageLink) => {
    const [line = ''] = challengeLines({ imageLink });
    expect(line).toMatch(/should not be opened \(it .+\): /);
    expect(line.endsWith(imageLink)).toBe(true);
  });

  it.each([
    [undefined, {}],
    [
      { otpMaxLength: 6, otpFormat: 'integer' },
      { maxLength: 6, format: 'integer' },
    ],
    [{ otpFormat: 'CHARACTERS' }, { format: 'characters' }],
    [{ otpMaxLength: 0, otpFormat: 'hex' }, {}],
  ] as const)('names the form of the one-time password in %j', (challenge, form) => {
    expect(otpForm(challenge as never)).toEqual(form);
  });
});

describe('the picture of a challenge', () => {
  it('goes into a file, and only its path is kept', async () => {
    const there = await world();
    const kept = await keepPicture(there.target, atOtp(), withImage(`data:image/png;base64,${image}\n`));
    expect(kept.challengeData).toEqual({ imageFile: '/state/pictures/1.png' });
    expect(there.files.pictures.get('/state/pictures/1.png')).toEqual(png);
    expect(await keepPicture(there.target, kept, kept)).toBe(kept);
    expect(there.files.pictures.size).toBe(1);
  });

  it('gives way to that of the next challenge, and to none', async () => {
    const there = await world();
    const first = await keepPicture(there.target, atOtp(), withImage(image));
    const second = await keepPicture(there.target, first, withImage(image));
    expect([...there.files.pictures.keys()]).toEqual([second.challengeData?.imageFile]);
    expect(second.challengeData?.imageFile).not.toBe(first.challengeData?.imageFile);
    await keepPicture(there.target, second, atOtp());
    expect(there.files.pictures.size).toBe(0);
  });

  it('is removed when the authorisation is over', async () => {
    const there = await world();
    const kept = await keepPicture(there.target, atOtp(), withImage(image));
    const over = await keepPicture(there.target, kept, { ...kept, scaStatus: 'finalised' });
    expect(over.challengeData).toEqual({});
    expect(there.files.pictures.size).toBe(0);
    expect(withoutPicture(kept).challengeData).toEqual({});
  });

  const large = Buffer.concat([png, Buffer.alloc(512 * 1024)]).toString('base64');
  it.each([
    ['no picture', Buffer.from('<html>').toString('base64')],
    ['no picture', 'not base64 at all!'],
    ['no picture', ''],
    ['larger than 512 kB', large],
  ])('is refused with its place where it is %s', async (why, text) => {
    const there = await world();
    const kept = await keepPicture(there.target, atOtp(), withImage(text));
    expect(kept.challengeData).toEqual({});
    expect(there.notices.warned.join()).toContain(why);
    expect(there.files.pictures.size).toBe(0);
  });

  it.each([
    ['jpg', Buffer.from('ffd8ffe000104a46', 'hex')],
    ['gif', Buffer.from('GIF89a12')],
  ])('has a name by its kind: %s', async (suffix, bytes) => {
    const there = await world();
    const kept = await keepPicture(there.target, atOtp(), withImage(bytes.toString('base64')));
    expect(kept.challengeData?.imageFile).toBe(`/state/pictures/1.${suffix}`);
  });

  it('lasts over a wrong one-time password, and is gone at the end', async () => {
    const there = await world({ person: fakePerson().answer('otp', '000000', '739184') });
    const shown: number[] = [];
    there.http
      .expect('PUT', auth, wrong({ authoriseTransaction: auth }))
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await run(there, withImage(image));
    shown.push(there.notices.said.filter((line) => line.startsWith('Picture: ')).length);
    expect(shown).toEqual([2]);
    expect(there.files.pictures.size).toBe(0);
    const [conversation] = await saved(there);
    expect(JSON.stringify(conversation)).not.toContain(image);
    expect(conversation?.changedAt).toBe('2026-11-21T10:00:00.000Z');
    there.verify();
  });

  it('is in a file before anybody is asked for the one-time password', async () => {
    const there = await world();
    await expect(run(there, withImage(image))).rejects.toMatchObject({ code: 'INTERACTION_NEEDED' });
    const [conversation] = await saved(there);
    expect(conversation?.challengeData).toEqual({ imageFile: '/state/pictures/1.png' });
  });

  it('takes the place of that of another authorisation', async () => {
    const there = await world({ person: fakePerson().answer('otp', '000000') });
    there.http.expect('PUT', auth, wrong({ startAuthorisationWithPsuIdentification: list }));
    await expect(run(there, withImage(image))).rejects.toThrow('psu-id');
    expect(there.files.pictures.size).toBe(1);
  });
});
