import { beforeAll, describe, expect, it } from 'vitest';
import type { Ticket } from '../../../../src/settings/records/ticket.ts';
import { ticketPage } from '../../../../src/cli/render/ticket.ts';
import { transactionStatus } from '../../../../src/standard/xs2a/codes.ts';
import { debtor, hostile, hostileReport } from '../../../helpers/hostile-report.ts';

let report: Ticket;
let page: string;

beforeAll(async () => {
  report = await hostileReport();
  page = ticketPage(report, { at: '2026-11-21T10:00:00.000Z', version: '0' });
});

describe('a report for the bank', () => {
  it('states statuses, ids and traces of both sides', () => {
    expect(report.statuses.map(({ name, value, exchange }) => [name, value, exchange])).toEqual([
      ['transactionStatus', 'RCVD', 0],
      ['transactionStatus', hostile, 1],
    ]);
    const [received, odd] = report.statuses;
    expect(received?.meaning).toBe(transactionStatus('RCVD')?.meaning);
    expect(received?.told).toBe(`${hostile} DE65…2443`);
    expect(odd).toMatchObject({ meaning: null, told: hostile });
    expect(report.exchanges[0]).toMatchObject({
      bankRequestId: 'bank-1',
      trace: [
        { name: 'X-Trace-Id', value: hostile },
        { name: 'Date', value: 'Sat, 21 Nov 2026 10:00:00 GMT' },
      ],
    });
    expect(report).toMatchObject({
      certificate: 'SN=a1b2c3d4e,CA=CN=Test%20CA',
      baseUrl: 'https://api.bank.example',
    });
  });

  it('draws every message, and the PSU on the way to the bank', () => {
    const arrows = report.steps.map(({ from, to, exchange }) => `${String(exchange)} ${from} ${to}`);
    expect(arrows).toEqual([
      ...['0 tpp aspsp', '0 aspsp tpp', '0 tpp browser', '0 browser aspsp'],
      ...['1 tpp aspsp', '1 aspsp tpp', '2 tpp aspsp', '2 aspsp tpp'],
    ]);
    expect(report.steps.map(({ text }) => text)).toEqual(
      expect.arrayContaining([`400 FORMAT_ERROR transactionStatus ${hostile}`, 'no answer, outcome unknown']),
    );
  });

  it('lets nothing from a bank become HTML', () => {
    const tags = new Set([...page.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name));
    for (const tag of ['script', 'img', 'iframe', 'link']) expect(tags).not.toContain(tag);
    expect(page.match(/<style/g)).toHaveLength(1);
    expect(page).not.toMatch(/<[^>]* on[a-z]+=/);
    expect(page).not.toContain('href="javascript:');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('&lt;script&gt;document.title=');
  });

  it('contains neither a secret nor a whole account number', () => {
    expect(page).not.toContain('tok-secret-1');
    expect(page).not.toContain(debtor);
    expect(page).toContain('DE65…2443');
  });
});
