import { describe, expect, it } from 'vitest';
import { endLines, mayStartAnother } from '../../../../../src/cli/commands/output/end-of-authorisation.ts';
import type { End } from '../../../../../src/cli/commands/output/end-of-authorisation.ts';
import { decoupled, payment } from '../../../client/payer.ts';

const end = (status: string, part: Partial<End> = {}, scaStatus = 'failed'): End => ({
  resource: { ...payment, status },
  conversation: { ...decoupled(), scaStatus },
  success: false,
  ...part,
});
const cancellation = {
  ...decoupled(),
  scaStatus: 'failed',
  parent: { kind: 'cancellation', id: 'pay-1' },
} as const;
const consent = { ...payment, noun: 'consent', status: 'rejected' } as const;

describe('an authorisation that has ended badly', () => {
  it.each<[string, End, string[], boolean]>([
    ['of what waits on', end('RCVD'), ['failed at the bank: the PSU refused', 'started with --new'], true],
    [
      'of what is over',
      end('RJCT'),
      ['failed at the bank', 'This payment cannot be authorised any more'],
      false,
    ],
    ['in time', end('RJCT', {}, 'started'), ['its authorisation was started', 'a new one is needed'], false],
    [
      'of a consent',
      end('', { resource: consent }),
      ['begun at 2026-11-21 09:00 (UTC)', 'This consent'],
      false,
    ],
    ['of a cancellation', end('ACTC', { conversation: cancellation }), ['failed', 'stays as it is'], false],
  ])('%s is explained', (_, ended, words, again) => {
    const lines = endLines(ended);
    expect(lines).toHaveLength(words.length);
    words.forEach((word, at) => {
      expect(lines[at]).toContain(word);
    });
    expect(mayStartAnother(ended)).toBe(again);
  });

  it('is not spoken of where it is open or went well', () => {
    expect(endLines(end('ACSC', { success: true }, 'finalised'))).toEqual([]);
    expect(endLines(end('RCVD', { success: undefined }, 'started'))).toEqual([]);
    expect(mayStartAnother(end('ACSC', { success: true }))).toBe(false);
  });
});

it('one of several counts what the bank lists, and never what is missing', () => {
  const partly = end('PATC', { success: true, progress: { done: 1, open: 1, listed: 2 } }, 'finalised');
  expect(endLines(partly)).toEqual([
    'Authorisations: 1 done of 2 that the bank lists, 1 open; it waits for further PSUs.',
  ]);
});
