// Which links of a bank are followed or opened, and what is said of the others.
import { describe, expect, it } from 'vitest';
import { checkBrowserUrl, resolveHref } from '../../../../src/standard/xs2a/links.ts';

const policy = { base: 'https://bank.example/psd2', prefix: '/v1', origins: [], host: 'strict' } as const;

describe('resolveHref', () => {
  it.each([
    ['/v1/consents/a b', '/psd2/v1/consents/a%20b'],
    ['/v1/x?key=a b&c=\u00fc', '/psd2/v1/x?key=a%20b&c=%C3%BC'],
    ['https://bank.example/psd2/v1/x?page=\u7b2c2', '/psd2/v1/x?page=%E7%AC%AC2'],
  ])('escapes what %j needs escaped', (href, path) => {
    expect(resolveHref(href, policy)).toMatchObject({ ok: true, path });
  });

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
    ['/v1/c/%252541', 'https://bank.example/psd2/v1/c/%252541'],
    ['/v1/c/%25zz', 'https://bank.example/psd2/v1/c/%25zz'],
    ['/v1/c/..a/a./.well-known', 'https://bank.example/psd2/v1/c/..a/a./.well-known'],
    ['/v1/c/1//', 'https://bank.example/psd2/v1/c/1//'],
    ["/v1/c/1?q=%27a'", "https://bank.example/psd2/v1/c/1?q=%27a'"],
    ['/v1/c/1?q=../..', 'https://bank.example/psd2/v1/c/1?q=../..'],
    ['v1/c?to=https://evil.example/', 'https://bank.example/psd2/v1/c?to=https://evil.example/'],
    [`/v1/${'a'.repeat(8192 - 4)}`, `https://bank.example/psd2/v1/${'a'.repeat(8192 - 4)}`],
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

  it('uses only path and query where the host is to be ignored', () => {
    const ignoring = { ...policy, host: 'ignore' } as const;
    const url = 'https://bank.example/psd2/v1/consents/1?x=1';
    expect(resolveHref('http://inner.local:9000/v1/consents/1?x=1', ignoring)).toMatchObject({ url });
    expect(resolveHref('inner.local/psd2/v1/consents/1?x=1', ignoring)).toMatchObject({ url });
    expect(resolveHref('https://inner.local/admin', ignoring)).toMatchObject({ ok: false });
    expect(resolveHref('https://u@inner.local/v1/consents/1', ignoring)).toMatchObject({ ok: false });
  });

  it('accepts http on loopback where the base is that', () => {
    const local = { ...policy, base: 'http://127.0.0.1:8080' };
    expect(resolveHref('/v1/accounts', local)).toMatchObject({ url: 'http://127.0.0.1:8080/v1/accounts' });
    expect(resolveHref('https://127.0.0.1:8080/v1/accounts', local)).toMatchObject({ ok: false });
  });

  it('accepts a link without a host below the base path only, whatever else is declared at that host', () => {
    const more = { ...policy, origins: ['https://bank.example/other'] };
    expect(resolveHref('https://bank.example/other/v1/accounts', more)).toMatchObject({ ok: true });
    expect(resolveHref('/other/v1/accounts', more)).toEqual({
      ok: false,
      why: 'its path is not under /psd2/v1/',
    });
  });

  it('finds the scheme that was left out where the host is declared', () => {
    const local = { ...policy, base: 'http://127.0.0.1:8080', origins: ['nonsense', 'http://gw.example'] };
    expect(resolveHref('127.0.0.1:8080/v1/accounts', local)).toMatchObject({
      url: 'http://127.0.0.1:8080/v1/accounts',
    });
    expect(resolveHref('GW.example/v1/accounts', local)).toMatchObject({
      url: 'http://gw.example/v1/accounts',
    });
    expect(resolveHref('127.0.0.1:8081/v1/accounts', local)).toEqual({
      ok: false,
      why: 'its origin https://127.0.0.1:8081 is not declared in the profile',
    });
  });

  it('accepts a base path with slashes at its end', () => {
    expect(resolveHref('/v1/accounts', { ...policy, base: 'https://bank.example/psd2//' })).toMatchObject({
      url: 'https://bank.example/psd2/v1/accounts',
    });
  });

  it('names the base path and prefix that a link is not under', () => {
    const bare = { ...policy, base: 'https://bank.example' };
    expect(resolveHref('/admin', bare)).toEqual({ ok: false, why: 'its path is not under /v1/' });
  });

  it('refuses everything where there is no base address', () => {
    const none = { ...policy, base: 'nonsense', origins: ['https://bank.example'] };
    expect(resolveHref('/v1/accounts', none)).toEqual({
      ok: false,
      why: 'the base address of the profile is not a URL',
    });
  });

  const hostile: [string, string][] = [
    ['', 'it is empty'],
    [' ', 'its path is not under /psd2/v1/'],
    ['//evil.example/psd2/v1/consents/1', 'it names a host without a scheme'],
    ['///evil.example/psd2/v1/consents/1', 'it names a host without a scheme'],
    ['\\\\evil.example\\psd2\\v1', 'it has a backslash'],
    ['/\\evil.example/psd2/v1/x', 'it has a backslash'],
    ['https:\\\\evil.example/psd2/v1/x', 'it has a backslash'],
    [
      'https://evil.example/psd2/v1/consents/1',
      'its origin https://evil.example is not declared in the profile',
    ],
    [
      'http://bank.example/psd2/v1/consents/1',
      'its origin http://bank.example is not declared in the profile',
    ],
    [
      'https://bank.example:8443/psd2/v1/consents/1',
      'its origin https://bank.example:8443 is not declared in the profile',
    ],
    ['https://bank.example@evil.example/psd2/v1/x', 'it has a user name before the host'],
    ['https://user:pw@bank.example/psd2/v1/x', 'it has a user name before the host'],
    ['https://@bank.example/psd2/v1/x', 'it has a user name before the host'],
    ['https://bank.example@', 'it has a user name before the host'],
    [
      'https://bank.example.evil.example/psd2/v1/x',
      'its origin https://bank.example.evil.example is not declared in the profile',
    ],
    [
      'https://bank.example%2eevil.example/psd2/v1/x',
      'its origin https://bank.example.evil.example is not declared in the profile',
    ],
    ['https://b\u00e4nk.example/psd2/v1/x', 'it has blanks, control or non-ASCII characters'],
    [
      'https://xn--bnk-qla.example/psd2/v1/x',
      'its origin https://xn--bnk-qla.example is not declared in the profile',
    ],
    ['https://[::1]/psd2/v1/x', 'its origin https://[::1] is not declared in the profile'],
    ['https:///evil.example/psd2/v1/x', 'its origin https:// is not declared in the profile'],
    ['https:/bank.example/psd2/v1/x', 'it is neither a path nor an http or https URL'],
    ['https:bank.example/psd2/v1/x', 'it is neither a path nor an http or https URL'],
    ['javascript:alert(1)', 'it is neither a path nor an http or https URL'],
    ['data:text/html,hello', 'it is neither a path nor an http or https URL'],
    ['file:///etc/passwd', 'its scheme file is not http or https'],
    ['ftp://bank.example/psd2/v1/x', 'its scheme ftp is not http or https'],
    ['obk://bank.example/psd2/v1/x', 'its scheme obk is not http or https'],
    ['evil.example/psd2/v1/x', 'its origin https://evil.example is not declared in the profile'],
    ['evil.example:443/psd2/v1/x', 'its origin https://evil.example is not declared in the profile'],
    ['/v1/../../admin', 'it has dot segments'],
    ['/psd2/v1/..', 'it has dot segments'],
    ['/v1/./consents', 'it has dot segments'],
    ['/v1/%2e%2e/admin', 'it has dot segments'],
    ['/v1/%2E./admin', 'it has dot segments'],
    ['/v1/%252e%252e/admin', 'it has dot segments'],
    ['/v1/%25252e%25252e/admin', 'it has dot segments'],
    ['/v1/..;x=1/admin', 'it has dot segments'],
    ['/v1/a%2f..%2fadmin', 'it has dot segments'],
    ['/v1/a%5c..%5cadmin', 'it has dot segments'],
    ['/v1/consents/1#fragment', 'it has a fragment'],
    ['/v1/consents/a\tb', 'it has blanks, control or non-ASCII characters'],
    ['/v1/consents/a\r\nX-Evil: 1', 'it has blanks, control or non-ASCII characters'],
    ['/v1/consents/\u0000', 'it has blanks, control or non-ASCII characters'],
    ['/v1/consents/\u202e1', 'it has blanks, control or non-ASCII characters'],
    ['/v1/consents/%zz', 'it has a malformed percent-encoding'],
    ['/v1/consents/<script>', 'it has characters that a URL must escape'],
    ['/v2/consents/1', 'its path is not under /psd2/v1/'],
    ['/v1evil/consents/1', 'its path is not under /psd2/v1/'],
    ['/v1', 'its path is not under /psd2/v1/'],
    ['/admin', 'its path is not under /psd2/v1/'],
    ['consents/1', 'its path is not under /psd2/v1/'],
    ['?page=2', 'it has no path'],
    ['https://bank.example', 'it has no absolute path'],
    ['https://bank.example?x=1', 'it has no absolute path'],
    ['https://bank.example//psd2/v1/x', 'it has no absolute path'],
    ['user@bank.example/psd2/v1/x', 'its path is not under /psd2/v1/'],
    ['bank.example@evil.example/psd2/v1/x', 'its path is not under /psd2/v1/'],
    ['a.b.bank.example/psd2/v1/x', 'its origin https://a.b.bank.example is not declared in the profile'],
    ['XHTTP://bank.example/psd2/v1/x', 'its scheme xhttp is not http or https'],
    ['httpsx://bank.example/psd2/v1/x', 'its scheme httpsx is not http or https'],
    ['/v1/c/%25252541', 'its percent-encoding is nested'],
    [`/v1/${'a'.repeat(8192 - 3)}`, 'it is longer than 8192 characters'],
    [`/v1/${'a'.repeat(100_000)}`, 'it is longer than 8192 characters'],
  ];

  it.each(hostile.map(([href, why]) => [href.slice(0, 60), why, href]))('refuses %j: %s', (_, why, href) => {
    expect(resolveHref(href, policy)).toEqual({ ok: false, why });
  });
});

describe('checkBrowserUrl', () => {
  it.each([
    ['https://bank.example/sca?x=1', 'bank.example'],
    ['https://bank.example:8443/sca#top', 'bank.example:8443'],
    ['http://127.0.0.1:8080/sca', '127.0.0.1:8080'],
    ['http://[::1]:8080/sca', '[::1]:8080'],
    ['http://localhost:8080/sca', 'localhost:8080'],
    ['HTTPS://BANK.example/sca', 'bank.example'],
    ['https://bank.example/sca?to=a@b', 'bank.example'],
    ['https://bank.example?to=a@b', 'bank.example'],
    ['https://bank.example#a@b', 'bank.example'],
    ['https://bank.example/sca//a@b', 'bank.example'],
    [`https://bank.example/${'a'.repeat(8192 - 21)}`, 'bank.example'],
  ])('accepts %s', (url, host) => {
    expect(checkBrowserUrl(url)).toEqual({ ok: true, url, host });
  });

  it('accepts as many characters as a URL may have once it is escaped, and no more', () => {
    const of = (length: number) => `https://bank.example/\u00e9${'a'.repeat(length - 27)}`;
    expect(checkBrowserUrl(of(8192))).toMatchObject({ ok: true, host: 'bank.example' });
    expect(checkBrowserUrl(of(8193))).toEqual({ ok: false, why: 'it is longer than 8192 characters' });
    // Before it is escaped, already.
    expect(checkBrowserUrl(`javascript:${'a'.repeat(8192)}`)).toEqual({
      ok: false,
      why: 'it is longer than 8192 characters',
    });
  });

  it('gives an international name in ASCII, so that it shows what it is', () => {
    expect(checkBrowserUrl('https://b\u0430nk.example/x')).toEqual({
      ok: true,
      url: 'https://xn--bnk-6cd.example/x',
      host: 'xn--bnk-6cd.example',
    });
  });

  const refused: [string, string][] = [
    ['javascript:alert(1)', 'it is not an absolute http or https URL'],
    ['JAVASCRIPT:alert(1)', 'it is not an absolute http or https URL'],
    ['data:text/html,x', 'it is not an absolute http or https URL'],
    ['file:///etc/passwd', 'it is not an absolute http or https URL'],
    ['ftp://bank.example/', 'it is not an absolute http or https URL'],
    ['mailto:a@b.example', 'it is not an absolute http or https URL'],
    ['tel:123', 'it is not an absolute http or https URL'],
    ['ssh://host', 'it is not an absolute http or https URL'],
    ['smb://host/share', 'it is not an absolute http or https URL'],
    ['vscode://file/x', 'it is not an absolute http or https URL'],
    ['ms-msdt:/id', 'it is not an absolute http or https URL'],
    ['x-apple.systempreferences:', 'it is not an absolute http or https URL'],
    ['intent://scan/', 'it is not an absolute http or https URL'],
    ['about:blank', 'it is not an absolute http or https URL'],
    ['blob:https://bank.example/x', 'it is not an absolute http or https URL'],
    ['view-source:https://bank.example', 'it is not an absolute http or https URL'],
    ['chrome://settings', 'it is not an absolute http or https URL'],
    ['ws://bank.example', 'it is not an absolute http or https URL'],
    ['bankapp://sca', 'it is not an absolute http or https URL'],
    ['obk:', 'it is not an absolute http or https URL'],
    ['http://bank.example/sca', 'it is http and not on this machine'],
    ['http://127.0.0.1.evil.example/', 'it is http and not on this machine'],
    ['http://128.0.0.1/', 'it is http and not on this machine'],
    ['http://2130706434@bank.example/', 'it has a user name before the host'],
    ['https://user@bank.example/', 'it has a user name before the host'],
    ['https://user:pw@bank.example/', 'it has a user name before the host'],
    ['https://@bank.example/', 'it has a user name before the host'],
    ['https://:@bank.example/', 'it has a user name before the host'],
    ['https:///user@bank.example/', 'it has a user name before the host'],
    ['https:///:pw@bank.example/', 'it has a user name before the host'],
    ['xhttps://bank.example/', 'it is not an absolute http or https URL'],
    ['https://bank.example\\@evil.example/', 'it has blanks, control characters or backslashes'],
    ['https:\\\\bank.example', 'it has blanks, control characters or backslashes'],
    ['https://bank.example/a b', 'it has blanks, control characters or backslashes'],
    ['https://bank.example/a\nb', 'it has blanks, control characters or backslashes'],
    [' https://bank.example/', 'it has blanks, control characters or backslashes'],
    ['https://bank.example/\u0007', 'it has blanks, control characters or backslashes'],
    ['https://', 'it is not an absolute http or https URL'],
    ['https://a.example:99999/', 'it is not an absolute http or https URL'],
    ['//bank.example/', 'it is not an absolute http or https URL'],
    ['/sca', 'it is not an absolute http or https URL'],
    ['', 'it is not an absolute http or https URL'],
    [`https://bank.example/${'a'.repeat(8200)}`, 'it is longer than 8192 characters'],
    [`https://bank.example/${'a'.repeat(8192 - 20)}`, 'it is longer than 8192 characters'],
    [`https://bank.example/${'\u00e9'.repeat(2000)}`, 'it is longer than 8192 characters'],
  ];

  it.each(refused.map(([url, why]) => [url.slice(0, 60), why, url]))('refuses %j: %s', (_, why, url) => {
    expect(checkBrowserUrl(url)).toEqual({ ok: false, why });
  });
});
