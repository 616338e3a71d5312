// A conversation in which nothing comes from outside any more is ended, whatever made it go round.
import { describe, expect, it } from 'vitest';
import { Turns } from '../../../../src/client/sca/take-step.ts';
import type { Conversation, ScaAnswer } from '../../../../src/standard/sca/state.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import type { FakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { auth, one, run, settled, started } from '../payer.ts';

/** One who says that a human can give another entry, and gives the same for ever. */
function liar(answer: string): FakePerson & { times: number } {
  const same = () => {
    person.times += 1;
    // A test that goes round without an end would never be told so.
    if (person.times > 1000) throw new Error('without end');
    return answer;
  };
  const person = Object.assign(fakePerson(), { times: 0 });
  return Object.assign(person, {
    another: async () => 'human' as const,
    ask: async () => same(),
    askSecret: async () => new Secret(same()),
    choose: async () => same(),
  });
}

const scaMethods = ['sms', 'chip'].map((id) => ({
  authenticationType: 'SMS_OTP',
  authenticationMethodId: id,
}));
const due = (link: string, more: Partial<ScaAnswer> = {}) =>
  started({ approach: 'EMBEDDED', authorisationId: 'auth-1', links: { [link]: auth }, ...more });
const entries: readonly (readonly [string, string, Conversation, object])[] = [
  ['password', 'updatePsuAuthentication', due('updatePsuAuthentication'), {}],
  ['second password', 'updateAdditionalPsuAuthentication', due('updateAdditionalPsuAuthentication'), {}],
  ['method', 'selectAuthenticationMethod', due('selectAuthenticationMethod', { scaMethods }), { scaMethods }],
  ['OTP', 'authoriseTransaction', due('authoriseTransaction'), {}],
  ['PSU-ID', 'updatePsuIdentification', due('updatePsuIdentification'), {}],
];
const message = { tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text: 'Wrong.' }] };

describe.each(entries)(
  'a %s that cannot be given otherwise, against what the caller claims,',
  (_, link, from, more) => {
    it.each([
      [401, message],
      [200, { scaStatus: 'scaMethodSelected' }],
    ])('is sent once, and ends with INTERNAL after an answer %i', async (status, body) => {
      const person = liar('sms');
      const there = await world({ person });
      there.http.expect('PUT', auth, {
        status,
        body: { ...body, ...more, _links: { [link]: { href: auth } } },
      });
      expect(await failedWith(run(there, from))).toMatchObject({
        code: 'INTERNAL',
        exit: 1,
        resource: { paymentId: 'pay-1', authorisationId: 'auth-1' },
      });
      expect(there.http.requests).toHaveLength(1);
      expect(person.times).toBeLessThan(5);
    });
  },
);

describe('a turn with a state that was there before', () => {
  const state = due('authoriseTransaction');

  it('is the end, however many others were between', async () => {
    const { target } = await world();
    const turns = new Turns(target);
    turns.begin(state, [1]);
    turns.begin(state, [2]);
    expect(() => {
      turns.begin(state, [1]);
    }).toThrow('went round');
  });

  it.each<[string, (there: Awaited<ReturnType<typeof world>>) => Promise<unknown>]>([
    [
      'a human has typed',
      ({ target, person }) => {
        person.answer('otp', '000000');
        const question = { id: 'otp', flag: '--otp-from', env: '', text: '', again: true };
        return target.ports.person.askSecret(question);
      },
    ],
    ['a timer has ended', ({ target }) => target.ports.clock.sleep(10)],
  ])('does not happen where %s in between', async (_, happens) => {
    const there = await world({ person: fakePerson() });
    const turns = new Turns(there.target);
    turns.begin(state, []);
    await happens(there);
    expect(() => {
      turns.begin(state, []);
    }).not.toThrow();
  });

  it('does not begin after the end of the run', async () => {
    const stop = new AbortController();
    const { target } = await world({ run: { signal: stop.signal } });
    stop.abort(new Error('stopped'));
    expect(() => {
      new Turns(target).begin(state, []);
    }).toThrow('stopped');
  });
});

it('a person who types the same again and again is asked each time, and what is new is sent', async () => {
  const person = fakePerson().answer('otp', '000000', '000000', '000000', '000000', '739184');
  const there = await world({ person });
  there.http
    .expect('PUT', auth, { status: 401, body: message })
    .expect('PUT', auth, { body: { scaStatus: 'finalised' } })
    .expect('GET', `${one}/status`, settled);
  await expect(run(there, due('authoriseTransaction'))).resolves.toMatchObject({ success: true });
  there.verify();
});
