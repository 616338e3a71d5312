import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { any, text } from '../../../base/schema.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { frameworkNames } from '../../../standard/xs2a/origin.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import type { Framework } from '../../../standard/xs2a/variants.ts';
import { bankRow } from '../../../settings/profile/table.ts';
import { oneOf } from '../flags/flag-values.ts';
import { readBank } from '../profile/bank-file.ts';
import { isSavedProfile, profileNamed } from '../profile/profile-name.ts';
import { isTemplateOnly } from './named-bank.ts';
import { settingsByKey } from '../profile/setting-keys.ts';

const flags = (command: Flags) =>
  command
    .argument('<a>', 'a template, the file of a bank, or a profile')
    .argument('<b>', 'another one')
    .option('--framework <V>', 'as they are in this framework (1.3.2)', oneOf('--framework', frameworkNames));

const fields = {
  key: needed(text, 'SETTING'),
  a: needed(any, 'A'),
  b: needed(any, 'B'),
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show in which settings two banks differ',
      prints: rowsAs('bankDifference', fields, 'Settings that differ; null where one says nothing.'),
      examples: ['obk bank diff adorsys-xs2a sandbox', 'obk bank diff bank.json sandbox --json'],
      exits: [3],
      more: ['obk help bank show', 'obk help bank lint'],
    },
    run,
  );

const run: Run<Options> = async (context, { a, b, framework }) => {
  const [first, second] = await Promise.all([a, b].map((what) => settingsOf(context, what, framework)));
  const keys = [...new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])].sort();
  const rows = keys
    .filter((key) => written(first?.get(key)) !== written(second?.get(key)))
    .map((key) => ({ key, a: first?.get(key) ?? null, b: second?.get(key) ?? null }));
  return {
    kind: 'rows',
    columns: columnsOf(fields, { a: { title: cleanLine(a, 40) }, b: { title: cleanLine(b, 40) } }),
    rows,
    nameKey: 'key',
    empty: 'They do not differ.',
  };
};

/** What is said of a bank by key; of a profile those settings alone that describe its bank. */
async function settingsOf(
  context: Context,
  what: string,
  framework: Framework | undefined,
): Promise<ReadonlyMap<string, unknown>> {
  const saved = await context.ports.settings.read();
  const isBank = isTemplateOnly(saved, what) || !isSavedProfile(saved, what);
  const whole: object = isBank
    ? await readBank(context, what, (its) => framework ?? its ?? presets.v1.framework)
    : profileNamed(saved, what);
  const known = bankRow.kind === 'group' ? bankRow.members : {};
  const own = Object.fromEntries(Object.entries(whole).filter(([name]) => Object.hasOwn(known, name)));
  return new Map(settingsByKey(own).map(([key, value]) => [key, value]));
}

const written = (value: unknown): string => JSON.stringify(value ?? null);
