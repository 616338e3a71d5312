import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestHeader, requestDigest, verifyDigest } from '../../../src/signing/digest.ts';

const nothing = new Uint8Array();
const bytes = (text: string) => Buffer.from(text, 'utf8');
const empty256 = 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const empty512 =
  'SHA-512=z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==';

describe('digestHeader', () => {
  test.each([
    ['SHA-256', empty256],
    ['SHA-512', empty512],
  ] as const)('is right for no bytes with %s', (algorithm, expected) => {
    expect(digestHeader(nothing, algorithm)).toBe(expected);
  });

  test('hashes the exact bytes, line ends and byte order mark included', () => {
    const seen = ['a\nb', 'a\r\nb', '\ufeffa\nb', 'a\nb\n'].map((text) => digestHeader(bytes(text)));
    expect(new Set(seen).size).toBe(4);
  });
});

describe('requestDigest', () => {
  test.each([
    ['empty', empty256],
    ['omit', undefined],
    ['{}', 'SHA-256=RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='],
  ] as const)('follows the rule %s without a body', (emptyBody, expected) => {
    expect(requestDigest(nothing, { algorithm: 'SHA-256', emptyBody })).toBe(expected);
  });

  test.each(['empty', 'omit', '{}'] as const)('ignores the rule %s with a body', (emptyBody) => {
    const expected = `SHA-512=${createHash('sha512').update('{"a":1}').digest('base64')}`;
    expect(requestDigest(bytes('{"a":1}'), { algorithm: 'SHA-512', emptyBody })).toBe(expected);
  });
});

describe('verifyDigest', () => {
  const abc256 = digestHeader(bytes('abc')).slice('SHA-256='.length);
  test.each([
    [`SHA-256=${abc256}`, true],
    [`sha-256=${abc256}`, true],
    [`MD5=kAFQmDzST7DWlj99KOF/cg==, SHA-256=${abc256}`, true],
    [`SHA-256=${abc256}, ${empty512}`, false],
    [`SHA-512=${abc256}`, false],
    [`SHA-256 =${abc256}`, false],
    [`SHA-256=${abc256.toLowerCase()}`, false],
    [abc256, false],
    ['MD5=kAFQmDzST7DWlj99KOF/cg==', false],
    ['', false],
  ])('checks %s', (value, expected) => {
    expect(verifyDigest(value, bytes('abc'))).toBe(expected);
  });

  test('holds for every body, and for no changed one', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('SHA-256' as const, 'SHA-512' as const),
        (body, at, change, algorithm) => {
          const value = digestHeader(body, algorithm);
          const changed = Uint8Array.from(body);
          changed[at % body.length]! ^= change;
          return verifyDigest(value, body) && !verifyDigest(value, changed);
        },
      ),
    );
  });
});
