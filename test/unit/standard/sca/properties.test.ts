import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../../src/standard/sca/next-step.ts';
import { absorb } from '../../../../src/standard/sca/state.ts';
import type { Conversation, ScaAnswer } from '../../../../src/standard/sca/state.ts';
import { isFinalSca, scaStatuses } from '../../../../src/standard/xs2a/codes.ts';
import { linkFacts } from '../../../../src/standard/xs2a/links.ts';
import { authorisations, created } from './answers.ts';
import { runs } from '../../../helpers/trials.ts';

const hrefs = fc.constantFrom(
  authorisations,
  `${authorisations}/a`,
  `${authorisations}/b`,
  'https://b.example/',
);
const links = fc.dictionary(fc.constantFrom(...linkFacts.map((fact) => fact.name)), hrefs, { maxKeys: 4 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** An answer without its method: the world decides whether it answers a step or a read. */
const answers = fc
  .record({
    status: fc.constantFrom(200, 200, 201, 400, 401, 403),
    links: optional(links),
    unknownLinks: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    approach: optional(fc.constantFrom('EMBEDDED', 'REDIRECT', 'DECOUPLED', 'PIGEON')),
    authorisationId: optional(fc.constantFrom('a', 'b')),
    scaStatus: optional(fc.constantFrom(...scaStatuses.map((fact) => fact.code), 'byFax')),
    psuMessage: optional(fc.constant('words')),
  })
  .map(({ status, links: known, unknownLinks, ...rest }) => ({
    status,
    hasLinks: known !== undefined,
    links: known ?? {},
    unknownLinks: known === undefined ? [] : unknownLinks,
    ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as object),
  }));

const histories = fc.array(fc.tuple(fc.boolean(), answers), { maxLength: 12 });

/** Plays a history: each answer belongs to the step that the conversation wants, or to a read. */
function play(
  history: readonly (readonly [boolean, Omit<ScaAnswer, 'method'>])[],
  see: (before: Conversation, answer: ScaAnswer, after: Conversation) => void,
): void {
  let state = created({ links: { startAuthorisationWithPsuAuthentication: authorisations } });
  for (const [reads, rest] of history) {
    const step = nextStep(state);
    const answer: ScaAnswer = { method: step.kind === 'send' && !reads ? step.method : 'GET', ...rest };
    const after = absorb(state, answer);
    see(state, answer, after);
    state = after;
  }
}

const many = { numRuns: runs(2_000) };

describe('a state after any answers of a bank', () => {
  it('never repeats a step without a new link or a refusal', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const spent = new Set<string>();
        play(history, (before, answer, after) => {
          const sent = nextStep(before);
          if (sent.kind === 'send' && answer.method !== 'GET' && answer.status < 400) spent.add(sent.link);
          for (const name of Object.keys(answer.links)) spent.delete(name);
          const next = nextStep(after);
          if (next.kind === 'send') expect([...spent]).not.toContain(next.link);
        });
      }),
      many,
    );
  });

  it('never changes what steers by a read, unless it is refused with links', () => {
    fc.assert(
      fc.property(histories, (history) => {
        play(history, (before, answer, after) => {
          if (answer.method !== 'GET' || (answer.status >= 400 && answer.hasLinks)) return;
          expect(after.steering).toEqual(before.steering);
        });
      }),
      many,
    );
  });

  it('keeps a final status as long as the authorisation is the same', () => {
    fc.assert(
      fc.property(histories, (history) => {
        play(history, (before, _, after) => {
          if (before.scaStatus === undefined || !isFinalSca(before.scaStatus)) return;
          if (before.authorisationId === after.authorisationId)
            expect(after.scaStatus).toBe(before.scaStatus);
        });
      }),
      many,
    );
  });

  it('takes an unknown status for neither success nor failure', () => {
    fc.assert(
      fc.property(histories, (history) => {
        play(history, (_, __, after) => {
          if (after.scaStatus === 'byFax') expect(nextStep(after).kind).not.toBe('done');
        });
      }),
      many,
    );
  });

  it('is plain data: another process continues exactly there', () => {
    fc.assert(
      fc.property(histories, (history) => {
        play(history, (_, __, after) => {
          const saved = JSON.parse(JSON.stringify(after)) as Conversation;
          expect(saved).toStrictEqual(after);
          expect(nextStep(saved)).toEqual(nextStep(after));
        });
      }),
      many,
    );
  });
});
