import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../../src/standard/sca/next-step.ts';
import {
  absorb,
  markInDoubt,
  expectReturn,
  forgetAuthorisation,
  redeemed,
  noteSent,
  clearInDoubt,
} from '../../../../src/standard/sca/state.ts';
import type { Conversation } from '../../../../src/standard/sca/state.ts';
import { answer, authorisations, created, refusal } from './answers.ts';

const one = `${authorisations}/auth-1`;
const two = `${authorisations}/auth-2`;
const atOtp = () =>
  created({
    authorisationId: 'auth-1',
    scaStatus: 'scaMethodSelected',
    links: { authoriseTransaction: one, scaStatus: one, self: '/v1/x', status: '/v1/x/status' },
    challengeData: { data: '123' },
    chosenScaMethod: { authenticationType: 'CHIP_OTP', authenticationMethodId: 'chip' },
    psuMessage: 'Insert your card.',
  });

describe('the steering links', () => {
  it.each([
    [
      'a write with links',
      answer('PUT', { links: { selectAuthenticationMethod: two } }),
      { selectAuthenticationMethod: two },
    ],
    ['a write without links uses its step up', answer('PUT'), {}],
    ['a write whose links steer nowhere', answer('PUT', { links: { scaStatus: one } }), {}],
    ['a read without links', answer('GET', { scaStatus: 'started' }), { authoriseTransaction: one }],
    [
      'a read with links changes nothing either',
      answer('GET', { links: { scaRedirect: 'https://b/' } }),
      { authoriseTransaction: one },
    ],
    ['a refusal without links', refusal('PUT'), { authoriseTransaction: one }],
    [
      'a refusal with links',
      refusal('PUT', { links: { startAuthorisation: authorisations } }),
      { startAuthorisation: authorisations },
    ],
    ['a refusal with an empty list of links', refusal('PUT', { links: {} }), {}],
    [
      'a refused read with links',
      refusal('GET', { links: { updatePsuAuthentication: one } }),
      { updatePsuAuthentication: one },
    ],
  ])('are replaced or kept by %s', (_, next, expected) => {
    expect(absorb(atOtp(), next).steering).toEqual(expected);
  });
});

describe('the state after a step', () => {
  it('keeps self, status and scaStatus until others come', () => {
    const after = absorb(atOtp(), answer('PUT', { links: { status: '/v1/y/status' } }));
    expect(after.standing).toEqual({ self: '/v1/x', status: '/v1/y/status', scaStatus: one });
  });

  it('shows a challenge, the methods and the words to the PSU for one step only', () => {
    const after = absorb(atOtp(), answer('PUT', { scaStatus: 'started' }));
    expect(after.challengeData).toBeUndefined();
    expect(after.psuMessage).toBeUndefined();
    expect(after.chosenScaMethod?.authenticationMethodId).toBe('chip');
  });

  it('keeps them over a read, and accepts new words from one', () => {
    const after = absorb(atOtp(), answer('GET', { psuMessage: 'Still waiting.' }));
    expect(after.challengeData).toEqual({ data: '123' });
    expect(after.psuMessage).toBe('Still waiting.');
  });

  it('drops the words of the bank with a read that ends the authorisation, and keeps its last ones', () => {
    const read = (scaStatus: string, psuMessage?: string) =>
      absorb(atOtp(), answer('GET', { scaStatus, ...(psuMessage !== undefined && { psuMessage }) }))
        .psuMessage;
    expect(read('started')).toBe('Insert your card.');
    expect(read('finalised')).toBeUndefined();
    expect(read('failed')).toBeUndefined();
    expect(read('failed', 'Your card is blocked.')).toBe('Your card is blocked.');
  });

  it('never changes what it was given', () => {
    const before = atOtp();
    const copy = structuredClone(before);
    absorb(before, answer('PUT', { scaStatus: 'finalised', links: {} }));
    noteSent(before, { entry: 'otp', mark: 'mark' });
    markInDoubt(before, { need: 'scaAuthenticationData', link: 'authoriseTransaction', method: 'PUT' });
    expect(before).toEqual(copy);
  });
});

describe('the status of the authorisation', () => {
  it.each(['finalised', 'failed', 'exempted'])('ends with %s', (final) => {
    let state = absorb(atOtp(), answer('GET', { scaStatus: final }));
    state = absorb(state, answer('GET', { scaStatus: 'received' }));
    state = absorb(state, answer('PUT', { scaStatus: 'finalised', links: { authoriseTransaction: one } }));
    expect(state.scaStatus).toBe(final);
    expect(nextStep(state)).toMatchObject({ kind: 'done', scaStatus: final });
  });

  it.each([
    ['scaMethodSelected', 'received'],
    ['received', 'somethingNew'],
  ])('may go from %s to %s: banks do as they like before the end', (from, to) => {
    const state = absorb({ ...atOtp(), scaStatus: from }, answer('GET', { scaStatus: to }));
    expect(state.scaStatus).toBe(to);
  });

  it('does not come from a refusal', () => {
    expect(absorb(atOtp(), refusal('PUT', { scaStatus: 'failed' })).scaStatus).toBe('scaMethodSelected');
  });
});

describe('another authorisation of the same resource', () => {
  const failedOtp = () => absorb(atOtp(), refusal('PUT', { links: { startAuthorisation: authorisations } }));

  it('begins with a POST: its own status, links and method, but the same marks of what was sent', () => {
    const before = noteSent(failedOtp(), { entry: 'otp', mark: 'mark' });
    const after = absorb(
      before,
      answer('POST', { authorisationId: 'auth-2', links: { updatePsuAuthentication: two } }),
    );
    expect(after.authorisationId).toBe('auth-2');
    expect(after.scaStatus).toBeUndefined();
    expect(after.chosenScaMethod).toBeUndefined();
    expect(after.standing).toEqual({ self: '/v1/x', status: '/v1/x/status' });
    expect(after.sent).toEqual([{ entry: 'otp', mark: 'mark' }]);
  });

  it('may follow a failed one', () => {
    const failed = { ...failedOtp(), scaStatus: 'failed' };
    const after = absorb(
      failed,
      answer('POST', { authorisationId: 'auth-2', scaStatus: 'received', links: {} }),
    );
    expect(after.scaStatus).toBe('received');
  });

  it.each(['PUT', 'GET'] as const)('does not begin with a %s that names another id', (method) => {
    expect(absorb(atOtp(), answer(method, { authorisationId: 'auth-2' })).authorisationId).toBe('auth-1');
  });

  it('is recognised by its link even where the POST was refused', () => {
    const explicit = created({ links: { startAuthorisationWithPsuAuthentication: authorisations } });
    const after = absorb(
      explicit,
      refusal('POST', { authorisationId: 'auth-1', links: { updatePsuAuthentication: one } }),
    );
    expect(after.authorisationId).toBe('auth-1');
  });

  it('has its first id without losing what the creation answer gave', () => {
    const implicit = created({
      scaStatus: 'received',
      links: { updatePsuAuthentication: one, scaStatus: one },
    });
    const after = absorb(
      implicit,
      answer('PUT', { authorisationId: 'auth-1', scaStatus: 'psuAuthenticated' }),
    );
    expect(after).toMatchObject({ authorisationId: 'auth-1', standing: { scaStatus: one } });
  });
});

describe('the approach of an answer', () => {
  it.each([
    ['named DECOUPLED', { approach: 'decoupled' }, 'DECOUPLED'],
    [
      'told by scaRedirect, whatever the header says',
      { approach: 'EMBEDDED', links: { scaRedirect: 'https://b/' } },
      'REDIRECT',
    ],
    [
      'told by scaOAuth: the header says REDIRECT',
      { approach: 'REDIRECT', links: { scaOAuth: 'https://b/' } },
      'OAUTH',
    ],
    ['kept where nothing is said', {}, 'EMBEDDED'],
    ['kept where something unheard of is said', { approach: 'CARRIER_PIGEON' }, 'EMBEDDED'],
  ] as const)('is %s', (_, part, expected) => {
    const before: Conversation = { ...atOtp(), approach: 'EMBEDDED' };
    expect(absorb(before, answer('PUT', part)).approach).toBe(expected);
  });

  it('stays OAuth when a later header contains REDIRECT', () => {
    const before: Conversation = { ...atOtp(), approach: 'OAUTH' };
    expect(absorb(before, answer('PUT', { approach: 'REDIRECT' })).approach).toBe('OAUTH');
  });
});

describe('a step in doubt', () => {
  const inDoubt = () =>
    markInDoubt(atOtp(), { need: 'scaAuthenticationData', link: 'authoriseTransaction', method: 'PUT' });

  it('stops every other step', () => {
    expect(nextStep(inDoubt())).toEqual({ kind: 'wait' });
  });

  it('survives a read, because only the caller knows what the status proves', () => {
    expect(absorb(inDoubt(), answer('GET', { scaStatus: 'scaMethodSelected' })).inDoubt).toBeDefined();
  });

  it.each([
    ['its answer', answer('PUT')],
    ['its refusal', refusal('PUT')],
  ])('ends with %s', (_, next) => {
    expect(absorb(inDoubt(), next).inDoubt).toBeUndefined();
  });

  it('ends where it was read', () => {
    expect(clearInDoubt(inDoubt())).toEqual(atOtp());
  });

  it('does not hide an authorisation that is over', () => {
    const state = absorb(inDoubt(), answer('GET', { scaStatus: 'finalised' }));
    expect(nextStep(state)).toEqual({ kind: 'done', success: true, scaStatus: 'finalised' });
  });
});

describe('a confirmation', () => {
  const waiting = () =>
    created({
      scaStatus: 'unconfirmed',
      authorisationId: 'auth-1',
      links: { scaRedirect: 'https://b/', confirmation: one, scaStatus: one },
    });

  it('is not sent twice where its answer is silent', () => {
    expect(nextStep(waiting())).toMatchObject({ kind: 'send', link: 'confirmation' });
    const after = absorb(waiting(), answer('PUT'));
    expect(nextStep(after)).toEqual({ kind: 'wait' });
  });

  it('may be sent again where the bank offers it again', () => {
    const after = absorb(waiting(), answer('PUT', { links: { confirmation: one } }));
    expect(nextStep(after)).toMatchObject({ link: 'confirmation' });
  });

  it('may be tried again after a refusal', () => {
    expect(nextStep(absorb(waiting(), refusal('PUT')))).toMatchObject({ link: 'confirmation' });
  });
});

describe('a return of the browser', () => {
  const away = () =>
    expectReturn(
      created({
        authorisationId: 'auth-1',
        links: { scaOAuth: 'https://b/meta', confirmation: one, scaStatus: one },
      }),
      'state-1',
      request,
    );
  const request = {
    url: 'https://b/authorize?x',
    issuer: 'https://b',
    tokenEndpoint: 'https://b/token',
    namesIssuer: false,
    clientId: 'c',
    redirectUri: 'https://tpp/cb',
  };

  it('is not confirmed with OAuth before there is a token, and then at once', () => {
    const unconfirmed = absorb(away(), answer('GET', { scaStatus: 'unconfirmed' }));
    expect(nextStep(unconfirmed)).toEqual({ kind: 'oauth', url: 'https://b/meta' });
    expect(nextStep(redeemed(away()))).toMatchObject({ kind: 'send', link: 'confirmation', need: 'none' });
  });

  it('is no longer awaited once the code is redeemed', () => {
    const after = redeemed(away());
    expect(after.oauth).toBeUndefined();
    expect(nextStep(absorb(markInDoubt(after, put), answer('PUT')))).toEqual({ kind: 'wait' });
  });

  it('belongs to one authorisation', () => {
    const { returnState, oauth, hasToken } = forgetAuthorisation(redeemed(away()));
    expect([returnState, oauth, hasToken]).toEqual([undefined, undefined, undefined]);
  });

  const put = { need: 'none', link: 'confirmation', method: 'PUT' } as const;
});
