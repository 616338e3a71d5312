import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateFolder } from '../../../../src/bank/home/state-folder.ts';

/** Nobody can make anything there, not even root. */
const unwritable = '/sys/none-such';

describe('the folder of a bank', () => {
  it('is a temporary one where the usual one cannot be written, and goes with the bank', () => {
    const temporary = mkdtempSync(join(tmpdir(), 'obk-state-'));
    const said: string[] = [];
    const folder = stateFolder(unwritable, (text) => said.push(text), [unwritable, temporary]);
    expect(existsSync(folder.stateDir)).toBe(true);
    expect(said.join()).toContain(folder.stateDir);
    folder.remove();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is reported with every place that was tried, and what to set, where none can be written', () => {
    expect(() => stateFolder(unwritable, undefined, [unwritable, '/none-such'])).toThrow(
      expect.objectContaining({
        code: 'SANDBOX_UNAVAILABLE',
        detail: expect.stringMatching(/\/sys\/none-such: .+; .+; \/none-such: it is not there\.$/),
        hint: expect.arrayContaining(['OBK_STATE_DIR=FOLDER obk sandbox start']),
      }) as Error,
    );
  });
});
