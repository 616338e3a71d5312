import fc from 'fast-check';

/**
 * Any code point but the halves of pairs, as the `unit` of `fc.string`. That is the unit 'binary' of fast-check too, which first
 * makes a table of all million of them: that takes a second or two in each process.
 */
export const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.nat(0xffff - 0x800).map(behindHalves),
    fc.nat(0x10_ffff - 0x800).map(behindHalves),
  )
  .map((code) => String.fromCodePoint(code));

function behindHalves(at: number): number {
  return at < 0xd800 ? at : at + 0x800;
}
