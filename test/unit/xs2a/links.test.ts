import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/xs2a/json.ts';
import {
  canonicalLink,
  checkBrowserUrl,
  linkFact,
  linkFacts,
  readLinks,
  resolveHref,
  steeringOrder,
} from '../../../src/xs2a/links.ts';

describe('link names', () => {
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
  ])('%s is %s', (name, canonical) => {
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
  ] as const)('%s: %s with %s', (name, method, body, reducedHeaders) => {
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
    expect(readLinks(links)).toEqual({ known: { scaRedirect: 'https://b/x' }, unknown: { foo: '/y' } });
  });

  it('prefers the canonical spelling, whatever the order', () => {
    const right = { authoriseTransaction: { href: '/right' } };
    const wrong = { transactionAuthorisation: { href: '/wrong' } };
    expect(readLinks({ ...right, ...wrong }).known.authoriseTransaction).toBe('/right');
    expect(readLinks({ ...wrong, ...right }).known.authoriseTransaction).toBe('/right');
    expect(readLinks(wrong).known.authoriseTransaction).toBe('/wrong');
  });

  it('never throws and pollutes nothing', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        readLinks(value);
      }),
    );
    readLinks(readJson('{"__proto__": {"href": "/x"}, "constructor": {"href": "/y"}}'));
    expect(({} as { href?: string }).href).toBeUndefined();
  });
});

const policy = { base: 'https://bank.example/psd2', prefix: '/v1', origins: [], host: 'strict' } as const;

describe('resolveHref', () => {
  it.each([
    ['/v1/consents/1', 'https://bank.example/psd2/v1/consents/1'],
    ['v1/consents/1', 'https://bank.example/psd2/v1/consents/1'],
    ['/psd2/v1/consents/1', 'https://bank.example/psd2/v1/consents/1'],
    ['psd2/v1/consents/1', 'https://bank.example/psd2/v1/consents/1'],
    ['https://bank.example/psd2/v1/consents/1', 'https://bank.example/psd2/v1/consents/1'],
    ['HTTPS://Bank.Example:443/psd2/v1/consents/1', 'https://bank.example/psd2/v1/consents/1'],
    ['bank.example/psd2/v1/consents/1', 'https://bank.example/psd2/v1/consents/1'],
    [
      '/v1/c/1?authenticationCurrentNumber=7&x=%20',
      'https://bank.example/psd2/v1/c/1?authenticationCurrentNumber=7&x=%20',
    ],
    ["/v1/c/1?q='a'", "https://bank.example/psd2/v1/c/1?q='a'"],
    ['/v1/c/a%2Fb%41', 'https://bank.example/psd2/v1/c/a%2Fb%41'],
    ['/v1/c/a..b', 'https://bank.example/psd2/v1/c/a..b'],
    ['/v1/c/%2541', 'https://bank.example/psd2/v1/c/%2541'],
  ])('follows %s', (href, url) => {
    const resolved = resolveHref(href, policy);
    expect(resolved).toEqual({
      ok: true,
      url,
      origin: 'https://bank.example',
      path: url.slice('https://bank.example'.length),
    });
  });

  it('follows within further declared addresses, each with its base path', () => {
    const more = { ...policy, origins: ['https://pis.example:8443', 'https://ais.example/xs2a/'] };
    expect(resolveHref('https://pis.example:8443/v1/payments/x/1', more)).toMatchObject({ ok: true });
    expect(resolveHref('pis.example:8443/v1/payments/x/1', more)).toMatchObject({
      url: 'https://pis.example:8443/v1/payments/x/1',
    });
    expect(resolveHref('https://ais.example/xs2a/v1/accounts', more)).toMatchObject({ ok: true });
    expect(resolveHref('https://ais.example/v1/accounts', more)).toMatchObject({ ok: false });
    expect(resolveHref('https://pis.example/v1/payments/x/1', more)).toMatchObject({ ok: false });
  });

  it('takes path and query only where the host is to be ignored', () => {
    const ignoring = { ...policy, host: 'ignore' } as const;
    const url = 'https://bank.example/psd2/v1/consents/1?x=1';
    expect(resolveHref('http://inner.local:9000/v1/consents/1?x=1', ignoring)).toMatchObject({ url });
    expect(resolveHref('inner.local/psd2/v1/consents/1?x=1', ignoring)).toMatchObject({ url });
    expect(resolveHref('https://inner.local/admin', ignoring)).toMatchObject({ ok: false });
    expect(resolveHref('https://u@inner.local/v1/consents/1', ignoring)).toMatchObject({ ok: false });
  });

  it('knows http on loopback where the base is that', () => {
    const local = { ...policy, base: 'http://127.0.0.1:8080' };
    expect(resolveHref('/v1/accounts', local)).toMatchObject({ url: 'http://127.0.0.1:8080/v1/accounts' });
    expect(resolveHref('https://127.0.0.1:8080/v1/accounts', local)).toMatchObject({ ok: false });
  });

  it('refuses everything where the base address is none', () => {
    expect(resolveHref('/v1/accounts', { ...policy, base: 'nonsense' })).toMatchObject({ ok: false });
  });

  const hostile = [
    '',
    ' ',
    '//evil.example/psd2/v1/consents/1',
    '///evil.example/psd2/v1/consents/1',
    '\\\\evil.example\\psd2\\v1',
    '/\\evil.example/psd2/v1/x',
    'https:\\\\evil.example/psd2/v1/x',
    'https://evil.example/psd2/v1/consents/1',
    'http://bank.example/psd2/v1/consents/1',
    'https://bank.example:8443/psd2/v1/consents/1',
    'https://bank.example@evil.example/psd2/v1/x',
    'https://user:pw@bank.example/psd2/v1/x',
    'https://@bank.example/psd2/v1/x',
    'https://bank.example.evil.example/psd2/v1/x',
    'https://bank.example%2eevil.example/psd2/v1/x',
    'https://b\u00e4nk.example/psd2/v1/x',
    'https://xn--bnk-qla.example/psd2/v1/x',
    'https://[::1]/psd2/v1/x',
    'https:///evil.example/psd2/v1/x',
    'https:/bank.example/psd2/v1/x',
    'https:bank.example/psd2/v1/x',
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'ftp://bank.example/psd2/v1/x',
    'obk://bank.example/psd2/v1/x',
    'evil.example/psd2/v1/x',
    'evil.example:443/psd2/v1/x',
    '/v1/../../admin',
    '/psd2/v1/..',
    '/v1/./consents',
    '/v1/%2e%2e/admin',
    '/v1/%2E./admin',
    '/v1/%252e%252e/admin',
    '/v1/%25252e%25252e/admin',
    '/v1/..;x=1/admin',
    '/v1/a%2f..%2fadmin',
    '/v1/a%5c..%5cadmin',
    '/v1/consents/1#fragment',
    '/v1/consents/a b',
    '/v1/consents/a\tb',
    '/v1/consents/a\r\nX-Evil: 1',
    '/v1/consents/\u0000',
    '/v1/consents/\u202e1',
    '/v1/consents/%zz',
    '/v1/consents/<script>',
    '/v2/consents/1',
    '/v1evil/consents/1',
    '/v1',
    '/admin',
    'consents/1',
    '?page=2',
    `/v1/${'a'.repeat(100_000)}`,
  ];

  it.each(hostile.map((href) => [href.slice(0, 60), href]))('refuses %j', (_, href) => {
    const resolved = resolveHref(href, policy);
    expect(resolved.ok, JSON.stringify(resolved)).toBe(false);
    expect(resolved.ok ? '' : resolved.why).not.toBe('');
  });

  it('never leads elsewhere than below origin, base path and prefix', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      '%2e',
      '%2E',
      '%2f',
      '%5c',
      '%25',
      '@',
      ':',
      '?',
      '#',
      ';',
      'v1',
      'psd2',
      'https:',
      'http:',
      '//',
      'bank.example',
      'evil.example',
      ' ',
      '\t',
      'a',
      '%',
      '\u3002',
      '443',
      '&',
      '=',
    );
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 14 }),
        fc.constantFrom('strict' as const, 'ignore' as const),
        (list, host) => {
          const resolved = resolveHref(list.join(''), { ...policy, host });
          if (!resolved.ok) return;
          const url = new URL(resolved.url);
          expect(url.origin).toBe('https://bank.example');
          expect(url.username + url.password).toBe('');
          expect(url.pathname.startsWith('/psd2/v1/')).toBe(true);
          expect(resolved.url).toBe(resolved.origin + resolved.path);
        },
      ),
      { numRuns: 5000 },
    );
  });
});

describe('checkBrowserUrl', () => {
  it.each([
    ['https://bank.example/sca?x=1', 'bank.example'],
    ['https://bank.example:8443/sca#top', 'bank.example:8443'],
    ['http://127.0.0.1:8080/sca', '127.0.0.1:8080'],
    ['http://[::1]:8080/sca', '[::1]:8080'],
    ['http://localhost:8080/sca', 'localhost:8080'],
  ])('takes %s', (url, host) => {
    expect(checkBrowserUrl(url)).toEqual({ ok: true, url, host });
  });

  it('gives an international name in ASCII, so that it shows what it is', () => {
    expect(checkBrowserUrl('https://b\u0430nk.example/x')).toEqual({
      ok: true,
      url: 'https://xn--bnk-6cd.example/x',
      host: 'xn--bnk-6cd.example',
    });
  });

  const refused = [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://bank.example/',
    'mailto:a@b.example',
    'tel:123',
    'ssh://host',
    'smb://host/share',
    'vscode://file/x',
    'ms-msdt:/id',
    'x-apple.systempreferences:',
    'intent://scan/',
    'about:blank',
    'blob:https://bank.example/x',
    'view-source:https://bank.example',
    'chrome://settings',
    'ws://bank.example',
    'bankapp://sca',
    'obk:',
    'http://bank.example/sca',
    'http://127.0.0.1.evil.example/',
    'http://128.0.0.1/',
    'http://2130706434@bank.example/',
    'https://user@bank.example/',
    'https://user:pw@bank.example/',
    'https://@bank.example/',
    'https://bank.example\\@evil.example/',
    'https:\\\\bank.example',
    'https://bank.example/a b',
    'https://bank.example/a\nb',
    ' https://bank.example/',
    'https://bank.example/\u0007',
    'https://',
    'https://a.example:99999/',
    '//bank.example/',
    '/sca',
    '',
    `https://bank.example/${'a'.repeat(8200)}`,
    `https://bank.example/${'\u00e9'.repeat(2000)}`,
  ];

  it.each(refused.map((url) => [url.slice(0, 60), url]))('refuses %j', (_, url) => {
    const result = checkBrowserUrl(url);
    expect(result.ok).toBe(false);
  });
});
