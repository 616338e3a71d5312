// `--set NAME=VALUE`: every setting without a flag of its own, so that one command line makes the whole profile.
import { mkdtempSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';

let env: NodeJS.ProcessEnv;
let home: string;
const obk = (...args: readonly string[]) => runInside([...args, '--json', '--no-input'], { env, cwd: home });

beforeEach(() => {
  home = mkdtempSync(join(homedir(), 'obk-set-'));
  env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
});

const sets = (texts: readonly string[]) => texts.flatMap((text) => ['--set', text]);
const create = (...texts: readonly string[]) =>
  obk(
    ...['profile', 'create', 'acme', '--environment', 'test', '--signing', 'none'],
    ...['--base-url', 'https://{bankCode}.bank.example', ...sets(texts)],
  );

it.each<[readonly string[], object]>([
  [['bankVars.bankCode=12030000'], { bankVars: { bankCode: '12030000' } }],
  [['bankVars.bankCode=1', 'bankVars.country=de'], { bankVars: { bankCode: '1', country: 'de' } }],
  [['sca.preferred=redirect'], { sca: { preferred: 'redirect' } }],
  [
    ['consent.validDays=90', 'consent.recurringOnly=true'],
    { consent: { validDays: 90, recurringOnly: true } },
  ],
  [['ais.bookingStatus=booked,pending'], { ais: { bookingStatus: ['booked', 'pending'] } }],
  [
    ['signing.digest.algorithm=SHA-512', 'decode.nulls=yes'],
    { decode: { nulls: true }, signing: { mode: 'none', digest: { algorithm: 'SHA-512' } } },
  ],
])('sets %j', async (texts, settings) => {
  const created = await create(...texts);
  expect(created.code, created.stderr).toBe(0);
  expect(JSON.parse(created.stdout)).toMatchObject(settings);
});

it('takes a setting away without a value', async () => {
  await create('bankVars.bankCode=1', 'consent.validDays=90');
  const edited = await obk('profile', 'edit', 'acme', ...sets(['bankVars.bankCode=', 'consent.validDays=']));
  expect(edited.code, edited.stderr).toBe(0);
  expect(JSON.parse(edited.stdout)).not.toHaveProperty('bankVars');
  expect(JSON.parse(edited.stdout)).not.toHaveProperty('consent');
});

it.each<[string, RegExp, readonly string[]]>([
  ['bankVars.bankCode=a/b', /bankVars\.bankCode: It must be letters, digits/, ['obk help bank lint']],
  ['consent.validDays=soon', /consent\.validDays: It must be a number of days/, ['obk help bank lint']],
  ['consent.validDay=90', /no setting "consent\.validDay"/, ['--set consent.validDays=VALUE']],
  ['psu.id=anna', /psu\.id: this setting has a flag of its own/, ['--psu-id VALUE']],
  [
    'requestIdSemantics=replay',
    /it is set by itself, once the bank has said so/,
    ['obk config set requestIdSemantics replay'],
  ],
  ['bankVars', /--set takes NAME=VALUE/, ['--set signing.keyId.issuer=rfc2253']],
  ['__proto__.x=1', /no setting "__proto__\.x"/, []],
])('refuses %s', async (text, title, hint) => {
  const refused = await create(text);
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
  expect(oneError(refused)).toMatchObject({ title: expect.stringMatching(title) as string });
  expect(oneError(refused).hint).toEqual(hint);
});
