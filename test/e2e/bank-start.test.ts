import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createObk, shop } from '../helpers/obk.ts';

const obk = createObk();
afterAll(() => {
  obk.close();
});

/** What Node and obk had loaded when a command ended. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
  const [spy, list] = [join(obk.folder, 'spy.cjs'), join(obk.folder, 'loaded.json')];
  writeFileSync(
    spy,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)},
       JSON.stringify([...process.moduleLoadList, ...Object.keys(require.cache)])));`,
  );
  const { code } = await obk.run(args, { env: { NODE_OPTIONS: `--require "${spy}"` } });
  expect(code).toBe(0);
  return JSON.parse(readFileSync(list, 'utf8')) as string[];
}

// Each costs as much as a fifth of a whole command, or more.
const ofPages = /internal\/deps\/undici|http2|chunks\/web-/;
/** Of Node, or of the package. */
const ofDatabase = /NativeModule sqlite|@photostructure\/sqlite/;

it('a payment at the bank inside does not load what only pages need', async () => {
  const payment = await loadedBy(['payment', 'init', ...shop, '--amount', '1.00', '--no-input']);
  expect(payment.filter((name) => ofPages.test(name))).toEqual([]);
  expect(payment.filter((name) => ofDatabase.test(name))).not.toEqual([]);
});

it('a command that needs no bank inside loads no database', async () => {
  const list = await loadedBy(['profile', 'list']);
  expect(list.filter((name) => ofDatabase.test(name))).toEqual([]);
});

it('a TAB offers what is saved of the bank inside and loads nothing for a hash', async () => {
  const { paymentId } = (await obk.json([
    ...['payment', 'init', ...shop, '--amount', '2.00', '--no-input'],
  ])) as { paymentId: string };
  const tab = ['__complete', '--', 'payment', 'status', ''];
  expect((await obk.run(tab)).stdout).toContain(paymentId);
  expect((await loadedBy(tab)).filter((name) => name.includes('crypto'))).toEqual([]);
});

it('a bank whose ledger is there begins without waiting for the disk', async () => {
  const own = createObk();
  const written: number[] = [];
  for (const _start of ['makes the ledger', 'finds it']) {
    const bank = own.start(['sandbox', 'start', '--port', '0', '--json']);
    const ended = once(bank, 'exit');
    const [printed] = (await once(bank.stdout!, 'data')) as [Buffer];
    const { database } = JSON.parse(printed.toString()) as { database: string };
    written.push(statSync(`${database}-wal`).size);
    bank.kill('SIGINT');
    await ended;
  }
  expect(written).toEqual([0, 0]);
  own.close();
});

it.each([[], ['--json'], ['--jq', '.baseUrl'], ['--fields', 'baseUrl', '-o', 'tsv']])(
  'however its address is printed, it serves until it is stopped: %s %s',
  async (...format) => {
    const own = createObk();
    const bank = own.start(['sandbox', 'start', '--port', '0', ...format]);
    const ended = once(bank, 'exit');
    const [printed] = (await once(bank.stdout!, 'data')) as [Buffer];
    const [baseUrl = ''] = /http:[^"\s]+/.exec(printed.toString()) ?? [];
    // All that a command does after its output is done by then, and a bank that ends with it is gone.
    const first = await fetch(`${baseUrl}/v1/accounts`);
    const bystander = await own.run(['sandbox', 'clock', '--json']);
    const second = await fetch(`${baseUrl}/v1/accounts`);
    expect([first.status, bystander.code, second.status]).toEqual([400, 0, 400]);
    bank.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    own.close();
  },
);

it.each([
  { format: [], says: true },
  { format: ['--json'], says: false },
])('prints a link to its window with the token for people alone: $format', async ({ format, says }) => {
  const own = createObk();
  const bank = own.start(['sandbox', 'start', '--port', '0', '--base-path', '/psd2', ...format]);
  const ended = once(bank, 'exit');
  const [printed] = (await once(bank.stdout!, 'data')) as [Buffer];
  const text = printed.toString();
  const [page = '', token] = (/http:[^"\s]+\/psd2\/sandbox\/(?=["#])(#token=\S+)?/.exec(text) ?? [
    '',
  ])[0].split('#token=');
  const { tokenFile = /\(token: (.+)\)/.exec(text)?.[1] ?? '' } = says
    ? {}
    : (JSON.parse(text) as { tokenFile?: string });
  const kept = readFileSync(tokenFile, 'utf8');
  expect(token).toBe(says ? kept : undefined);
  expect(text.includes(kept)).toBe(says);
  const answer = await fetch(page);
  expect([answer.status, (await answer.text()).includes(kept)]).toEqual([200, false]);
  bank.kill('SIGINT');
  await ended;
  own.close();
});

it('the bank inside listens before it loads the interface, and what steers it', () => {
  const meta = JSON.parse(readFileSync('dist/meta.json', 'utf8')) as Record<
    string,
    { modules: string[]; atOnce: string[] }
  >;
  const [first] = Object.keys(meta).filter((name) =>
    meta[name]?.modules.includes('src/bank/process/standalone.ts'),
  );
  const files = new Set([first ?? '']);
  for (const name of files) for (const next of meta[name]?.atOnce ?? []) files.add(next);
  const modules = [...files].flatMap((name) => meta[name]?.modules ?? []);
  expect(modules).toContain('src/bank/process/server.ts');
  expect(modules).not.toContain('src/bank/interface/api.ts');
  expect(modules).not.toContain('src/bank/steering/steering.ts');
});
