import type { Ports } from '../../client/ports.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { isOperationId } from '../../standard/xs2a/operations.ts';
import { captureOfView } from '../../client/evidence/captured-request.ts';
import { maskedText } from '../../client/redaction/masking.ts';
import { redactText } from '../../client/redaction/redact.ts';
import { ExchangeJudge } from './exchanges.ts';
import type { CheckedExchange } from './exchanges.ts';

/** Judges the calls of a run while it goes on, so that no body is kept for the end. */
export class RunJudge {
  readonly #clock: Ports['clock'];
  readonly #judges = new Map<string, ExchangeJudge>();
  #work: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #found: CheckedExchange[] = [];
  #judged = 0;

  constructor(clock: Ports['clock']) {
    this.#clock = clock;
  }

  /** Takes a call that has ended, or the request of a dry run; those to an OAuth server are none of the interface. */
  heard(view: ExchangeView, bank: { name: string; profile: Profile }): void {
    if (!isOperationId(view.operation)) return;
    this.#work = this.#work
      .then(() => this.#judge(view, bank))
      .catch((error: unknown) => {
        this.#failure ??= error instanceof Error ? error : new Error(String(error));
      });
  }

  /** Returns the calls with findings, once each, and how many calls were judged. Throws what judging threw. */
  async told(): Promise<{ found: readonly CheckedExchange[]; judged: number }> {
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
    const found = this.#found;
    this.#found = [];
    return { found, judged: this.#judged };
  }

  async #judge(view: ExchangeView, { name, profile }: { name: string; profile: Profile }): Promise<void> {
    const judge = this.#judges.get(name) ?? new ExchangeJudge(this.#clock, { profile });
    this.#judges.set(name, judge);
    for (const captured of captureOfView(view)) {
      const { findings, ...about } = await judge.next(captured, 'meant');
      this.#judged += 1;
      if (findings.length === 0) continue;
      // What a bank has sent is quoted in them.
      const clean = JSON.parse(maskedText(redactText(JSON.stringify(findings)))) as typeof findings;
      this.#found.push({ ...about, findings: clean });
    }
  }
}
