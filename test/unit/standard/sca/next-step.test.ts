import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../../src/standard/sca/next-step.ts';
import { replyBody } from '../../../../src/standard/sca/reply-body.ts';
import { linkFacts } from '../../../../src/standard/xs2a/links.ts';
import type { LinkName } from '../../../../src/standard/xs2a/links.ts';
import { scaStatuses } from '../../../../src/standard/xs2a/codes.ts';
import { authorisations, created } from './answers.ts';

const one = `${authorisations}/auth-1`;

describe('method and need of a step', () => {
  it.each([
    ['startAuthorisation', authorisations, 'POST', 'none'],
    ['startAuthorisationWithPsuIdentification', authorisations, 'POST', 'identification'],
    ['startAuthorisationWithPsuAuthentication', authorisations, 'POST', 'psuData.password'],
    ['startAuthorisationWithEncryptedPsuAuthentication', authorisations, 'POST', 'psuData.encryptedPassword'],
    ['startAuthorisationWithAuthenticationMethodSelection', authorisations, 'POST', 'authenticationMethodId'],
    ['startAuthorisationWithTransactionAuthorisation', authorisations, 'POST', 'scaAuthenticationData'],
    ['updatePsuIdentification', one, 'PUT', 'identification'],
    ['updatePsuAuthentication', one, 'PUT', 'psuData.password'],
    ['updateEncryptedPsuAuthentication', one, 'PUT', 'psuData.encryptedPassword'],
    ['updateAdditionalPsuAuthentication', one, 'PUT', 'psuData.additionalPassword'],
    ['updateAdditionalEncryptedPsuAuthentication', one, 'PUT', 'psuData.additionalEncryptedPassword'],
    ['selectAuthenticationMethod', one, 'PUT', 'authenticationMethodId'],
    ['authoriseTransaction', one, 'PUT', 'scaAuthenticationData'],
    // The href decides against the name.
    ['startAuthorisationWithPsuAuthentication', one, 'PUT', 'psuData.password'],
    ['updatePsuAuthentication', authorisations, 'POST', 'psuData.password'],
    ['startAuthorisation', '/v1/payments/p/pay-1/cancellation-authorisations', 'POST', 'none'],
    ['startAuthorisation', `${authorisations}?step=2`, 'POST', 'none'],
    ['startAuthorisation', '/v1/payments/p/pay-1/somewhere', 'POST', 'none'],
    ['authoriseTransaction', '/v1/payments/p/pay-1/somewhere', 'PUT', 'scaAuthenticationData'],
  ] as const)('follow from the link and its href: %s at %s', (link, href, method, need) => {
    const step = nextStep(created({ links: { [link]: href } }));
    expect(step).toMatchObject({ kind: 'send', link, href, method, need });
  });

  it.each([
    ['selectAuthenticationMethod', true],
    ['authoriseTransaction', true],
    ['updatePsuAuthentication', false],
    ['startAuthorisation', false],
  ] as const)('have reduced headers for %s: %s', (link, reducedHeaders) => {
    expect(nextStep(created({ links: { [link]: one } }))).toMatchObject({ reducedHeaders });
  });
});

describe('a choice among several links', () => {
  const steering = linkFacts.filter((fact) => fact.kind === 'steering').map((fact) => fact.name);

  it('takes the one nearest to the end, whatever their order in the answer', () => {
    const order: LinkName[] = [];
    let left = steering.toReversed();
    while (left.length > 0) {
      const step = nextStep(created({ links: Object.fromEntries(left.map((name) => [name, one])) }));
      const taken = step.kind === 'send' ? step.link : step.kind === 'redirect' ? 'scaRedirect' : 'scaOAuth';
      order.push(taken);
      left = left.filter((name) => name !== taken);
    }
    expect(order).toEqual(steering);
  });

  it('never steers by a link that only leads to data', () => {
    const links = Object.fromEntries(
      linkFacts.filter((fact) => fact.kind !== 'steering').map((fact) => [fact.name, one]),
    );
    expect(nextStep(created({ links }))).toEqual({ kind: 'wait' });
  });
});

describe('the final status of an authorisation', () => {
  it.each(scaStatuses.filter((fact) => fact.final).map((fact) => [fact.code, fact.success] as const))(
    'is %s, links or not',
    (scaStatus, success) => {
      const state = created({ scaStatus, links: { updatePsuAuthentication: one } });
      expect(nextStep(state)).toEqual({ kind: 'done', success, scaStatus });
    },
  );

  it.each([...scaStatuses.filter((fact) => !fact.final).map((fact) => fact.code), 'authorisedByFax'])(
    'is not %s',
    (scaStatus) => {
      const state = created({ scaStatus, links: { updatePsuAuthentication: one } });
      expect(nextStep(state)).toMatchObject({ kind: 'send', link: 'updatePsuAuthentication' });
    },
  );

  it('is not unconfirmed: without a confirmation link, any other link is followed', () => {
    expect(nextStep(created({ scaStatus: 'unconfirmed', links: {} }))).toEqual({ kind: 'wait' });
  });
});

describe('an answer where nothing steers', () => {
  const unknownLinks = ['startAuthorisationByFax'];

  it.each([
    ['EMBEDDED', undefined, 'stuck'],
    ['EMBEDDED', 'psuAuthenticated', 'stuck'],
    ['EMBEDDED', 'scaMethodSelected', 'stuck'],
    ['EMBEDDED', 'started', 'wait'],
    ['EMBEDDED', 'authorisingByFax', 'wait'],
    ['DECOUPLED', 'received', 'wait'],
    ['REDIRECT', 'received', 'stuck'],
    [undefined, 'received', 'stuck'],
    [undefined, 'started', 'wait'],
  ])('is for %s at %s with an unknown link: %s', (approach, scaStatus, kind) => {
    const state = created({
      unknownLinks,
      ...(approach === undefined ? {} : { approach }),
      ...(scaStatus === undefined ? {} : { scaStatus }),
    });
    expect(nextStep(state).kind).toBe(kind);
  });

  it('waits where no link is unknown', () => {
    expect(nextStep(created({ approach: 'EMBEDDED', scaStatus: 'received' }))).toEqual({ kind: 'wait' });
  });
});

describe('the body of a reply', () => {
  it.each([
    ['none', undefined],
    ['proprietary', undefined],
    ['identification', {}],
    ['psuData.password', { psuData: { password: 'x' } }],
    ['psuData.encryptedPassword', { psuData: { encryptedPassword: 'x' } }],
    ['psuData.additionalPassword', { psuData: { additionalPassword: 'x' } }],
    ['psuData.additionalEncryptedPassword', { psuData: { additionalEncryptedPassword: 'x' } }],
    ['authenticationMethodId', { authenticationMethodId: 'x' }],
    ['scaAuthenticationData', { scaAuthenticationData: 'x' }],
    ['confirmationCode', { confirmationCode: 'x' }],
  ] as const)('is built for %s', (need, expected) => {
    expect(replyBody(need, 'x')).toEqual(expected);
  });
});
