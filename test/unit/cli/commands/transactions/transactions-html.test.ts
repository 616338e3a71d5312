import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeHttp, memoryFiles } from '../../../../helpers/fakes/index.ts';
import { program } from '../../../../helpers/program.ts';
import { accountBank } from '../account-bank.ts';

const statement = [
  ':20:1',
  ':25:DE65990010000000002443',
  ':28C:1/1',
  ':60F:C260101EUR10,00',
  ':61:2601020102D4,50NTRFNONREF',
  ':86:rent & more',
  ':62F:C260102EUR5,50',
  '-',
  '',
].join('\r\n');

const read = (file: string, flags: readonly string[], env: Record<string, string> = {}) =>
  program(['transactions', 'read', 'report', '-o', 'html', ...flags], {
    ports: { files: memoryFiles({ report: file }) },
    env,
  });

describe('transactions -o html', () => {
  it('writes a page of a saved statement to a pipe or to --output', async () => {
    const { code, stdout } = await read(statement, []);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(stdout).toContain('rent &amp; more');
    expect(stdout).toContain('<dd>10.00</dd>');
    const path = join(mkdtempSync(join(tmpdir(), 'obk-page-')), 'page.html');
    const filed = await read(statement, ['--output', path], { OBK_FORCE_TTY: '80' });
    expect(filed).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(path, 'utf8')).toContain('<dd>5.50</dd>');
  });

  it('writes no page of a report that breaks off', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'obk-page-')), 'page.html');
    const list = '{"transactions":{"booked":[{"transactionAmount":{"currency":"EUR","amount":"1.00"}},';
    expect(await read(list, ['--output', path])).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(path)).toBe(false);
  });

  it('keeps the exit of --expect-clean', async () => {
    const { code, stdout } = await read(statement.replace('4,50', '4.50'), ['--expect-clean']);
    expect(code).toBe(10);
    expect(stdout).toContain('amount-unusual');
  });

  it('writes a page of what a bank answers', async () => {
    const bank = await accountBank();
    bank.http.expect('GET', '/v1/accounts/acc-1/transactions?dateFrom=2026-10-22&bookingStatus=booked', {
      body: {
        transactions: {
          booked: [
            {
              transactionId: 'T1',
              bookingDate: '2026-11-20',
              transactionAmount: { currency: 'EUR', amount: '-1.00' },
              creditorName: '<script>alert(1)</script>',
            },
          ],
          _links: { next: { href: '/v1/accounts/acc-1/transactions?page=2' } },
        },
      },
    });
    const { stdout, code } = await bank.run('transactions --account acc-1 -o html');
    expect(code).toBe(0);
    expect(stdout).toContain('&lt;script&gt;');
    expect(stdout.match(/<script/g)).toHaveLength(1);
    expect(stdout).toContain('--all reads them');
  });

  it.each([['--json'], ['--meta'], ['--raw'], ['--fields', 'amount'], ['--jq', '.']])(
    'is refused beside %s',
    async (...flags) => {
      const { code, stdout, stderr } = await read(statement, flags);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`-o html writes a page, and ${flags[0]} something else`);
    },
  );

  it('is refused at a terminal', async () => {
    const { code, stderr } = await read(statement, [], { OBK_FORCE_TTY: '80' });
    expect(code).toBe(2);
    expect(stderr).toContain('--output FILE.html');
  });

  it('is refused by other commands before anything is sent', async () => {
    const http = fakeHttp();
    for (const words of ['payment list', 'payment status pay-1', 'accounts list', 'consent create']) {
      const { code, stdout, stderr } = await program(`${words} -o html`, { ports: { http } });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`obk help ${words.replace(' pay-1', '')}`);
    }
  });
});
