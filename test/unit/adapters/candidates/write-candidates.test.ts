import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  candidateLines,
  candidatesPath,
  readOffer,
} from '../../../../src/adapters/candidates/candidates-file.ts';
import type { CandidateFolders, Note } from '../../../../src/adapters/candidates/candidates-file.ts';
import { writeCandidates } from '../../../../src/adapters/candidates/write-candidates.ts';

let folders: CandidateFolders;
beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'obk-candidates-'));
  folders = { cacheDir: join(home, 'cache'), stateDir: join(home, 'state') };
});

const payment = (value: string, more: Partial<Note> = {}): Note => ({
  ...{ profile: 'acme', kind: 'payment', value, about: '1.00 EUR · Shop' },
  createdAt: '2026-11-21T10:00:00.000Z',
  ...more,
});
const method = (value: string, parent: string, about = 'SMS'): Note => ({
  ...{ profile: 'acme', kind: 'method', value, about, parent },
});
const offers = () => candidateLines(folders).flatMap((line) => readOffer(line) ?? []);
const values = (kind: string) =>
  offers()
    .filter((offer) => offer.kind === kind)
    .map(({ value }) => value);
const marks = () => {
  const { ino, mtimeNs } = statSync(candidatesPath(folders), { bigint: true });
  return [ino, mtimeNs];
};

describe('the file of candidates', () => {
  it('is one private file in a private folder, and nothing is left beside it', () => {
    writeCandidates(folders, [payment('a')]);
    const path = candidatesPath(folders);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  it('joins what runs have noted, newest first, each id once', () => {
    writeCandidates(folders, [payment('b', { createdAt: '2026-11-22T10:00:00.000Z' })]);
    writeCandidates(folders, [payment('a'), payment('c', { createdAt: '2026-11-23T10:00:00.000Z' })]);
    writeCandidates(folders, [payment('x', { profile: 'other' }), payment('k', { kind: 'consent' })]);
    writeCandidates(folders, [payment('a')]);
    expect(values('payment')).toEqual(['c', 'b', 'a', 'x']);
    expect(values('consent')).toEqual(['k']);
  });

  it('stays as it is where nothing is new', () => {
    const notes = [
      ...[payment('a'), method('901', 'a'), method('902', 'a')],
      { profile: 'sandbox', kind: 'ledger', value: 'one' } as const,
    ];
    writeCandidates(folders, notes);
    const before = marks();
    writeCandidates(folders, notes);
    writeCandidates(folders, [method('901', 'b'), { profile: 'acme', kind: 'gone', value: 'nothing' }]);
    expect(marks()).toEqual(before);
    writeCandidates(folders, [{ profile: 'sandbox', kind: 'ledger', value: 'two' }]);
    expect(values('ledger')).toEqual(['two']);
  });

  it('keeps the 50 newest of a kind, 20 methods, and 32 profiles', () => {
    const at = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
    const many = Array.from({ length: 60 }, (_, number) => number);
    writeCandidates(
      folders,
      many.map((number) => payment(`id-${String(number)}`, { createdAt: at(number) })),
    );
    expect(values('payment')).toEqual(
      many
        .slice(10)
        .reverse()
        .map((number) => `id-${String(number)}`),
    );
    const before = marks();
    writeCandidates(folders, [payment('old', { createdAt: at(5) })]);
    expect(marks()).toEqual(before);
    for (const number of many) writeCandidates(folders, [method(`m-${String(number)}`, 'a')]);
    expect(values('method')).toEqual(
      many
        .slice(40)
        .reverse()
        .map((number) => `m-${String(number)}`),
    );
    for (const number of many) writeCandidates(folders, [payment('x', { profile: `p-${String(number)}` })]);
    expect(new Set(offers().map(({ profile }) => profile)).size).toBe(32);
    expect(offers()[0]?.profile).toBe('p-59');
  });

  it('forgets payees that are erased, and methods of authorisations that are gone', () => {
    writeCandidates(folders, [payment('a'), payment('b'), method('901', 'a', 'SMS to 0123')]);
    writeCandidates(folders, [method('902', 'b')]);
    writeCandidates(folders, [payment('a', { about: '1.00 EUR' }), { ...payment('a'), kind: 'gone' }]);
    const text = readFileSync(candidatesPath(folders), 'utf8');
    expect(values('payment').sort()).toEqual(['a', 'b']);
    expect(text.match(/Shop/g)).toHaveLength(1);
    expect(values('method')).toEqual(['902']);
  });

  it('never mixes two state folders, not even where their hashes are the same', () => {
    writeCandidates(folders, [payment('a')]);
    const other = { ...folders, stateDir: `${folders.stateDir}-2` };
    writeCandidates(other, [payment('b')]);
    expect(values('payment')).toEqual(['a']);
    // As one that has the same hash would find it.
    writeFileSync(candidatesPath(folders), readFileSync(candidatesPath(other)));
    expect(values('payment')).toEqual([]);
    writeCandidates(folders, [payment('c')]);
    expect(values('payment')).toEqual(['c']);
  });

  it('is the same for a relative state folder', () => {
    writeCandidates({ ...folders, stateDir: relative(process.cwd(), folders.stateDir) }, [payment('a')]);
    expect(values('payment')).toEqual(['a']);
  });

  it('is not broken by a name from a bank', () => {
    const hostile = ['a\nb', 'a\u2028b', 'a\rb', '","kind":"ledger', '\u0000', '\ud800', '__proto__'];
    writeCandidates(
      folders,
      hostile.flatMap((value) => [payment(value, { about: value }), method(value, value, value)]),
    );
    expect(candidateLines(folders)).toHaveLength(2 * hostile.length + 1);
    expect(values('payment').sort()).toEqual([...hostile].sort());
    expect(values('method').sort()).toEqual([...hostile].sort());
  });

  it('has no id that is too long to be offered, and cuts a long payee', () => {
    writeCandidates(folders, [
      payment('a'.repeat(121)),
      payment(''),
      payment('b', { about: 'x'.repeat(500) }),
    ]);
    expect(offers()).toMatchObject([{ value: 'b', about: 'x'.repeat(120) }]);
  });

  it('may have damaged lines, which are skipped', () => {
    writeCandidates(folders, [payment('a')]);
    const path = candidatesPath(folders);
    const lines = [
      '{ half',
      'null',
      '[]',
      '7',
      '{"profile":"acme","kind":"payment","value":7}',
      '{"value":"a"}',
    ];
    const unknown = '{"profile":"acme","kind":"what","value":"w"}';
    writeFileSync(path, `${readFileSync(path, 'utf8')}${[...lines, unknown].join('\n')}\n`);
    expect(values('payment')).toEqual(['a']);
    writeCandidates(folders, [payment('b')]);
    expect(values('payment').sort()).toEqual(['a', 'b']);
    expect(candidateLines(folders)).toHaveLength(3);
    writeFileSync(path, Buffer.from([0xff, 0, 10, 0x7b]));
    expect(values('payment')).toEqual([]);
  });

  it('is not written into a folder that others may enter', () => {
    const folder = dirname(candidatesPath(folders));
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    expect(() => {
      writeCandidates(folders, [payment('a')]);
    }).toThrow('not of this user alone');
    expect(readdirSync(folder)).toEqual([]);
  });
});
