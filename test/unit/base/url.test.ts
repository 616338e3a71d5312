import { describe, expect, it } from 'vitest';
import { isLoopback, isLoopbackAddress, parseUrl } from '../../../src/base/url.ts';

it('an address with letters of Latin-1 is read however often it is asked for', () => {
  const taken = Array.from({ length: 20_000 }, () => parseUrl('https://bänk.example/é')?.hostname);
  expect(new Set(taken)).toEqual(new Set(['xn--bnk-qla.example']));
});

it.each(['', 'bank.example', '/v1/payments', 'https://'])('the text %j is not read as an address', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

it('an address that is read again and again is read once, and none with a query or a user is kept', () => {
  const address = 'https://api.bank.example/psd2/v1';
  expect(parseUrl(address)).toBe(parseUrl(address));
  for (const secret of ['https://tpp.example/cb?code=x', 'https://u:p@bank.example/', 'https://a.example/#x'])
    expect(parseUrl(secret)).not.toBe(parseUrl(secret));
  for (let at = 0; at < 200; at += 1)
    expect(parseUrl(`https://bank-${String(at)}.example/`)?.hostname).toBe(`bank-${String(at)}.example`);
  expect(parseUrl(address)?.href).toBe(address);
  for (const none of ['', 'v1/accounts', 'http://[']) expect(parseUrl(none)).toBeUndefined();
});

describe('isLoopback', () => {
  it.each([
    ...['localhost', 'LOCALHOST', '::1', '[::1]', '127.0.0.1', '127.100.200.255'].map((host) => [host, true]),
    ...[
      '',
      'localhost.evil.example',
      'x127.0.0.1',
      '127.0.0.1.evil.example',
      '127.0.0',
      '128.0.0.1',
      '[::2]',
    ].map((host) => [host, false]),
    ...['::1%lo', '::ffff:127.0.0.1', '[::ffff:7f00:1]'].map((host) => [host, false, true]),
    ...['::ffff:128.0.0.1', '[::ffff:8000:1]', '::1%lo\nx'].map((host) => [host, false, false]),
  ] as [string, boolean, boolean?][])('judges %j as a host: %s', (host, isHost, isAddress = isHost) => {
    expect([isLoopback(host), isLoopbackAddress(host)]).toEqual([isHost, isAddress]);
  });
});
