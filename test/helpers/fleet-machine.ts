import { sharedState } from '../../src/adapters/shared-state/shared-state.ts';
import type { ProcessIdentity } from '../../src/adapters/system/process-identity.ts';
import { newRunId } from '../../src/adapters/files/safe-name.ts';
import { createClock, createIds } from '../../src/adapters/system/system-clock.ts';
import { createHttp } from '../../src/adapters/http/undici-http.ts';
import { ObkError } from '../../src/base/errors.ts';
import { withinBudget } from '../../src/client/consents/budget.ts';
import { openTarget } from '../../src/client/exchange/open-target.ts';
import type { Target } from '../../src/client/exchange/target.ts';
import { refresh } from '../../src/client/oauth/refresh.ts';
import { buildPayment } from '../../src/client/orders/single-body.ts';
import { initiatePayment } from '../../src/client/payments/pay.ts';
import { intentHash } from '../../src/client/resources/intent.ts';
import type { Ports } from '../../src/client/ports.ts';
import type { Clock } from '../../src/client/ports/clock.ts';
import type { AccessToken } from '../../src/settings/records/credentials.ts';
import type { Profile } from '../../src/settings/records/profile.ts';
import type { SavedResource } from '../../src/settings/records/resources.ts';
import { Secret } from '../../src/base/secret.ts';
import { prepared, sending } from './journal-records.ts';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { traced, tracedWhile } from './fleet-trace.ts';

/** What a machine is told. */
export interface MachineTask {
  url: string;
  key: string;
  bank: string;
  /** By so much its clock is wrong. */
  shiftMs: number;
  /** Each `pay KEY`, `seize KEY`, `refresh`, `round` or `read`. */
  steps: readonly string[];
}

/** What befalls a machine that shares the process of a test; nothing does to one that is a process of its own. */
export interface Fate {
  /** Awaited before whatever leaves the machine: never resolves once it is dead, and not before it goes on where it is stopped. */
  gate?: (way: 'database' | 'bank') => Promise<void>;
  processInfo?: ProcessIdentity;
}

const nothing = () => undefined;
const notices = {
  trace: nothing,
  warn: nothing,
  say: nothing,
  place: nothing,
} as unknown as Ports['notices'];

/** A machine of a fleet; each step is a run, as a command makes one. */
export async function runMachine(task: MachineTask, fate: Fate = {}): Promise<void> {
  const who = `machine ${fate.processInfo?.host ?? String(process.pid)} ${String(fate.processInfo?.pid ?? '')}`;
  for (const what of task.steps) await tracedWhile(who, what, () => step(task, what, fate, who));
}

async function step(task: MachineTask, what: string, fate: Fate, who: string): Promise<void> {
  const { gate = () => Promise.resolve(), processInfo } = fate;
  const real = createClock();
  const clock: Clock = { ...real, now: () => new Date(Date.now() + task.shiftMs) };
  const ids = createIds();
  const profile: Profile = {
    ...presets.v1,
    environment: 'test',
    signing: { mode: 'none' },
    baseUrl: task.bank,
    psu: { ipAddress: '192.0.2.7' },
    oauth: { clientId: 'PSDDE-BAFIN-125314', issuer: task.bank },
  };
  const state = sharedState({
    url: () => gate('database').then(() => new Secret(task.url)),
    ...(processInfo !== undefined && { processInfo }),
    keys: [new Secret(task.key)],
    clock,
    run: newRunId(clock, ids),
    stateDir: `/home-${String(task.shiftMs)}`,
    // Short of what a run waits: a machine that is held holds others up again and again.
    waits: { patienceMs: 10_000, signal: undefined },
    chosen: () => Promise.resolve(undefined),
  });
  const way = createHttp({ clock });
  const http: Ports['http'] = {
    ...way,
    send: async (request, wish) => {
      await gate('bank');
      const onSending = async () => {
        await wish.onSending?.();
        await gate('bank');
      };
      const { method, url } = request;
      return tracedWhile(who, `${method} ${url}`, () => way.send(request, { ...wish, onSending }));
    },
  };
  const ports = {
    ...state,
    ...{ http, clock, ids, notices },
    settings: { read: () => Promise.resolve({ schemaVersion: 1, profiles: { acme: profile } }) },
    person: { present: false },
  } as unknown as Ports;
  try {
    const chosen = { name: 'acme', profile, origin: 'flag', builtIn: false } as const;
    const target = await openTarget(ports, chosen, { dryRun: false });
    const at = clock.now().toISOString();
    const { version, pid, command } = { version: '0', pid: process.pid, command: what };
    await state.journal.append({
      type: 'run',
      at,
      version,
      command,
      profile: 'acme',
      environment: 'test',
      pid,
    });
    const post = async (path: string, body = '') => {
      await gate('bank');
      await tracedWhile(who, `POST ${path}`, () => fetch(task.bank + path, { method: 'POST', body }));
    };
    await acts[what.split(' ')[0] ?? '']?.(target, what.split(' ')[1] ?? '', post);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { code, message, detail = '' } = error;
    traced(who, `${what}: ${code}: ${message} ${detail}`);
  } finally {
    await http.close();
    await state.close();
  }
}

type Post = (path: string, body?: string) => Promise<void>;

const acts: Readonly<Record<string, (target: Target, key: string, post: Post) => Promise<unknown>>> = {
  pay: (target, key) => {
    const hash = intentHash('acme', key);
    const fields = {
      debtor: 'DE40100100103307118608',
      creditorAccount: 'DE02100100109307118603',
      creditorName: 'Canary Shop',
      amount: '12.50',
    };
    const order = buildPayment({ service: 'payments', product: 'sepa-credit-transfers' }, fields, {
      intentHash: hash,
    });
    return initiatePayment(target, order, { intent: { hash, key, chosen: true, allowDuplicate: true } });
  },
  // It asks nobody but the intents, and after every lease is over.
  seize: async (target, key, post) => {
    const { intents, journal } = target.ports;
    const hash = intentHash('acme', key);
    const earlier = await intents.find(hash);
    if (earlier === undefined) return;
    await post('/minute');
    const { sent: _, settled: __, resourceId: ___, ...begun } = earlier;
    if (!(await intents.takeOver({ ...begun, run: journal.run }, earlier.run))) return;
    for (const record of [prepared('seized', { intent: hash }), sending('seized')])
      await journal.append(record);
    const { endToEndIdentification } = begun;
    // Its answer may be lost.
    await post('/v1/payments/sepa-credit-transfers', JSON.stringify({ endToEndIdentification })).catch(
      () => undefined,
    );
  },
  refresh: async (target, _, post) => {
    await refreshed(target, await tokenOf(target), post);
  },
  // All have the same token before any of them refreshes it.
  round: async (target, _, post) => {
    const token = await tokenOf(target);
    await post('/round');
    await refreshed(target, token, post);
  },
  read: (target, _, post) => {
    const consent = {
      ...{ schemaVersion: 1, profile: 'acme', environment: 'test', noun: 'consent', id: 'con-1' },
      ...{ consent: { recurring: true, frequency: 4 }, links: {} },
    } as unknown as SavedResource;
    return withinBudget(
      {
        target: { ...target, environment: 'production' },
        consent,
        access: { operation: 'getAccountList' },
        terms: { psuPresent: false, overBudget: false },
      },
      () => post('/access'),
    );
  },
};

async function tokenOf({ ports }: Target): Promise<AccessToken> {
  const { tokens = [] } = await ports.credentials.read('acme');
  const [token] = tokens;
  if (token === undefined) throw new ObkError({ code: 'AUTH_NEEDED', title: 'The token is gone.' });
  return token;
}

async function refreshed(target: Target, token: AccessToken, post: Post): Promise<void> {
  const result = await refresh(target, token);
  if (!('token' in result)) throw result.why;
  // It is used at once: whoever comes next must find it, whatever becomes of this process.
  await post('/use', result.token.refreshToken?.reveal());
}
