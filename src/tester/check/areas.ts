import type { CaseResult, CaseVerdict, CheckRun } from '../../settings/records/check-run.ts';
import { operation as operationOf } from '../../standard/xs2a/operations.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { listedRules } from './rule-list.ts';

const kindByRule: ReadonlyMap<string, string> = new Map(listedRules.map(({ rule, area }) => [rule, area]));

/** The kinds of rules, in the order in which a call is read. */
export const kindsOfRules: readonly string[] = [...new Set(kindByRule.values())];

/** The area of the interface that an operation is of. */
export const areaOf = (operation: OperationId): string =>
  ({
    payment: 'payments',
    cancellation: 'payments',
    consent: 'consents',
    basket: 'baskets',
    account: 'accounts',
    'card-account': 'cards',
    funds: 'funds',
  })[operationOf(operation).parent];

/** From the worst verdict to the one that says least. */
const order: readonly CaseVerdict[] = [
  'fail',
  'inconclusive',
  'waived',
  'pass',
  'not tested',
  'not applicable',
];

/** The verdict of each area of the interface, the worst of its cases, and of each of these kinds of rules by its findings. */
export function areasOf(results: readonly CaseResult[], kinds: readonly string[]): CheckRun['areas'] {
  const ofCases = [...new Set(results.map(({ area }) => area))].map((area) => {
    const own = results.filter((one) => one.area === area);
    const verdict = order.find((one) => own.some((result) => result.verdict === one)) ?? 'not tested';
    return { area, verdict, findings: own.flatMap(({ findings }) => findings).length };
  });
  const all = results.flatMap(({ findings }) => findings);
  const judged = results.some(({ verdict }) => /^(pass|fail|waived)$/.test(verdict));
  const ofRules = kinds.map((area) => {
    const own = all.filter(({ rule }) => kindByRule.get(rule) === area);
    const open = own.filter(({ waived, level }) => waived === undefined && level !== 'may');
    const verdict: CaseVerdict =
      open.length > 0
        ? 'fail'
        : !judged
          ? 'not tested'
          : own.some(({ waived }) => waived !== undefined)
            ? 'waived'
            : 'pass';
    return { area: `rules: ${area}`, verdict, findings: own.length };
  });
  return [...ofCases, ...ofRules];
}
