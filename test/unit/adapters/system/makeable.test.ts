import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDirectory } from '../../../../src/adapters/files/atomic-file.ts';
import { needMakeable } from '../../../../src/adapters/system/makeable.ts';
import { ObkError } from '../../../../src/base/errors.ts';

const thrown = (work: () => void): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('a folder that no file system accepts', () => {
  it.runIf(process.platform === 'linux')('is refused with exit 3, also behind a link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'obk-makeable-'));
    symlinkSync('/proc', join(folder, 'link'));
    try {
      for (const path of ['/proc/x/y', join(folder, 'link', 'x', '.config', 'obk')]) {
        const error = thrown(() => {
          makeDirectory(path);
        });
        expect(error).toBeInstanceOf(ObkError);
        expect((error as ObkError).exit).toBe(3);
      }
      makeDirectory(join(folder, 'a', 'b'));
      expect(existsSync(join(folder, 'a', 'b'))).toBe(true);
      needMakeable('/proc/self');
      needMakeable('/proc/self/../../tmp/none/of/it');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
