/** The promises of obk with their full figures, as data; each is kept by tests that `npm test` runs in a smaller size. */
import { rowsOfAFleet } from './rows-of-a-fleet.ts';
import { rowsOfBanks } from './rows-of-banks.ts';
import { rowsOfEnemies } from './rows-of-enemies.ts';
import { rowsOfTheState } from './rows-of-the-state.ts';

/** A mistake that must turn its row red. */
export type Mistake = (InFunction | InTest) & {
  readonly says: string;
  /** With how many trials it must be found. */
  readonly trials: number;
};

/** A part of a function of src, by the name that `mutants/parts.ts` gives it, and what stands in its place. */
interface InFunction {
  readonly at: string;
  readonly becomes: string;
}

/** The harness itself has no function to name: in this file the text `find`, which stands there once, is replaced. */
interface InTest {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** One line of the campaign. */
export interface Row {
  /** The number of the promise, or a name. */
  readonly id: string;
  readonly promise: string;
  /** What is counted. */
  readonly unit: string;
  readonly full: number;
  /** The fewest that prove anything: no budget goes below. */
  readonly least: number;
  /** What the row takes on two cores, in seconds: at any size, and for each trial. */
  readonly seconds: { readonly start: number; readonly each: number };
  /** The test files that keep the promise; they take their number of trials from `trials(id, …)`. */
  readonly tests: readonly string[];
  /** Programs without which the row cannot run; it is said aloud, and is red. */
  readonly needs?: readonly string[];
  readonly mistake: Mistake;
  /** Others that it must find too. */
  readonly more?: readonly Mistake[];
}

const rowsOfTheTool: readonly Row[] = [
  {
    id: '1',
    promise: 'A payment is never created twice, whatever dies when',
    unit: 'kills',
    full: 15_000,
    least: 60,
    seconds: { start: 10, each: 0.4 },
    tests: ['test/e2e/kill.test.ts'],
    mistake: {
      says: 'every run may send, whatever an earlier one has sent for the same intent',
      at: 'intent-state.ts: intentState if 1',
      becomes: "return { kind: 'not-sent' };",
      trials: 60,
    },
  },
  {
    id: '2',
    promise: 'The test of row 1 can fail: without a journal it finds doubles',
    unit: 'kills',
    full: 300,
    least: 60,
    seconds: { start: 4, each: 0.25 },
    tests: ['test/campaign/rows/02-harness-can-fail.full.test.ts'],
    mistake: {
      says: 'the harness takes two payments for one',
      file: 'test/helpers/kill-cycles.ts',
      find: 'if (cycle.after > 1)',
      replace: 'if (cycle.after > 2)',
      trials: 60,
    },
  },
  {
    id: '3',
    promise: 'No write leaves twice, whatever the network does to its answer',
    unit: 'cells',
    full: 138,
    least: 138,
    seconds: { start: 25, each: 0 },
    tests: ['test/campaign/rows/03-writes-leave-once.test.ts'],
    mistake: {
      says: 'a write whose answer was lost is tried again, as a read is',
      at: 'call.ts: pauseBefore operation 2',
      becomes: 'attempt >= readAttempts',
      trials: 138,
    },
  },
  {
    id: '4',
    promise: 'Whatever call to the system fails or is the last, obk sends nothing unrecorded and pays once',
    unit: 'calls in each of 18 cases',
    full: 200,
    least: 12,
    seconds: { start: 10, each: 6 },
    tests: ['test/e2e/every-save.test.ts', 'test/campaign/rows/04-every-syscall.test.ts'],
    needs: ['strace'],
    mistake: {
      says: 'an intent whose request left says that it did not',
      at: 'kept-intents.ts: leaves return 1',
      becomes: 'return [found.row];',
      trials: 12,
    },
  },
  {
    id: '5',
    promise: 'An unclear outcome is said to be unclear, listed with a next step, and a loop pays once',
    unit: 'histories',
    full: 38,
    least: 38,
    seconds: { start: 10, each: 0 },
    tests: ['test/campaign/rows/05-unclear-is-said.test.ts'],
    mistake: {
      says: 'an answer that was lost after the request was sent counts as never sent',
      at: 'judge.ts: judgeFailure condition 0',
      becomes: "!failure.sent || failure.reason === 'reset'",
      trials: 38,
    },
  },
  {
    id: '7',
    promise: 'Amounts are exact decimals from end to end',
    unit: 'amounts',
    full: 1_000_000,
    least: 5_000,
    seconds: { start: 3, each: 0.0003 },
    tests: ['test/campaign/rows/07-amounts.test.ts'],
    mistake: {
      says: 'minor units by way of a binary fraction',
      at: 'amount.ts: parseAmount variable 4',
      becomes: 'const size = BigInt(Math.trunc(Number(`${whole}.${fraction}0`) * 10 ** digits));',
      trials: 20_000,
    },
  },
  {
    id: '11',
    promise: 'A password and a code are sent once for each entry',
    unit: 'cells',
    full: 128,
    least: 128,
    seconds: { start: 30, each: 0 },
    tests: ['test/campaign/rows/11-secrets-once.test.ts'],
    mistake: {
      says: 'an entry that was sent before is sent again',
      at: 'take-step.ts: StepTaker.#answer if 3',
      becomes: 'return { value: answered.value, marked };',
      trials: 128,
    },
  },
  {
    id: '12',
    promise: 'The text of a bank does not control the terminal',
    unit: 'texts',
    full: 1_000_000,
    least: 20_000,
    seconds: { start: 3, each: 0.00018 },
    tests: ['test/campaign/rows/12-bank-text.test.ts'],
    mistake: {
      says: 'the controls of eight bits are left in',
      at: 'clean.ts: unsafe pattern 0',
      becomes:
        '/[\\u0000-\\u0008\\u000b-\\u001f\\u007f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\ud800-\\udfff]|[\\u{e0000}-\\u{e007f}]/gu',
      trials: 20_000,
    },
  },
  {
    id: '13',
    promise: 'A link of a bank starts no program and opens no file',
    unit: 'links',
    full: 1_000,
    least: 1_000,
    seconds: { start: 3, each: 0.001 },
    tests: ['test/campaign/rows/13-links-start-nothing.test.ts'],
    mistake: {
      says: 'every scheme is as good as https',
      at: 'browser.ts: checkUrl operation 1',
      becomes: "url.protocol !== 'javascript:' || (url.protocol === 'http:' && isLoopback(url.hostname))",
      trials: 1_000,
    },
  },
  {
    id: '15',
    promise: 'Two runs at once make one payment',
    unit: 'pairs',
    full: 200,
    least: 10,
    seconds: { start: 5, each: 1.2 },
    tests: ['test/e2e/parallel.test.ts'],
    mistake: {
      says: 'a claim does not look whether another process has it',
      at: 'intent.ts: claimIt variable 0',
      becomes: 'const claim = { claimed: true };',
      trials: 10,
    },
  },
  {
    id: '17',
    promise: 'No acknowledged update is lost to parallel processes',
    unit: 'rounds of 16 processes with 50 updates each',
    full: 20,
    least: 1,
    seconds: { start: 5, each: 15 },
    tests: ['test/campaign/rows/17-parallel-updates.test.ts'],
    mistake: {
      says: 'whoever wants the lock has it',
      at: 'file-lock.ts: tryLock if 0',
      becomes: 'return linkIfFree(mine, path) || true;',
      trials: 1,
    },
  },
  {
    id: '18',
    promise: 'A kill -9 during writes leaves every file readable and loses nothing acknowledged',
    unit: 'kills',
    full: 1_000,
    least: 20,
    seconds: { start: 4, each: 0.3 },
    tests: ['test/campaign/rows/18-kills-in-writes.test.ts'],
    mistake: {
      says: 'a use is acknowledged before it is kept',
      at: 'kept-usage.ts: keptUsage.update member 0',
      becomes:
        "update: (name, change) => { const keep = () => engine.change(byTag(name), (found) => { const [before] = found.flat().map(whole); const uses = change(before?.uses ?? []); const key = before?.row.key ?? usageTags(codec, name)[0]; const row = { key, record: sealIn(codec, table, 'record', { key }, { name, uses }) }; return { changes: [before === undefined ? insert(table, row) : replace(table, before.row, row)], result: uses }; }); setTimeout(() => void keep(), 50); return Promise.resolve([]); }",
      trials: 40,
    },
  },
  {
    id: '19',
    promise: 'A disk that takes no more never damages the state',
    unit: 'limits of the size of a file or of a file system',
    full: 400,
    least: 10,
    seconds: { start: 3, each: 0.7 },
    tests: ['test/campaign/rows/19-full-disk.test.ts'],
    mistake: {
      says: 'a write that failed counts as done',
      at: 'settings-file.ts: settingsFile.replace if 1',
      becomes: 'if (after !== undefined) return;',
      trials: 24,
    },
  },
  {
    id: '20',
    promise: 'Eight processes whose token has ended refresh it once, and all go on',
    unit: 'rounds',
    full: 100,
    least: 3,
    seconds: { start: 4, each: 3 },
    tests: ['test/e2e/refresh.test.ts'],
    mistake: {
      says: 'each process refreshes by itself',
      at: 'refresh.ts: refresh call 3',
      becomes: '`${lockOf(name, seen)}-${String(Math.random()).slice(2)}`',
      trials: 3,
    },
  },
  {
    id: '21',
    promise: 'Ids and names cannot change the path that is called',
    unit: 'ids',
    full: 100_000,
    least: 5_000,
    seconds: { start: 3, each: 0.0002 },
    tests: ['test/campaign/rows/21-ids-in-paths.test.ts'],
    mistake: {
      says: 'ids go into the path as they are',
      at: 'request.ts: buildPath return 0',
      becomes: 'return bad === undefined ? value : refuse(name, bad);',
      trials: 5_000,
    },
  },
  {
    id: '22',
    promise: 'Values cannot add headers',
    unit: 'values',
    full: 100_000,
    least: 2_000,
    seconds: { start: 3, each: 0.001 },
    tests: ['test/campaign/rows/22-header-values.test.ts'],
    mistake: {
      says: 'a value is not looked at before it is sent',
      at: 'http-request-check.ts: checkHeaders condition 1',
      becomes: "text === 'never'",
      trials: 2_000,
    },
  },
  {
    id: '24',
    promise: 'A code that nobody lists is never shown as success or failure',
    unit: 'codes',
    full: 100,
    least: 20,
    seconds: { start: 4, each: 0.5 },
    tests: ['test/campaign/rows/24-unknown-codes.test.ts'],
    mistake: {
      says: 'what is unknown is taken for final',
      at: 'codes.ts: isFinalTransaction return 0',
      becomes: 'return transactionByCode.get(code)?.final ?? true;',
      trials: 20,
    },
  },
  {
    id: '25',
    promise: 'The limit of 100 calls a minute is kept by eight processes',
    unit: 'minutes',
    full: 5,
    least: 2,
    seconds: { start: 15, each: 62 },
    tests: ['test/e2e/pace.test.ts'],
    mistake: {
      says: 'a call that waits forgets what the others have taken meanwhile',
      at: 'rate-limit.ts: admit list 0',
      becomes: '[{ at: now, what: me }]',
      trials: 2,
    },
  },
  {
    id: '27',
    promise: 'Output is whole, or the exit code is not 0',
    unit: 'slow readers',
    full: 50,
    least: 2,
    seconds: { start: 8, each: 1.5 },
    tests: ['test/e2e/pipes.test.ts'],
    mistake: {
      says: 'the process ends while its output still stands in a buffer',
      at: 'streams.ts: write statement 0',
      becomes: 'stream.write(text, end); setImmediate(() => process.exit(0));',
      trials: 2,
    },
  },
  {
    id: '28',
    promise: 'Exports run no formulas',
    unit: 'lines',
    full: 10_000,
    least: 2_000,
    seconds: { start: 3, each: 0.0003 },
    tests: ['test/campaign/rows/28-csv-formulas.test.ts'],
    mistake: {
      says: 'a cell that begins with @ is left as it is',
      at: 'table.ts: csvCell variable 2',
      becomes: "const text = formula.test(plain) && !plain.startsWith('@') ? `'${guarded}` : guarded;",
      trials: 2_000,
    },
  },
  {
    id: '29',
    promise: 'An answer that has a digest is checked against it',
    unit: 'flipped bits',
    full: 1_000,
    least: 40,
    seconds: { start: 5, each: 0.03 },
    tests: ['test/campaign/rows/29-answers-are-checked.test.ts'],
    mistake: {
      says: 'a digest of the same length is good enough',
      at: 'digest.ts: sameBytes return 0',
      becomes: 'return told.length === sum.length;',
      trials: 40,
    },
  },
  {
    id: '33',
    promise:
      'Damaged or newer state is recognised: never reset in silence, never a crash, never a second payment',
    unit: 'damaged files',
    full: 10_000,
    least: 200,
    seconds: { start: 8, each: 0.06 },
    tests: ['test/campaign/rows/33-damaged-state.test.ts'],
    mistake: {
      says: 'settings that cannot be read count as none',
      at: 'settings-file.ts: settingsFile.parsed if 0',
      becomes: 'return parse(undefined, path);',
      trials: 200,
    },
  },
  {
    id: '40',
    promise: 'Any single call to the system that fails is survived',
    unit: 'calls of 20 commands',
    full: 2_000,
    least: 40,
    seconds: { start: 10, each: 0.5 },
    tests: ['test/campaign/rows/40-failing-calls.test.ts'],
    needs: ['strace'],
    mistake: {
      says: 'what the system says of a file is nobody’s matter',
      at: 'file-errors.ts: guard if 0',
      becomes: 'throw cause;',
      trials: 60,
    },
  },
  {
    id: '41',
    promise: 'Model and reality agree under kills, lost answers, errors of the disk and delays',
    unit: 'histories of up to four processes at once',
    full: 2_000,
    least: 5,
    seconds: { start: 5, each: 8 },
    tests: ['test/campaign/rows/41-model.test.ts'],
    mistake: {
      says: 'a payment whose answer was reset counts as never sent',
      at: 'judge.ts: judgeFailure condition 0',
      becomes: "!failure.sent || failure.reason === 'reset'",
      trials: 5,
    },
    more: [
      {
        says: 'every run may send, whatever an earlier one has sent for the same intent',
        at: 'intent-state.ts: intentState if 1',
        becomes: "return { kind: 'not-sent' };",
        trials: 5,
      },
      {
        says: 'a key is forgotten when its run ends',
        at: 'intent.ts: intentHash return 0',
        becomes:
          'return sha256([profile, key, String(process.pid), ...(ledger === undefined ? [] : [ledger])]);',
        trials: 5,
      },
    ],
  },
  {
    id: 'endless',
    promise: 'No run goes round: an entry that is not taken ends it where no other entry can come',
    unit: 'entries by what the bank says and who gives them',
    full: 120,
    least: 20,
    seconds: { start: 4, each: 0.5 },
    tests: ['test/campaign/rows/endless-runs.test.ts', 'test/unit/client/sca/turns.test.ts'],
    mistake: {
      says: 'whoever stands for a PSU can always give another entry',
      at: 'psu.ts: Psu.another return 4',
      becomes: "return 'human';",
      trials: 20,
    },
    more: [
      {
        says: 'a program is asked until it has something new',
        at: 'take-step.ts: StepTaker.#answer if 4',
        becomes: 'if (from === undefined || false) throw end();',
        trials: 120,
      },
      {
        says: 'a turn with the same state as before is as good as another',
        at: 'take-step.ts: Turns.begin if 1',
        becomes: '',
        trials: 20,
      },
    ],
  },
  {
    id: 'green',
    promise: 'No step is green in which the customer was to act and has entered nothing',
    unit: 'steps with something missing',
    full: 54,
    least: 9,
    seconds: { start: 4, each: 0.5 },
    tests: ['test/campaign/rows/green-without-an-entry.test.ts'],
    mistake: {
      says: 'it is enough that the payment was made',
      at: 'why-open.ts: asksForAuthorisation if 0',
      becomes: '',
      trials: 9,
    },
    more: [
      {
        says: 'the report does not say what is missing',
        at: 'checks.ts: whyOf list 1',
        becomes: "[toldIn(document), isAlone ? lacks : '']",
        trials: 9,
      },
    ],
  },
  {
    id: 'resets',
    promise: 'A bank of a file goes back to it without leaving anything behind: heap, handles, files',
    unit: 'resets',
    full: 1000,
    least: 200,
    seconds: { start: 5, each: 0.02 },
    tests: ['test/unit/bank/config/resets.test.ts'],
    mistake: {
      says: 'every reset prepares statements of its own',
      at: 'ledger.ts: resetLedger statement 1',
      becomes: 'main.run(`DELETE FROM ${table} /* ${String(performance.now())} */`);',
      trials: 200,
    },
  },
  {
    id: 'stranger',
    promise:
      'The two lines of the README hold for a user who is not root and has git, node, npm and the base of Debian',
    unit: 'machines',
    full: 1,
    least: 1,
    seconds: { start: 0, each: 420 },
    tests: ['test/stranger/stranger.test.ts'],
    needs: ['git'],
    mistake: {
      says: 'a test counts on the official files beside the clone',
      file: 'test/unit/bank/payments/cancelling.test.ts',
      find: "expect(await refused()).toEqual([400, 'CANCELLATION_INVALID']);",
      replace:
        "await expect(scene.call('DELETE', href(links, 'self'))).rejects.toThrow('does not come with 400');",
      trials: 1,
    },
  },
];

/** All rows, by their numbers; those with a name come last. */
export const rows: readonly Row[] = [
  ...rowsOfTheTool,
  ...rowsOfEnemies,
  ...rowsOfBanks,
  ...rowsOfAFleet,
  ...rowsOfTheState,
].sort((one, other) => (Number(one.id) || 99) - (Number(other.id) || 99));
