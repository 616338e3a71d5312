import { describe, expect, it } from 'vitest';
import {
  advance,
  begin,
  chooseApproach,
  isFinal,
  maxAttempts,
  nextLink,
  startLink,
} from '../../../src/sandbox/conversation.ts';
import type { Move, Sca } from '../../../src/sandbox/conversation.ts';
import { definitions } from '../../../src/sandbox/people.ts';
import type { Approach, LedgerPerson } from '../../../src/sandbox/people.ts';
import { Refusal } from '../../../src/sandbox/refusal.ts';
import { scaMoves, scaStatuses } from '../../../src/xs2a/codes.ts';
import type { ScaStatus } from '../../../src/xs2a/codes.ts';

const people: LedgerPerson[] = definitions.map((definition) => ({
  ...definition,
  password: 'right',
  otp: '123456',
}));
const approaches: Approach[] = ['REDIRECT', 'EMBEDDED', 'DECOUPLED'];
const statuses = scaStatuses.map(({ code }) => code);
const moves = (psuId: string): Move[] => [
  { kind: 'identify', psuId },
  { kind: 'password', password: 'right' },
  { kind: 'password', password: 'wrong' },
  { kind: 'login', password: 'right' },
  { kind: 'login', password: 'wrong' },
  { kind: 'select', methodId: 'sms' },
  { kind: 'select', methodId: 'pigeon' },
  { kind: 'otp', otp: '123456' },
  { kind: 'otp', otp: 'wrong' },
  { kind: 'approve' },
  { kind: 'refuse' },
];

const at = (approach: Approach, scaStatus: ScaStatus, psuId: string, attempts = 0): Sca => ({
  approach,
  scaStatus,
  psuId: scaStatus === 'received' ? undefined : psuId,
  methodId: undefined,
  attempts,
});

function attempt(sca: Sca, move: Move, person: LedgerPerson): ReturnType<typeof advance> | Refusal {
  try {
    return advance(sca, move, person);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe('every move of every person from every status', () => {
  it.each(people.map((person) => [person.psuId, person] as const))(
    '%s moves legally or is refused',
    (psuId, person) => {
      for (const approach of approaches) {
        for (const status of statuses) {
          for (const move of moves(psuId)) {
            for (const attempts of [0, maxAttempts - 1]) {
              const result = attempt(at(approach, status, psuId, attempts), move, person);
              const what = `${approach} ${status} ${JSON.stringify(move)}`;
              if (result instanceof Refusal) {
                expect([400, 401, 409], what).toContain(result.status);
              } else {
                const after = result.sca.scaStatus;
                expect(after === status || scaMoves[status].includes(after), `${what} -> ${after}`).toBe(
                  true,
                );
              }
            }
          }
        }
      }
    },
  );

  it('changes nothing at an end', () => {
    for (const status of ['finalised', 'failed', 'exempted'] as const) {
      for (const move of moves('redirect')) {
        const result = attempt(at('EMBEDDED', status, 'redirect'), move, people[0]!);
        expect(result).toMatchObject(
          status === 'failed'
            ? { code: 'SCA_INVALID', status: 400 }
            : { code: 'STATUS_INVALID', status: 409 },
        );
      }
    }
  });

  it('offers a link at every status that is not the end, save where the PSU acts elsewhere', () => {
    for (const status of statuses) {
      expect(nextLink(at('REDIRECT', status, 'x')) === undefined).toBe(isFinal(status));
      expect(nextLink(at('EMBEDDED', status, 'x')) === undefined).toBe(isFinal(status));
      expect(nextLink(at('DECOUPLED', status, 'x'))).toBe(
        status === 'received' ? 'updatePsuIdentification' : undefined,
      );
    }
  });

  it('never gets back from a refused secret, and ends after five', () => {
    const person = people.find(({ psuId }) => psuId === 'embedded-one')!;
    let sca = begin('EMBEDDED', person.psuId);
    for (let left = maxAttempts - 1; left >= 0; left--) {
      const step = advance(sca, { kind: 'password', password: 'wrong' }, person);
      expect(step.refusal).toMatchObject({ status: 401, code: 'PSU_CREDENTIALS_INVALID' });
      sca = step.sca;
      expect(sca.scaStatus).toBe(left === 0 ? 'failed' : 'psuIdentified');
    }
  });
});

describe('the approach', () => {
  it.each<[string, boolean | undefined, Approach]>([
    ['redirect', undefined, 'REDIRECT'],
    ['redirect', true, 'REDIRECT'],
    ['redirect', false, 'EMBEDDED'],
    ['redirect-explicit', false, 'REDIRECT'],
    ['embedded-choice', true, 'EMBEDDED'],
    ['decoupled', true, 'DECOUPLED'],
  ])('of %s with TPP-Redirect-Preferred %s is %s', (psuId, preferred, expected) => {
    expect(
      chooseApproach(
        people.find((person) => person.psuId === psuId)!,
        preferred,
      ),
    ).toBe(expected);
  });

  it('decides the link of an explicit start', () => {
    expect(startLink('REDIRECT', false)).toBe('startAuthorisation');
    expect(startLink('EMBEDDED', false)).toBe('startAuthorisationWithPsuIdentification');
    expect(startLink('EMBEDDED', true)).toBe('startAuthorisationWithPsuAuthentication');
    expect(startLink('DECOUPLED', true)).toBe('startAuthorisation');
  });
});
