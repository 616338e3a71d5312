// A bank that repeats each secret that it got, in an encoding of its choice, wherever an answer has room; everything is shown,
// written and asked for again, and nothing but the store of secrets may tell one.
import { createPrivateKey } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { fileStore } from '../../helpers/file-store.ts';
import { runInside } from '../../helpers/inside.ts';
import { encodings, leaked } from '../../helpers/leaks.ts';
import type { Ran } from '../../helpers/obk.ts';
import { wire } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import { pay, payerAt } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank, Surprise } from '../plain-bank.ts';

const canaries = {
  password: 'c4n:pw"\\/+&=7Qz',
  secondPassword: 'c4n-second%+/9Lk2',
  otp: 'q%/"9L',
  token: 'c4n.token_~+/3Kd92mfQ==',
  endedToken: 'c4n.ended_~+/8Wn41xcB==',
  refreshToken: 'c4n.refresh/5Tg77pzR',
  newToken: 'c4n.new+token/2Hb90kuS',
  code: 'c4n.code-4Jv63rdM',
  verifier: 'c4n-verifier~1Pf58wyEc4n-verifier~1Pf58wyE-44',
  clientSecret: 'c4n client/secret=6Nm',
  passphrase: 'c4n phrase"\\4Tt8',
};
type Canary = keyof typeof canaries;
const names = Object.keys(canaries) as Canary[];

const payment = '/v1/payments/sepa-credit-transfers/p-1';
const passwords = ['--psu-password-from', 'env:C_password', '--otp-from', 'env:C_otp'];
const second = ['--psu-additional-password-from', 'env:C_secondPassword'];

/** An answer that leads to this step. */
const leading = (link: string): Surprise => {
  return (socket) =>
    socket.write(
      wire(
        '201 Created',
        JSON.stringify({
          ...{ scaStatus: 'psuIdentified', authorisationId: 'a-1' },
          _links: { [link]: { href: `${payment}/authorisations/a-1` } },
        }),
        ['Content-Type: application/json'],
      ),
    );
};

/** What is asked of obk, and which answer then repeats what came with the question. */
const scenarios: Readonly<
  Record<string, { at: string; run: string[]; before?: readonly [string, Surprise] }>
> = {
  'a password': { at: 'POST authorisations', run: pay('5.00', ...passwords, ...second) },
  'a second password': {
    at: 'PUT authorisation',
    before: ['POST authorisations', leading('updateAdditionalPsuAuthentication')],
    run: pay('6.00', ...passwords, ...second),
  },
  'a one-time password': { at: 'PUT authorisation', run: pay('7.00', ...passwords) },
  'a token and a secret of the client': {
    at: 'GET accounts',
    run: ['accounts', 'list', '--consent', 'c-1', '--no-input', '--json'],
  },
  'a token that has ended': {
    at: 'POST token',
    run: ['accounts', 'list', '--consent', 'c-1', '--no-input', '--json', '--profile', 'ended'],
  },
  'the code of a login': {
    at: 'POST token',
    run: ['auth', 'login', '--return-url-from', 'env:C_back', '--no-input', '--json', '--profile', 'login'],
  },
};
const json = ['Content-Type: application/json'];
const repeat = (text: string) => ({
  psuMessage: `you said ${text}`,
  tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text, path: text }],
  ...{ detail: text, error: 'invalid_grant', error_description: text, [text]: text },
  _links: {
    scaRedirect: { href: `https://bank.example/?${text}` },
    scaStatus: { href: `${payment}/authorisations/a-1?x=${text}` },
    ours: { href: text },
  },
});
const printable = (text: string) => text.replaceAll(/[^\x21-\x7e]/g, '');
const header = (text: string) => `X-Seen: ${printable(text)}`;
const answers: Readonly<Record<string, (text: string) => Buffer>> = {
  'a refusal': (text) => wire('401 Unauthorized', JSON.stringify(repeat(text)), [...json, header(text)]),
  'a bad request': (text) => wire('400 Bad Request', JSON.stringify(repeat(text)), json),
  'a success': (text) =>
    wire('200 OK', JSON.stringify({ scaStatus: 'failed', ...repeat(text) }), [...json, header(text)]),
  'a page': (text) => wire('502 Bad Gateway', `<p>${text}</p>`, ['Content-Type: text/html']),
  'plain text': (text) => wire('200 OK', `saw ${text}`, ['Content-Type: text/plain', header(text)]),
  'a form': (text) =>
    wire('400 Bad Request', `error=${text}&x=${text}`, ['Content-Type: application/x-www-form-urlencoded']),
  'half an answer': (text) =>
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"a":"${text}`,
    ),
  'a redirect': (text) => wire('302 Found', '', [`Location: https://x.example/?${printable(text)}`]),
};
const cells = Object.keys(answers).flatMap((answer) =>
  Object.keys(encodings).flatMap((encoding) =>
    Object.keys(scenarios).map((scenario) => ({ scenario, encoding, answer })),
  ),
);
const row = trials('8', 24);
// A step that shares no factor with their number meets each once, and all kinds in a small part of them.
const chosen = cells.map((_, at) => cells[(at * 101) % cells.length]!).slice(0, row.count);

let bank: PlainBank;
let payer: Payer;
let keyText = '';
let pages = 0;
beforeAll(async () => {
  bank = await startPlainBank();
  payer = await payerAt(bank.baseUrl, '--header-rule', 'default X-IBM-Client-Secret from env:C_clientSecret');
  const made = await inside('cert', 'create', '--type', 'qsealc', '--org-id', 'PSDDE-BAFIN-123456', '--json');
  const { certificate, key } = JSON.parse(made.stdout) as { certificate: string; key: string };
  const { passphrase } = canaries;
  const pem = createPrivateKey(readFileSync(key));
  keyText = pem.export({ type: 'pkcs8', format: 'pem' }).toString().split('\n')[1] ?? '';
  const locked = pem.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
  writeFileSync(key, locked);
  const signing = ['--signing', 'cavage', '--certificate', certificate, '--key', key];
  await ok('profile', 'edit', 'plain', ...signing, '--key-passphrase-from', 'env:C_passphrase');
  for (const name of ['ended', 'login']) await ok('profile', 'create', name, '--extends', 'plain');
});
afterAll(async () => {
  const sought = `${String(names.length + 1)} secrets sought in ${String(pages)} texts and files`;
  row.report(`${sought}, each in ${String(Object.keys(encodings).length)} encodings`, chosen.length);
  payer.close();
  await bank.close();
});

// The same machine for all, without what the one before has left there.
beforeEach(async () => {
  bank.afresh();
  rmSync(join(payer.home, 'state'), { recursive: true, force: true });
  const store = fileStore({
    configDir: join(payer.home, 'config', 'obk'),
    stateDir: join(payer.home, 'state', 'obk'),
    clock: {
      now: () => new Date(),
      monotonic: () => 0,
      sleep: () => Promise.resolve(),
      after: () => () => undefined,
    },
    warn: () => undefined,
  });
  const server = { issuer: bank.baseUrl, tokenEndpoint: `${bank.baseUrl}/token`, clientId: 'tpp' };
  const { token, endedToken, refreshToken, verifier } = canaries;
  await store.credentials.update('plain', (before) => ({ ...before, token: new Secret(token) }));
  await store.credentials.update('ended', () => ({
    tokens: [
      {
        ...{ psuId: 'anna', token: new Secret(endedToken), refreshToken: new Secret(refreshToken), server },
        expiresAt: '2020-01-01T00:00:00Z',
      },
    ],
  }));
  const redirect = { uri: 'https://tpp.example/back' };
  await store.credentials.update('login', () => ({
    verifiers: [{ state: 'state-1', verifier: new Secret(verifier), at: new Date().toISOString() }],
    logins: [
      {
        ...{ state: 'state-1', psuId: 'anna', scope: 'PIS AIS' },
        request: {
          ...server,
          url: `${bank.baseUrl}/authorize`,
          namesIssuer: false,
          redirectUri: redirect.uri,
        },
        redirect,
      },
    ],
  }));
});
const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: payer.home,
  XDG_CONFIG_HOME: join(payer.home, 'config'),
  XDG_STATE_HOME: join(payer.home, 'state'),
  XDG_CACHE_HOME: join(payer.home, 'cache'),
  ...Object.fromEntries(names.map((name) => [`C_${name}`, canaries[name]])),
  C_back: `https://tpp.example/back?code=${canaries.code}&state=state-1`,
});
const inside = (...args: string[]): Promise<Ran> =>
  runInside(args, { env: env(), cwd: payer.home, input: '' });
async function ok(...args: string[]): Promise<void> {
  const ran = await inside(...args);
  if (ran.code !== 0) throw new Error(`${args.join(' ')}: ${ran.stderr}`);
}

/** Repeats every secret that stands in the request, as a form has it or as it is. */
const repeating = (answer: string, encoding: string, seen: Set<Canary>): Surprise => {
  return (socket, _usual, { head, body }) => {
    const text = `${head}\n${body}\n${ofForm(body)}\n${unescaped(body)}`;
    const found = names.filter((name) => text.includes(canaries[name]));
    for (const name of found) seen.add(name);
    const said = found.map((name) => (encodings[encoding] ?? String)(canaries[name])).join(' ');
    const bytes = (answers[answer] ?? wire)(said);
    if (answer === 'half an answer') socket.end(bytes);
    else socket.write(bytes);
  };
};
function ofForm(body: string): string {
  return [...new URLSearchParams(body).values()].join('\n');
}
function unescaped(body: string): string {
  return body.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}

it.each(chosen)(
  'a secret is not shown: $scenario, repeated as $encoding in $answer',
  { timeout: row.timeout(30_000) },
  async (cell) => {
    const { at, run, before } = scenarios[cell.scenario]!;
    const seen = new Set<Canary>();
    if (before !== undefined) bank.surprise(...before);
    bank.surprise(at, repeating(cell.answer, cell.encoding, seen), true);
    const loud = ['-vvv', '--curl', '--debug', '--trace', 'all.har', '--report-junit', 'all.xml'];
    const ran: Ran[] = [await inside(...run, ...loud)];
    expect(seen.size, JSON.stringify([ran, bank.asked.map(({ what }) => what)])).toBeGreaterThan(0);
    const [profile = 'plain'] = run.slice(run.indexOf('--profile') + 1, run.indexOf('--profile') + 2);
    const by = run.includes('--profile') ? ['--profile', profile] : [];
    for (const words of [
      ['log', 'show', '@last', '-vvv'],
      ['log', 'har', '@last'],
      ['log', 'curl', '@last'],
      ['pending', 'list', '-v'],
      ['report', '@last', '--output', 'page.html'],
      ['whoami'],
      ['profile', 'show', ...by.slice(1), '--json'],
    ]) {
      ran.push(await inside(...words, ...(words[0] === 'profile' ? [] : by)));
    }
    const secrets = [...names.map((name) => canaries[name]), keyText];
    const texts = [
      ...ran.flatMap(({ stdout, stderr }, at): [string, string][] => [
        [`stdout ${String(at)}`, stdout],
        [`stderr ${String(at)}`, stderr],
      ]),
      ...filesOf(payer.home),
    ];
    pages += texts.length;
    const told = texts.flatMap(([place, text]) =>
      leaked(text, secrets).map((secret) => `${place}: ${secret}`),
    );
    expect(told).toEqual([]);
  },
);

/** Every file of the home but the store of secrets. */
function filesOf(home: string): [string, string][] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('credentials.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(home, file), readFileSync(file, 'utf8')]);
}

it('the search finds a secret wherever it is planted', () => {
  for (const encode of Object.values(encodings))
    for (const name of names)
      expect(leaked(`x ${encode(canaries[name])} y`, Object.values(canaries))).toEqual([canaries[name]]);
});
