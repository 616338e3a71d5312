import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { oneOf as oneOfThese, text, textOrNull } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { variantDifferences } from '../../../standard/xs2a/variant-diff.ts';
import { frameworkNames, presetNames, presets, variantOf } from '../../../standard/xs2a/variants.ts';
import type { Framework, PresetName, Variant } from '../../../standard/xs2a/variants.ts';
import { oneOf } from '../flags/flag-values.ts';

type Name = PresetName | Framework;

const names: readonly Name[] = [...presetNames, ...frameworkNames];

/** A variant of the service by its name, or the whole of a framework. */
function named(name: Name): Variant {
  if (name in presets) return presets[name as PresetName];
  return { ...variantOf(name as Framework), surface: 'framework' };
}

const fields = {
  kind: needed(
    oneOfThese(
      ...['variant', 'operation', 'path', 'header', 'query', 'body', 'member', 'media', 'link', 'code'],
    ),
    'KIND',
    { spare: 3 },
  ),
  where: needed(text, 'WHERE'),
  what: needed(text, 'WHAT', { whole: true }),
  a: needed(textOrNull, 'A'),
  b: needed(textOrNull, 'B'),
  source: needed(oneOfThese('file', 'guidelines', 'both', 'service', 'dialect'), 'SOURCE', { spare: 1 }),
  since: needed(textOrNull, 'SINCE', { spare: 2 }),
};

const flags = (command: Flags) =>
  command
    .argument(
      '<a>',
      `a variant of the service (${presetNames.join(', ')}) or a framework (${frameworkNames.join(', ')})`,
      oneOf('A', names),
    )
    .argument('<b>', 'the other one', oneOf('B', names));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Say what differs between two variants or frameworks: operations, headers, members, links and codes',
      prints: rowsAs(
        'variantDifferences',
        fields,
        '`a` and `b` are what each variant has of it, null where it has none; `since` is the version of the framework.',
      ),
      examples: [
        'obk spec diff v1 v136',
        'obk spec diff 1.3.6 1.3.12',
        'obk spec diff v1 v136 --jq \'.[] | select(.kind == "header")\'',
      ],
      more: ['obk api --list', 'obk explain'],
    },
    run,
  );

const run: Run<Options> = (_context, { a, b }) =>
  Promise.resolve({
    kind: 'rows',
    columns: columnsOf(fields, { a: { title: a.toUpperCase() }, b: { title: b.toUpperCase() } }),
    rows: variantDifferences(named(a), named(b)).map((one) => ({ ...one })),
    nameKey: 'what',
    empty: 'They are the same.',
    next: ['obk api --list'],
  });
