// A report with account numbers: the bank can verify digest and signature of what it was sent, and nobody gets one unasked.
import { createHash, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakePerson } from '../../../helpers/fakes/people.ts';
import type { FakePerson } from '../../../helpers/fakes/people.ts';
import { runInside } from '../../../helpers/inside.ts';
import type { RawServer } from '../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../helpers/tls.ts';
import type { Pair } from '../../../helpers/tls.ts';
import { xs2aServer } from '../../../helpers/xs2a-server.ts';

const debtor = 'DE65990010000000002443';
const creditor = 'NL91ABNA0417164300';
let folder: string;
let server: RawServer;
let seal: Pair;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'obk-unmasked-'));
  seal = await makeCertificate({ subject: 'CN=Seal' });
  writeFileSync(join(folder, 'seal.pem'), seal.certificate);
  writeFileSync(join(folder, 'seal.key'), seal.key, { mode: 0o600 });
  server = await xs2aServer(['/v1']);
});
afterEach(() => server.close());

function obk(args: readonly string[], person: FakePerson = fakePerson({ present: false }), policy?: object) {
  const at = join(folder, 'policy.json');
  if (policy !== undefined) writeFileSync(at, JSON.stringify(policy));
  if (policy !== undefined) chmodSync(at, 0o600);
  return runInside(args, {
    env: { ...process.env, OBK_CONFIG_DIR: join(folder, 'c'), OBK_STATE_DIR: join(folder, 's') },
    cwd: folder,
    ...(person.present ? { ports: { person } } : {}),
    ...(policy === undefined ? {} : { policy: { path: at, owner: process.getuid?.() ?? 0 } }),
  });
}

/** A payment that the bank refuses, made with a profile of this environment. */
async function refused(environment: string, policy?: object) {
  const profile = `profile create acme --base-url http://127.0.0.1:${String(server.port)} --environment ${environment} --certificate seal.pem --key seal.key --psu-ip 192.0.2.1`;
  const confirm = environment === 'production' ? ['--confirm', 'acme'] : [];
  const made = await obk(profile.split(' '));
  expect(made.code, made.stderr).toBe(0);
  const order = `payment init --product sepa-credit-transfers --debtor ${debtor} --creditor-name Shop --creditor-account ${creditor} --amount 1.00`;
  const paid = await obk([...order.split(' '), ...confirm], undefined, policy);
  expect(paid.code, paid.stderr).toBeGreaterThan(2);
  expect(server.arrivals.at(-1)?.head).toMatch(/^POST .*sepa-credit-transfers/);
}

const report = (...flags: string[]) => ['report', '@failed', '--output', 'report.html', ...flags];
const page = () => readFileSync(join(folder, 'report.html'), 'utf8');
const text = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Reads the first exchange of a page as a bank does, and verifies it by its headers. */
function verified(html: string): boolean {
  // A browser copies a value without its places for a break.
  const rows = html.replaceAll('<wbr />', '').matchAll(/<th scope="row">([^<]*)<\/th>\s*<td>([^<]*)<\/td>/g);
  const headers = new Map([...rows].map(([, name = '', value = '']) => [name.toLowerCase(), text(value)]));
  const body = text(/<pre>\n(\{[^<]*\})<\/pre>/.exec(html)?.[1] ?? '');
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  if (headers.get('digest') !== digest) return false;
  const signature = headers.get('signature') ?? '';
  const names = /headers="([^"]*)"/.exec(signature)?.[1]?.split(' ') ?? [];
  const signed = names
    .map((name) => `${name.toLowerCase()}: ${headers.get(name.toLowerCase()) ?? ''}`)
    .join('\n');
  const bytes = Buffer.from(/[",]signature="([^"]*)"/.exec(signature)?.[1] ?? '', 'base64');
  return verify('sha256', Buffer.from(signed), seal.certificate, bytes);
}

describe('report --unmasked', () => {
  it('holds what the bank needs to verify digest and signature, and says that it does', async () => {
    await refused('test');
    const masked = await obk(report());
    expect(masked.code, masked.stderr).toBe(0);
    expect(page()).not.toContain(creditor);
    expect(page()).toContain('account numbers masked');
    expect(verified(page())).toBe(false);

    const { code, stdout, stderr } = await obk(report('--force', '--unmasked', '--yes', '--json'));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ unmasked: true });
    expect(page()).toContain(creditor);
    expect(page()).toContain(debtor);
    expect(page()).toContain('With account numbers');
    expect(verified(page())).toBe(true);
  });

  it.each(['test', 'production'])(
    'needs a word in %s without a terminal, and writes nothing',
    async (environment) => {
      await refused(environment);
      const asked = await obk(report('--unmasked'));
      expect([asked.code, asked.stdout]).toEqual([2, '']);
      expect(asked.stderr).toContain(environment === 'test' ? '--yes' : '--confirm acme');
      if (environment === 'production') expect((await obk(report('--unmasked', '--yes'))).code).toBe(2);
      expect(readdirSync(folder)).not.toContain('report.html');
      const word = environment === 'test' ? ['--yes'] : ['--confirm', 'acme'];
      expect((await obk(report('--unmasked', ...word))).code).toBe(0);
      expect(verified(page())).toBe(true);
    },
  );

  it('asks a person, whose no writes nothing', async () => {
    await refused('test');
    const person = fakePerson().answer('yes', false, true);
    expect((await obk(report('--unmasked'), person)).code).toBe(2);
    expect(readdirSync(folder)).not.toContain('report.html');
    expect((await obk(report('--unmasked'), person)).code).toBe(0);
    expect(page()).toContain(creditor);
    person.verify();
  });

  it('is refused where the policy of the machine forbids it, and nothing is kept for it', async () => {
    const policy = { unmasked: false };
    await refused('test', policy);
    const { code, stderr } = await obk(report('--unmasked', '--yes'), undefined, policy);
    expect([code, readdirSync(folder).includes('report.html')]).toEqual([3, false]);
    expect(stderr).toContain('policy.json says so');
    // Nor afterwards, where the policy is another.
    expect((await obk(report('--unmasked', '--yes'))).code).toBe(0);
    expect(page()).not.toContain(creditor);
  });
});

describe('the verdict', () => {
  it('stands on top of log show and payment list, and beside each run of the log', async () => {
    await refused('test');
    const said =
      'refused by the bank: HTTP 404, HTML of a gateway or web server, no such page (initiatePayment)';
    const shown = await obk(['log', 'show', '@failed']);
    expect(shown.stdout.split('\n')[1]).toBe(`Verdict: ${said}`);
    const runs = JSON.parse((await obk(['log', 'list', '--json'])).stdout) as { verdict: string | null }[];
    expect(runs[0]?.verdict).toBe(said);
    const listed = await obk(['payment', 'list', '--profile', 'acme'], fakePerson());
    expect(listed.stderr.replace(/\s+/g, ' ')).toContain(`Verdict on the last call about a payment: ${said}`);
    // A script gets its rows, and what it asked for.
    expect((await obk(['payment', 'list', '--profile', 'acme'])).stderr).not.toContain('Verdict');
  });
});
