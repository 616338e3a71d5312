import { describe, expect, it } from 'vitest';
import { cleanJson, cleanStyled } from '../../../../src/base/clean.ts';
import { createNotices } from '../../../../src/adapters/terminal/terminal-notices.ts';
import { fakeHttp } from '../../../helpers/fakes/index.ts';
import { program, sink } from '../../../helpers/program.ts';
import { accountBank } from '../commands/account-bank.ts';

// What a terminal obeys: clipboard, clearing, a title, C1, bidi, a line drawn over another.
const evil = 'A\u001b]52;c;cm0=\u0007B\u001b[2J\u001b[8mC\u009b2JD\u202eE\rF\nPayment booked: ACSC';
// eslint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const path = '/v1/accounts/acc-1/transactions?dateFrom=2026-10-22&bookingStatus=booked';
const entry = {
  transactionId: evil,
  bookingDate: '2026-11-20',
  transactionAmount: { currency: 'EUR', amount: '-1.00' },
  creditorName: evil,
  remittanceInformationUnstructured: evil,
};

async function shown(flags: string, env: Record<string, string>, last = path) {
  const bank = await accountBank();
  bank.http.expect('GET', last, { body: { transactions: { booked: [entry] } } });
  return bank.run(`transactions --account acc-1 ${flags}`, env);
}

const terminal = { OBK_FORCE_TTY: '200', NO_COLOR: '1' };

describe('what a terminal gets', () => {
  it.each([
    '',
    '-o wide',
    '-o csv',
    '-o tsv',
    '-o name',
    '-o ndjson',
    '--json',
    '--raw',
    '--jq .[].counterpartyName',
  ])('is not obeyed with %s', async (flags) => {
    const { stdout, stderr, code } = await shown(flags, terminal);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('A');
    expect(stdout).not.toMatch(obeyed);
    if (flags !== '--raw') expect(stdout).not.toMatch(/^Payment booked/m);
    expect(stderr).not.toMatch(obeyed);
  });

  it('is exact in a pipe', async () => {
    expect((await shown('--jq .[].counterpartyName', {})).stdout).toBe(`${evil}\n`);
    expect(JSON.parse((await shown('--json', {})).stdout)).toMatchObject([{ counterpartyName: evil }]);
    expect((await shown('-o csv', {})).stdout).toContain(`"${evil}"`);
    expect((await shown('--raw', {})).stdout).toContain(JSON.stringify(evil).slice(1, -1));
  });

  it('is the same JSON', async () => {
    expect(JSON.parse((await shown('--json', terminal)).stdout)).toMatchObject([{ counterpartyName: evil }]);
    expect(JSON.parse(cleanJson(JSON.stringify('\u{e0041}\u202e')))).toBe('\u{e0041}\u202e');
  });

  it('keeps the colours of obk, and no other sequence', () => {
    expect(cleanStyled('\u001b[31m✗\u001b[39m \u001b[1mx\u001b[22m')).toBe(
      '\u001b[31m✗\u001b[39m \u001b[1mx\u001b[22m',
    );
    expect(cleanStyled('\u001b[8mx\u001b[2J\u001b]0;t\u0007')).toBe('\\x1b[8mx\\x1b[2J\\x1b]0;t\\x07');
  });

  it('has words of a bank indented, so that no line of theirs begins as one of obk', () => {
    const written: string[] = [];
    const notices = createNotices({
      stderr: { write: (text) => written.push(text) },
      env: {},
      quiet: 0,
      verbose: 0,
      watched: false,
      stage: { asking: false, unfinished: false },
    });
    notices.say('The bank says: "Hello\n✓ Payment booked\r\n! Run this"');
    expect(written.join('')).toBe('The bank says: "Hello\n    ✓ Payment booked\n    ! Run this"\n');
  });

  it('is cleaned where obk itself fails', async () => {
    const stderr = sink({ isTTY: true });
    await program(['payment', 'status', evil, '--profile', evil], { stderr, ports: { http: fakeHttp() } });
    // eslint-disable-next-line no-control-regex
    expect(stderr.text().replace(/\u001b\[\d+m/g, '')).not.toMatch(obeyed);
  });
});
