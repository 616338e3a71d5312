import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { complete, readFacts, writeFacts } from '../../../../src/cli/completion/complete.ts';
import { completion } from '../../../../src/cli/program/pages.ts';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { noteNames } from '../../../../src/bank/steering/names-file.ts';
import { removePerson } from '../../../../src/bank/steering/leave.ts';

const written = writeFacts({
  names: { '': [['sandbox', 'The bank inside']], sandbox: [['people', 'Customers']] },
  globals: [{ names: ['--at'], about: '', values: 'banks' }],
  commands: { 'sandbox people': { flags: [], args: [{ customers: ['redirect', 'embedded-one'] }] } },
});
const facts = readFacts((file) => written[file] ?? '');

it('completes the customers that a bank has now, and those of a new one where none has been', () => {
  const home = mkdtempSync(join(tmpdir(), 'obk-customers-'));
  const folder = join(home, 'sandbox');
  const named = join(folder, 'banks', 'mine');
  mkdirSync(named, { recursive: true });
  const of = (...more: string[]) =>
    complete(['sandbox', 'people', ...more, ''], { OBK_STATE_DIR: home }, facts).candidates.map(
      ({ value }) => value,
    );
  expect(of()).toEqual(['redirect', 'embedded-one']);

  const ledger = openLedger(join(folder, 'ledger.db'), new Date());
  noteNames({ folder, ledger });
  expect(of()).toContain('decoupled');
  removePerson(ledger.main, 'decoupled', new Date());
  noteNames({ folder, ledger });
  expect(of()).not.toContain('decoupled');
  ledger.close();

  writeFileSync(join(named, 'people.txt'), 'anna\nbertil\n');
  expect(of('--at', 'mine')).toEqual(['anna', 'bertil']);
  expect(of('--at=mine')).toEqual(['anna', 'bertil']);
  expect(of('--at', '../../bank')).toEqual(['redirect', 'embedded-one']);
});

it('a shipped journey and a customer are completed by what the build writes', async () => {
  const made = await completion();
  const built = readFacts((file) => made[file] ?? '');
  const of = (...words: string[]) =>
    complete([...words, ''], { OBK_STATE_DIR: '/nowhere' }, built).candidates.map(({ value }) => value);
  expect(of('journey', 'run')).toContain('pay-redirect');
  expect(of('sandbox', 'people')).toContain('embedded-one');
  expect(of('sandbox', 'psu', 'approve', 'x', '--as')).toContain('embedded-one');
});
