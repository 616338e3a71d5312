import type { Flags, OptionsOf } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { nearest } from '../../../base/nearest.ts';
import { isOpenKey, rowsByKey, settingKeys, wordsOf } from '../../../settings/profile/keys.ts';
import { checkSettings } from '../../../settings/profile/table.ts';
import { put } from '../../../client/profile/signing-settings.ts';
import type { SavedProfile } from '../../../settings/records/profile.ts';
import { readJson, toPlain } from '../../../standard/xs2a/json.ts';
import { oneOrNone, several, usageError } from '../flags/flag-values.ts';
import { readHeaderRule } from '../flags/header-rule.ts';
import { isOfSigning } from './signing-flags.ts';

/** The options that say where a bank departs from the standard; `set` is added by the flags of signing. */
export type BankFlags = OptionsOf<typeof bankFlags> & { set?: readonly string[] };

type Pairs = Readonly<Record<string, string>>;

/** Reads NAME=VALUE given several times; a name without a value goes. */
function pairs(flag: string, example: string): (text: string, before: Pairs | undefined) => Pairs {
  return (text, before) => {
    const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return { ...before, [name]: value };
    throw usageError(`${flag} takes NAME=VALUE; not ${JSON.stringify(text)}.`, `${flag} ${example}`);
  };
}

/** Adds the flags of the bank descriptor. */
export const bankFlags = <Own>(command: Flags<Own>) =>
  command
    .option('--bank <NAME>', 'take what a template (obk bank list) or a file says of the bank')
    .option(
      '--trust-bank',
      'take addresses of other hosts and weaker TLS from the file of --bank (OBK_TRUST_BANK)',
    )
    .option(
      '--service-url <SERVICE=URL>',
      'address of pis, ais or piis where it is another (several)',
      pairs('--service-url', 'ais=https://ais.bank.example/psd2'),
    )
    .option(
      '--header-rule <RULE>',
      '"forbid PSU-ID on createConsent"; also require, default NAME=VALUE, dropIfBlank (several)',
      several,
    )
    .option(
      '--header-accept <OPERATION=MEDIA>',
      'media type to ask for unless a run says (several)',
      pairs('--header-accept', 'getTransactionList=application/xml'),
    )
    .option(
      '--links-host <HOW>',
      'strict (if not given), or ignore where links name inner hosts',
      oneOrNone('--links-host', wordsOf('links.host')),
    )
    .option(
      '--link-alias <NAME=LINK>',
      'what the bank calls a link, and the link it means (several)',
      pairs('--link-alias', 'next=authoriseTransaction'),
    )
    .option('--rate <N>', 'calls of one operation a minute, N/TIME, or off');

/**
 * The settings after the flags are applied; undefined if no flag concerns them, empty if nothing is left of a group.
 */
export function changedBank(before: SavedProfile, options: BankFlags): Record<string, unknown> {
  const { bank, serviceUrl = {}, headerAccept = {}, linkAlias = {}, headerRule, linksHost, rate } = options;
  const { set = [] } = options;
  const changes: (readonly [path: readonly string[], value: unknown])[] = [
    ...under(['urls', 'perService'], serviceUrl),
    ...under(['headers', 'accept'], headerAccept),
    ...under(['links', 'aliases'], linkAlias),
    ...(linksHost === undefined ? [] : [[['links', 'host'], linksHost] as const]),
    ...(rate === undefined ? [] : [[['limits', 'rate'], rate] as const]),
    ...(headerRule === undefined
      ? []
      : [[['headers', 'rules'], rulesIn(headerRule, bank === undefined ? undefined : before)] as const]),
    ...set.filter((text) => !isOfSigning(text)).map(plainSetting),
  ];
  const after = changes.reduce<object>(
    (settings, [path, value]) => put(settings, path, value === '' ? undefined : value),
    before,
  );
  const groups = [...new Set(changes.map(([[head = '']]) => head))];
  const changed = Object.fromEntries(groups.map((group) => [group, Reflect.get(after, group) ?? '']));
  needChecked(changed);
  return changed;
}

/** A setting without a flag of its own, as NAME=VALUE; without a value it goes. */
function plainSetting(text: string): readonly [path: readonly string[], value: unknown] {
  const [, key, value = ''] = /^([^=\s]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined)
    throw usageError(
      `--set takes NAME=VALUE; not ${JSON.stringify(text)}.`,
      '--set signing.keyId.issuer=rfc2253',
    );
  const flag = rowsByKey.get(key)?.flag;
  if (flag !== undefined)
    throw usageError(`--set ${key}: this setting has a flag of its own.`, `${flag} VALUE`);
  if (key === 'requestIdSemantics')
    throw usageError(
      `--set ${key}: it is set by itself, once the bank has said so.`,
      'obk config set requestIdSemantics replay',
    );
  if (!settingKeys.includes(key) && !isOpenKey(key))
    throw usageError(
      `--set: there is no setting ${JSON.stringify(key)}.`,
      ...nearest(key, settingKeys).map((near) => line`--set ${near}=VALUE`),
    );
  return [key.split('.'), value === '' ? '' : valueOf(key, value)];
}

function under(path: readonly string[], values: Pairs): (readonly [readonly string[], string])[] {
  return Object.entries(values).map(([name, value]) => [[...path, name], value] as const);
}

/** The list anew, in front of what a file of the bank has just said; one empty text takes all rules away. */
function rulesIn(texts: readonly string[], file: SavedProfile | undefined): unknown {
  const given = texts.filter((text) => text !== '').map(readHeaderRule);
  const rules = [...given, ...(given.length === 0 ? [] : (file?.headers?.rules ?? []))];
  return rules.length === 0 ? '' : rules;
}

/** Throws USAGE for the first setting that is wrong. */
function needChecked(settings: object): void {
  const kept = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
  const [first] = checkSettings(kept, 'profile');
  if (first !== undefined) throw usageError(`${first.setting}: ${first.text}`, 'obk help bank lint');
}

/** The profile with one setting changed that no flag of its own sets; `headers.rules` is JSON or one rule as --header-rule takes it. */
export function withPlainKey(before: SavedProfile, key: string, text: string): SavedProfile {
  const path = key.split('.');
  const after = put(before, path, valueOf(key, text)) as SavedProfile;
  const [group = ''] = path;
  needChecked({ [group]: Reflect.get(after, group) as unknown });
  return after;
}

/** The value that the text of a key stands for, by the kind of its row; whether it is right is judged afterwards. */
function valueOf(key: string, text: string): unknown {
  const row = rowsByKey.get(key);
  switch (row?.kind) {
    case 'list':
      if (text.trim().startsWith('['))
        return toPlain(readJson(Buffer.from(text, 'utf8'), { code: 'INPUT_INVALID' }));
      return row.of.kind === 'group' ? [readHeaderRule(text)] : text.split(/\s*,\s*/);
    case 'yes-no':
      return answers.get(text) ?? text;
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    default:
      return text;
  }
}

const answers = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
]);
