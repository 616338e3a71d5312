import { exitCodes, isInterruption, ObkError, SealedElsewhere } from '../../base/errors.ts';
import type { Engine } from '../ports/engine.ts';
import type { Gate } from '../ports/gate.ts';
import type { Wish } from '../ports/intents.ts';
import { commit } from './commit.ts';
import type { Part } from './commit.ts';

/** What is to become of the state, and of the log beside it. */
export interface Parts {
  state?: readonly Part[];
  log?: readonly Part[];
}

/** What a note is about. */
interface Noted {
  /** A write; a warning says so where it cannot be written. */
  ofWrite?: boolean;
  /** Nothing is to leave this run before it is written; without, it is written with the next. */
  due?: boolean;
  /** It is what a bank has answered to a write, which cannot be put off. */
  answer?: boolean;
  /** It is such an answer, and an error where it cannot be written; none is withheld for the others. */
  needed?: boolean;
}

/** Puts together what is written in one transaction. Without a gate nothing is put together: each is written at once. */
export interface Stage {
  /** Whether both are one database. */
  readonly isOne: boolean;
  /** The engines; a read sees what was noted before it. */
  readonly state: Engine;
  readonly log: Engine;
  /** Keeps what has happened: with a gate until that is passed, at the latest. */
  note(parts: Parts, how?: Noted): Promise<void>;
  /** Writes this now, with all that was noted. */
  keep(parts: Parts): Promise<void>;
  /** Writes it with the next `leave`. What a part throws stands in the way of the request. */
  claim(parts: Parts): Promise<Wish>;
  /** Writes all, with what was claimed, before the first byte of a request: nothing of the claims where that fails. */
  leave(parts: Parts): Promise<void>;
  /** Writes what was noted. */
  commit(): Promise<void>;
}

interface Claimed {
  parts: Parts;
  is: 'wished' | 'written';
}

export function stageOn({ state, log }: { state: Engine; log: Engine }, gate?: Gate): Stage {
  const isOne = state === log;
  const nothing = () => ({
    state: [] as Part[],
    log: [] as Part[],
    ofWrite: false,
    answer: false,
    needed: false,
    due: false,
    told: false,
  });
  const shown = (work: Promise<void>): Promise<void> => gate?.lasting(work) ?? work;
  let noted = nothing();
  let claims: Claimed[] = [];
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time, in their order. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  function add({ state: ofState = [], log: ofLog = [] }: Parts): void {
    noted.state.push(...ofState);
    noted.log.push(...ofLog);
  }

  /** What was taken stands before what came meanwhile. */
  function putBack(before: typeof noted): void {
    const after = noted;
    noted = {
      state: [...before.state, ...after.state],
      log: [...before.log, ...after.log],
      ofWrite: before.ofWrite || after.ofWrite,
      answer: before.answer || after.answer,
      needed: before.needed || after.needed,
      due: before.due || after.due,
      told: before.told || after.told,
    };
  }

  function released(): void {
    if (!noted.due) gate?.release(holder);
  }

  function take(): typeof noted {
    const now = noted;
    noted = nothing();
    return now;
  }

  /** First what must never be lost; where both are in one database, all at once. */
  async function write(now: Required<Parts>): Promise<void> {
    const all = isOne ? [[...now.state, ...now.log]] : [now.state, now.log];
    for (const [at, parts] of all.entries())
      if (parts.length > 0) await commit(at === 0 ? state : log, parts);
  }

  /** However long others hold the state: what a bank has answered cannot be put off. */
  async function writeAnswered(now: Required<Parts>): Promise<void> {
    for (;;)
      try {
        await write(now);
        return;
      } catch (error) {
        if (!(error instanceof ObkError && error.code === 'LOCK_BUSY')) throw error;
      }
  }

  /** `needsAll` where the log is as much what is asked for as the state. */
  async function writeNoted(own?: Parts): Promise<void> {
    const before = take();
    const needsAll = own !== undefined;
    const needed = needsAll || before.needed;
    const { ofWrite, told } = before;
    const ofState = [...before.state, ...(own?.state ?? [])];
    const ofLog = [...before.log, ...(own?.log ?? [])];
    let failed: Error | undefined;
    try {
      if (isOne || ofState.length > 0)
        await shown(
          (before.answer ? writeAnswered : write)({ state: ofState, log: isOne ? ofLog : [] }),
        ).catch(async (error: unknown) => {
          // The error is reported now, and the end of the run tries once more. The caller retries its own parts.
          if (gate !== undefined && !told)
            putBack({ ...before, log: isOne ? before.log : [], due: false, needed: false, told: true });
          try {
            await unless(needed)(error);
          } catch (thrown) {
            failed = thrown as Error;
          }
        });
      // What was to follow from the state does not, where that is not written.
      const rest = failed === undefined ? ofLog : before.log;
      if (!isOne) await write({ state: [], log: rest }).catch(unless(needsAll));
      if (failed !== undefined) throw failed;
    } finally {
      released();
    }

    function unless(isNeeded: boolean): (error: unknown) => Promise<void> {
      return async (error) => {
        const isTold = error instanceof ObkError && !(error instanceof SealedElsewhere);
        if (before.needed && error instanceof ObkError) throw unsaved(error);
        if (isNeeded || gate === undefined || !isTold) throw error;
        if (!told) await gate.unkept(error, ofWrite);
      };
    }
  }

  async function leave(parts: Parts): Promise<void> {
    const wished = claims;
    claims = [];
    const before = take();
    const all = [before, ...wished.map((one) => one.parts), parts];
    const ofState = all.flatMap((one) => one.state ?? []);
    const ofLog = all.flatMap((one) => one.log ?? []);
    try {
      await shown(write({ state: ofState, log: isOne ? ofLog : [] }));
    } catch (error) {
      // Each caller drops its own claim; the claims of other requests stay.
      claims = [...wished, ...claims];
      // What has happened is no part of what may not be.
      putBack(before);
      await writeNoted().catch(async (lost: unknown) => {
        if (lost instanceof ObkError) await gate?.unkept(lost, true);
        if (before.needed) throw lost;
      });
      throw error;
    }
    for (const one of wished) one.is = 'written';
    released();
    if (isOne) return;
    await write({ state: [], log: ofLog }).catch((error: unknown) => {
      putBack({ ...nothing(), log: ofLog });
      throw error;
    });
  }

  const holder = { commit: () => inTurn(() => writeNoted()) };
  const seeing = (engine: Engine): Engine => {
    const isNoted = () => noted.state.length > 0 || (engine === log && noted.log.length > 0);
    return {
      ...engine,
      rows: async (asked) => {
        if (isNoted()) await holder.commit();
        return engine.rows(asked);
      },
      change: async (...asked) => {
        if (isNoted()) await holder.commit();
        return engine.change(...asked);
      },
    };
  };

  return {
    isOne,
    state: seeing(state),
    log: seeing(log),
    note: async (parts, { ofWrite = false, due = true, needed = false, answer = needed } = {}) => {
      if (gate === undefined) {
        await inTurn(() => write({ state: [], log: [], ...parts }));
        return;
      }
      add(parts);
      noted.ofWrite ||= ofWrite;
      noted.answer ||= answer;
      noted.needed ||= needed;
      noted.due ||= due;
      if (due) gate.hold(holder);
    },
    keep: (parts) =>
      inTurn(async () => {
        await writeNoted(parts);
      }),
    claim: async (parts) => {
      const one: Claimed = { parts, is: 'wished' };
      if (gate === undefined) {
        await inTurn(() => write({ state: [], log: [], ...parts }));
        one.is = 'written';
      } else claims.push(one);
      return {
        // What is just being written is waited for.
        drop: async () => {
          await inTurn(() => Promise.resolve());
          claims = claims.filter((other) => other !== one);
          return one.is !== 'written';
        },
      };
    },
    leave: (parts) => inTurn(() => leave(parts)),
    commit: () => holder.commit(),
  };
}

/** What a bank has answered to a write is not kept: nobody who runs this again would know of it. */
function unsaved(error: ObkError): ObkError {
  return new ObkError({
    code: isInterruption(error) ? 'STATE_NOT_WRITTEN' : error.code,
    exit: exitCodes.unknown,
    title: 'What the bank has answered could not be saved here.',
    detail: [error.title, error.detail].filter((text) => text !== undefined).join(' '),
    hint: error.hint,
    cause: error,
  });
}
