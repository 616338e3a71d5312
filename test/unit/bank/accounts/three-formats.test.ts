// Three months of an account of the bank inside, in each of its formats: an accountant gets the same rows. The statements that a
// test writes by hand are compared in test/unit/standard/formats/reports/three-formats.test.ts, since a bank and a reader could share a mistake.
import { expect, it } from 'vitest';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { rowsOf } from '../../standard/formats/reports/reading.ts';
import { common, unexpected } from '../../standard/formats/reports/three-formats.ts';
import { consentsOf } from '../consent-scene.ts';
import { href, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';

const scene = useScene({
  v1: { ...presets.v1, surface: 'framework' },
  v136: { ...presets.v136, surface: 'framework' },
});
const { valid } = consentsOf(scene);

const accepted = { json: 'application/json', camt: 'application/xml', mt940: 'text/plain' } as const;

/** How the bank writes for SWIFT: without marks on letters, and a dot for what its set does not have. */
const swift = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[^A-Za-z0-9/\-:().,'+ ]/g, '.')
    .trim();

it('three months at the built-in bank are the same rows in each format', async () => {
  const { id } = await valid('embedded-choice', { prefix: 'v136', access: { allPsd2: 'allAccounts' } });
  const { json } = await scene.call('GET', '/v136/accounts', { headers: { 'Consent-ID': id } });
  const [account] = json.accounts as { iban: string; _links: Links }[];
  const path = `${href(account!._links, 'transactions')}?bookingStatus=booked&dateFrom=2026-03-01&dateTo=2026-05-31`;
  const read = async (format: keyof typeof accepted) => {
    const headers = { 'Consent-ID': id, Accept: accepted[format] };
    const { status, text } = await scene.call('GET', path, { headers });
    expect(status, text).toBe(200);
    const rows = await rowsOf(text, { account: account!.iban });
    expect(unexpected(format, rows)).toEqual([]);
    return rows;
  };
  const [list, statement, swiftStatement] = [await read('json'), await read('camt'), await read('mt940')];
  expect(list.length).toBeGreaterThan(30);
  expect(statement.map((row) => common(row))).toEqual(list.map((row) => common(row)));
  expect(swiftStatement.map((row) => common(row))).toEqual(list.map((row) => common(row, swift)));
  expect(statement.map((row) => row.bankTransactionText)).toEqual(list.map((row) => row.bankTransactionText));
});
