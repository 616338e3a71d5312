import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { OwnBankAddress } from '../ports/own-bank.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpLimits } from '../ports/http.ts';
import { usualCallMs } from '../../base/waits.ts';
import type { Person, Question } from '../ports/person.ts';
import type { BankHeaderRule } from '../../settings/records/bank-descriptor.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { signingOptions } from '../../signing/options.ts';
import { isBuiltIn, ledgerKey } from '../../base/profile-name.ts';
import { parseUrl, urlOf } from '../../base/url.ts';
import { needSound } from '../profile/check-settings.ts';
import type { ChosenProfile } from '../profile/choose-profile.ts';
import { declaredOrigins, serviceAddresses } from '../profile/declared-origins.ts';
import { needVariables } from '../profile/in-use.ts';
import { checkPlain } from '../profile/plain-http.ts';
import { readConnection } from './connection.ts';
import { checkInsecure } from './call-guard.ts';
import { readMaterial } from './key-material.ts';
import { loginsIn } from './logins.ts';
import type { RunOptions, RunState, Target } from './target.ts';
import { keepIfPossible, readIfReached } from './unwritable.ts';

const defaultLimits: HttpLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  deadlineMs: usualCallMs,
  maxBytes: 10 * 1024 * 1024,
};

/** Makes a profile ready: starts or finds the bank inside, checks the base address, prepares lazy key material. */
export async function openTarget(ports: Ports, chosen: ChosenProfile, run: RunOptions): Promise<Target> {
  const plan = () => planned(ports, chosen, run);
  const { key, ...fixed } = await (run.load === undefined
    ? plan()
    : run.load.ofLine(`target ${chosen.name}`, plan));
  const { profile, ownBank } = fixed;
  if (ownBank?.ledger !== undefined) await beginAnew(ports, chosen.name, ownBank.ledger);
  const credentials = await readIfReached(ports, () => ports.credentials.read(chosen.name), {});
  const state: RunState = {
    aheadMs: 0,
    happened: 0,
    proved: new Map(),
    ...defined({ requestId: run.requestId }),
  };
  const own: Ports = {
    ...ports,
    person: unhurried(ports.person, ports.clock, state),
    clock: noted(ports.clock, state),
  };
  return {
    ...fixed,
    token: run.token ?? (chosen.builtIn ? undefined : credentials.token),
    ...(run.token === undefined ? {} : { tokenOfRun: true }),
    logins: loginsIn(credentials.tokens ?? []),
    ports: own,
    run,
    state,
    material: once(() => {
      const read = () => readMaterial(own, profile, chosen.name);
      return run.load === undefined ? read() : run.load.once(`material ${key}`, read);
    }),
    connection: once(() => {
      const read = () => readConnection(own, profile, run);
      return run.load === undefined ? read() : run.load.once(`connection ${key}`, read);
    }),
  };
}

/** The part of a target that settings and flags decide. */
type Planned = Pick<
  Target,
  | 'name'
  | 'environment'
  | 'profile'
  | 'variant'
  | 'links'
  | 'limits'
  | 'psu'
  | 'signing'
  | 'ownOrigins'
  | 'inLines'
  | 'ownBank'
>;

/** Finds or starts the bank inside and checks the settings; `key` tells the profile from others of its name. */
async function planned(
  ports: Ports,
  chosen: ChosenProfile,
  run: RunOptions,
): Promise<Planned & { key: string }> {
  const ownBank = chosen.builtIn
    ? await (run.dryRun ? ports.bank.offline() : ports.bank.ensure())
    : undefined;
  const profile: Profile =
    ownBank === undefined
      ? chosen.profile
      : {
          ...chosen.profile,
          baseUrl: ownBank.baseUrl,
          certificate: ownBank.certificatePath,
          key: ownBank.keyPath,
          ...(ownBank.baseUrl.startsWith('https:') && {
            caCertificates: ownBank.caPath,
            tlsCertificate: ownBank.tlsCertificatePath,
            tlsKey: ownBank.tlsKeyPath,
          }),
          headers: { rules: rulesOf(ownBank) },
        };
  const base = checkBase(profile, chosen.name);
  const sound = async () => {
    needSound(chosen.builtIn ? { profiles: {} } : await ports.settings.read(), chosen.name, profile);
  };
  const key = run.load === undefined ? '' : JSON.stringify([chosen.name, profile]);
  await (run.load === undefined ? sound() : run.load.once(`settings ${key}`, sound));
  needVariables(profile, chosen.name);
  for (const address of serviceAddresses(profile)) checkPlain(profile, chosen.name, address);
  checkInsecure({ name: chosen.name, environment: profile.environment, profile, run });
  const timeout = run.timeoutMs ?? profile.timeoutMs;
  return {
    key,
    name: chosen.name,
    environment: profile.environment,
    profile,
    variant: { framework: profile.framework, prefix: profile.prefix, surface: profile.surface },
    links: {
      base,
      prefix: profile.prefix,
      origins: profile.origins ?? [],
      host: profile.links?.host ?? 'strict',
      ownPaths: ownPaths(profile),
    },
    limits: timeout === undefined ? defaultLimits : within(defaultLimits, timeout),
    psu: {
      ...profile.psu,
      ...run.psu,
      ...(run.psu?.context && { context: { ...profile.psu?.context, ...run.psu.context } }),
    },
    signing: signingOptions(profile.signing),
    ownOrigins: ownBank === undefined ? ownOrigins(chosen, base) : undefined,
    inLines: chosen.inLines ?? {},
    ownBank,
  };
}

/** The ledger that the last run has seen at a bank inside: what is counted of its consents belongs to it. */
export async function ledgerSeen(ports: Pick<Ports, 'usage'>, name: string): Promise<string | undefined> {
  return isBuiltIn(name) ? (await ports.usage.read(ledgerKey(name)))[0]?.what : undefined;
}

/** Drops the tokens and logins of the ledger before, which a bank inside does not know any more once it was reset. */
async function beginAnew(ports: Ports, name: string, ledger: string): Promise<void> {
  await keepIfPossible(ports, async () => {
    const seen = await ledgerSeen(ports, name);
    if (seen === ledger) return;
    if (seen !== undefined)
      await ports.credentials.update(name, ({ tokens: _, logins: __, verifiers: ___, ...kept }) => kept);
    await ports.usage.update(ledgerKey(name), () => [{ at: ports.clock.now().getTime(), what: ledger }]);
  });
}

/** What the bank inside wants with every call besides what the interface has: the tenant, and the key of its door. */
function rulesOf({ tenantHeader, accessKeyFrom }: OwnBankAddress): BankHeaderRule[] {
  return [
    ...(tenantHeader === undefined ? [] : [{ ...tenantHeader, action: 'default' } as const]),
    ...(accessKeyFrom === undefined
      ? []
      : [{ name: 'X-Access-Key', action: 'default', valueFrom: accessKeyFrom } as const]),
  ];
}

/** The same clock, whose timers are noted when they end. */
function noted(clock: Clock, state: RunState): Clock {
  const sleep: Clock['sleep'] = async (ms, signal) => {
    await clock.sleep(ms, signal);
    state.happened += 1;
  };
  return { ...clock, sleep };
}

/**
 * The same person, whose answers take no time of a run that waits and are noted where a human has typed them; a line is
 * pasted while the run waits, and does.
 */
function unhurried(person: Person, clock: Clock, state: RunState): Person {
  const typed = () => {
    state.happened += 1;
  };
  const timed =
    <Q extends Question, Answer>(ask: (question: Q) => Promise<Answer>) =>
    async (question: Q): Promise<Answer> => {
      const begun = clock.monotonic();
      try {
        return await ask({ ...question, typed });
      } finally {
        state.patience?.giveBack(clock.monotonic() - begun);
      }
    };
  return {
    get present() {
      return person.present;
    },
    answered: (question) => person.answered(question),
    another: (question) => person.another(question),
    ask: timed((question) => person.ask(question)),
    askSecret: timed((question) => person.askSecret(question)),
    choose: timed((question) => person.choose(question)),
    confirm: timed((question) => person.confirm(question)),
    paste: async (text, signal) => {
      const pasted = await person.paste(text, signal);
      typed();
      return pasted;
    },
    elsewhere: async (where) => person.elsewhere?.(where),
  };
}

/** A profile without an address of its own belongs to the one that it is used with. */
function ownOrigins({ profile, declared = declaredOrigins(profile) }: ChosenProfile, base: string) {
  return declared.length === 0 ? [urlOf(base).origin] : declared;
}

function checkBase(profile: Profile, name: string): string {
  const base = profile.baseUrl;
  const url = parseUrl(base ?? '');
  if (base === undefined || url === undefined) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: `The profile ${name} has no usable base URL.`,
      detail: base === undefined ? 'baseUrl is not set.' : `${JSON.stringify(base)} is not a URL.`,
      hint: [line`obk profile edit ${name} --base-url https://api.bank.example/psd2`],
    });
  }
  const shown = JSON.stringify(base.replace(/\/\/[^/]*@/, '//[secret]@'));
  if (
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: `The base URL of the profile ${name} is not usable.`,
      detail: `${shown} must be an https address without user, query or fragment.`,
    });
  }
  checkPlain(profile, name, base);
  return base.replace(/\/+$/, '');
}

/** Where operations with paths of their own begin, as far as that is fixed. */
function ownPaths({ spec }: Profile): string[] {
  const paths = Object.values(spec?.operations ?? {}).flatMap(({ path }) => path ?? []);
  const fixed = paths.map((path) => path.replace(/\/\{.*$/s, ''));
  return [...new Set(fixed.filter((path) => path !== ''))];
}

function within(limits: HttpLimits, deadlineMs: number): HttpLimits {
  return {
    ...limits,
    deadlineMs,
    connectMs: Math.min(limits.connectMs, deadlineMs),
    firstByteMs: Math.min(limits.firstByteMs, deadlineMs),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
