import { stateEnvironment } from '../../../../helpers/postgres.ts';
import { pkcs12 } from '../../../../helpers/pkcs12.ts';
import { browser } from '../../../bank/browser.ts';
import { after } from './walk.ts';
import type { Cases, Walk } from './walk.ts';

const project = async (walk: Walk) => walk.file('.obk.json', '{ "profile": "sandbox" }');

/** The PSU of OAuth logs in on the page of the bank; gives what the browser brings back. */
async function comeBack(walk: Walk): Promise<string> {
  const { url } = (await walk.json('auth login --psu-id oauth')) as { url: string };
  const { psuId, password, otp } = walk.bank.person('oauth');
  const { visit, submit } = browser();
  const sent = await visit(url);
  const at = new URL(String(sent.headers['location']), url).href;
  const confirm = await submit(at, await visit(at), { psuId, password });
  const done = await submit(at, confirm, { otp, decision: 'approve' });
  const back = walk.file('back', String(done.headers['location']));
  return `--psu-id oauth --return-url-from file:${back}`;
}

const logIn = async (walk: Walk) => walk.json(`auth login ${await comeBack(walk)}`);

/** A profile, made anew. */
async function acme(walk: Walk, more = ''): Promise<string> {
  await walk.run(['profile', 'delete', 'acme', '--yes']);
  await walk.json(
    `profile create acme --base-url https://acme.example --environment test --signing none ${more}`,
  );
  return 'acme';
}

/** A profile that extends another. */
async function kid(walk: Walk): Promise<string> {
  await walk.run(['profile', 'delete', 'kid', '--yes']);
  await walk.run(['profile', 'delete', 'common', '--yes']);
  await walk.json(
    'profile create common --base-url https://common.example --environment test --signing none',
  );
  await walk.json('profile create kid --extends common --psu-id somebody');
  return 'kid';
}

/** Of a PKCS#12 file; unlike any other text. */
const passphrase = 'c4n phrase§"\\4Tt';

const seal = '--type qsealc --org-id PSDDE-BAFIN-123456 --name Shop';

let copies = 0;
const noProfile = { words: '--profile none-such', exit: 3, code: 'PROFILE_UNKNOWN' };
const noDatabase = { words: '', exit: 3, code: 'PROFILE_INVALID' };
const builtIn = { exit: 2, code: 'USAGE' };

export const setup: Cases = {
  'auth login': {
    runs: [
      { words: '--psu-id oauth' },
      { words: comeBack },
      { words: '--psu-id oauth --wait --timeout 50ms', exit: 8 },
    ],
    fails: [
      {
        words: '--psu-id oauth --return-url-from env:BACK',
        env: { BACK: 'http://127.0.0.1:1/other?code=x&state=y' },
        exit: 2,
        code: 'RETURN_REFUSED',
      },
    ],
  },
  'auth status': { runs: [{ words: after(logIn, '') }], fails: [noProfile] },
  'auth refresh': {
    runs: [{ words: after(logIn, '--psu-id oauth') }],
    fails: [{ words: '--psu-id nobody', exit: 4, code: 'AUTH_NEEDED' }],
  },
  'auth logout': { runs: [{ words: after(logIn, '--psu-id oauth') }], fails: [noProfile] },
  'bank list': { runs: [{ words: '' }], fails: [{ words: 'too many', ...builtIn }] },
  'bank lint': {
    runs: [{ words: 'sandbox' }, { words: (walk) => walk.file('bank.json', '{"nonsense":1}'), exit: 10 }],
    fails: [{ words: 'none-such', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'bank explain': {
    runs: [{ words: 'initiatePayment' }, { words: 'getTransactionList' }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'bank show': {
    runs: [{ words: 'adorsys-xs2a' }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'bank diff': {
    runs: [{ words: 'adorsys-xs2a sandbox' }],
    fails: [{ words: 'none-such sandbox', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'bank schema': { runs: [{ words: '' }], fails: [{ words: '--nothing', exit: 2, code: 'USAGE' }] },
  'profile list': {
    runs: [{ words: after(acme, '') }],
    fails: [{ words: 'too many', ...builtIn }],
  },
  'profile show': {
    runs: [{ words: 'sandbox' }, { words: (walk) => acme(walk) }, { words: kid }],
    fails: [{ words: 'none-such', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'profile create': {
    runs: [
      {
        words: async (walk) => {
          await walk.run(['profile', 'delete', 'acme', '--yes']);
          return 'acme --base-url https://acme.example --environment test --signing none --debtor DE89370400440532013000';
        },
      },
    ],
    fails: [{ words: 'other', exit: 2, code: 'USAGE' }],
  },
  'profile use': {
    runs: [{ words: 'sandbox' }, { words: (walk) => acme(walk) }],
    fails: [{ words: 'none-such', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'profile edit': {
    runs: [{ words: async (walk) => `${await acme(walk)} --psu-id somebody --redirect yes` }],
    fails: [{ words: 'sandbox --psu-id somebody', ...builtIn }],
  },
  'profile export': {
    runs: [{ words: (walk) => acme(walk) }, { words: 'sandbox' }],
    fails: [{ words: 'none-such', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'profile import': {
    runs: [
      {
        words: async (walk) => {
          const exported = (await walk.json(`profile export ${await acme(walk)}`)) as object;
          return `${walk.file('acme.json', JSON.stringify(exported))} --force`;
        },
      },
    ],
    fails: [{ words: 'none.json', exit: 2, code: 'INPUT_INVALID' }],
  },
  'profile delete': {
    runs: [{ words: async (walk) => `${await acme(walk)} --yes` }],
    fails: [
      { words: 'none-such --yes', exit: 3, code: 'PROFILE_UNKNOWN' },
      { words: after(kid, 'common --yes'), exit: 3, code: 'PROFILE_INVALID' },
    ],
  },
  'config list': {
    runs: [{ words: '' }, { words: after(acme, '--profile acme') }, { words: after(kid, '--profile kid') }],
    fails: [noProfile],
  },
  'config get': {
    runs: [{ words: 'activeProfile' }, { words: 'debtor' }, { words: 'timeoutMs' }, { words: 'retention' }],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'config set': {
    runs: [
      { words: after(acme, 'debtor DE89370400440532013000 --profile acme') },
      { words: 'activeProfile sandbox' },
      { words: 'retention 90d' },
      { words: after(acme, 'origins https://api.acme.example --profile acme') },
    ],
    fails: [
      { words: 'activeProfile none-such', exit: 3, code: 'PROFILE_UNKNOWN' },
      { words: 'retention 0d', exit: 2, code: 'USAGE' },
    ],
  },
  'config unset': {
    runs: [
      { words: after(acme, 'debtor --profile acme') },
      { words: 'activeProfile' },
      { words: 'retention' },
    ],
    fails: [{ words: 'none-such', exit: 2, code: 'USAGE' }],
  },
  'config trust': {
    together: true,
    runs: [{ words: after(project, '') }, { words: after(project, '--remove') }],
    fails: [
      {
        words: (walk) => {
          walk.file('.obk.json', '{ "baseUrl": "https://bank.example" }');
          return '';
        },
        exit: 3,
        code: 'CONFIG_UNREADABLE',
      },
    ],
  },
  'state verify': {
    runs: [{ words: '' }, { words: '', postgres: true }],
    fails: [{ words: 'more', exit: 2, code: 'USAGE' }],
  },
  'state backup': {
    runs: [{ words: (walk) => walk.payment().then(() => `copy-${String(copies++)}.db`) }],
    fails: [
      { words: (walk) => walk.file('taken.db', 'x'), exit: 2, code: 'INPUT_INVALID' },
      // It says what copies a database.
      { words: 'copy.db', exit: 2, code: 'INPUT_INVALID', env: stateEnvironment('postgres://me@/state') },
    ],
  },
  'state init': {
    runs: [{ words: '' }, { words: '--role runner', postgres: true }],
    fails: [{ words: '--url-from postgres://me@db/state', exit: 2, code: 'USAGE' }],
  },
  'state migrate': {
    runs: [{ words: (walk) => walk.payment().then(() => '') }, { words: '', postgres: true }],
    fails: [{ words: 'more', exit: 2, code: 'USAGE' }],
  },
  'state status': {
    runs: [{ words: '' }, { words: '', postgres: true }],
    fails: [{ words: 'more', exit: 2, code: 'USAGE' }],
  },
  'state import': {
    runs: [{ words: '', postgres: true }],
    fails: [noDatabase, { words: '--recovered none.db', exit: 2, code: 'INPUT_INVALID' }],
  },
  'state export': {
    runs: [{ words: '--to exported', postgres: true }],
    fails: [{ words: '', exit: 2, code: 'USAGE' }],
  },
  'state rekey': { runs: [{ words: '', postgres: true }], fails: [noDatabase] },
  'state doctor': {
    runs: [
      { words: '' },
      { words: '', postgres: true },
      { words: '', exit: 10, env: { ...stateEnvironment('postgres://me@/state?host=/nowhere') } },
    ],
    fails: [{ words: '--url-from sesame', exit: 2, code: 'USAGE' }],
  },
  whoami: {
    runs: [{ words: '' }, { words: after(acme, '--profile acme') }],
    fails: [noProfile],
  },
  doctor: {
    runs: [
      { words: '' },
      { words: '--offline' },
      { words: after(acme, '--all') },
      {
        words: after(
          (walk) => acme(walk, '--certificate none.pem --key none.key --no-check'),
          '--profile acme --offline',
        ),
        exit: 10,
      },
    ],
    fails: [noProfile],
  },
  'cert create': {
    runs: [{ words: `${seal} --dir made` }],
    fails: [
      { words: `${seal.replace('PSDDE-BAFIN-123456', 'x')} --dir made`, exit: 2, code: 'INPUT_INVALID' },
    ],
  },
  'cert inspect': {
    runs: [{ words: '' }, { words: after(made, 'made/qsealc.pem') }],
    fails: [{ words: (walk) => walk.file('text.pem', 'text'), exit: 3, code: 'CERTIFICATE_FILE' }],
  },
  'cert import': {
    runs: [
      {
        words: async (walk) =>
          `${walk.file('seal.p12', await pkcs12(passphrase))} --passphrase-from env:PASSPHRASE --dir imported`,
        env: { PASSPHRASE: passphrase },
      },
    ],
    fails: [{ words: 'none.p12', exit: 2, code: 'INPUT_INVALID' }],
  },
  'cert lint': {
    runs: [{ words: '' }, { words: after(made, 'made/qsealc.pem --as qwac'), exit: 10 }],
    fails: [{ words: (walk) => walk.file('text.pem', 'text'), exit: 3, code: 'CERTIFICATE_FILE' }],
  },
  'cert expiry': {
    runs: [
      { words: '--within 1d' },
      {
        words: after((walk) => acme(walk, '--certificate none.pem --key none.key --no-check'), '--all'),
        exit: 10,
      },
    ],
    fails: [noProfile],
  },
  'cert rollover': {
    // Without a certificate of its own there is nothing to switch, and no bank is called.
    runs: [
      {
        words: async (walk) => {
          await made(walk);
          await acme(walk);
          return '--certificate made/qsealc.pem --key made/qsealc-key.pem --profile acme';
        },
      },
    ],
    fails: [{ words: '--certificate none.pem --key none.key --all', exit: 3, code: 'CERTIFICATE_FILE' }],
  },
  completion: {
    runs: [{ words: 'bash' }],
    fails: [{ words: 'tcsh', exit: 2, code: 'USAGE' }],
  },
};

async function made(walk: Walk): Promise<void> {
  await walk.json(`cert create ${seal} --dir made --force`);
}
