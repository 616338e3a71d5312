import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { insideOf } from '../helpers/inside.ts';
import { createObk } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

const entries = 4_000;
const link = (at: number) => `/v1/accounts/json/transactions/T-${String(at)}?key=${String(at)}`;
const jsonEntry = (at: number) =>
  (at === 0 ? '' : ',') +
  JSON.stringify({
    transactionId: `T-${String(at)}`,
    bookingDate: '2026-11-20',
    transactionAmount: { currency: 'EUR', amount: `-${String(at)}.25` },
    creditorName: `Party ${String(at)}`,
    remittanceInformationUnstructured: 'with as many words as a text usually has at any bank of this kind',
    _links: { transactionDetails: { href: link(at) } },
  });
const camtEntry = (at: number) =>
  `<Ntry><NtryRef>T-${String(at)}</NtryRef><Amt Ccy="EUR">${String(at)}.25</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>` +
  `<BookgDt><Dt>2026-11-20</Dt></BookgDt><AddtlNtryInf>as many words as a text usually has</AddtlNtryInf></Ntry>\n`;
const mtEntry = (at: number) =>
  `:61:2611201120D${String(at)},25NTRFNONREF//T-${String(at)}\r\n:86:as many words as a text usually has at a bank\r\n`;

/** Reports by the id of their account: head, entry and tail; and what becomes of them on the way. */
const kinds: Record<string, [type: string, head: string, entry: (at: number) => string, tail: string]> = {
  json: ['application/json', '{"transactions":{"booked":[', jsonEntry, '],"_links":{}}}'],
  camt: [
    'application/xml',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>' +
      '<Stmt><Id>S</Id><Acct><Id><IBAN>DE40100100103307118608</IBAN></Id><Ccy>EUR</Ccy></Acct>',
    camtEntry,
    '</Stmt></BkToCstmrStmt></Document>',
  ],
  mt940: [
    'text/plain',
    ':20:REF\r\n:25:10010010/3307118608\r\n:28C:1/1\r\n:60F:C261101EUR0,00\r\n',
    mtEntry,
    ':62F:C261120EUR0,00\r\n-\r\n',
  ],
};

let obk: Obk;
let inside: ReturnType<typeof insideOf>;
let release: () => void = () => undefined;
let released: Promise<void>;
const left = vi.fn();

async function send(response: ServerResponse, text: string): Promise<void> {
  if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
}

async function answer(kind: string, response: ServerResponse): Promise<void> {
  const [type, head, entry, tail] = kinds[kind] ?? kinds['json'] ?? ['', '', () => '', ''];
  response.setMaxListeners(0);
  response.writeHead(200, { 'Content-Type': type });
  await send(response, head);
  for (let at = 0; kind === 'endless' || at < entries; at += 1) {
    if (response.destroyed) {
      left();
      return;
    }
    await send(response, entry(at));
    if (kind === 'torn' && at === entries - 1) {
      response.destroy();
      return;
    }
    if (kind === 'slow' && at === 2_000) await released;
  }
  response.end(tail);
}

/** Two pages of 25; the second one waits. */
async function answerPage(second: boolean, response: ServerResponse): Promise<void> {
  if (second) await released;
  const first = second ? 25 : 0;
  const booked = Array.from({ length: 25 }, (_, at) => jsonEntry(first + at).replace(/^,/, ''));
  const next = second ? '' : `"next":{"href":"/v1/accounts/paged/transactions?page=2"}`;
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(`{"transactions":{"booked":[${booked.join(',')}],"_links":{${next}}}}`);
}

const server = createServer((request, response) => {
  const [, , , account = '', , transaction] = new URL(request.url ?? '', 'http://h').pathname.split('/');
  if ((request.url ?? '').includes('/consents/')) {
    response.setHeader('Content-Type', 'application/json');
    response.end('{"access":{},"consentStatus":"valid","frequencyPerDay":1000,"recurringIndicator":true}');
  } else if (transaction !== undefined) {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ transactionsDetails: { transactionId: request.url } }));
  } else if (account === 'paged') void answerPage(request.url?.endsWith('page=2') === true, response);
  else void answer(account, response);
});

beforeEach(() => {
  released = new Promise<void>((go) => (release = go));
});
beforeAll(async () => {
  obk = createObk();
  inside = insideOf(obk);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const profile = ['--base-url', `http://127.0.0.1:${String(port)}`, '--environment', 'sandbox'];
  await inside.json(['profile', 'create', 'acme', ...profile, '--signing', 'none', '--variant', 'v1']);
  await inside.json(['consent', 'use', 'con-1']);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  obk.close();
});

const list = (account: string, ...more: readonly string[]) =>
  inside.run(['transactions', 'list', '--account', account, ...more]);

async function lastCall(): Promise<{ answer?: { body: string } } | undefined> {
  const { exchanges } = (await inside.json(['log', 'show', '@last'])) as {
    exchanges: [{ answer?: { body: string } }];
  };
  return exchanges.at(-1);
}

describe('a report that is too long for memory', () => {
  it.each(Object.keys(kinds))('comes as rows: %s', async (kind) => {
    const { code, stdout, stderr } = await list(kind, '-o', 'ndjson', '-q');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(entries);
    expect(JSON.parse(rows.at(-1) ?? '')).toMatchObject({
      amount: `-${String(entries - 1)}.25`,
      currency: 'EUR',
    });
  });

  it('keeps the links to details of its last rows', async () => {
    expect((await list('json', '-o', 'name')).code).toBe(0);
    const shown = await inside.json(['transactions', 'get', `T-${String(entries - 1)}`, '--account', 'json']);
    expect(shown).toEqual({ transactionId: link(entries - 1) });
  });

  it('comes as exact bytes, in a file that is whole', async () => {
    const { code } = await list('json', '--raw', '--output', 'report.json');
    expect(code).toBe(0);
    const [, head, , tail] = kinds['json'] ?? [];
    const all = Array.from({ length: entries }, (_, at) => jsonEntry(at)).join('');
    expect(readFileSync(join(obk.folder, 'report.json'), 'utf8') === `${head ?? ''}${all}${tail ?? ''}`).toBe(
      true,
    );
  });

  it('stands in the journal with its beginning, and the whole time it took', async () => {
    await list('json', '-o', 'name');
    const shown = await lastCall();
    expect(shown).toMatchObject({ outcome: 'DONE', answer: { status: 200 } });
    expect(shown?.answer?.body).toMatch(/^\{"transactions".*…$/s);
    expect(shown?.answer?.body.length).toBeLessThan(66_000);
  });

  it('is left where enough was read', async () => {
    const { code, stdout } = await list('endless', '--limit', '5', '-o', 'name');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'T-0\nT-1\nT-2\nT-3\nT-4\n' });
    await vi.waitUntil(() => left.mock.calls.length > 0, { timeout: 10_000, interval: 5 });
  });
});

describe.each([[[]], [['--json']]])('a report that is not whole %s', (machine) => {
  it.each<[string, readonly string[], string]>([
    ['endless', ['--max-size', '1M'], 'ANSWER_TOO_LARGE'],
    ['torn', [], 'ANSWER_LOST'],
  ])('%s: whole rows, and one clear error', async (kind, flags, code) => {
    const ran = await list(kind, ...flags, ...machine);
    const rows = ran.stdout
      .split(machine.length > 0 ? /(?<=\}),(?=\{"pos)/ : '\n')
      .filter((row) => row !== '');
    expect(ran.code).toBe(6);
    expect(rows.length).toBeGreaterThan(2_000);
    rows.forEach((row, at) => {
      expect(row).toContain(machine.length > 0 ? `"transactionId":"T-${String(at)}"` : `\tT-${String(at)}\t`);
    });
    expect(ran.stderr).toContain(`The list broke off after ${String(rows.length)} rows.`);
    expect(ran.stderr).toContain(code === 'ANSWER_LOST' ? '127.0.0.1' : 'larger than 1048576 bytes');
    expect(await lastCall()).toMatchObject({ outcome: 'FAILED', failure: { left: true } });
  });

  it('leaves no file', async () => {
    const ran = await list('endless', '--max-size', '1M', '--raw', '--output', 'none.json', ...machine);
    expect(ran.code).toBe(6);
    expect(ran.stderr).toContain('--max-size');
    expect(existsSync(join(obk.folder, 'none.json'))).toBe(false);
  });
});

it.each([
  ['slow', `-${String(entries - 1)}.25`],
  ['paged', '-49.25'],
])(
  'a table shows its first rows before the bank has sent the last: %s',
  { timeout: 30_000 },
  async (account, last) => {
    const args = ['transactions', 'list', '--account', account, '--profile', 'acme', '--all'];
    const terminal = obk.terminal(args, { env: { OBK_PAGER: '' } });
    await terminal.see('-20.25');
    release();
    await terminal.see(last);
    expect(await terminal.ended).toBe(0);
  },
);
