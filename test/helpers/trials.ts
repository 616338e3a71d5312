import { appendFileSync } from 'node:fs';

/** What `npm run campaign` asks of the tests that it runs, in `OBK_TEST_CAMPAIGN`. */
export interface CampaignTask {
  row: string;
  trials: number;
  seed: number;
  /** The file that takes what the tests of the row report. */
  report: string;
}

/** What a test of the row tells the campaign: how many trials it made, and what it counted, in words. */
export interface TrialReport {
  trials: number;
  figure: string;
}

/** How often a test tries, and from which seed. */
export interface Trials {
  readonly count: number;
  readonly seed: number;
  /** The time that a test may take: as given in `npm test`, and as long as it needs in the campaign. */
  timeout(ms: number): number;
  /** Tells the campaign what was done; nothing in `npm test`. */
  report(figure: string, trials?: number): void;
}

const longest = 2 ** 31 - 1;

/** The trials of a row of the campaign: so many in `npm test`, and as many as the campaign asks for when it runs that row. */
export function trials(row: string, inNpmTest: number, seed = 7): Trials {
  const asked = process.env['OBK_TEST_CAMPAIGN'];
  const task = asked === undefined ? undefined : (JSON.parse(asked) as CampaignTask);
  if (task?.row !== row) {
    const count = moreOf(row) ?? inNpmTest;
    return {
      count,
      seed,
      timeout: (ms) => Math.max(ms, Math.ceil((ms * count) / Math.max(1, inNpmTest))),
      report: () => undefined,
    };
  }
  return {
    count: task.trials,
    seed: task.seed,
    timeout: () => longest,
    report(figure, done = task.trials) {
      const report: TrialReport = { trials: done, figure };
      appendFileSync(task.report, `${JSON.stringify(report)}\n`);
    },
  };
}

/** What `.ci/run` asks of a row in OBK_TEST_TRIALS, `row=number` by commas: more than `npm test`, less than the campaign. */
function moreOf(row: string): number | undefined {
  const asked = (process.env['OBK_TEST_TRIALS'] ?? '').split(',').map((one) => one.split('='));
  const count = Number(asked.find(([name]) => name === row)?.[1]);
  return count > 0 ? count : undefined;
}

const tables = trials('tables', 0);

/** Whether those tables run whole of which `npm test` runs a part: in `.ci/run`, and in the row `tables` of the campaign. */
export const isWhole = tables.count > 0;

/** Whether tests run that are too dear for `npm test`; stderr names them where they do not. */
export function runsWhole(what: string): boolean {
  if (!isWhole) process.stderr.write(`SKIPPED: ${what}: run by .ci/run, or with OBK_TEST_TRIALS=tables=1\n`);
  return isWhole;
}

/** Of a table of cases every so manieth (`of`), beginning with the one at `from`, and one at least; where tables run whole, all of them. */
export function part<T>(cases: readonly T[], of: number, from: number): readonly T[] {
  return isWhole ? cases : cases.filter((_, at) => at % of === from % Math.min(of, cases.length));
}

/** How often a property is tried of which so many trials (`whole`) are made where tables run whole. */
export function runs(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 5);
}

/** Tells the row `tables` that a file has run its table whole. */
export function ranTable(figure: string): void {
  if (isWhole) tables.report(figure, 1);
}
