import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObk } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

let obk: Obk;
let pager: string;
const count = 20_000;

beforeAll(() => {
  // Nothing of the surroundings decides.
  obk = createObk({ CI: '', TERM: 'xterm' });
  pager = `${process.execPath} ${join(obk.folder, 'pager.cjs')}`;
  writeFileSync(
    join(obk.folder, 'pager.cjs'),
    `let lines = 0;
     process.stdin.on('data', (chunk) => { lines += chunk.toString().split('\\n').length - 1; });
     process.stdin.on('end', () => console.log('PAGED with LESS=' + process.env.LESS + ' lines=' + lines));`,
  );
  const booked = Array.from({ length: count }, (_, at) => ({
    transactionId: `t${String(at)}`,
    bookingDate: '2026-11-01',
    transactionAmount: { currency: 'EUR', amount: '-1.00' },
  }));
  writeFileSync(join(obk.folder, 'long.json'), JSON.stringify({ transactions: { booked } }));
});
afterAll(() => {
  obk.close();
});

async function seen(line: string, env: NodeJS.ProcessEnv): Promise<{ code: number; text: string }> {
  const terminal = obk.terminal(line.split(' '), { env });
  return { code: await terminal.ended, text: terminal.text() };
}

describe('what is longer than the screen', () => {
  it.each([
    ['payment init --help', 80],
    ['help payment init', 80],
    ['explain', 60],
    ['transactions read long.json', count],
  ])('of obk %s goes through the pager', async (line, least) => {
    const { code, text } = await seen(line, { OBK_PAGER: pager, PAGER: 'false' });
    expect(code).toBe(0);
    expect(text).toMatch(/^PAGED with LESS=FRX lines=\d+\r?\n(Next: .*\r?\n( {7}\S.*\r?\n)*)?$/);
    expect(Number(/lines=(\d+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(least);
  });

  it('goes through PAGER where OBK_PAGER is not set, with the options that were chosen', async () => {
    const { text } = await seen('payment init --help', { PAGER: pager, LESS: 'S' });
    expect(text).toContain('PAGED with LESS=S');
  });

  it.each([
    ['payment init --help --no-pager', {}],
    ['explain --no-pager', {}],
    ['explain', { CI: 'true' }],
    ['payment init --help', { CI: 'true' }],
    ['explain', { OBK_PAGER: '' }],
    ['payment init --help', { OBK_PAGER: 'cat' }],
    ['commands', {}],
  ])('of obk %s does not with %j', async (line, env) => {
    const { code, text } = await seen(line, { OBK_PAGER: pager, ...env });
    expect(code).toBe(0);
    expect(text).not.toContain('PAGED');
    expect(text.split('\n').length).toBeGreaterThan(50);
  });

  it.each(['payment init --help', 'explain'])(
    'of obk %s is shown as it is where the pager is absent',
    async (line) => {
      const { code, text } = await seen(line, { OBK_PAGER: '/nowhere/less' });
      expect(code).toBe(0);
      expect(text.split('\n').length).toBeGreaterThan(60);
    },
  );

  it.each(['payment init --help', 'transactions read long.json'])(
    'of obk %s may be left early',
    async (line) => {
      expect((await seen(line, { OBK_PAGER: 'head -n 1' })).code).toBe(0);
    },
  );
});

it('Ctrl-C in the pager is exit 130', async () => {
  const script = join(obk.folder, 'waiting.cjs');
  writeFileSync(
    script,
    "process.stdin.once('data', () => console.log('READING')); setInterval(() => {}, 1000);",
  );
  const terminal = obk.terminal(['explain'], { env: { OBK_PAGER: `${process.execPath} ${script}` } });
  await terminal.see('READING');
  terminal.write('\u0003');
  expect(await terminal.ended).toBe(130);
});

it('what fits the screen is shown as it is', async () => {
  const { code, text } = await seen('explain ACSC', { OBK_PAGER: pager });
  expect(code).toBe(0);
  expect(text).toContain('AcceptedSettlementCompleted');
  expect(text).not.toContain('PAGED');
});
