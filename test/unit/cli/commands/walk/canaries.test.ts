// Every command, with everything shown: passwords, one-time passwords, passphrases, tokens and private keys are planted or made
// on the way, and none of them can be read out of what is printed, recorded or kept (bar where it belongs).
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaked } from '../../../../helpers/leaks.ts';
import { openLedgerFile } from '../../../../helpers/ledger-file.ts';
import { isWhole, part, ranTable } from '../../../../helpers/trials.ts';
import { cases } from './cases.ts';
import { order, split, startWalk } from './walk.ts';
import type { Line, Walk } from './walk.ts';

const canaries = { PASSWORD: 'c4n:pw"\\ü/+&=7Qz', OTP: 'c4n-otp%/+ö"9Lk2' };
const wrong = "c4n'wrong\\pw+/ß&5";
/** They speak for the bank, whose people are test data. */
const ofTheBank = new Set(['sandbox people', 'sandbox export', 'sandbox psu approve']);

let walk: Walk;
const secrets = new Set<string>([...Object.values(canaries), wrong]);
beforeAll(async () => {
  walk = await startWalk();
  mkdirSync(join(walk.folder, 'traces'));
  Object.assign(walk.env, canaries);
  for (const person of walk.bank.people)
    Object.assign(person, { password: canaries.PASSWORD, otp: canaries.OTP });
  const ledger = openLedgerFile(join(walk.bank.stateDir, 'sandbox', 'ledger.db'));
  ledger.prepare('UPDATE people SET password = ?, otp = ?').run([canaries.PASSWORD, canaries.OTP]);
  ledger.close();
});
afterAll(async () => {
  ranTable(`secrets in ${String(Object.keys(cases).length)} commands`);
  await walk.close();
});

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Where secrets live: the books and keys of the bank, the credentials, the key files, and what the cases put there. */
const home = (path: string) =>
  path.startsWith(join(walk.bank.stateDir, 'sandbox')) ||
  /^(credentials\.json(\.bak)?|.*key.*\.pem|.*\.p12|back|password|otp)$/.test(basename(path));

/** What has become a secret meanwhile: tokens, verifiers, codes of a browser's return, private keys. */
function learn(): void {
  for (const path of files(walk.folder).filter(home)) {
    const text = readFileSync(path, 'latin1');
    const made = [
      ...text.matchAll(/"(?:token|refreshToken|verifier)":\s*"([^"]+)"/g),
      ...text.matchAll(/[?&]code=([^&\s]+)/g),
      ...text.matchAll(/PRIVATE KEY-----\r?\n([A-Za-z0-9+/]{40,})/g),
    ];
    for (const [, secret = ''] of made) secrets.add(secret);
  }
}

let traces = 0;
async function shown(path: string, line: Line, more: readonly string[]) {
  const { words, env = {} } = line;
  const args = [...split(path), ...split(typeof words === 'string' ? words : await words(walk))];
  const har = join(walk.folder, 'traces', `${String(traces++)}.har`);
  const given = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value === 'wrong' ? wrong : value]),
  );
  for (const name of ['PASSPHRASE', 'BACK']) if (env[name] !== undefined) secrets.add(env[name]);
  const loud = ['-vvv', '--curl', '--json', '--debug', '--trace', har];
  const ran = await walk.run([...args, ...loud, ...more], { ...line, env: given });
  learn();
  return ran;
}

it('a program that obk starts finds no secret among its arguments, and a signer none at all', async () => {
  const program = (name: string, code: string) => {
    const told = `import { appendFileSync, readFileSync } from 'node:fs'; import { sign } from 'node:crypto';
const tell = (text) => appendFileSync(${JSON.stringify(join(walk.folder, 'told.txt'))}, text + '\\n');
tell(readFileSync('/proc/self/cmdline', 'utf8'));\n${code}`;
    return `cmd:${process.execPath} ${walk.file(`${name}.mjs`, told)}`;
  };
  const signer = program(
    'signs',
    `const text = readFileSync(0, 'utf8'); tell(text);
const asked = JSON.parse(text); tell(Buffer.from(asked.bytes, 'base64').toString());
const key = readFileSync(${JSON.stringify(walk.bank.keyPath)});
console.log(sign('sha256', Buffer.from(asked.bytes, 'base64'), key).toString('base64'));`,
  );
  const gives = (name: keyof typeof canaries) => program(name, `process.stdout.write(process.env.${name});`);
  const { baseUrl, certificatePath } = walk.bank;
  const iban = walk.bank.person('embedded-choice').accounts[0]?.iban ?? '';
  const create = `profile create signs --base-url ${baseUrl} --certificate ${certificatePath} --psu-ip 192.0.2.1`;
  await walk.json([...split(create), '--debtor', iban, '--signer', signer]);
  const given = ['--psu-password-from', gives('PASSWORD'), '--otp-from', gives('OTP'), '--sca-method', 'sms'];
  const pay = `payment init ${order} --allow-duplicate --psu-id embedded-choice --profile signs`;
  const paid = (await walk.json([...split(pay), ...given])) as { transactionStatus: string };
  expect(paid.transactionStatus).toBe('ACSC');
  const told = readFileSync(join(walk.folder, 'told.txt'), 'utf8');
  for (const seen of ['PASSWORD.mjs', 'OTP.mjs', 'signs.mjs', 'digest: SHA-256='])
    expect(told).toContain(seen);
  expect(leaked(told, [...secrets])).toEqual([]);
});

// Of two commands in three the first way in which it ends well, and of the others the first in which it fails.
const commands = Object.entries(cases);
const failing = part(commands, 3, 1).map(([path]) => path);
describe.each(commands)('obk %s', (path, { runs, fails, together }) => {
  it('tells no secret', async () => {
    for (const [lines, more] of [
      [together ? runs : failing.includes(path) && !isWhole ? [] : part(runs, 3, 0), []],
      [failing.includes(path) ? part(fails, 3, 0) : [], ['--no-input']],
    ] as const) {
      for (const line of lines) {
        const ran = await shown(path, line, more);
        expect(ran.code, `${path}\n${ran.stderr.slice(-600)}`).toBe(line.exit ?? 0);
        if (!ofTheBank.has(path)) expect(leaked(ran.stdout + ran.stderr, [...secrets]), path).toEqual([]);
      }
    }
  });
});

describe('what is kept', () => {
  const telling = (paths = [walk.folder, walk.bank.stateDir].flatMap(files)) =>
    paths
      .filter((path) => !home(path))
      .flatMap((path) =>
        leaked(readFileSync(path, 'latin1'), [...secrets]).map(
          (secret) => `${relative(walk.folder, path)}: ${secret}`,
        ),
      );

  it('tells none either, wherever it is', () => {
    expect(files(walk.folder).length).toBeGreaterThan(isWhole ? 100 : 40);
    expect(telling()).toEqual([]);
  });

  it('and all of them were looked for, and would be found', () => {
    expect(secrets.size).toBeGreaterThan(10);
    const planted = [...secrets].map((secret) => Buffer.from(`y${secret}`).toString('base64')).join('\n');
    expect(telling([walk.file('planted.txt', planted)])).toEqual(
      [...secrets].map((secret) => `planted.txt: ${secret}`),
    );
  });
});
