import { expect, it } from 'vitest';
import { loadLines } from '../../../../src/cli/render/load-lines.ts';
import { plainStyle } from '../../../../src/cli/render/style.ts';
import { span } from '../../../../src/cli/render/wrap.ts';
import type { LoadReport, LoadRow } from '../../../../src/settings/records/load-report.ts';

const latencyMs = { mean: 5, min: 5, max: 5, p50: 5, p75: 5, p90: 5, p95: 5, p99: 5, p999: 5 };
const row = (name: string): LoadRow => ({ name, ended: 12, failed: 0, latencyMs, errors: {} });
const report = (journeys: readonly string[], operations: readonly string[]): LoadReport => ({
  run: 'r',
  at: '2026-11-28T10:00:00Z',
  profiles: ['sandbox'],
  arrivals: { perSecond: 5, forS: 2, users: 5, maxErrors: '1%' },
  tookS: 2,
  due: 12,
  begun: 12,
  notBegun: 0,
  passed: 12,
  failed: 0,
  unknown: 0,
  interrupted: 0,
  stopped: null,
  perSecond: { journeys: 6, calls: 12 },
  journeys: journeys.map(row),
  operations: operations.map(row),
  moments: [],
});

const long = [
  'getPaymentInitiationCancellationAuthorisationInformation',
  'startPaymentInitiationCancellationAuthorisation',
  'getAccountList',
];

it('shows each operation by its whole name, and each figure under its title', () => {
  const lines = loadLines(report(['支付 über zwei Wege', 'reads'], long), plainStyle).split('\n');
  const rows = lines.filter((line) => /^(journey|operation|支付|reads|get|start)/.test(line));
  expect(rows).toHaveLength(7);
  for (const name of long) expect(rows.some((line) => line.startsWith(`${name} `))).toBe(true);
  for (const line of rows) {
    const end = line.startsWith('journey ') || line.startsWith('operation ') ? 'ended' : '12';
    expect(span(line.slice(0, line.indexOf(end) + end.length))).toBe(64);
    expect(span(line)).toBe(span(rows[0] ?? ''));
  }
});
