import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { crc32c } from '../../../../src/adapters/files/crc32c.ts';
import { runFiles } from '../../../../src/adapters/state/run-files.ts';
import { ownIdentity } from '../../../../src/adapters/system/process-identity.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';
import { deadIdentity, freshHome, intent } from '../../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds, startOfTime } from '../../../helpers/fakes/index.ts';
import { spawnTask } from '../../../helpers/spawn-adapter.ts';
import { fileJournal } from '../../../helpers/file-store.ts';

const clock = fakeClock();
const ids = fakeIds();

function open(stateDir = freshHome().stateDir, changes: object = {}) {
  clock.advance(1);
  const journal = fileJournal({ stateDir, clock, ids, ...changes });
  return { stateDir, journal, file: runFiles(join(stateDir, 'journal')).newPath(journal.run) };
}

const sending = (exchange: string): JournalRecord => ({ type: 'sending', at: startOfTime, exchange });

const prepared = (exchange: string): JournalRecord => ({
  type: 'prepared',
  at: startOfTime,
  exchange,
  operation: 'initiatePayment',
  method: 'POST',
  url: 'https://bank.example',
  headers: [],
  body: 'é"\n',
  bodySha256: '',
  requestId: 'r',
  write: true,
  exact: { headers: [], body: 'exact' },
});

const answered = (exchange: string): JournalRecord => ({
  type: 'answered',
  at: startOfTime,
  exchange,
  outcome: 'DONE',
  status: 201,
  headers: [],
  body: '',
  durationMs: 1,
});

describe('a run that goes on', () => {
  it('is read once, and then only what is new of it', async () => {
    const { journal, file, stateDir } = open();
    const reader = open(stateDir).journal;
    await journal.append(prepared('e1'), { durable: false });
    expect(await reader.read(journal.run)).toHaveLength(1);
    // What was read is not looked at again: a change of it does not show, what comes after it does.
    writeFileSync(file, readFileSync(file, 'utf8').replace('initiatePayment', 'INITIATEPAYMENT'));
    await journal.append(sending('e1'), { durable: false });
    expect((await reader.read(journal.run)).map(({ type }) => type)).toEqual(['prepared', 'sending']);
    truncateSync(file, 0);
    expect(await reader.read(journal.run)).toEqual([]);
    await expect(open(stateDir).journal.read(journal.run)).resolves.toEqual([]);
  });
});

describe('CRC-32C', () => {
  // RFC 3720, appendix B.4, and the check value of the catalogues.
  it.each([
    [Buffer.alloc(32), '8a9136aa'],
    [Buffer.alloc(32, 0xff), '62a8ab43'],
    [Buffer.from(Array.from({ length: 32 }, (_, index) => index)), '46dd794e'],
    [Buffer.from(Array.from({ length: 32 }, (_, index) => 31 - index)), '113fdb5c'],
    [Buffer.from('123456789'), 'e3069283'],
    [Buffer.alloc(0), '00000000'],
  ])('of %j', (bytes, crc) => {
    expect(crc32c(bytes)).toBe(crc);
  });
});

describe('the file of a run', () => {
  it('is made with the first record, and each line is JSON', async () => {
    const { journal, stateDir, file } = open();
    expect(existsSync(stateDir)).toBe(false);
    await journal.append(prepared('e1'), { durable: true });
    await journal.append(sending('e1'), { durable: true });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).record.type)).toEqual(['prepared', 'sending']);
    expect(lines.join()).not.toContain('exact');
  });

  it.each([1, 5, 20, 60])('may end in the %s bytes of a line that was never acknowledged', async (length) => {
    const { journal, stateDir, file } = open();
    await journal.append(prepared('e1'), { durable: true });
    await journal.append(sending('e1'), { durable: true });
    const whole = readFileSync(file);
    const line = whole.subarray(whole.indexOf(10) + 1);
    appendFileSync(file, line.subarray(0, length));
    const later = open(stateDir).journal;
    expect((await later.read(journal.run)).map(({ type }) => type)).toEqual(['prepared', 'sending']);
    // What is added now begins on its own line.
    await later.resolve(journal.run, {
      type: 'resolved',
      at: startOfTime,
      exchange: 'e1',
      resolution: 'done',
      by: 'bank',
    });
    expect((await later.read(journal.run)).map(({ type }) => type)).toEqual([
      'prepared',
      'sending',
      'resolved',
    ]);
  });

  it('may end in zeros after a power loss', async () => {
    const { journal, file } = open();
    await journal.append(sending('e1'), { durable: true });
    appendFileSync(file, Buffer.alloc(4096));
    expect(await journal.read(journal.run)).toHaveLength(1);
  });

  const damages: [string, (text: string) => string][] = [
    ['a flipped bit', (text) => text.replace('"e1"', '"e0"')],
    ['a flipped bit in the CRC', (text) => text.replace(/"crc":"./, '"crc":"_')],
    ['a lost line end', (text) => text.replace('\n', '')],
    ['an empty line', (text) => text.replace('\n', '\n\n')],
    ['another record', (text) => `{"record":{}}\n${text}`],
    ['a damaged last line', (text) => text.replace(/.{5}\n$/, 'xxxxx\n')],
  ];

  it.each(damages)('with %s is STATE_UNREADABLE by name and line', async (_case, damage) => {
    const { journal, stateDir, file } = open();
    await journal.append(prepared('e1'), { durable: true });
    await journal.append(sending('e1'), { durable: true });
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    const later = open(stateDir).journal;
    const failing = later.read(journal.run);
    await expect(failing).rejects.toMatchObject({ code: 'STATE_UNREADABLE', exit: 3 });
    await expect(failing).rejects.toMatchObject({ detail: expect.stringMatching(/ndjson: line \d/) });
    await expect(failing).rejects.toMatchObject({ detail: expect.stringContaining(file) });
    // It is still listed: it may hold a write that left.
    expect((await later.openRuns()).map(({ run }) => run)).toEqual([journal.run]);
  });

  it('is as before when a record cannot be written', async () => {
    const { stateDir } = open();
    const log = join(dirname(stateDir), 'log');
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, '');
    const { ended } = spawnTask('journal', { configDir: stateDir, stateDir, file: log, count: 50 }, '-f 16');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ code: 'STATE_NOT_WRITTEN', exit: 3 });
    expect(stdout).toContain(stateDir);
    const [run = '', ...acknowledged] = readFileSync(log, 'utf8').trim().split('\n');
    const journal = open(stateDir).journal;
    expect(await journal.read(run.replace('run ', ''))).toHaveLength(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThan(3);
    expect(readFileSync(runFiles(join(stateDir, 'journal')).pathOf(run.replace('run ', ''))).at(-1)).toBe(10);
  });

  it('keeps what was acknowledged before a kill -9', async () => {
    const { stateDir } = open();
    for (let round = 0; round < 5; round++) {
      const log = join(dirname(stateDir), `log-${round}`);
      mkdirSync(dirname(log), { recursive: true });
      writeFileSync(log, '');
      const { child, ended } = spawnTask('journal', {
        configDir: stateDir,
        stateDir,
        file: log,
        count: 100_000,
      });
      await vi.waitUntil(() => readFileSync(log, 'utf8').split('\n').length > 10 + round, {
        timeout: 10_000,
        interval: 1,
      });
      child.kill('SIGKILL');
      await ended;
      const [run = '', ...acknowledged] = readFileSync(log, 'utf8').trim().split('\n');
      const records = await open(stateDir).journal.read(run.replace('run ', ''));
      expect(records.length).toBeGreaterThanOrEqual(acknowledged.length);
    }
  }, 60_000);

  it.each(['a file in place of the directory', 'a linked directory'])(
    '%s: STATE_NOT_WRITTEN by name',
    async (what) => {
      const { stateDir, journal } = open();
      mkdirSync(dirname(stateDir), { recursive: true });
      if (what === 'a linked directory') symlinkSync(dirname(stateDir), stateDir);
      else writeFileSync(stateDir, '');
      const failing = journal.append(sending('e1'), { durable: true });
      await expect(failing).rejects.toMatchObject({ code: 'STATE_NOT_WRITTEN', exit: 3 });
      await expect(failing).rejects.toMatchObject({ detail: expect.stringContaining(stateDir) });
      await expect(journal.intents.claim(intent({ run: journal.run }))).rejects.toMatchObject({
        code: 'STATE_NOT_WRITTEN',
      });
    },
  );
});

describe('open writes', () => {
  it('are found although the kill came between the mark and any answer, and one only prepared is not', async () => {
    const { journal, stateDir } = open();
    await journal.append(prepared('e1'), { durable: true });
    const later = open(stateDir).journal;
    expect(await later.openRuns()).toEqual([]);
    expect(await later.exact(journal.run, 'e1')).toEqual({ headers: [], body: 'exact' });
    await journal.append(sending('e1'), { durable: true });
    expect((await later.openRuns()).map(({ run }) => run)).toEqual([journal.run]);
  });

  it('are not found again when the kill came between the answer and the removal of the bytes', async () => {
    const { journal, stateDir } = open();
    await journal.append(prepared('e1'), { durable: true });
    await journal.append(sending('e1'), { durable: true });
    const folder = join(stateDir, 'journal', 'open');
    const [name] = readdirSync(folder);
    const bytes = readFileSync(join(folder, name!));
    await journal.append(answered('e1'), { durable: true });
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, name!), bytes);
    expect(await journal.openRuns()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are found without reading the runs that have none', async () => {
    const { journal, stateDir } = open();
    await journal.append(sending('read'), { durable: false });
    const folder = join(stateDir, 'journal');
    for (let n = 0; n < 50; n++) {
      writeFileSync(join(folder, `20200101T0000000${String(n).padStart(2, '0')}Z-x.ndjson`), 'damaged\n');
    }
    expect(await journal.openRuns()).toEqual([]);
    expect([...(await journal.runs())]).toHaveLength(51);
  });

  it('with damaged bytes are STATE_UNREADABLE by name', async () => {
    const { journal, stateDir } = open();
    await journal.append(prepared('e1'), { durable: true });
    const folder = join(stateDir, 'journal', 'open');
    const path = join(folder, readdirSync(folder)[0]!);
    truncateSync(path, 5);
    await expect(journal.exact(journal.run, 'e1')).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
      detail: expect.stringContaining(path),
    });
  });

  it('leave no bytes when the record could not follow', async () => {
    const { journal, stateDir, file } = open();
    await journal.append(prepared('e0'), { durable: true });
    await journal.append(answered('e0'), { durable: true });
    // The run's file cannot be opened for appending any more.
    rmSync(file);
    mkdirSync(file);
    await expect(journal.append(prepared('e1'), { durable: true })).rejects.toMatchObject({
      code: 'STATE_NOT_WRITTEN',
    });
    expect(readdirSync(join(stateDir, 'journal', 'open'))).toEqual([]);
  });
});

describe('the line of a run in the index', () => {
  const head: JournalRecord = {
    type: 'run',
    at: startOfTime,
    version: '1',
    command: 'x',
    profile: 'acme',
    environment: 'test',
    pid: 1,
  };
  const read = { ...(prepared('e1') as Extract<JournalRecord, { type: 'prepared' }>), write: false };

  it.each([
    ['that only read needs no second reading of its file', false, true],
    ['that wrote is made of its file, since others may have settled it', true, false],
  ])('of one %s', async (_case, write, known) => {
    const { journal, stateDir, file } = open();
    const records: JournalRecord[] = [head, { ...read, write }, answered('e1')];
    for (const record of records) await journal.append(record, { durable: false });
    // What is appended after it stands on a line of its own.
    writeFileSync(file, 'damaged\n');
    await journal.append({ type: 'ended', at: startOfTime, exit: 0 }, { durable: false });
    const index = join(stateDir, 'journal', 'ended.index');
    const line = existsSync(index) ? readFileSync(index, 'utf8') : '';
    expect(line.includes(journal.run)).toBe(known);
    if (known)
      expect(JSON.parse(line.slice(9))).toEqual([
        journal.run,
        {
          ...{ profile: 'acme', exit: 0, writes: false },
          calls: [{ operation: 'initiatePayment', status: 201, outcome: 'DONE', resolved: false }],
        },
      ]);
  });
});

describe('intents of many processes', () => {
  it.each([2, 4])('%s processes that want one: one has it', async (count) => {
    const home = freshHome();
    const tasks = Array.from({ length: count }, () => spawnTask('claim', { ...home, file: '' }));
    const outputs = await Promise.all(
      tasks.map(
        ({ child }) =>
          new Promise<string>((resolve) =>
            child.stdout?.once('data', (data) => {
              resolve(String(data));
            }),
          ),
      ),
    );
    for (const { child } of tasks) child.stdin?.end();
    expect(outputs.sort()).toEqual(['claimed', ...Array.from({ length: count - 1 }, () => 'taken')]);
    for (const { ended } of tasks) expect(await ended).toMatchObject({ code: 0, stderr: '' });
    const late = spawnTask('claim', { ...home, file: '' });
    expect((await late.ended).stdout).toBe('orphaned');
  });

  const strangers: [string, object, string, boolean][] = [
    ['of an earlier boot', { bootId: 'x' }, startOfTime, false],
    ['of another container, lately', { namespace: 'pid:[1]' }, '2026-11-20T10:00:01.000Z', true],
    ['of another container, a day ago', { namespace: 'pid:[1]' }, '2026-11-20T09:59:00.000Z', false],
  ];

  it.each(strangers)('an owner %s', async (_case, changes, createdAt, alive) => {
    const { journal, stateDir } = open(undefined, { processInfo: { ...deadIdentity(), ...changes } });
    await journal.intents.claim(intent({ run: journal.run, createdAt }));
    const now = fileJournal({ stateDir, clock: fakeClock(), ids });
    expect(await now.intents.claim(intent({ run: now.run }))).toMatchObject({ ownerAlive: alive });
    expect(await now.intents.takeOver(intent({ run: now.run }), journal.run)).toBe(!alive);
  });

  it.each([
    ['half', (text: string) => text.slice(0, 30)],
    ['empty', () => ''],
    ['without an owner', (text: string) => text.replace('"owner"', '"x"')],
    ['without a run', (text: string) => text.replace('"run"', '"x"')],
  ])('one that is %s is STATE_UNREADABLE and never claimed', async (_case, damage) => {
    const { journal, stateDir } = open();
    await journal.intents.claim(intent({ run: journal.run }));
    const file = join(stateDir, 'intents', `${intent().hash}.json`);
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    const later = open(stateDir).journal;
    const refused = { code: 'STATE_UNREADABLE', exit: 3, detail: expect.stringContaining(file) };
    await expect(later.intents.claim(intent({ run: later.run }))).rejects.toMatchObject(refused);
    await expect(later.intents.takeOver(intent({ run: later.run }), journal.run)).rejects.toMatchObject(
      refused,
    );
    await expect(later.intents.find(intent().hash)).rejects.toMatchObject(refused);
    await expect(later.intents.like('acme', intent().fingerprint)).rejects.toMatchObject(refused);
  });

  it('one of a newer obk is STATE_NEWER', async () => {
    const { journal } = open();
    await journal.intents.claim({ ...intent({ run: journal.run }), schemaVersion: 2 as never });
    await expect(journal.intents.find(intent().hash)).rejects.toMatchObject({ code: 'STATE_NEWER' });
  });

  it('leave nothing behind but themselves and their markers', async () => {
    const { journal, stateDir } = open(undefined, { processInfo: deadIdentity() });
    await journal.intents.claim(intent({ run: journal.run }));
    const later = open(stateDir).journal;
    await later.intents.claim(intent({ run: later.run }));
    await later.intents.takeOver(intent({ run: later.run }), journal.run);
    await later.intents.noteResource(intent().hash, 'p1');
    const { hash } = intent();
    const marker = `20261121T100000000Z_${intent().fingerprint}_${hash}`;
    const left = readdirSync(join(stateDir, 'intents'), { recursive: true, withFileTypes: true });
    expect(
      left
        .filter((one) => one.isFile())
        .map(({ name }) => name)
        .sort(),
    ).toEqual([marker, marker, `${hash}.claimed`, `${hash}.json`].sort());
  });

  it('own this process by pid and start', () => {
    expect(ownIdentity()).toMatchObject({ pid: process.pid, startTime: expect.stringMatching(/^\d+$/) });
  });
});
