import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { oneLine } from './bank-texts.ts';
import { error } from './finding.ts';
import type { SettingFinding } from './finding.ts';
import { choice, forPeople, forTpp, group, list, ownRule, text, unaskedReference } from './row.ts';
import { operationId } from './operation-rows.ts';
import type { ValueOf } from './row.ts';
import { ruledHeader } from './texts.ts';

/** The row of one rule for a header. */
export const headerRule = group(
  {
    name: text({ wrong: ruledHeader }),
    action: choice(['require', 'forbid', 'default', 'dropIfBlank', 'keepEmpty']),
    operations: list(operationId),
    when: choice(['withToken', 'withoutToken']),
    why: forPeople(text({ wrong: oneLine })),
    value: forTpp(text()),
    valueFrom: ownRule(unaskedReference),
  },
  ['name', 'action'],
  { together },
);

function together(rule: Readonly<Record<string, unknown>>, at: string): readonly SettingFinding[] {
  const { name, action, value, valueFrom } = rule as Partial<ValueOf<typeof headerRule>>;
  if (name?.toLowerCase() === 'content-type' && action !== 'default')
    return [error(at, 'Content-Type follows from the body; a default sets it on requests without one.')];
  const values = [value, valueFrom].filter((one) => one !== undefined).length;
  if (action !== 'default')
    return values === 0 ? [] : [error(at, `Only a default has a value; ${String(action)} has none.`)];
  if (values !== 1) return [error(at, 'A default needs either value or valueFrom.')];
  const checked = value === undefined ? { ok: true as const } : checkHeaderValue(name ?? '', value);
  return checked.ok ? [] : [error(`${at}.value`, `${checked.why}.`)];
}
