import { columnsOf, rowsAs, rowSchema, needed } from '../../../base/fields.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { cellText } from '../../render/table.ts';
import { checkKey, settingsByKey } from '../profile/setting-keys.ts';
import { ownKeys } from './set.ts';
import type { RowOf } from '../../../base/fields.ts';
import { any, oneOf, text, textOrNull } from '../../../base/schema.ts';
import type { Context } from '../../context.ts';
import { stateVariables } from '../../../client/profile/state-place.ts';
import { savedNamed } from '../profile/profile-name.ts';
import { defaults, rowsByKey } from '../../../settings/profile/keys.ts';
import { isReference } from '../../../settings/profile/row.ts';
import { inheritedKeys } from '../profile/show.ts';
import { projectOf } from '../run/project.ts';
import { chosenProfile } from '../run/with-target.ts';

const listFlags = (command: Flags) =>
  command.option('--show-origin', 'say what gives each setting (always in JSON)');

type ListOptions = OptionsOf<typeof listFlags>;

const registerList: Register = (command, start) =>
  start(
    listFlags(command),
    {
      prints: rowsAs(
        'settings',
        settingFields,
        'The settings in force; a value is text, a number, true, false or a list.',
      ),
      about: 'List the settings in force: of the profile, of variables, and what holds without any',
      examples: ['obk config list --show-origin', 'obk config list --profile sandbox --json'],
      exits: [3],
      more: ['obk help environment', 'obk help profile edit'],
    },
    runList,
  );

const runList: Run<ListOptions> = async (context, { showOrigin = false }) => ({
  kind: 'rows',
  columns: columnsOf(settingFields, { origin: { wide: !showOrigin }, from: { wide: !showOrigin } }),
  rows: (await settingRows(context)).map((row) => ({ ...row })),
  nameKey: 'key',
  empty: 'There are no settings.',
});

const getFlags = (command: Flags) => command.argument('<key>', 'such as baseUrl or psu.id');

type GetOptions = OptionsOf<typeof getFlags>;

const registerGet: Register = (command, start) =>
  start(
    getFlags(command),
    {
      prints: { name: 'setting', schema: rowSchema(settingFields) },
      about: 'Print one setting as it is in force; nothing where it is not set',
      examples: ['obk config get activeProfile', 'obk config get timeoutMs --json'],
      exits: [3],
      more: ['obk help config list'],
    },
    runGet,
  );

const runGet: Run<GetOptions> = async (context, { key }) => {
  checkKey(key, [...ownKeys, 'requireEnvironment']);
  const found = (await settingRows(context)).find((row) => row.key === key);
  return {
    kind: 'data',
    data: found ?? { key, value: null, origin: null, from: null },
    text: () => (found === undefined ? '' : cellText(found.value)),
    ...(found === undefined ? {} : { name: key }),
  };
};

const origins = [
  'flag',
  'environment',
  'project',
  'profile',
  'inherited',
  'user',
  'built-in',
  'default',
] as const;

/** A setting as it is in force, and what gave it. */
const settingFields = {
  key: needed(text, 'KEY'),
  value: needed(any, 'VALUE'),
  /** Null for a setting that is not in force. */
  origin: needed(oneOf(...origins, null), 'ORIGIN', { wide: true }),
  /** The flag, the variable, the file, or the profile that is extended. */
  from: needed(textOrNull, 'FROM', { wide: true }),
};

type ShownSetting = RowOf<typeof settingFields>;

/** Variables that say where a bank is and who calls it; the sandbox profile ignores them. */
const ofConnection: Readonly<Record<string, string>> = {
  baseUrl: 'OBK_BASE_URL',
  certificate: 'OBK_CERT',
  key: 'OBK_KEY',
  keyPassphraseFrom: 'OBK_KEY_PASSPHRASE_FROM',
  tlsCertificate: 'OBK_TLS_CERT',
  tlsKey: 'OBK_TLS_KEY',
  tlsKeyPassphraseFrom: 'OBK_TLS_KEY_PASSPHRASE_FROM',
  caCertificates: 'OBK_CACERT',
};

const ofRun: Readonly<Record<string, string>> = {
  framework: 'OBK_VERSION',
  prefix: 'OBK_VERSION',
  surface: 'OBK_VERSION',
  'prefer.redirect': 'OBK_REDIRECT',
  'prefer.decoupled': 'OBK_DECOUPLED',
  'prefer.explicit': 'OBK_EXPLICIT',
  'prefer.rejectNoFunds': 'OBK_REJECT_NO_FUNDS',
};

/** Those that commands read themselves, as they stand. */
const asTheyStand: Readonly<Record<string, string>> = {
  debtor: 'OBK_DEBTOR',
  debtorName: 'OBK_DEBTOR_NAME',
  initiatingParty: 'OBK_INITIATING_PARTY',
  'psu.id': 'OBK_PSU_ID',
  'psu.idType': 'OBK_PSU_ID_TYPE',
  'psu.corporateId': 'OBK_PSU_CORPORATE_ID',
  'psu.corporateIdType': 'OBK_PSU_CORPORATE_ID_TYPE',
  'psu.ipAddress': 'OBK_PSU_IP',
  'psu.passwordFrom': 'OBK_PSU_PASSWORD_FROM',
  'psu.otpFrom': 'OBK_OTP_FROM',
  'psu.scaMethod': 'OBK_SCA_METHOD',
  tokenStore: 'OBK_TOKEN_STORE',
  ...Object.fromEntries(Object.entries(stateVariables).map(([key, variable]) => [`state.${key}`, variable])),
};

/** Every setting in force in this run. Secrets stand here as references only. */
async function settingRows(context: Context): Promise<ShownSetting[]> {
  const { name, profile, origin, builtIn } = await chosenProfile(context);
  const { env } = context.process;
  const file = context.directories.settings;
  const given = new Map(settingsByKey(profile));
  const rows = new Map<string, ShownSetting>();
  for (const [key, value] of Object.entries(defaults))
    rows.set(key, { key, value, origin: 'default', from: null });
  const settings = await context.ports.settings.read();
  const { extends: parent, without } = savedNamed(settings, name);
  const lineage = Object.entries({ extends: parent, without }).filter(([, value]) => value !== undefined);
  const inherited = inheritedKeys(settings, name);
  for (const [key, value] of settingsByKey({ state: settings.state ?? {} }))
    rows.set(key, { key, value, origin: 'user', from: file });
  for (const [key, value] of [...given, ...lineage]) {
    const giver = inherited[key];
    const own = builtIn ? { origin: 'built-in', from: null } : { origin: 'profile', from: file };
    rows.set(key, {
      key,
      value,
      ...(giver === undefined ? own : { origin: 'inherited', from: giver }),
    } as ShownSetting);
  }
  const fromRun = Object.entries({ ...(builtIn ? {} : ofConnection), ...ofRun, ...asTheyStand });
  for (const [key, variable] of fromRun) {
    const text = env[variable] ?? '';
    if (text === '') continue;
    // What stands where a reference belongs may be the secret itself.
    const told = rowsByKey.get(key)?.kind === 'reference' && !isReference(text) ? '[secret]' : text;
    const value = Object.hasOwn(asTheyStand, key) ? told : given.get(key);
    rows.set(key, { key, value, origin: 'environment', from: variable });
  }
  const { retention } = settings;
  if (retention !== undefined)
    rows.set('retention', { key: 'retention', value: retention, origin: 'user', from: file });
  const project = await projectOf(context);
  const chosen = {
    flag: { origin: 'flag', from: '--profile' },
    env: { origin: 'environment', from: 'OBK_PROFILE' },
    project: { origin: 'project', from: project?.path ?? null },
    active: { origin: 'user', from: file },
    'built-in': { origin: 'built-in', from: null },
  } as const;
  const { requireEnvironment: flag } = context.globals;
  const required = flag ?? project?.requireEnvironment;
  if (required !== undefined) {
    const given =
      flag === undefined ? chosen.project : ({ origin: 'flag', from: '--require-environment' } as const);
    rows.set('requireEnvironment', { key: 'requireEnvironment', value: required, ...given });
  }
  const sorted = [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return [{ key: 'activeProfile', value: name, ...chosen[origin] }, ...sorted];
}

export const register = {
  list: registerList,
  get: registerGet,
};
