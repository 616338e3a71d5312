// What a support person finds out about a payment that was refused, or lost, at its initiation: from the log of a colleague alone.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/people.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { shop } from '../../../../helpers/obk.ts';
import { rawServer, wire } from '../../../../helpers/raw-server.ts';
import type { RawServer } from '../../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../../helpers/tls.ts';

const json = (body: object) => JSON.stringify(body);
const html = (text: string) => `<html><title>${text}</title><p>support ID 42</p></html>`;
const format = { category: 'ERROR', code: 'FORMAT_ERROR' };

/** By the number of the payment: the answer, the exit, what is said at once, and the reason in the log. */
const cases: readonly (readonly [string, string, number, RegExp, RegExp])[] = [
  [
    '400 Bad Request',
    json({
      tppMessages: [
        { ...format, path: 'creditorAccount.iban', text: 'no' },
        { ...format, text: 'too' },
      ],
    }),
    5,
    /at creditorAccount\.iban — "no"/,
    /^FORMAT_ERROR in creditorAccount\.iban$/,
  ],
  ['403 Forbidden', html('Request Rejected'), 5, /a gateway or a web server/, /^HTTP 403, HTML of a gateway/],
  ['400 Bad Request', json({ errors: [{ errorCode: 'E-4711' }] }), 5, /E-4711/, /^HTTP 400, .*E-4711/],
  [
    '500 Internal Server Error',
    json({ tppMessages: [{ category: 'ERROR', code: 'INTERNAL_SERVER_ERROR', text: 'oops' }] }),
    12,
    /answered 500: INTERNAL_SERVER_ERROR: oops\./,
    /^HTTP 500, INTERNAL_SERVER_ERROR$/,
  ],
  ['502 Bad Gateway', html('Bad Gateway'), 12, /answered 502: .*HTML/, /^HTTP 502, HTML of a gateway/],
  ['', '', 12, /other side closed|reset/, /^no answer$/],
];

let server: RawServer;
let folder: string;
let count = 0;
const said: string[] = [];
const obk = (line: readonly string[], more: object = {}) =>
  runInside(line, {
    env: { ...process.env, OBK_CONFIG_DIR: join(folder, 'c'), OBK_STATE_DIR: join(folder, 's') },
    cwd: folder,
    ...more,
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'obk-refused-'));
  server = await rawServer((socket) => {
    const [status = '', body = ''] = cases[count] ?? [];
    if (status === '') socket.destroy();
    else socket.end(wire(status, body, ['Connection: close']));
  });
  const seal = await makeCertificate({ subject: 'CN=Seal', names: ['tpp.example'] });
  writeFileSync(join(folder, 'seal.pem'), seal.certificate);
  writeFileSync(join(folder, 'seal.key'), seal.key, { mode: 0o600 });
  const address = ['--base-url', `http://127.0.0.1:${String(server.port)}`, '--environment', 'test'];
  const signs = ['--certificate', 'seal.pem', '--key', 'seal.key', '--psu-ip', '192.0.2.1'];
  await obk(['profile', 'create', 'acme', ...address, ...signs, '--redirect-uri', 'https://tpp.example/']);
  for (const [, , exit] of cases) {
    const amount = ['--amount', `${String(count + 1)}.00`, '--debtor', 'DE89370400440532013000'];
    const { code, stderr } = await obk(['payment', 'init', ...shop, ...amount]);
    expect(code, stderr).toBe(exit);
    said.push(stderr);
    count += 1;
  }
});
afterAll(() => server.close());

it.each(cases.map(([status, , , words], at) => [status, at, words] as const))(
  'an answer %s (%i) is told in the words of the bank',
  (_, at, words) => {
    expect(said[at]).toMatch(words);
  },
);

it('the log has the reason of each at 80 columns', async () => {
  const { stdout } = await obk(['log', 'list'], { columns: 80 });
  const whole = JSON.parse((await obk(['log', 'list', '--json'])).stdout) as { verdict: string }[];
  const [head = '', ...rows] = stripVTControlCharacters(stdout).split('\n');
  const start = head.indexOf('VERDICT');
  expect(start, stdout).toBeGreaterThan(0);
  for (const [at, [, , , , reason]] of [...cases].reverse().entries()) {
    const verdict = (whole[at]?.verdict ?? '')
      .replace(/^refused by the bank: | \([A-Za-z]+\)$/g, '')
      .replace(/^.* is unknown \((?:the bank answered )?(.*)\)$/, '$1');
    expect(verdict).toMatch(reason);
    const shown = (rows[at] ?? '').slice(start).replace(/…$/, '').trim();
    expect(shown.length, rows[at]).toBeGreaterThan(7);
    expect(verdict.startsWith(shown), `${verdict}: ${shown}`).toBe(true);
  }
});

it('log show has each message of a refusal', async () => {
  const [run] = (JSON.parse((await obk(['log', 'list', '--json'])).stdout) as { run: string }[]).slice(-1);
  const { stdout } = await obk(['log', 'show', run?.run ?? '']);
  expect(stdout).toContain('400 FORMAT_ERROR ·');
  expect(stdout).toContain('FORMAT_ERROR at creditorAccount.iban — "no"\n  FORMAT_ERROR — "too"');
});

describe('what is unknown', () => {
  const pending = async () =>
    JSON.parse((await obk(['pending', 'list', '--json'])).stdout) as { id: string; next: string }[];

  it.each([['log', 'show'], ['report'], ['log', 'har'], ['log', 'curl']])(
    'is found in the log by the id that pending shows: %s %s',
    async (...words) => {
      const [{ id } = { id: '' }] = await pending();
      const more = words[0] === 'report' ? ['--output', 'lost.html', '--force'] : [];
      const ran = await obk([...words, id.slice(0, 8), ...more]);
      expect(ran.code, ran.stderr).toBe(0);
      if (more.length > 0)
        expect(readFileSync(join(folder, 'lost.html'), 'utf8')).toContain('is unknown (no answer)');
    },
  );

  it('is what payment list points at', async () => {
    const { stdout, stderr } = await obk(['payment', 'list'], {
      ...{ terminal: true, columns: 80, ports: { person: fakePerson() } },
    });
    expect(stdout + stderr).toContain('is known by an id');
    expect(stdout + stderr).toContain('obk pending list');
  });
});

it('the HAR of a colleague, whose account numbers are masked, is not called a forgery', async () => {
  const [run] = (JSON.parse((await obk(['log', 'list', '--json'])).stdout) as { run: string }[]).slice(-1);
  const { stdout: har } = await obk(['log', 'har', run?.run ?? '']);
  expect(har).toContain('DE89…3000');
  const verify = async (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
    return obk(['sign', 'verify', file]);
  };
  const masked = await verify('masked.har', har);
  expect(masked).toMatchObject({
    code: 10,
    stdout: expect.stringContaining('cannot be verified whole') as string,
  });
  expect(masked.stdout).toContain('parts of the body are masked');
  expect(masked.stdout).not.toContain('does not match');
  // A signature that does not fit is no question of masks.
  const forged = await verify('forged.har', har.replaceAll(/signature=\\"[^\\]{4}/g, 'signature=\\"AAAA'));
  expect(forged.stdout).toContain('does not verify');
  // Nor is another body.
  const other = await verify('other.har', har.replaceAll('…', '0000'));
  expect(other.stdout).toContain('Digest does not match');
});
