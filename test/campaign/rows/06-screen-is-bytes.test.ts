// What a person confirms against what arrives: the summary, the question, the dry run and the record that is left, each held
// against values read out of the raw bytes by readers of this file alone.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { fakePerson } from '../../helpers/fakes/index.ts';
import { runInside } from '../../helpers/inside.ts';
import { seeded } from '../../helpers/kill-cycles.ts';
import { rawServer, wire } from '../../helpers/raw-server.ts';
import type { RawServer } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('6', 7);
const debtor = 'DE40100100103307118608';
const payees = [
  'DE89370400440532013000',
  'DE02100100109307118603',
  'NL91ABNA0417164300',
  'AT611904300234573201',
];
const names = ['Shop', 'Jörg & Söhne', "O'Neil + Co", 'Bau (Nord) 24', 'x < y GmbH', 'Ana: Maria / Luz'];
const texts = ['Invoice 4711', 'A & B, 12/2026', 'Miete (Mai)', "it's due"];

interface Paid {
  amount: string;
  creditorName: string;
  iban: string;
  text?: string;
}

/** The payments in a body, and the account that pays. */
interface Sent {
  debtor: string | undefined;
  payments: Paid[];
}

function inJson(text: string): Sent {
  const body = JSON.parse(text) as Record<string, unknown>;
  const list = (Array.isArray(body['payments']) ? body['payments'] : [body]) as {
    instructedAmount: { amount: string; currency: string };
    creditorName: string;
    creditorAccount: { iban: string };
    remittanceInformationUnstructured?: string;
  }[];
  return {
    debtor: (body['debtorAccount'] as { iban: string } | undefined)?.iban,
    payments: list.map((one) => ({
      amount: `${one.instructedAmount.amount} ${one.instructedAmount.currency}`,
      creditorName: one.creditorName,
      iban: one.creditorAccount.iban,
      ...(one.remittanceInformationUnstructured && { text: one.remittanceInformationUnstructured }),
    })),
  };
}

const plain = (xml: string) =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

function inXml(text: string): Sent {
  const find = (from: string, pattern: RegExp) => {
    const found = pattern.exec(from)?.[1];
    return found === undefined ? undefined : plain(found);
  };
  const entries = text.split('<CdtTrfTxInf>').slice(1);
  return {
    debtor: find(text, /<DbtrAcct>\s*<Id>\s*<IBAN>([^<]*)</),
    payments: entries.map((one) => {
      const ustrd = find(one, /<Ustrd>([^<]*)</);
      return {
        amount: `${find(one, /<InstdAmt Ccy="[A-Z]{3}">([^<]*)</) ?? ''} ${find(one, /<InstdAmt Ccy="([A-Z]{3})"/) ?? ''}`,
        creditorName: find(one, /<Cdtr>\s*<Nm>([^<]*)</) ?? '',
        iban: find(one, /<CdtrAcct>\s*<Id>\s*<IBAN>([^<]*)</) ?? '',
        ...(ustrd !== undefined && { text: ustrd }),
      };
    }),
  };
}

/** In whichever of the four kinds: JSON, pain.001, a form of both. */
function read(body: string): Sent {
  return body.includes('<CdtTrfTxInf>') ? inXml(body) : inJson(body);
}

const standing = ['--service', 'periodic-payments', '--start-date', '2099-01-01', '--frequency', 'Monthly'];
const bulk = ['--service', 'bulk-payments', '--from-csv', 'payments.csv'];
const pain = ['--product', 'pain.001-sepa-credit-transfers', '--debtor-name', 'Payer AG'];
const json = ['--product', 'sepa-credit-transfers'];
const kinds: readonly (readonly string[])[] = [
  json,
  [...json, '--input', 'payment.json'],
  [...json, ...standing],
  [...json, ...bulk],
  pain,
  [...pain, ...standing],
  [...pain, ...bulk],
];

let server: RawServer;
const home = freshHome();
const env = { ...process.env, OBK_CONFIG_DIR: home.configDir, OBK_STATE_DIR: home.stateDir };
const cwd = process.env['HOME'] ?? '';
beforeAll(async () => {
  server = await rawServer((socket, { head }) => {
    const [, path = ''] = head.split(' ');
    const self = { href: `${path}/p-${String(server.arrivals.length)}` };
    const made = { transactionStatus: 'RCVD', paymentId: self.href.split('/').at(-1), _links: { self } };
    socket.write(wire('201 Created', JSON.stringify(made), ['Content-Type: application/json']));
  });
  for (const variant of ['v1', 'v136']) {
    const { code, stderr } = await runInside(
      [
        ...['profile', 'create', variant, '--base-url', `http://127.0.0.1:${String(server.port)}`],
        ...['--environment', 'test', '--variant', variant, '--signing', 'none', '--rate', 'off'],
        ...['--psu-ip', '192.0.2.7', '--psu-id', 'anna', '--debtor', debtor],
      ],
      { env, cwd, input: '' },
    );
    expect(code, stderr).toBe(0);
  }
});
afterAll(() => server.close());

/** Boundaries and the time of making are new each time. */
const lasting = (body: string) =>
  body.replace(/<CreDtTm>[^<]*</, '<CreDtTm><').replaceAll(/--[\w'()+,./:=?-]{8,}/g, '--boundary');

/** People read an account number in groups of four. */
const ungrouped = (shown: string | undefined) => shown?.replaceAll(' ', '');

/** What stands behind the title of a line of the summary. */
const line = (screen: string, title: string) =>
  screen
    .split('\n')
    .find((one) => one.startsWith(`  ${title.padEnd(8)} `))
    ?.slice(11);

it('the screen shows what arrives', { timeout: row.timeout(60_000) }, async () => {
  const random = seeded(row.seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const cents = () =>
    `${String(Math.floor(random() * 9_000) + 1)}.${String(Math.floor(random() * 100)).padStart(2, '0')}`;
  for (let index = 0; index < row.count; index += 1) {
    const words = kinds[index % kinds.length]!;
    const variant = Math.floor(index / kinds.length) % 2 === 0 ? 'v1' : 'v136';
    const many = words.includes('--from-csv');
    const wished = Array.from({ length: many ? 1 + Math.floor(random() * 5) : 1 }, () => {
      return { amount: cents(), creditorName: pick(names), iban: pick(payees), text: pick(texts) };
    });
    const [{ amount, creditorName, iban, text }] = wished as [(typeof wished)[number]];
    writeFileSync(
      join(cwd, 'payments.csv'),
      [
        'creditor_name,creditor_iban,amount,remittance',
        ...wished.map((one) => `"${one.creditorName}",${one.iban},${one.amount},"${one.text}"`),
      ].join('\n'),
    );
    writeFileSync(
      join(cwd, 'payment.json'),
      JSON.stringify(
        {
          debtorAccount: { iban: debtor },
          instructedAmount: { amount, currency: 'EUR' },
          creditorName,
          creditorAccount: { iban },
          remittanceInformationUnstructured: text,
        },
        null,
        index % 3,
      ),
    );
    const isFile = many || words.includes('--input');
    const flags = [
      '--creditor-name',
      creditorName,
      '--creditor-account',
      iban,
      '--amount',
      amount,
      '--remittance',
      text,
    ];
    const key = [
      '--intent-key',
      `k-${String(index)}`,
      '--allow-duplicate',
      '--authorise-later',
      '--profile',
      variant,
    ];
    const command = ['payment', 'init', ...words, ...(isFile ? [] : flags), ...key];

    const dry = await runInside([...command, '--dry-run', '--json'], { env, cwd, input: '' });
    expect(dry.code, `${command.join(' ')}\n${dry.stderr}`).toBe(0);
    const shown = JSON.parse(dry.stdout) as { url: string; method: string; body: string };
    const before = server.arrivals.length;
    const person = fakePerson().answer('yes', true);
    const ran = await runInside([...command, '--json'], { env, cwd, ports: { person } });
    const about = `${command.join(' ')}\n${ran.stderr}`;
    // What a person sees stands in the notices, since a program reads this stderr.
    const screen = ran.stderr
      .trimEnd()
      .split('\n')
      .map((told) => (JSON.parse(told) as { notice?: string }).notice ?? '')
      .join('\n');
    expect(ran.code, about).toBe(0);
    expect(server.arrivals.length, about).toBe(before + 1);
    const { head, body } = server.arrivals[before]!;
    const bytes = body.toString();
    const sent = read(bytes);

    // What was asked for arrives.
    expect(sent, about).toEqual({
      debtor,
      payments: wished.map((one) => ({ ...one, amount: `${one.amount} EUR` })),
    });
    // The dry run has shown where it goes, and the same bytes.
    expect(head.startsWith(`${shown.method} ${new URL(shown.url).pathname} `), about).toBe(true);
    expect(lasting(shown.body), about).toBe(lasting(bytes));
    if (words.includes('--input')) expect(shown.body).toBe(bytes);
    // The summary that the person looks at, and the question that is answered with yes.
    const total = (
      sent.payments.reduce((sum, one) => sum + Number(one.amount.replace(/\D/g, '')), 0) / 100
    ).toFixed(2);
    const one = sent.payments.length === 1 ? sent.payments[0] : undefined;
    const question = person.asked.find(({ id }) => id === 'yes')?.text ?? '';
    expect(line(screen, many ? 'Sum' : 'Amount'), about).toBe(`${total} EUR`);
    expect(ungrouped(line(screen, 'From')), about).toBe(sent.debtor);
    expect(line(screen, 'Payments'), about).toBe(many ? String(sent.payments.length) : undefined);
    expect(question, about).toContain(`${total} EUR`);
    if (!many) {
      expect(line(screen, 'To'), about).toBe(one?.creditorName);
      expect(ungrouped(line(screen, 'IBAN')), about).toBe(one?.iban);
      expect(line(screen, 'Text'), about).toBe(one?.text);
      expect(question, about).toContain(one?.creditorName);
    }
    // What is left: the document of this run, and the record of what left.
    const document = JSON.parse(ran.stdout) as { amount?: string; creditorName?: string };
    expect(document.amount, about).toBe(total);
    const log = await runInside(['log', 'show', '@last', '--profile', variant, '--json'], {
      env,
      cwd,
      input: '',
    });
    expect(log.stdout, about).toContain(createHash('sha256').update(body).digest('hex'));
  }
  row.report(
    `${String(row.count)} payments in ${String(kinds.length)} kinds of bodies: the screen shows what arrives`,
  );
});
