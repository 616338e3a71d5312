import { setFlagsFromString } from 'node:v8';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { collectedEarly } from '../../../../src/adapters/system/collected-early.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));
const flags = vi.mocked(setFlagsFromString);
const flagsSet = () => flags.mock.calls.map(([flag]) => flag);
beforeEach(() => {
  flags.mockClear();
});

const mebibyte = Buffer.alloc(1024 * 1024);
const [early, usual] = ['--heap-growing-percent=50', '--heap-growing-percent=0'];

describe('the bytes of a long report', () => {
  it.each([0, 3, 4, 9])('are passed on whole: %d MiB', async (count) => {
    let size = 0;
    const given = Array.from({ length: count }, () => mebibyte);
    for await (const piece of collectedEarly(
      (async function* () {
        yield* given;
      })(),
    ))
      size += piece.length;
    expect(size).toBe(count * mebibyte.length);
    expect(flagsSet()).toEqual(count < 4 ? [] : [early, usual]);
  });

  it.each([1, 9])('are dropped at once where their reader leaves, after %d MiB', async (count) => {
    let left = 0;
    let size = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield mebibyte;
      } finally {
        left += 1;
      }
    }
    for await (const piece of collectedEarly(endless())) {
      size += piece.length;
      if (size >= count * mebibyte.length) break;
    }
    expect({ size, left }).toEqual({ size: count * mebibyte.length, left: 1 });
    expect(flagsSet()).toEqual(count < 4 ? [] : [early, usual]);
  });

  it('end with what their source reports', async () => {
    const broken = (async function* () {
      for (let count = 0; count < 6; count += 1) yield mebibyte;
      throw new Error('the line broke');
    })();
    const read = async () => {
      for await (const piece of collectedEarly(broken)) expect(piece).toBe(mebibyte);
    };
    await expect(read()).rejects.toThrow('the line broke');
    expect(flagsSet()).toEqual([early, usual]);
  });
});
