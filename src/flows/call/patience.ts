import { ObkError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Person } from '../../ports/person.ts';
import type { Target, Patience } from '../exchange/target.ts';

/** Begins the waits of a run that leads a PSU, unless they have begun. */
export function beginPatience(target: Target, timeoutMs: number): void {
  if (target.run.patience !== undefined) return;
  const { clock, person } = target.ports;
  target.run.patience = patienceOf(clock, timeoutMs);
  target.ports = { ...target.ports, person: unhurried(person, clock, target.run.patience) };
}

function patienceOf(clock: Clock, timeoutMs: number): Patience {
  let until = clock.monotonic() + timeoutMs;
  return {
    left: () => Math.max(0, until - clock.monotonic()),
    giveBack: (ms) => {
      until += ms;
    },
  };
}

/** The same person, whose answers take no time of the run; a line is pasted while the run waits, and does. */
function unhurried(person: Person, clock: Clock, patience: Patience): Person {
  const timed =
    <Question, Answer>(ask: (question: Question) => Promise<Answer>) =>
    async (question: Question): Promise<Answer> => {
      const begun = clock.monotonic();
      try {
        return await ask(question);
      } finally {
        patience.giveBack(clock.monotonic() - begun);
      }
    };
  return {
    present: person.present,
    answered: (question) => person.answered(question),
    ask: timed((question) => person.ask(question)),
    askSecret: timed((question) => person.askSecret(question)),
    choose: timed((question) => person.choose(question)),
    confirm: timed((question) => person.confirm(question)),
    paste: (text, signal) => person.paste(text, signal),
  };
}

/** Milliseconds that are left to wait; without end where no run leads a PSU. */
export function leftToWait({ run }: Pick<Target, 'run'>): number {
  return run.patience?.left() ?? Infinity;
}

/** The wait that is due is longer than what is left of `--timeout`; what was about to be sent stays here. */
export function waitOver(waitMs: number): ObkError {
  return new ObkError({
    code: 'WAIT_OVER',
    title: `The next call is due in ${String(Math.ceil(waitMs / 1000))} s, and --timeout leaves less.`,
    detail: 'It was not sent.',
    hint: ['Run it again later, or with a longer --timeout.'],
  });
}

/** Whether all that a run may wait is used up. */
export function isWaitOver(error: unknown): boolean {
  return error instanceof ObkError && error.code === 'WAIT_OVER';
}
