import { describe, expect, it } from 'vitest';
import { crc32c } from '../../../src/base/crc32c.ts';

describe('CRC-32C', () => {
  // RFC 3720, appendix B.4, and the check value of the catalogues.
  it.each([
    [Buffer.alloc(32), '8a9136aa'],
    [Buffer.alloc(32, 0xff), '62a8ab43'],
    [Buffer.from(Array.from({ length: 32 }, (_, index) => index)), '46dd794e'],
    [Buffer.from(Array.from({ length: 32 }, (_, index) => 31 - index)), '113fdb5c'],
    [Buffer.from('123456789'), 'e3069283'],
    [Buffer.alloc(0), '00000000'],
  ])('is right for %j', (bytes, crc) => {
    expect(crc32c(bytes)).toBe(crc);
  });
});
