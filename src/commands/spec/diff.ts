import type { Register, Run } from '../../command.ts';
import { variantDifferences } from '../../xs2a/variant-diff.ts';
import { presetNames, presets } from '../../xs2a/variants.ts';
import type { PresetName } from '../../xs2a/variants.ts';
import { oneOf } from '../flags/flag-values.ts';

interface Options {
  a: PresetName;
  b: PresetName;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('diff')
      .argument('<a>', `a variant of the interface: ${presetNames.join(', ')}`, oneOf('A', presetNames))
      .argument('<b>', 'the other one', oneOf('B', presetNames)),
    {
      about: 'Say what differs between two variants: operations, headers, members, links and codes',
      examples: ['obk spec diff v1 v136', 'obk spec diff v1 v136 --jq \'.[] | select(.kind == "header")\''],
      more: ['obk api --list', 'obk explain'],
    },
    run,
  );

const run: Run<Options> = (_context, { a, b }) =>
  Promise.resolve({
    kind: 'rows',
    columns: [
      { key: 'kind', title: 'KIND' },
      { key: 'where', title: 'WHERE' },
      { key: 'what', title: 'WHAT' },
      { key: 'a', title: a.toUpperCase() },
      { key: 'b', title: b.toUpperCase() },
      { key: 'source', title: 'SOURCE' },
      { key: 'since', title: 'SINCE' },
    ],
    rows: variantDifferences(presets[a], presets[b]).map((one) => ({ ...one })),
    nameKey: 'what',
    empty: 'They are the same.',
    next: ['obk api --list'],
  });
