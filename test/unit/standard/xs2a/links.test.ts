import { describe, expect, it } from 'vitest';
import { readJson } from '../../../../src/standard/xs2a/json.ts';
import {
  canonicalLink,
  linkFact,
  linkFacts,
  readLinks,
  steeringOrder,
} from '../../../../src/standard/xs2a/links.ts';

describe('a link name', () => {
  it.each([
    ['startAuthorisationWithPsuIdentfication', 'startAuthorisationWithPsuIdentification'],
    [
      'startAuthorisationWithAuthentciationMethodSelection',
      'startAuthorisationWithAuthenticationMethodSelection',
    ],
    [
      'startAuthorsiationWithAuthenticationMethodSelection',
      'startAuthorisationWithAuthenticationMethodSelection',
    ],
    [
      'startAuthorisationWithAuthenticationMethodsSelection',
      'startAuthorisationWithAuthenticationMethodSelection',
    ],
    ['selectAuthenticationMethods', 'selectAuthenticationMethod'],
    ['startAuthenticationWithPsuAuthentication', 'startAuthorisationWithPsuAuthentication'],
    ['startAuthorisactionWithPsuAuthentication', 'startAuthorisationWithPsuAuthentication'],
    ['udpatePsuAuthentication', 'updatePsuAuthentication'],
    ['udpateEncryptedPsuAuthentication', 'updateEncryptedPsuAuthentication'],
    ['transactionAuthorisation', 'authoriseTransaction'],
    ['redirect', 'scaRedirect'],
    ['scaOauth', 'scaOAuth'],
    ['SCAREDIRECT', 'scaRedirect'],
    ['card-account', 'cardAccount'],
    ['scaStatus', 'scaStatus'],
    ['somethingElse', undefined],
    ['__proto__', undefined],
  ])('is recognised: %s is %s', (name, canonical) => {
    expect(canonicalLink(name)).toBe(canonical);
  });

  it.each([
    ['startAuthorisation', 'POST', 'none', false],
    ['startAuthorisationWithPsuIdentification', 'POST', 'identification', false],
    ['startAuthorisationWithPsuAuthentication', 'POST', 'psuData.password', false],
    ['startAuthorisationWithEncryptedPsuAuthentication', 'POST', 'psuData.encryptedPassword', false],
    ['updatePsuIdentification', 'PUT', 'identification', false],
    ['updatePsuAuthentication', 'PUT', 'psuData.password', false],
    ['updateAdditionalPsuAuthentication', 'PUT', 'psuData.additionalPassword', false],
    ['selectAuthenticationMethod', 'PUT', 'authenticationMethodId', true],
    ['authoriseTransaction', 'PUT', 'scaAuthenticationData', true],
    ['confirmation', 'PUT', 'confirmationCode', false],
    ['scaStatus', 'GET', 'none', false],
  ] as const)('has its method: %s: %s with %s', (name, method, body, reducedHeaders) => {
    expect(linkFact(name)).toMatchObject({ method, body, reducedHeaders });
  });

  it('steers towards the end first, and self, status, scaStatus and confirmation stand', () => {
    expect(steeringOrder.indexOf('authoriseTransaction')).toBeLessThan(
      steeringOrder.indexOf('selectAuthenticationMethod'),
    );
    expect(steeringOrder.indexOf('updatePsuAuthentication')).toBeLessThan(
      steeringOrder.indexOf('startAuthorisation'),
    );
    expect(linkFacts.filter(({ kind }) => kind === 'standing').map(({ name }) => name)).toEqual([
      'confirmation',
      'scaStatus',
      'self',
      'status',
    ]);
  });
});

describe('readLinks', () => {
  it.each([
    ['objects', { scaRedirect: { href: 'https://b/x' }, foo: { href: '/y' } }],
    ['strings', { scaRedirect: 'https://b/x', foo: '/y' }],
    ['arrays', { scaRedirect: [{ href: 'https://b/x' }], foo: ['/y'] }],
    [
      'a list with rel',
      [
        { rel: 'scaRedirect', href: 'https://b/x' },
        { name: 'foo', href: '/y' },
      ],
    ],
    ['a list of objects', [{ scaRedirect: { href: 'https://b/x' } }, { foo: { href: '/y' } }]],
    [
      'misspelt names',
      { redirect: { href: 'https://b/x' }, foo: { href: '/y' }, bar: null, baz: {}, x: { href: 7 } },
    ],
  ])('reads %s', (_, links) => {
    expect(readLinks(links)).toStrictEqual({
      known: { scaRedirect: 'https://b/x' },
      unknown: { foo: '/y' },
    });
  });

  it('prefers the canonical spelling, whatever the order', () => {
    const right = { authoriseTransaction: { href: '/right' } };
    const wrong = { transactionAuthorisation: { href: '/wrong' } };
    expect(readLinks({ ...right, ...wrong }).known.authoriseTransaction).toBe('/right');
    expect(readLinks({ ...wrong, ...right }).known.authoriseTransaction).toBe('/right');
    expect(readLinks(wrong).known.authoriseTransaction).toBe('/wrong');
  });

  it('passes over what has no address, for the next that has one', () => {
    expect(readLinks({ scaRedirect: '', redirect: '/x' }).known).toEqual({ scaRedirect: '/x' });
    expect(readLinks({ scaRedirect: { href: '' }, redirect: '/x' }).known).toEqual({ scaRedirect: '/x' });
    expect(readLinks({ scaRedirect: [null, '', {}, '/x', '/y'] }).known).toEqual({ scaRedirect: '/x' });
  });

  it('takes the first of several of one name, right or misspelt', () => {
    const list = (...names: string[]) => names.map((rel, at) => ({ rel, href: `/${at}` }));
    expect(readLinks(list('scaStatus', 'scaStatus')).known).toEqual({ scaStatus: '/0' });
    expect(readLinks(list('SCASTATUS', 'scastatus')).known).toEqual({ scaStatus: '/0' });
    expect(readLinks(list('SCASTATUS', 'scaStatus', 'scaStatus')).known).toEqual({ scaStatus: '/1' });
    expect(readLinks(list('foo', 'foo')).unknown).toEqual({ foo: '/0' });
  });

  it('reads a name as the bank means it', () => {
    expect(readLinks({ redirect: '/x', goOn: '/y' }, { redirect: 'self', goOn: 'scaStatus' })).toEqual({
      known: { self: '/x', scaStatus: '/y' },
      unknown: {},
    });
  });

  it.each([['ab'], [7], [null], [undefined], [['x', null, 7]], [[{ rel: 7 }]]])(
    'finds no link in %j',
    (links) => {
      expect(readLinks(links)).toStrictEqual({ known: {}, unknown: {} });
    },
  );

  it('keeps a link whose name every object has', () => {
    const { unknown } = readLinks(readJson('{"constructor": {"href": "/y"}, "toString": "/z"}'));
    expect(Object.entries(unknown)).toEqual([
      ['constructor', '/y'],
      ['toString', '/z'],
    ]);
  });
});
