// Commands of every kind, and each call to the system on their way that may fail: files of the home, the connection.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seeded } from '../../helpers/kill-cycles.ts';
import { paidHome } from '../../helpers/paid-home.ts';
import type { PaidHome } from '../../helpers/paid-home.ts';
import { payArgs } from '../../helpers/paying-home.ts';
import { hasPrograms } from '../../helpers/programs.ts';
import { traced } from '../../helpers/strace.ts';
import type { Call } from '../../helpers/strace.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('40', 5);
// Node itself aborts where the close of a file that it has read fails; the closes of what is written are struck in row 4.
const files = ['openat', 'read', 'write', 'fsync', 'rename', 'link', 'unlink', 'mkdir', 'ftruncate'];
const looks = ['statx', 'lstat', 'stat', 'fstat', 'newfstatat', 'getdents64', 'readlink', 'access'];
const network = ['socket', 'connect'];
// Of these only the calls on a socket: where a bank is written to, heard and left.
const onSockets = [
  'writev',
  'sendto',
  'sendmsg',
  'recvfrom',
  'shutdown',
  'setsockopt',
  'getsockopt',
  'close',
];
const watch = [...files, ...looks, ...network, ...onSockets];
const errors = ['EIO', 'EACCES', 'ENOSPC', 'EMFILE', 'ENOMEM', 'EINTR'];
const socketErrors = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'ENOBUFS', 'EINTR'];
/** Not of its own standard streams, which are sockets too where somebody reads them: Node ends without those. */
const isOnSocket = ({ name, line }: Call) =>
  network.includes(name) ||
  (['read', 'write', ...onSockets].includes(name) && /^[^(]*\(([3-9]|\d\d+)<(socket|TCP|UNIX)/.test(line));

const acme = ['--profile', 'acme', '--no-input', '--json'];
const newProfile = ['--base-url', 'https://bank.example', '--environment', 'test', '--signing', 'none'];
const scenarios: Readonly<Record<string, (kept: string) => string[]>> = {
  'payment init': () => payArgs('3.00', 'new'),
  'payment init, to be authorised': () => payArgs('103.00', 'other'),
  'payment init, a dry run': () => [...payArgs('4.00', 'dry'), '--dry-run'],
  'payment status': (kept) => ['payment', 'status', kept, ...acme],
  'payment list': () => ['payment', 'list', ...acme],
  'payment cancel': (kept) => ['payment', 'cancel', kept, '--yes', '--confirm', 'acme', ...acme],
  'payment authorise': (kept) => ['payment', 'authorise', kept, ...acme],
  'pending list': () => ['pending', 'list', ...acme],
  'consent list': () => ['consent', 'list', ...acme],
  'consent use': () => ['consent', 'use', 'consent-0002', ...acme],
  'account list': () => ['account', 'list', ...acme],
  'profile create': () => [
    'profile',
    'create',
    'two',
    ...newProfile,
    '--variant',
    'v1',
    '--no-input',
    '--json',
  ],
  'profile use': () => ['profile', 'use', 'acme', '--no-input', '--json'],
  'profile list': () => ['profile', 'list', '--no-input', '--json'],
  'config set': () => ['config', 'set', 'debtor', 'DE02100100109307118603', ...acme],
  'log list': () => ['log', 'list', ...acme],
  'log show': () => ['log', 'show', '@last', ...acme],
  'log prune': () => ['log', 'prune', '--keep', '1', '--yes', ...acme],
  whoami: () => ['whoami', ...acme],
  doctor: () => ['doctor', '--offline', ...acme],
};

const hasStrace = hasPrograms('strace');
let paid: PaidHome;
beforeAll(async () => {
  if (hasStrace) paid = await paidHome();
}, 30_000);
afterAll(async () => {
  if (hasStrace) await paid.close();
});

/** One run in a copy of the home; `strike` may choose a call of it. */
async function once(name: string, strike?: { call: Call; how: string }) {
  const home = paid.whole.copy();
  const { env, folder } = home;
  const args = scenarios[name]?.(paid.kept) ?? [];
  try {
    const ran = await traced(args, { env, cwd: folder, watch, ...(strike === undefined ? {} : { strike }) });
    const isOurs = (call: Call) =>
      isOnSocket(call) ||
      (!onSockets.includes(call.name) && call.line.replace(/AT_FDCWD<[^>]*>/, '').includes(`${folder}/`));
    const calls = ran.calls.filter(isOurs);
    // Node's own files are not obk's: another course of the run may have moved the strike to one of them.
    const { name: struck, at } = strike?.call ?? {};
    const met = calls.some(({ name: call, at: place }) => call === struck && place === at);
    const damage: string[] = [];
    if (strike !== undefined) {
      for (const words of [['pending', 'list'], ['payment', 'list'], ['whoami'], ['profile', 'list']]) {
        const { code, stderr } = await home.run([...words, '--no-input', '--json']);
        if (code !== 0 && !/profile/i.test(stderr)) damage.push(`then ${words.join(' ')}: ${stderr}`);
        const acmeRan = await home.run([...words, ...acme]);
        if (acmeRan.code !== 0) damage.push(`then ${words.join(' ')}: ${acmeRan.stderr}`);
      }
    }
    return { ran, calls, damage, met: met && ran.struck };
  } finally {
    home.close();
  }
}

it.runIf(hasStrace)(
  'any single call that fails is survived: no hang, no stack, no inner error, no damage',
  { timeout: row.timeout(60_000) },
  async () => {
    const random = seeded(row.seed);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
    const known = new Map<string, Call[]>();
    const found: string[] = [];
    let [struck, sockets] = [0, 0];
    for (let index = 0; index < row.count; index += 1) {
      const name =
        row.count < 20 ? (pick(Object.keys(scenarios)) ?? '') : (Object.keys(scenarios)[index % 20] ?? '');
      const calls = known.get(name) ?? (await once(name)).calls;
      known.set(name, calls);
      // Few of the calls are on a socket, and each of those may be the one that moves money.
      const socketCalls = calls.filter(isOnSocket);
      const call = pick(random() < 0.3 && socketCalls.length > 0 ? socketCalls : calls);
      if (call === undefined) continue;
      if (isOnSocket(call)) sockets += 1;
      const how = pick(isOnSocket(call) ? socketErrors : errors) ?? 'EIO';
      const { ran, damage, met } = await once(name, { call, how: `error=${how}` });
      if (!met) continue;
      struck += 1;
      const wrong = [...damage];
      if (ran.hangs) wrong.push('it hangs');
      if (ran.code === null) wrong.push(`it was ended: ${ran.stderr}`);
      if (ran.code === 1) wrong.push(`exit 1: ${ran.stderr}`);
      if (/\n +at .*:\d+/.test(ran.stderr)) wrong.push(`a stack trace: ${ran.stderr}`);
      found.push(
        ...wrong.map((what) => `${name}, ${how} at ${call.name} ${String(call.at)}: ${what}\n  ${call.line}`),
      );
    }
    row.report(
      `${String(Object.keys(scenarios).length)} commands, ${String(struck)} calls struck, ${String(sockets)} tries on sockets`,
    );
    expect(found, found.join('\n')).toEqual([]);
    expect(struck).toBeGreaterThan(row.count / 3);
  },
);
