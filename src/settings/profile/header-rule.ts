import type { BankHeaderRule } from '../records/bank-descriptor.ts';
import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { oneLine } from './bank-texts.ts';
import { error } from './finding.ts';
import type { Finding } from './finding.ts';
import { choice, forPeople, forTpp, group, list, nameOf, ownRule, text, unaskedReference } from './row.ts';
import { operationName, ruledHeader } from './texts.ts';

/** The row of one rule for a header. */
export const headerRule = group<BankHeaderRule>(
  {
    name: text({ wrong: ruledHeader }),
    action: choice(['require', 'forbid', 'default', 'dropIfBlank', 'keepEmpty']),
    operations: list(nameOf(operationName)),
    when: choice(['withToken', 'withoutToken']),
    why: forPeople(text({ wrong: oneLine })),
    value: forTpp(text()),
    valueFrom: ownRule(unaskedReference),
  },
  ['name', 'action'],
  { together },
);

function together(rule: Readonly<Record<string, unknown>>, at: string): readonly Finding[] {
  const { name, action, value, valueFrom } = rule as Partial<BankHeaderRule>;
  if (name?.toLowerCase() === 'content-type' && action !== 'default')
    return [error(at, 'Content-Type follows from the body; a default sets it on requests without one.')];
  const values = [value, valueFrom].filter((one) => one !== undefined).length;
  if (action !== 'default')
    return values === 0 ? [] : [error(at, `Only a default has a value; ${String(action)} has none.`)];
  if (values !== 1) return [error(at, 'A default needs either value or valueFrom.')];
  const checked = value === undefined ? { ok: true as const } : checkHeaderValue(name ?? '', value);
  return checked.ok ? [] : [error(`${at}.value`, `${checked.why}.`)];
}
