import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { numberOrNull, oneOf, text, textOrNull } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { exitCodes } from '../../../base/errors.ts';
import { expiryOf } from '../../../client/certificates/read-certificates.ts';
import { savedAs } from '../../../client/profile/inheritance.ts';
import { isBuiltIn } from '../../../base/profile-name.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import { days } from '../flags/flag-values.ts';
import { whyUnusable } from '../profile/profile-name.ts';
import { chosenProfile } from '../run/with-target.ts';

const flags = (command: Flags) =>
  command
    .optionsGroup('CERTIFICATE FLAGS')
    .option('--all', 'of all profiles, not only of the one in use')
    .option('--within <DAYS>', 'exit 10 when one expires within these days (30d)', days('--within'));

const fields = {
  profile: needed(text, 'PROFILE'),
  use: needed(oneOf('qsealc', 'qwac', 'ca'), 'USE'),
  state: needed(oneOf('ok', 'soon', 'expired', 'not-yet-valid', 'unreadable'), 'STATE'),
  notBefore: needed(textOrNull),
  notAfter: needed(textOrNull, 'EXPIRES', { forPerson: (at) => at.slice(0, 10) }),
  daysLeft: needed(numberOrNull, 'DAYS LEFT', { align: 'right', whole: true }),
  subject: needed(textOrNull, 'SUBJECT', { spare: 1 }),
  path: needed(text, 'FILE', { spare: 2 }),
  error: needed(textOrNull, 'ERROR', { wide: true }),
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the certificates of profiles by the day they expire; exit 10 when one does soon',
      prints: rowsAs('certificateExpiry', fields, 'Certificates of profiles, the first to expire first.'),
      examples: ['obk cert expiry', 'obk cert expiry --all --within 30d --json'],
      exits: [10, 3],
      more: ['obk help cert lint'],
    },
    run,
  );

const run: Run<Options> = async (context, { all = false, within = 30 }) => {
  const { ports } = context;
  const profiles: [name: string, profile: Partial<Profile>][] = [];
  let unusable = 0;
  let ownBank: { certificatePath: string; keyPath: string } | undefined;
  if (all) {
    const settings = await ports.settings.read();
    for (const name of Object.keys(settings.profiles)) {
      const wrong = whyUnusable(settings, name);
      if (wrong !== undefined) ports.notices.warn([wrong.title, ...wrong.hint.slice(0, 1)].join(' '));
      unusable += wrong === undefined ? 0 : 1;
      profiles.push([name, savedAs(settings, name)]);
    }
  } else {
    const { name, profile, builtIn } = await chosenProfile(context);
    profiles.push([name, profile]);
    if (builtIn) ownBank = await ports.bank.offline();
  }
  const rows = (
    await Promise.all(
      profiles.map(([name, profile]) =>
        expiryOf(ports, { name, profile, ownBank: isBuiltIn(name) ? ownBank : undefined }, within),
      ),
    )
  )
    .flat()
    .sort((one, other) => (one.daysLeft ?? -Infinity) - (other.daysLeft ?? -Infinity));
  const bad = unusable > 0 || rows.some(({ state }) => state !== 'ok');
  return {
    kind: 'rows',
    columns: columnsOf(fields),
    rows: rows.map((row) => ({ ...row })),
    nameKey: 'path',
    empty: 'No profile has a certificate.',
    exit: bad ? exitCodes.expectation : exitCodes.ok,
  };
};
