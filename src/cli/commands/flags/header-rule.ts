import { defined } from '../../../base/defined.ts';
import type { BankHeaderRule, HeaderAction } from '../../../settings/records/bank-descriptor.ts';
import { nearest } from '../../../base/nearest.ts';
import { operations } from '../../../standard/xs2a/operations.ts';
import { operationNamed } from '../../../standard/xs2a/variants.ts';
import { usageError } from './flag-values.ts';

const example = '--header-rule "forbid PSU-ID on createConsent"';

/** Reads `ACTION NAME[=VALUE| from REFERENCE] [on OPERATION,...]`, as --header-rule takes it. */
export function readHeaderRule(text: string): BankHeaderRule {
  const [, action, name = '', value, valueFrom, on] =
    /^(require|forbid|default|dropIfBlank)\s+([^\s=]+)(?:=(.*?)|\s+from\s+(\S.*?))?(?:\s+on\s+([A-Za-z]+(?:\s*,\s*[A-Za-z]+)*))?$/s.exec(
      text.trim(),
    ) ?? [];
  if (action === undefined) {
    throw usageError(
      '--header-rule takes require, forbid, default or dropIfBlank, the name of a header, =VALUE or "from REFERENCE" for a ' +
        `default, and "on" with operations; not ${JSON.stringify(text)}.`,
      example,
    );
  }
  const names = on?.split(/\s*,\s*/).map((one) => {
    const id = operationNamed(one);
    if (id !== undefined) return id;
    const near = nearest(
      one,
      operations.map(({ id }) => id),
    );
    throw usageError(`There is no operation ${JSON.stringify(one)}.`, ...near, example);
  });
  return {
    name,
    action: action as HeaderAction,
    ...defined({ operations: names, value, valueFrom }),
  };
}

/** The rule as --header-rule takes it. */
export function headerRuleText({ name, action, operations: on, value, valueFrom }: BankHeaderRule): string {
  const filled = value !== undefined ? `=${value}` : valueFrom !== undefined ? ` from ${valueFrom}` : '';
  return `${action} ${name}${filled}${on === undefined ? '' : ` on ${on.join(',')}`}`;
}
