// Signed and read by index: most runs are over before a compiler has looked at this.
const table = new Int32Array(256);
for (let half = 128, value = 1; half > 0; half >>= 1) {
  value = (value & 1) === 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  for (let at = 0; at < 256; at += 2 * half) table[half + at] = value ^ (table[at] ?? 0);
}

/** CRC-32C (Castagnoli) as 8 hexadecimal digits. Source: RFC 3720, appendix B.4. */
export function crc32c(bytes: Uint8Array): string {
  let crc = -1;
  for (let at = 0; at < bytes.length; at++) {
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, '0');
}
