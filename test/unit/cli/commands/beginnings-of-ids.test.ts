// Every argument and flag of every command that takes an id: whole, by its beginning, and by a beginning that fits several.
import { describe, expect, it } from 'vitest';
import { linesWith } from '../../../../src/base/command-line.ts';
import { ObkError, TransportFailure } from '../../../../src/base/errors.ts';
import { commandTree } from '../../../../src/cli/program/pages.ts';
import type { CommandPorts } from '../../../../src/cli/context.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import { newConversation } from '../../../../src/standard/sca/state.ts';
import type { Noun } from '../../../../src/standard/sca/operations.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import {
  fakeSecrets,
  journalState,
  memoryFiles,
  memoryJournal,
  memoryStore,
} from '../../../helpers/fakes/index.ts';
import { program } from '../../../helpers/program.ts';

/** What an id stands for; the ids of each kind begin with its first three letters. */
type Kind = 'payment' | 'consent' | 'basket' | 'authorisation' | 'run' | 'check' | 'journey' | 'request';
const nouns = ['payment', 'consent', 'basket'] as const satisfies readonly Noun[];

const beginningOf = (kind: Kind) => `${kind.slice(0, 3)}-ab`;
/** The first is the beginning of the second. */
const idsOf = (kind: Kind) => ['c', 'cdef', 'xyz'].map((end) => beginningOf(kind) + end);

const at = '2026-11-21T09:00:00.000Z';
const profile = {
  environment: 'test',
  baseUrl: 'https://bank.example',
  ...presets.v136,
  surface: 'framework',
  signing: { mode: 'none' },
  psu: { id: 'max', ipAddress: '192.0.2.7' },
} as const;

function saved(name: string, noun: Noun, id: string): SavedResource {
  return {
    schemaVersion: 1,
    profile: name,
    environment: 'test',
    noun,
    id,
    createdAt: at,
    updatedAt: at,
    framework: presets.v136.framework,
    prefix: presets.v136.prefix,
    baseUrl: 'https://bank.example',
    status: noun === 'payment' ? 'RCVD' : 'received',
    ...(noun === 'payment' && { service: 'payments', product: 'sepa-credit-transfers' }),
    links: {},
  };
}

function records(run: string, of: (kind: Kind) => string): JournalRecord[] {
  const [payment, consent, basket, request] = (['payment', 'consent', 'basket', 'request'] as const).map(
    of,
  ) as [string, string, string, string];
  const url = `https://bank.example/v1/payments/sepa-credit-transfers/${payment}`;
  const head = {
    version: '1',
    command: 'payment get',
    profile: 'acme',
    environment: 'test',
    pid: 1,
  } as const;
  return [
    { type: 'run', at, ...head },
    {
      type: 'prepared',
      at,
      exchange: `exchange of ${run}`,
      operation: 'getPaymentInformation',
      method: 'GET',
      url,
      headers: [
        ['X-Request-ID', request],
        ['Consent-ID', consent],
      ],
      body: '',
      bodySha256: '',
      requestId: request,
      write: false,
      resource: { paymentId: payment, consentId: consent, basketId: basket },
    },
    { type: 'sending', at, exchange: `exchange of ${run}` },
    {
      type: 'answered',
      at,
      exchange: `exchange of ${run}`,
      outcome: 'DONE',
      status: 200,
      headers: [],
      body: '{}',
      durationMs: 1,
    },
    { type: 'ended', at, exit: 0 },
  ];
}

/** A home in which three of each kind are known, and a bank that is not reached. */
async function home() {
  const store = memoryStore({
    activeProfile: 'acme',
    profiles: { acme: profile },
  });
  for (const name of ['acme', 'sandbox'])
    for (const noun of nouns)
      for (const [place, id] of idsOf(noun).entries()) {
        await store.resources.save(saved(name, noun, id));
        const parent =
          noun === 'payment'
            ? { kind: noun, id, service: 'payments', product: 'sepa-credit-transfers' }
            : { kind: noun, id };
        const path = noun === 'payment' ? 'payments/sepa-credit-transfers' : `${noun}s`;
        const authorisationId = noun === 'payment' ? idsOf('authorisation')[place] : `${noun} ${id}`;
        const links = { authoriseTransaction: `/v1/${path}/${id}/authorisations/1` };
        await store.resources.saveConversation(
          name,
          newConversation(
            parent,
            {
              method: 'POST',
              status: 201,
              hasLinks: true,
              links,
              unknownLinks: [],
              scaStatus: 'scaMethodSelected',
              ...(authorisationId !== undefined && { authorisationId }),
            },
            at,
          ),
        );
      }
  const state = journalState();
  for (const [place, run] of idsOf('run').entries()) {
    const of = (kind: Kind) => idsOf(kind)[place] ?? '';
    const journal = memoryJournal({ state, run });
    for (const one of records(run, of)) await journal.append(one);
  }
  const journal = memoryJournal({ state, run: 'looking' });
  const files = memoryFiles();
  const write = (path: string, text: string) =>
    files.write(path, Buffer.from(text), { force: true, folder: true });
  for (const id of idsOf('check'))
    await write(`/nowhere/.local/state/obk/checks/${id}.json`, JSON.stringify({ run: id, cases: [] }));
  for (const id of idsOf('journey'))
    await write(`/nowhere/.local/state/obk/journeys/${id}.json`, JSON.stringify({ run: id, journeys: [] }));
  const reached: string[] = [];
  const unreached = { sent: false, reason: 'connect', message: 'refused' } as const;
  const known = [...nouns, 'authorisation' as const].flatMap(idsOf);
  const steered = (id: string) => {
    if (!known.includes(id)) throw new ObkError({ code: 'USAGE', title: `The bank knows no ${id}.` });
    return Promise.resolve({ authorisationId: id, consentId: id, scaStatus: 'finalised', resent: id });
  };
  const ports = {
    ...store,
    journal,
    intents: journal.intents,
    files,
    secrets: fakeSecrets(),
    http: {
      send: async (request: { url: string; headers: readonly (readonly [string, unknown])[] }) => {
        const consent = request.headers.find(([name]) => name === 'Consent-ID');
        reached.push([request.url, ...(consent === undefined ? [] : [String(consent[1])])].join(' '));
        return Promise.reject(new TransportFailure(unreached));
      },
    },
    bank: {
      place: () => Promise.resolve({ bank: 'default', others: false, known: true }),
      control: (_: string, { body }: { body: { id?: string; of?: string } }) =>
        steered(body.id ?? body.of ?? ''),
    },
  } as unknown as Partial<CommandPorts>;
  return { ports, reached };
}

async function obk(words: readonly string[]) {
  const { ports, reached } = await home();
  const ran = await program([...words, '--json'], { ports });
  return { code: ran.code, told: [ran.stdout, ran.stderr, ...reached].join('\n'), stderr: ran.stderr };
}

const order =
  '--product sepa-credit-transfers --creditor-account DE02100100109307118603 --creditor-name Shop --amount 1.00 --debtor DE40100100103307118608';
const html = '--output ticket.html';

/** Each argument and flag that takes an id, the kinds of ids that it takes, and the words of a line (ID is the id). */
const table: Readonly<Record<string, readonly [readonly Kind[], string]>> = {
  'payment get id': [['payment'], 'payment get ID'],
  'payment status id': [['payment'], 'payment status ID'],
  'payment authorise id': [['payment'], 'payment authorise ID'],
  'payment cancel id': [['payment'], 'payment cancel ID'],
  'payment authorisations id': [['payment'], 'payment authorisations ID'],
  'payment init --consent': [['consent'], `payment init ${order} --consent ID`],
  'basket get id': [['basket'], 'basket get ID'],
  'basket status id': [['basket'], 'basket status ID'],
  'basket authorise id': [['basket'], 'basket authorise ID'],
  'basket delete id': [['basket'], 'basket delete ID'],
  'basket create --payment': [['payment'], 'basket create --payment ID'],
  'basket create --consent': [['consent'], 'basket create --consent ID'],
  'consent authorise id': [['consent'], 'consent authorise ID'],
  'consent get id': [['consent'], 'consent get ID'],
  'consent status id': [['consent'], 'consent status ID'],
  'consent use id': [['consent'], 'consent use ID'],
  'consent renew id': [['consent'], 'consent renew ID'],
  'consent delete id': [['consent'], 'consent delete ID'],
  'sca status id': [['payment', 'consent', 'basket', 'authorisation'], 'sca status ID'],
  'sca methods id': [['payment', 'consent', 'basket', 'authorisation'], 'sca methods ID'],
  'sca select id': [['payment', 'consent', 'basket', 'authorisation'], 'sca select ID'],
  'sca submit id': [['payment', 'consent', 'basket', 'authorisation'], 'sca submit ID'],
  'sca open id': [['payment', 'consent', 'basket', 'authorisation'], 'sca open ID'],
  'pending show id': [['payment', 'consent', 'basket'], 'pending show ID'],
  'pending resume id': [['payment', 'consent', 'basket'], 'pending resume ID'],
  'pending resolve id': [['payment', 'consent', 'basket'], 'pending resolve ID --not-created --reason seen'],
  'accounts list --consent': [['consent'], 'accounts list --consent ID'],
  'accounts get --consent': [['consent'], 'accounts get 1 --consent ID'],
  'accounts balances --consent': [['consent'], 'accounts balances 1 --consent ID'],
  'transactions list --consent': [['consent'], 'transactions list --account 1 --consent ID'],
  'transactions get --consent': [['consent'], 'transactions get 2 --account 1 --consent ID'],
  'cards list --consent': [['consent'], 'cards list --consent ID'],
  'cards get --consent': [['consent'], 'cards get 1 --consent ID'],
  'cards balances --consent': [['consent'], 'cards balances 1 --consent ID'],
  'cards transactions --consent': [['consent'], 'cards transactions --account 1 --consent ID'],
  'funds check --consent': [
    ['consent'],
    'funds check --account DE40100100103307118608 --amount 1.00 --consent ID',
  ],
  'api --field': [['payment'], 'api getPaymentInformation --field paymentId=ID'],
  'report id': [['payment', 'consent', 'basket', 'run', 'request'], `report ID ${html}`],
  'log show id': [['run', 'payment', 'consent', 'request'], 'log show ID'],
  'log har id': [['run', 'payment', 'consent', 'request'], 'log har ID'],
  'log curl id': [['run', 'payment', 'consent', 'request'], 'log curl ID'],
  'log diff a': [['run', 'request'], `log diff ID ${idsOf('run')[2] ?? ''}`],
  'log diff b': [['run', 'request'], `log diff ${idsOf('run')[2] ?? ''} ID`],
  'log list --resource': [['payment', 'consent', 'request'], 'log list --resource ID'],
  'log tail --resource': [['payment', 'consent', 'request'], 'log tail --resource ID'],
  'sign explain source': [['run', 'request'], 'sign explain ID'],
  'sign verify source': [['run', 'request'], 'sign verify ID'],
  'check what': [['run'], 'check ID'],
  'check diff a': [['check'], `check diff ID ${idsOf('check')[2] ?? ''}`],
  'check diff b': [['check'], `check diff ${idsOf('check')[2] ?? ''} ID`],
  'journey diff a': [['journey'], `journey diff ID ${idsOf('journey')[2] ?? ''}`],
  'journey diff b': [['journey'], `journey diff ${idsOf('journey')[2] ?? ''} ID`],
  'journey record id': [['run', 'payment', 'consent'], 'journey record ID'],
  'sandbox psu approve id': [['payment', 'consent', 'authorisation'], 'sandbox psu approve ID'],
  'sandbox psu refuse id': [['payment', 'consent', 'authorisation'], 'sandbox psu refuse ID'],
  'sandbox psu revoke id': [['consent'], 'sandbox psu revoke ID'],
  'sandbox resend of': [['payment', 'consent', 'basket'], 'sandbox resend ID'],
};

/** What its words may make look like the id of something kept here, and what it is. */
const others: Readonly<Record<string, string>> = {
  'sandbox replay what': 'opens a server; its runs are found as those of check',
  'sandbox people id': 'a PSU-ID, which is never cut',
  'sandbox client add id': 'a client_id, which is new',
  'pending resolve --payment-id': 'the id that the bank gave: nothing here knows it',
  'pending resolve --consent-id': 'the id that the bank gave: nothing here knows it',
  'pending resolve --basket-id': 'the id that the bank gave: nothing here knows it',
  'accounts get id': 'IBAN or the id that the bank gave the account',
  'accounts balances id': 'IBAN or the id that the bank gave the account',
  'cards get id': 'masked PAN or the id that the bank gave the account',
  'cards balances id': 'masked PAN or the id that the bank gave the account',
  'transactions get id': 'the id that the bank gave the transaction',
};

describe('the table', () => {
  it('has every argument and flag that takes an id', async () => {
    const tree = await commandTree();
    const isId = (name: string, says: string) =>
      /^(id|a|b|of)$/.test(name) ||
      /@last|first 6|\bits id\b|\bruns?\b.*@|--(consent|payment|basket|resource|\w+-id)$/.test(
        `${says} ${name}`,
      );
    const found = tree.commands.flatMap(({ command, arguments: args, flags }) => [
      ...args
        .filter(({ name, description, choices }) => choices === null && isId(name, description))
        .map(({ name }) => `${command} ${name}`),
      ...flags
        .filter(({ name, value, description }) => value === 'ID' && isId(name, description))
        .map(({ name }) => `${command} ${name}`),
    ]);
    const foreign =
      /--(psu-id|psu-corporate-id|end-to-end-id|oauth-client-id|org-id|request-id|account|sca-method)$|^bank diff|^spec diff/;
    const missing = found.filter((one) => !foreign.test(one) && !(one in table) && !(one in others));
    expect(missing).toEqual([]);
    const there = [...found, 'api --field'];
    expect(Object.keys({ ...table, ...others }).filter((one) => !there.includes(one))).toEqual([]);
  });
});

const rows = Object.entries(table).flatMap(([name, [taken, words]]) =>
  taken.map((kind) => [name, kind, words] as const),
);

describe.each(rows)('%s, a %s', (_, kind, words) => {
  const lineFor = (id: string) => words.split(' ').map((word) => word.replace(/(^|=)ID$/, `$1${id}`));
  const [first = '', second = ''] = idsOf(kind);

  it('is taken whole, though another begins so', async () => {
    const [short, long] = [await obk(lineFor(first)), await obk(lineFor(second))];
    expect(short.told).not.toMatch(/"ID_AMBIGUOUS"|"RESOURCE_NOT_SAVED"/);
    expect(short.code).toBe(long.code);
    expect(short.told).not.toContain(second);
    expect(short.told.includes(first)).toBe(long.told.includes(second));
  });

  it('is taken by a beginning that no other has', async () => {
    const whole = await obk(lineFor(second));
    const begun = await obk(lineFor(second.slice(0, -2)));
    expect(begun).toEqual(whole);
  });

  it('is refused by a beginning that several have, with a line for each', async () => {
    const { code, stderr } = await obk(lineFor(beginningOf(kind)));
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
      error: { code: string; hint: string[]; next: string | null };
    };
    expect([code, error.code]).toEqual([2, 'ID_AMBIGUOUS']);
    const lines = error.hint.map((hint) => hint.replace(/\s+#.*/, ''));
    const expected = idsOf(kind).map((id) => `obk ${lineFor(id).join(' ')} --json`);
    expect([...lines].sort()).toEqual(expect.arrayContaining(expected.sort()));
    // A script that follows `next` must not choose for a person.
    expect(expected).not.toContain(error.next);
  });
});

describe('a line with the choices', () => {
  const among = [{ id: 'abcd', says: 'payment\nRCVD' }, { id: "it's; rm" }];
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'an argument',
      ['payment', 'get', 'abc'],
      ['obk payment get abcd   # payment⏎RCVD', `obk payment get 'it'"'"'s; rm'`],
    ],
    [
      'the value of a flag',
      ['accounts', '--consent=abc'],
      ['obk accounts --consent=abcd   # payment⏎RCVD', `obk accounts '--consent=it'"'"'s; rm'`],
    ],
    ['a word that stands nowhere', ['accounts'], []],
  ])('%s', (_, words, expected) => {
    expect(linesWith({ typed: 'abc', among }, words)).toEqual(expected);
  });
});
