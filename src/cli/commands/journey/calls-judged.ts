import type { CallJudge, Context } from '../../context.ts';
import type { CallsJudged } from '../../../tester/journeys/run-step.ts';
import type { RunJudge } from '../../../tester/check/run-judge.ts';
import type { CaseFinding } from '../../../settings/records/check-run.ts';

type Heard = Parameters<CallJudge['heard']>;

/** Hears the calls of a journey and judges them where a step asks for it, so that one that passes costs nothing. */
export function callsJudged({ ports, judge }: Pick<Context, 'ports' | 'judge'>): CallJudge & CallsJudged {
  let heard: Heard[] = [];
  let judged: Promise<RunJudge> | undefined;
  const found = async (calls: readonly Heard[]): Promise<CaseFinding[]> => {
    judged ??= import('../../../tester/check/run-judge.ts').then((own) => new own.RunJudge(ports.clock));
    const own = await judged;
    for (const call of calls) own.heard(...call);
    return (await own.told()).found.flatMap(({ findings }) => findings);
  };
  return {
    heard(...call) {
      heard.push(call);
      judge?.heard(...call);
    },
    count: () => heard.length,
    async since(count) {
      // What came before says what the order of the later ones must be.
      const [before, own] = [heard.slice(0, count), heard.slice(count)];
      heard = [];
      await found(before);
      return found(own);
    },
  };
}
