import { describe, expect, it } from 'vitest';
import { memoryFiles } from '../../../../helpers/fakes/index.ts';
import { program, sink } from '../../../../helpers/program.ts';

const entry = (
  amount: string,
) => `{"bookingDate":"2026-11-02","transactionId":"T${amount}","creditorName":"=cmd()",
 "transactionAmount":{"currency":"EUR","amount":"${amount}"}}`;
const list = (...entries: readonly string[]) =>
  `{"account":{"iban":"DE89370400440532013000"},"transactions":{"booked":[${entries.join(',')}]},
   "balances":[{"balanceType":"closingBooked","balanceAmount":{"currency":"EUR","amount":"5.00"}}]}`;

const read = (file: string, ...flags: readonly string[]) =>
  program(['transactions', 'read', 'report', ...flags], { ports: { files: memoryFiles({ report: file }) } });

describe('transactions read', () => {
  it('gives rows to stdout and balances to stderr', async () => {
    const { code, stdout, notices } = await read(list(entry('-1.50'), entry('-2.00')), '-o', 'name');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'T-1.50\nT-2.00\n' });
    expect(notices.said.join('\n')).toContain('Balance closingBooked: 5.00 EUR');
  });

  it('says of many statements how many balances and gaps there are, and each of them with --meta', async () => {
    const statement = `:20:S\n:25:10020030/1234567\n:28C:1/1\n:60F:C260102EUR9,00\n:62F:C260102EUR5,00\n-\n`;
    const { notices, stdout } = await read(statement.repeat(100), '-o', 'ndjson');
    expect(stdout).toBe('');
    expect(notices.said).toEqual([
      '100 statements; --json --meta has what each says of itself.',
      '200 balances, of all statements; --json --meta has them all.',
    ]);
    expect(notices.warned).toHaveLength(21);
    expect(notices.warned[20]).toBe('179 more like these; --expect-clean lists them.');
    const whole = await read(statement.repeat(100), '--json', '--meta');
    const { balances, problems } = JSON.parse(whole.stdout) as Record<'balances' | 'problems', unknown[]>;
    expect([balances.length, problems.length]).toEqual([200, 199]);
  });

  it('keeps amounts numbers in CSV and takes formulas their power', async () => {
    const { stdout } = await read(list(entry('-1.50')), '-o', 'csv');
    expect(stdout.split('\r\n')[1]).toMatch(/^2026-11-02,,-1\.50,EUR,'=cmd\(\),/);
  });

  it('lets go of the file when the reader of its rows has gone', async () => {
    const report = list(...Array.from({ length: 20 }, () => entry('-1.50')));
    let closed = false;
    const files = memoryFiles();
    files.stream = async function* () {
      try {
        yield await Promise.resolve(Buffer.from(report.slice(0, 1000)));
        yield Buffer.from(report.slice(1000));
      } finally {
        closed = true;
      }
    };
    const stdout = sink({ fail: 'EPIPE' });
    const { code } = await program('transactions read report -o name', { stdout, ports: { files } });
    expect({ code, closed }).toEqual({ code: 0, closed: true });
  });

  it('stops at --limit', async () => {
    const { stdout } = await read(list(entry('-1.50'), entry('-2.00')), '-o', 'name', '--limit', '1');
    expect(stdout).toBe('T-1.50\n');
  });

  it('gives the entries as the bank wrote them for --raw -o ndjson, and nothing else for --raw', async () => {
    const report = `{"booked":[{"b":"x", "amount":1.50},{"a":1}]}`;
    const lines = await read(report, '--raw', '-o', 'ndjson', '--limit', '1');
    expect(lines).toMatchObject({ code: 0, stdout: '{"b":"x", "amount":1.50}\n' });
    const refused = await read(report, '--raw');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('-o ndjson');
  });

  it('gives a document with the balances for --meta', async () => {
    const { stdout } = await read(list(entry('-1.50')), '--json', '--meta');
    const { transactions, balances } = JSON.parse(stdout) as { transactions: object[]; balances: object[] };
    expect(transactions).toMatchObject([{ amount: '-1.50', counterpartyName: '=cmd()' }]);
    expect(balances).toEqual([
      { account: 'DE89370400440532013000', balanceType: 'closingBooked', amount: '5.00', currency: 'EUR' },
    ]);
  });

  it('writes the whole rows of a file that breaks off, and says where it does', async () => {
    const { code, stdout, stderr } = await read(
      list(entry('-1.50'), entry('-2.00')).slice(0, 330),
      '-o',
      'name',
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: 'T-1.50\n' });
    expect(stderr).toContain('broke off after 1 rows');
    expect(stderr).toContain('At byte 331');
  });

  it.each([
    ['', 'it is empty'],
    ['<html>no</html>', 'neither JSON nor camt'],
    ['{"tppMessages":[]}', 'no list of transactions'],
    ['<a/>', 'camt.053'],
  ])('prints nothing of %j, which is no report', async (file, why) => {
    const { code, stdout, stderr } = await read(file, '-o', 'csv');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(why);
  });

  it('says how many rows are odd', async () => {
    const { notices } = await read(list(entry('1e3')));
    expect(notices.warned.join('\n')).toContain('amount-malformed: 1 of 1 rows');
  });
});

const message = (...fields: readonly string[]) =>
  [':20:1', ':25:PL61109010140000071219812874', ':28C:1/1', ':60F:C260101PLN10,00', ...fields].join('\r\n');

describe('a statement that was only tolerated', () => {
  const odd = message(
    ':61:2601020102D4.50NTRFNONREF',
    ':86:rent',
    ':62F:C260102PLN5,50',
    ':86:/SUM/1/',
    '-',
    '',
  );
  const clean = odd.replace('4.50', '4,50');

  it('is exit 10 with --expect-clean, with the rows on stdout and the list on stderr', async () => {
    const { code, stdout, notices } = await read(odd, '--expect-clean', '-o', 'csv');
    expect(code).toBe(10);
    expect(stdout).toContain(',-4.50,PLN,');
    expect(notices.warned).toEqual(['row 1: amount-unusual: 4.50']);
    expect(notices.said).toContain('Information: /SUM/1/');
    const document = await read(odd, '--expect-clean', '--json', '--meta');
    expect(document.code).toBe(10);
    expect(JSON.parse(document.stdout)).toMatchObject({
      transactions: [{ amount: '-4.50', marks: ['amount-unusual'] }],
      notes: [{ text: '/SUM/1/' }],
      tolerated: [{ code: 'amount-unusual', position: 1, detail: '4.50' }],
    });
  });

  it('is exit 0 without it, and one that is as it should be with it too', async () => {
    expect((await read(odd)).code).toBe(0);
    const { code, notices } = await read(clean, '--expect-clean');
    expect([code, notices.warned]).toEqual([0, []]);
  });

  it('lists what is wrong with the file beside what is wrong with its rows', async () => {
    const { code, notices } = await read(`BANKLINE1\r\n${clean.replace('5,50', '6,50')}`, '--expect-clean');
    expect(code).toBe(10);
    expect(notices.warned.map((line) => line.split(':')[0])).toEqual(['sum-differs', 'text-skipped']);
  });
});

describe('the characters of a statement', () => {
  // Zażółć in windows-1250 and in cp852.
  const bytes = (name: readonly number[]) =>
    Buffer.concat([
      Buffer.from(message(':61:2601020102D4,50NTRFNONREF', ':86:')),
      Buffer.from(name),
      Buffer.from('\r\n:62F:C260102PLN5,50\r\n-\r\n'),
    ]);
  const ansi = bytes([0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6]);
  const dos = bytes([0x5a, 0x61, 0xbe, 0xa2, 0x88, 0x86]);
  const text = async (file: Buffer, ...flags: readonly string[]) => {
    const ports = { files: memoryFiles({ report: file }) };
    const { stdout, notices } = await program(
      [
        'transactions',
        'read',
        'report',
        '--fields',
        'remittanceInformationUnstructured',
        '-o',
        'csv',
        ...flags,
      ],
      { ports },
    );
    return [stdout.split('\r\n')[1], notices.warned];
  };

  it('are guessed, which is said', async () => {
    const says = (set: string) => [
      `charset-guessed: nothing says which characters it has; they were read as ${set}`,
    ];
    expect(await text(ansi)).toEqual(['Zażółć', says('windows-1250')]);
    expect(await text(dos)).toEqual(['Zażółć', says('cp852')]);
  });

  it('are those of --charset, which is no guess', async () => {
    expect(await text(ansi, '--charset', 'windows-1250')).toEqual(['Zażółć', []]);
    expect(await text(ansi, '--charset', 'iso-8859-1')).toEqual(['Za¿ó³æ', []]);
    const refused = await read('', '--charset', 'windows-1251');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('--charset takes utf-8');
  });
});

describe('the table of transactions at a terminal', () => {
  const report = list(
    entry('-1.50'),
    entry('4.00').replace('creditorName', 'debtorName'),
    entry('-2.25').replace('EUR', 'USD'),
    entry('7.00').replace('"amount":"7.00"', '"amount":"seven"'),
  );
  const last = async (isTTY: boolean, ...flags: readonly string[]) => {
    const stdout = sink({ isTTY, columns: 120 });
    const ports = { files: memoryFiles({ report }) };
    await program(['transactions', 'read', 'report', '--color', 'never', ...flags], { stdout, ports });
    return stdout.text().trimEnd().split('\n').at(-1);
  };

  it('ends with what came in and went out, by currency', async () => {
    expect(await last(true)).toBe(
      'in 4.00, out -1.50, net 2.50 EUR; in 0.00, out -2.25, net -2.25 USD; 1 without an amount that can be added',
    );
  });

  it('has nothing but rows for a script', async () => {
    for (const flags of [['-o', 'table'], ['-o', 'csv'], []])
      expect(await last(false, ...flags)).not.toMatch(/net/);
    expect(await last(true, '-o', 'csv')).not.toMatch(/net/);
  });
});

describe('transactions read of a file that holds no list', () => {
  const _links = { download: { href: 'https://x.example/d' } };

  it.each([
    { _links },
    { transactions: { _links } },
    { account: { iban: 'DE02' }, cardTransactions: { _links } },
  ])('names the link to one, with exit 2 and nothing on stdout: %j', async (report) => {
    const { code, stdout, stderr } = await read(JSON.stringify(report), '-o', 'csv');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('The answer holds no list, only a link to one (https://x.example/d).');
  });

  it('takes an empty list for a list', async () => {
    const { code, stderr } = await read(
      JSON.stringify({ transactions: { booked: [], _links } }),
      '-o',
      'csv',
    );
    expect(code).toBe(0);
    expect(stderr).not.toContain('x.example');
  });
});

describe('transactions read of several files', () => {
  const statement = (
    opening: string,
    closing: string,
    days: readonly [string, string],
    ...entries: string[]
  ) =>
    `:20:1\n:25:DE89370400440532013000\n:60F:C${days[0]}EUR${opening}\n${entries.join('')}:62F:C${days[1]}EUR${closing}\n-\n`;
  const entry = (day: string, amount: string, reference: string) =>
    `:61:26${day}${day}C${amount}NTRFNONREF${reference === '' ? '' : `//${reference}`}\n:86:text ${amount}\n`;
  const readAll = (files: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
    program(['transactions', 'read', ...Object.keys(files), ...flags], {
      ports: { files: memoryFiles({ ...files }) },
    });

  it('gives the rows of all, each with its file, and marks what an earlier one has', async () => {
    const twice = entry('0102', '2,00', '');
    const first = statement('0,00', '5,00', ['260101', '260110'], entry('0101', '1,00', 'A1'), twice, twice);
    const second = statement(
      '1,00',
      '12,00',
      ['260102', '260120'],
      ...[twice, twice, twice, entry('0112', '5,00', 'A2')],
    );
    const { code, stdout, notices } = await readAll({ 'a.sta': first, 'b.sta': second }, '-o', 'ndjson');
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { amount: string; file: string; marks?: string[] });
    expect(code).toBe(0);
    expect(rows.map(({ file, amount, marks }) => [file, amount, marks?.[0]])).toEqual([
      ['a.sta', '1.00', undefined],
      ['a.sta', '2.00', undefined],
      ['a.sta', '2.00', undefined],
      ['b.sta', '2.00', 'duplicate'],
      ['b.sta', '2.00', 'duplicate'],
      ['b.sta', '2.00', undefined],
      ['b.sta', '5.00', undefined],
    ]);
    expect(notices.warned).toEqual(['duplicate: 2 of 7 rows']);
  });

  it.each([
    [['m1', 'm2'], [undefined, undefined], []],
    [['m2', 'm1'], [undefined, undefined], []],
    [['both'], [undefined, undefined], []],
    [['m1', 'same'], [undefined, 'duplicate'], ['duplicate: 1 of 2 rows']],
    [['both', 'm2'], [undefined, undefined, 'duplicate'], ['duplicate: 1 of 3 rows']],
  ])('knows by the balances what follows and what is the same: %j', async (names, marks, warned) => {
    const days = ['260131', '260131'] as const;
    const ticket = entry('0131', '2,00', '');
    const m1 = statement('100,00', '102,00', days, ticket);
    const m2 = statement('102,00', '104,00', days, ticket);
    const all: Readonly<Record<string, string>> = { m1, m2, both: m1 + m2, same: m1 };
    const files = Object.fromEntries(names.map((name) => [name, all[name] ?? '']));
    const { stdout, notices } = await readAll(files, '-o', 'ndjson');
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { key: string; keyBy: string; marks?: string[] });
    expect(rows.map((row) => row.marks?.[0])).toEqual(marks);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(marks.filter((mark) => mark === undefined).length);
    expect(new Set(rows.map(({ keyBy }) => keyBy))).toEqual(new Set(['balance']));
    expect(notices.warned).toEqual(warned);
  });

  it('prints the key where rows are printed whole, and makes none for a table', async () => {
    const report = statement('0,00', '1,00', ['260101', '260131'], entry('0105', '1,00', 'J'));
    const printed = async (...flags: readonly string[]) =>
      (await readAll({ 'a.sta': report }, ...flags)).stdout;
    const [{ key } = { key: '' }] = JSON.parse(await printed('--json')) as { key: string }[];
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    for (const flags of [
      ['-o', 'csv'],
      ['-o', 'tsv'],
      ['--fields', 'amount,key'],
      ['--jq', '.[].key'],
    ])
      expect(await printed(...flags), flags.join(' ')).toContain(key);
    expect(await printed('-o', 'table', '--fields', 'key')).toContain(key);
    expect(await printed('-o', 'html')).not.toContain(key);
  });

  it('says where a statement seems to be missing, whatever order the files have', async () => {
    const january = statement('0,00', '1,00', ['260101', '260131'], entry('0105', '1,00', 'J'));
    const march = statement('4,00', '6,00', ['260301', '260331'], entry('0305', '2,00', 'M'));
    const february = statement('1,00', '4,00', ['260201', '260228'], entry('0205', '3,00', 'F'));
    const whole = await readAll({ 'm.sta': march, 'j.sta': january, 'f.sta': february }, '-o', 'name');
    expect(whole.notices.warned).toEqual([]);
    const { code, notices } = await readAll(
      { 'm.sta': march, 'j.sta': january },
      '-o',
      'name',
      '--expect-clean',
    );
    expect(code).toBe(10);
    expect(notices.warned).toEqual([
      'balance-gap: the statement of DE89370400440532013000 that opens on 2026-03-01 with 4.00 EUR follows one that closed on 2026-01-31 with 1.00: one may be missing between them',
    ]);
    // Two statements of one file are compared in the same way.
    const one = await readAll({ 'both.sta': january + march }, '-o', 'name');
    expect(one.notices.warned).toHaveLength(1);
  });

  it('names the file that cannot be read, after the rows of those before it', async () => {
    const good = statement('0,00', '1,00', ['260101', '260131'], entry('0105', '1,00', 'J'));
    const { code, stdout, stderr } = await readAll({ 'good.sta': good, 'bad.sta': 'hello' }, '-o', 'name');
    expect({ code, stdout }).toEqual({ code: 2, stdout: 'J\n' });
    expect(stderr).toContain('bad.sta: it is neither JSON nor camt');
  });

  it('gives the entries of several lists as they are, up to the limit', async () => {
    const lists = { 'a.json': '{"booked":[{"a":1},{"a":2}]}', 'b.json': '{"booked":[{"a":3},{"a":4}]}' };
    const { stdout } = await readAll(lists, '--raw', '-o', 'ndjson', '--limit', '3');
    expect(stdout).toBe('{"a":1}\n{"a":2}\n{"a":3}\n');
  });
});
