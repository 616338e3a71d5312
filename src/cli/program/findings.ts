import { cleanJson, cleanLine } from '../../base/clean.ts';
import { exchangeLines } from '../commands/check/finding-lines.ts';
import type { Process } from '../context.ts';
import { exitCodes } from '../../base/errors.ts';
import type { ExitCode } from '../../base/errors.ts';
import type { CheckedExchange } from '../../tester/check/exchanges.ts';
import { RunJudge } from '../../tester/check/run-judge.ts';
import { countsOf } from '../../tester/check/summary.ts';
import type { Ports } from '../../client/ports.ts';
import type { OutputChoice } from './output-choice.ts';
import { writeAll, writeStyled } from './streams.ts';

/** The judge of one run with --findings, and how it tells on stderr what it has found. */
export class Findings {
  readonly judge: RunJudge;
  readonly #host: Process;
  readonly #choice: OutputChoice;

  constructor(host: Process, choice: OutputChoice, clock: Ports['clock']) {
    this.judge = new RunJudge(clock);
    this.#host = host;
    this.#choice = choice;
  }

  /** Tells what was found before an error that says more: a program finds that error in the last line. */
  async tell(): Promise<void> {
    await this.#told();
  }

  /** Tells what was found, and returns exit 10 for it in place of 0; a worse end stays what it is. */
  async end(exit: ExitCode): Promise<ExitCode> {
    const isBroken = await this.#told();
    return isBroken && exit === exitCodes.ok ? exitCodes.expectation : exit;
  }

  /** Returns whether a rule was broken; one that only may be kept breaks nothing. */
  async #told(): Promise<boolean> {
    const { found, judged } = await this.judge.told();
    const { must, should, may } = countsOf(found);
    const { machine, quiet, stderr } = this.#choice;
    if (machine && !stderr.tty) {
      if (quiet < 2) await writeAll(this.#host.stderr, found.flatMap(machineLines).join(''), false);
    } else if (found.length > 0) {
      const sum = `must: ${String(must)}, should: ${String(should)}, may: ${String(may)}`;
      const lines = found.flatMap((one) => exchangeLines({ ...one, notTested: [], notes: [] }, stderr));
      if (quiet < 2) await writeStyled(this.#host.stderr, `${[...lines, sum].join('\n')}\n`, stderr.tty);
    } else if (stderr.tty && quiet === 0) {
      await writeAll(this.#host.stderr, `${nothing(judged)}\n`);
    }
    return must + should > 0;
  }
}

const nothing = (judged: number): string =>
  judged === 0
    ? 'No findings: the command made no call of the interface.'
    : `No findings in ${String(judged)} ${judged === 1 ? 'call' : 'calls'}.`;

/** A line of JSON for each finding, with the call that it is in. */
function machineLines({ method, target, status, operation, findings }: CheckedExchange): string[] {
  const call = { method, target: cleanLine(target, 300), status, operation };
  return findings.map((finding) => `${cleanJson(JSON.stringify({ finding: { ...call, ...finding } }))}\n`);
}
