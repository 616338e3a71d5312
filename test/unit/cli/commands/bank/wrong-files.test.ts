// Files of banks that are wrong in one thing each: lint and every command that takes a file tell line, column and setting, and what
// would be right. In each text a ^ stands before what is told of; it is no part of the file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-wrong-banks-'));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = (...line: string[]) => runInside([...line, '--no-input'], { env, cwd: home, input: '' });
let made = 0;

type Case = readonly [text: string, setting: string, right: RegExp];

const unknown = /no such setting|There are:/i;

const yaml: readonly Case[] = [
  ['^framework: 1.3.7', 'framework', /1\.3\.2, 1\.3\.6, 1\.3\.8, 1\.3\.11, 1\.3\.12/],
  ['^framwork: 1.3.6', 'framwork', /Did you mean framework/],
  ['^prefix: v1', 'prefix', /such as \/v1/],
  ['prefix: /v1\n^surface: all', 'surface', /service, framework/],
  ['^baseUrl: ftp://bank.example', 'baseUrl', /http/],
  ['^baseUrl: https://user:pw@bank.example', 'baseUrl', /user|password/i],
  ['urls:\n  vars: { ^"bank.code": ["1"] }', 'urls.vars.bank.code', /letters, digits/],
  ['urls:\n  perService:\n    ^cis: https://a.example', 'urls.perService.cis', /pis|ais/],
  ['links:\n  ^host: other', 'links.host', /ignore/],
  ['links:\n  aliases: { ^next: authorise }', 'links.aliases.next', /authoriseTransaction/],
  ['headers:\n  rules:\n    - { name: X-A, ^action: forbidden }', 'headers.rules[0].action', /forbid/],
  ['headers:\n  rules:\n    - { name: X-A, action: forbid }\n    - ^name: X-B', 'headers.rules[1]', /action/],
  ['headers:\n  rules:\n    - { ^name: "X A", action: forbid }', 'headers.rules[0].name', /header/i],
  ['headers:\n  rules:\n    - { ^name: Digest, action: forbid }', 'headers.rules[0].name', /signing/],
  [
    'headers:\n  rules:\n    - { name: X-A, action: forbid, operations: [^initPayment] }',
    'headers.rules[0].operations',
    /initiatePayment/,
  ],
  ['headers:\n  rules:\n    - ^{ name: X-A, action: default }', 'headers.rules[0]', /value/],
  ['headers:\n  accept: { ^getAccounts: application/json }', 'headers.accept.getAccounts', /getAccountList/],
  [
    'headers:\n  accept: { ^getAccountList: json }',
    'headers.accept.getAccountList',
    /media type|application\//i,
  ],
  ['headers:\n  psuId: { ^first: 0 }', 'headers.psuId.first', /1/],
  ['signing:\n  ^mode: rsa', 'signing.mode', /cavage, jws, none/],
  ['signing:\n  keyId:\n    ^serial: hexadecimal', 'signing.keyId.serial', /hex, HEX/],
  ['signing:\n  keyId:\n    ^issuer: rfc4514', 'signing.keyId.issuer', /rfc2253/],
  [
    'signing:\n  ^certificateHeader: pem',
    'signing.certificateHeader',
    /bare, pemOneLine, pemUrlEncoded, base64-of-pem, none/,
  ],
  ['signing:\n  digest: { ^algorithm: SHA-1 }', 'signing.digest.algorithm', /SHA-256, SHA-512/],
  ['signing:\n  digest: { ^emptyBody: none }', 'signing.digest.emptyBody', /omit/],
  ['signing:\n  ^order: alphabet', 'signing.order', /listed, sorted/],
  ['signing:\n  date: { ^sign: maybe }', 'signing.date.sign', /true|yes/],
  ['signing:\n  jws: { ^alg: HS256 }', 'signing.jws.alg', /RS256|PS256|key/],
  ['signing:\n  requiredFor: [^payments]', 'signing.requiredFor', /initiatePayment|operation/],
  ['sca:\n  ^startMode: both', 'sca.startMode', /implicit|explicit/],
  ['sca:\n  ^preferred: otp', 'sca.preferred', /redirect|embedded/],
  ['sca:\n  statusAliases: { ^DONE: done }', 'sca.statusAliases.DONE', /finalised/],
  ['sca:\n  authTypeAliases: { ^EMAIL: MAIL }', 'sca.authTypeAliases.EMAIL', /SMS_OTP/],
  ['sca:\n  ^multilevel: 2', 'sca.multilevel', /true|yes/],
  ['sca:\n  poll: { ^maxPerSecond: 0 }', 'sca.poll.maxPerSecond', /1/],
  ['consent:\n  ^validDays: 0', 'consent.validDays', /1/],
  ['consent:\n  types: [^everything]', 'consent.types', /allPsd2|detailed|global/i],
  ['consent:\n  deleteStatus: [200, ^999]', 'consent.deleteStatus', /status|20/],
  ['consent:\n  ^recurringonly: true', 'consent.recurringonly', /recurringOnly/],
  ['consent:\n  ^withBalances: both', 'consent.withBalances', /file, plural, singular/],
  [
    'payments:\n  matrix:\n    payments: { sepa-credit-transfers: [^yaml] }',
    'payments.matrix.payments.sepa-credit-transfers',
    /json/,
  ],
  ['payments:\n  matrix:\n    ^payment: { a: [json] }', 'payments.matrix.payment', /payments/],
  [
    'payments:\n  requiredFields:\n    - ^field: creditorAddress',
    'payments.requiredFields[0].field',
    /pointer|\/creditor/,
  ],
  [
    'payments:\n  rename: { ^/instructedAmount/amount: sum }',
    'payments.rename./instructedAmount/amount',
    /money|amount|paid/i,
  ],
  ['payments:\n  limits: { ^remittance: -1 }', 'payments.limits.remittance', /1/],
  ['payments:\n  limits: { ^charset: latin }', 'payments.limits.charset', /sepa/],
  ['payments:\n  ^statusFormat: xml', 'payments.statusFormat', /json, pain\.002/],
  ['payments:\n  pain: { ^execDateSentinel: 1.1.1999 }', 'payments.pain.execDateSentinel', /YYYY-MM-DD/],
  ['payments:\n  cancel: { ^needsSca: perhaps }', 'payments.cancel.needsSca', /true|yes/],
  ['ais:\n  bookingStatus: [^done]', 'ais.bookingStatus', /booked/],
  ['ais:\n  transactionFormats: [^csv]', 'ais.transactionFormats', /json|camt/],
  ['ais:\n  history: { ^maxDays: many }', 'ais.history.maxDays', /number/],
  ['ais:\n  wrappers: { ^getTransactions: /a }', 'ais.wrappers.getTransactions', /getTransactionList/],
  [
    'ais:\n  params:\n    getTransactionList:\n      ^remove: [withBalance]',
    'ais.params.getTransactionList.remove',
    /allow|forbid/,
  ],
  ['decode:\n  ^numericAmounts: true', 'decode.numericAmounts', /numberAmounts/],
  ['decode:\n  ^ids: random', 'decode.ids', /stable, unstable/],
  ['errors:\n  shapes: [^soap]', 'errors.shapes', /problem/],
  [
    'errors:\n  statusMeaning:\n    createConsent: { ^2000: done }',
    'errors.statusMeaning.createConsent.2000',
    /status|100|599/i,
  ],
  [
    'errors:\n  statusMeaning:\n    createConsent: { ^409: ok }',
    'errors.statusMeaning.createConsent.409',
    /done|refused/,
  ],
  ['limits:\n  ^rate: fast', 'limits.rate', /90/],
  ['limits:\n  perOperation: { ^getAccounts: 1/1s }', 'limits.perOperation.getAccounts', /getAccountList/],
  ['auth:\n  ^mode: oauth', 'auth.mode', /none, preStep|preStep/],
  ['auth:\n  ^tokenUrl: token', 'auth.tokenUrl', /address|http/],
  ['auth:\n  pkce: { ^verifierOctets: 8 }', 'auth.pkce.verifierOctets', /3|24|32/],
  [
    'auth:\n  token:\n    add: { ^client_secret: x }',
    'auth.token.add.client_secret',
    /client_secret|parameter/i,
  ],
  ['tls:\n  ^minVersion: TLSv1.1', 'tls.minVersion', /TLSv1\.2, TLSv1\.3/],
  ['^timeoutMs: 0s', 'timeoutMs', /milliseconds/],
  ['requestIdSemantics: unknown\n^certificate: a.pem', 'certificate', unknown],
  ['^bankVars: { code: x }', 'bankVars', /one of your profile/],
  ['^psu: { id: anna }', 'psu', /one of your profile/],
  ['^extends: n26', 'extends', /meta\.extends/],
  ['meta:\n  ^verifiedOn: 2026-02-30', 'meta.verifiedOn', /YYYY-MM-DD/],
];

/** The text without its mark, and where the mark stood. */
function marked(text: string): { text: string; place: { line: number; column: number } } {
  const lines = text.slice(0, text.indexOf('^')).split('\n');
  return {
    text: text.replace('^', ''),
    place: { line: lines.length, column: (lines.at(-1) ?? '').length + 1 },
  };
}

describe('a wrong file of a bank', () => {
  it.each(yaml)('%s', async (source, setting, right) => {
    const { text, place } = marked(source);
    made += 1;
    const file = `bank-${String(made)}.yaml`;
    writeFileSync(join(home, file), text);
    const lint = await obk('bank', 'lint', file, '--json');
    expect(lint.code, lint.stderr).toBe(10);
    const { findings } = JSON.parse(lint.stdout) as { findings: { setting: string; text: string }[] };
    const [first] = findings;
    expect(findings, lint.stdout).toHaveLength(1);
    expect(first).toMatchObject({ severity: 'error', ...place });
    expect(first?.setting.replace(/\[\d+\]$/, '')).toBe(setting.replace(/\[\d+\]$/, ''));
    expect(first?.text).toMatch(right);
    const told = `${String(place.line)}:${String(place.column)}: ${first?.setting ?? ''}: `;
    for (const line of [
      ['bank', 'show', file],
      ['bank', 'diff', file, 'n26'],
      ['profile', 'create', 'x', '--bank', file],
      ['sandbox', 'start', '--bank', file, '--port', '0'],
    ]) {
      const { code, stderr } = await obk(...line);
      expect(code, stderr).toBe(3);
      expect(stderr).toContain(told);
    }
  });
});

/** A key that no terminal shows whole. */
const long = 'k'.repeat(10_000);

describe('what is no file of settings at all', () => {
  const write = (file: string, text: string | Uint8Array) => {
    writeFileSync(join(home, file), text);
  };
  it.each<[file: string, text: string | Uint8Array | undefined, code: number, said: RegExp]>([
    ['/dev/zero', undefined, 2, /does not end/],
    ['/dev/null', undefined, 3, /is empty/],
    ['gone.json', undefined, 2, /does not exist/],
    ['latin.json', Buffer.from('{"meta":{"name":"M\xfcller"}}', 'latin1'), 3, /not UTF-8/],
    ['utf-16.json', Buffer.from('\ufeff{}', 'utf16le'), 3, /not UTF-8/],
    ['list.json', '[]', 3, /no object/],
    ['big.json', `${' '.repeat(1024 * 1024)}{}`, 3, /larger than/],
    ['deep.json', '['.repeat(20_000), 3, /deeper than 64 levels/],
    ['bomb.yaml', `a: &a [x]\n${bomb()}`, 3, /too many values|64 levels/],
    ['self.yaml', 'meta: &m\n  name: *m\n', 3, /64 levels/],
    ['tag.yaml', 'prefix: !!js/function "x"\n', 3, /tag/],
    ['two.yaml', 'prefix: /v1\n---\nprefix: /v2\n', 3, /second document/],
    ['twice.json', '{"prefix":"/v1","prefix":"/v2"}', 3, /occurs twice/],
    ['long.json', `{"${long}":1}`, 10, /no such setting/],
    ['circle.json', '{"meta":{"extends":"circle.json"}}', 3, /extends itself/],
    ['orphan.json', '{"meta":{"extends":"gone.json"}}', 3, /meta\.extends: gone\.json: it does not exist/],
    [
      'near.json',
      '{"meta":{"extends":"wso2-open-bankin"}}',
      3,
      /meta\.extends: .*Did you mean wso2-open-banking/,
    ],
    ['schema.json', '{"$schema":"./bank-file.schema.json","framework":"1.3.6"}', 0, /nothing found/],
  ])(
    '%s is told by bank lint, with advice that is not the same line again',
    async (file, text, code, said) => {
      if (text !== undefined) write(file, text);
      const lint = await obk('bank', 'lint', file);
      const told = lint.stdout + lint.stderr;
      expect(lint.code, told).toBe(code);
      expect(told).toMatch(said);
      expect(told).not.toContain(`obk bank lint ${file}`);
      expect(told.length).toBeLessThan(1500);
    },
  );

  it.each([
    ['/dev/zero', /it is a device/],
    ['gone.json', /it does not exist/],
    ['.', /it is a directory/],
  ])('%s is told by the bank inside in words', async (file, said) => {
    for (const flag of ['--bank', '--config']) {
      const { code, stderr } = await obk(
        'sandbox',
        'start',
        flag,
        file === '.' ? './/' : file,
        '--port',
        '0',
      );
      expect(code, stderr).toBe(3);
      expect(stderr).toMatch(said);
      expect(stderr).not.toMatch(/ENOENT|EISDIR/);
    }
  });
});

/** Nine lists of nine of the one before. */
function bomb(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  return names
    .slice(1)
    .map((name, at) => `${name}: &${name} [${`*${names[at] ?? ''},`.repeat(9).slice(0, -1)}]`)
    .join('\n');
}
