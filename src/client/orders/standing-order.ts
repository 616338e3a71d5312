import { defined } from '../../base/defined.ts';
import { executionRules, frequencies, valuesIn } from '../../standard/xs2a/code-lists.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { StandingOrder } from '../../standard/xs2a/wire.ts';
import { checkFields, codeIn, mandatoryStanding, monthsOf, notSendable } from './payment-fields.ts';
import type { PaymentFields } from './payment-fields.ts';

/** When a standing order runs; throws for missing and wrong fields, and where they do not fit each other or the framework. */
export function standingOrderOf(fields: PaymentFields, framework: Framework): StandingOrder {
  checkFields(fields, mandatoryStanding);
  const { startDate = '', endDate, executionRule, dayOfExecution, months } = fields;
  const frequency = codeIn(frequencies, fields.frequency ?? '') ?? '';
  const rule = executionRule === undefined ? undefined : codeIn(executionRules, executionRule);
  const offered = valuesIn(framework, frequencies);
  const variable = frequency === 'MonthlyVariable';
  const faults = [
    !offered.includes(frequency) && `--frequency ${frequency}: ${framework} has ${offered.join(', ')}`,
    endDate !== undefined && endDate < startDate && `--end-date ${endDate}: it is before ${startDate}`,
    months !== undefined && !variable && '--months: they belong to --frequency MonthlyVariable alone',
    months === undefined && variable && '--months: MonthlyVariable needs them',
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw notSendable(faults);
  return {
    startDate,
    frequency,
    ...defined({ endDate, executionRule: rule }),
    ...(dayOfExecution !== undefined && { dayOfExecution: dayOfExecution.replace(/^0/, '') }),
    ...(months !== undefined && { monthsOfExecution: monthsOf(months) }),
  };
}
