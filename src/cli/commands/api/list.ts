import { line } from '../../../base/command-line.ts';
import type { RowsOutcome } from '../../outcome.ts';
import { operations } from '../../../standard/xs2a/operations.ts';
import {
  absence,
  operationsOf,
  pathTemplate,
  presetNames,
  presets,
} from '../../../standard/xs2a/variants.ts';
import type { PresetName } from '../../../standard/xs2a/variants.ts';

/** The table of operations; of one variant with its paths. */
export function operationTable(name: PresetName | undefined): RowsOutcome {
  const variant = name && presets[name];
  const found = variant === undefined ? operations : operationsOf(variant);
  return {
    kind: 'rows',
    columns: [
      { key: 'operation', title: 'OPERATION' },
      { key: 'method', title: 'METHOD' },
      { key: 'path', title: 'PATH' },
      { key: 'service', title: 'SERVICE' },
      { key: 'role', title: 'ROLE', wide: true },
      { key: 'variants', title: 'VARIANTS' },
    ],
    rows: found.map((op) => ({
      operation: op.id,
      method: op.method,
      path: variant === undefined ? op.path : pathTemplate(variant, op),
      service: op.service,
      role: op.role,
      variants: presetNames.filter((one) => absence(presets[one], op.id) === undefined),
    })),
    nameKey: 'operation',
    empty: 'There is no operation.',
    next: found.slice(0, 1).map(({ id }) => line`obk explain ${id}`),
  };
}
