import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimed } from '../../../../src/bank/home/start-elsewhere.ts';
import { sweep } from '../../../../src/bank/home/taking.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'obk-start-'));
});

describe('the mark of the run that starts a bank', () => {
  it('is made by one run, and removed once it is old', () => {
    const mark = join(folder, 'starting');
    expect([claimed(mark), claimed(mark)]).toEqual([true, false]);
    utimesSync(mark, 0, 0);
    expect([claimed(mark), claimed(mark), claimed(mark)]).toEqual([false, true, false]);
  });

  it('belongs to nobody where its folder is just being removed', () => {
    expect(claimed(join(folder, 'gone', 'starting'))).toBe(false);
  });

  it('belongs to nobody where it cannot be made, with the reason', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => claimed(join(folder, 'file', 'starting'))).toThrow(
      expect.objectContaining({
        code: 'SANDBOX_UNAVAILABLE',
        detail: expect.stringContaining('a part of the path is not a directory') as string,
      }) as Error,
    );
  });
});

it('a folder of a killed bank that cannot be removed does not hinder another bank', () => {
  const banks = join(folder, 'sandbox', 'banks');
  for (const name of ['1001', '1002']) {
    mkdirSync(join(banks, name), { recursive: true });
    const address = { schemaVersion: 1, port: Number(name), servedBy: 2 ** 22 + 1, formerOrigins: [] };
    writeFileSync(join(banks, name, 'address.json'), JSON.stringify(address));
  }
  mkdirSync(join(banks, `1001.${String(process.pid)}`, 'something'), { recursive: true });
  sweep(folder);
  expect([existsSync(join(banks, '1001')), existsSync(join(banks, '1002'))]).toEqual([true, false]);
});
