import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { candidatesPath } from '../../src/adapters/candidates/candidates-file.ts';
import { Saved } from '../../src/cli/completion/saved.ts';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { homeIn, payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { hasPostgres, testDatabase } from '../helpers/postgres.ts';

let bank: ExemptingBank;
let home: PayingHome;
beforeEach(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
});
afterEach(async () => {
  home.close();
  await bank.close();
});

const pay = async (amount: string, env?: NodeJS.ProcessEnv) => {
  const ran = await home.pay(amount, undefined, env === undefined ? {} : { env: { ...home.env, ...env } });
  return { ...ran, id: (JSON.parse(ran.stdout) as { paymentId: string }).paymentId };
};
const offered = (env: NodeJS.ProcessEnv = home.env) =>
  new Saved(env)
    .resources('payment', 'acme')
    .map(({ value }) => value)
    .filter((value) => value !== '@last');
const cache = () => join(home.folder, '.cache', 'obk');
const file = () => candidatesPath({ cacheDir: cache(), stateDir: join(home.folder, 'state') });
const mark = () => {
  const { ino, mtimeNs } = statSync(file(), { bigint: true });
  return [ino, mtimeNs];
};

it('a TAB offers what runs have saved, also where the state itself is missing', async () => {
  const [one, two] = [await pay('1.00'), await pay('2.00')];
  renameSync(join(home.folder, 'state'), join(home.folder, 'elsewhere'));
  expect(offered()).toEqual([two.id, one.id]);
  const [newest] = new Saved(home.env).resources('payment', 'acme');
  expect(newest?.about).toMatch(/^2\.00 EUR · Shop · \d{4}-\d\d-\d\d \d\d:\d\d$/);
});

it('a status that is read again writes nothing, and a run that only reads makes no file', async () => {
  const { id } = await pay('1.00');
  const before = mark();
  bank.decide(id, 'RJCT');
  const status = await home.run(['payment', 'status', id, '--profile', 'acme', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ transactionStatus: 'RJCT' });
  expect(mark()).toEqual(before);
  rmSync(cache(), { recursive: true });
  expect((await home.run(['payment', 'list', '--profile', 'acme'])).code).toBe(0);
  expect(existsSync(cache())).toBe(false);
});

it('two state folders in one cache do not mix', async () => {
  const { id } = await pay('1.00');
  const env = { OBK_STATE_DIR: join(home.folder, 'second') };
  const other = await pay('2.00', env);
  expect(offered()).toEqual([id]);
  expect(offered({ ...home.env, ...env })).toEqual([other.id]);
});

it('an erased customer is gone from the cache, and the payee with the customer', async () => {
  await home.run([...payArgs('1.00'), '--psu-id', 'anna']);
  await home.run([...payArgs('2.00'), '--psu-id', 'berta']);
  const payees = () => readFileSync(file(), 'utf8').match(/Shop/g)?.length;
  expect(payees()).toBe(2);
  expect((await home.run(['log', 'erase', '--psu-id', 'anna', '--profile', 'acme', '--dry-run'])).code).toBe(
    0,
  );
  expect(payees()).toBe(2);
  expect((await home.run(['log', 'erase', '--psu-id', 'anna', '--profile', 'acme'])).code).toBe(0);
  expect(payees()).toBe(1);
});

it('a deleted profile offers no ids', async () => {
  const { id } = await pay('1.00');
  expect(offered()).toEqual([id]);
  expect((await home.run(['profile', 'delete', 'acme', '--yes'])).code).toBe(0);
  expect(offered()).toEqual([]);
});

it('a cache that cannot be written changes no run', async () => {
  mkdirSync(cache(), { recursive: true });
  const place = join(cache(), 'candidates');
  const usual = await pay('1.00');
  rmSync(place, { recursive: true });
  writeFileSync(place, '');
  const inFile = await pay('2.00');
  rmSync(place);
  mkdirSync(place);
  chmodSync(place, 0o777);
  const shared = await pay('3.00');
  for (const { code, stderr, id } of [inFile, shared])
    expect([code, stderr.replaceAll(id, usual.id)]).toEqual([0, usual.stderr]);
  expect(readdirSync(place)).toEqual([]);
  expect(offered()).toEqual([]);
});

it.runIf(hasPostgres)('a state in a database puts nothing into the cache', async () => {
  const database = testDatabase();
  const url = await database.url();
  const there = homeIn(home.folder);
  Object.assign(there.env, {
    ...{ OBK_STATE_URL_FROM: 'env:STATE_URL', STATE_URL: url.reveal() },
    ...{ OBK_STATE_KEY_FROM: 'env:STATE_KEY', STATE_KEY: '5a'.repeat(32) },
  });
  const { code, stderr } = await there.pay('1.00');
  expect(code, stderr).toBe(0);
  expect(existsSync(join(home.folder, 'state', 'resources'))).toBe(false);
  expect(existsSync(cache())).toBe(false);
  await database.end();
});
