import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { NotificationListener, ReceivedNotification } from '../ports/notifications.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { readConsentState } from '../consents/consent-status.ts';
import type { Target } from '../exchange/target.ts';
import { readPaymentState } from '../payments/payment-status.ts';
import { observe } from '../sca/sca-read.ts';
import type { BankCertificates } from './bank-certificate.ts';
import { readNotification } from '../../standard/xs2a/read-notification.ts';
import type { Told } from '../../standard/xs2a/read-notification.ts';

/** The statuses that a notification told, or that the bank said when it was asked; null where there is none. */
interface Statuses {
  transactionStatus: string | null;
  consentStatus: string | null;
  scaStatus: string | null;
}

/** A notification that the bank has confirmed. */
export interface ConfirmedNotification {
  /** When it came. ISO 8601, UTC. */
  at: string;
  requestId: string;
  profile: string;
  noun: SavedResource['noun'];
  id: string;
  authorisationId: string | null;
  /** Whether the authorisation is that of a cancellation. */
  cancels: boolean;
  told: Statuses;
  confirmed: Statuses;
  /** Whether each status that was told is what the bank says now. */
  agrees: boolean;
}

/** What notifications are judged by, and how the bank of a profile is asked. */
export interface Receiving {
  ports: Pick<Ports, 'resources' | 'clock' | 'notices'>;
  /** The profiles whose resources are known here. */
  profiles: readonly string[];
  open: (profile: string) => Promise<Target>;
  certificates: BankCertificates;
  /** So many notifications in a minute make a call; more are answered 503. */
  perMinute: number;
  signal: AbortSignal;
}

/** A notification that was accepted: of a resource that is saved here, and by TLS from the bank itself. */
interface Accepted {
  received: ReceivedNotification;
  at: string;
  told: Told;
  resource: SavedResource;
  target: Target;
}

const minuteMs = 60_000;
/** A bank may be faster than the run that is just saving what it made; for so many in a minute that is waited for. */
const savingMs = 250;
const savingsPerMinute = 8;
/** Who sends many that are refused fills no terminal. */
const warningsPerMinute = 10;
/** So many accepted notifications wait at most. */
const mostWaiting = 64;

/** Takes notifications as hints: answers each, asks the bank about those of resources that are ours, and yields what it says. */
export async function* confirmedNotifications(
  receiving: Receiving,
  listener: NotificationListener,
): AsyncGenerator<ConfirmedNotification & { received: ReceivedNotification }> {
  const { notices } = receiving.ports;
  for await (const accepted of acceptedBy(receiving, listener)) {
    const confirmed = await confirm(accepted).catch((error: unknown) => {
      receiving.signal.throwIfAborted();
      if (!(error instanceof ObkError)) throw error;
      notices.warn(`The bank did not confirm a notification of ${accepted.resource.id}: ${error.title}`);
    });
    if (confirmed !== undefined) yield { ...confirmed, received: accepted.received };
  }
}

/** The accepted notifications in the order of their coming; they are answered while the bank is asked about earlier ones. */
async function* acceptedBy(receiving: Receiving, listener: NotificationListener): AsyncGenerator<Accepted> {
  const queue: Accepted[] = [];
  const limits: Limits = {
    calls: perMinute(receiving.ports.clock, receiving.perMinute),
    savings: perMinute(receiving.ports.clock, savingsPerMinute),
    warnings: perMinute(receiving.ports.clock, warningsPerMinute),
    // What is accepted waits for the bank, and for the program that it is handed on to: both may be slow.
    room: () => queue.length < mostWaiting,
  };
  const state: { ended: boolean; wake: () => void } = { ended: false, wake: () => undefined };
  const answering = answerAll(receiving, listener, limits, (accepted) => {
    queue.push(accepted);
    state.wake();
  }).finally(() => {
    state.ended = true;
    state.wake();
  });
  answering.catch(() => undefined);
  for (;;) {
    const first = queue.shift();
    if (first !== undefined) yield first;
    else if (state.ended) {
      await answering;
      return;
    } else
      await new Promise<void>((resolve) => {
        state.wake = resolve;
      });
  }
}

async function answerAll(
  receiving: Receiving,
  listener: NotificationListener,
  limits: Limits,
  take: (accepted: Accepted) => void,
): Promise<void> {
  for (;;) {
    const received = await listener.next();
    if (received === undefined) return;
    const accepted = await accept(receiving, received, limits).catch((error: unknown) => {
      received.answer(503);
      receiving.signal.throwIfAborted();
      if (!(error instanceof ObkError)) throw error;
      receiving.ports.notices.warn(`A notification could not be judged: ${error.title}`);
    });
    if (accepted !== undefined) take(accepted);
  }
}

/** Says whether there is room for one more in this minute, and takes it. */
type Limit = () => boolean;

/** What strangers could make us do too often. */
interface Limits {
  calls: Limit;
  savings: Limit;
  warnings: Limit;
  /** Takes nothing: whether one more may wait. */
  room: Limit;
}

function perMinute(clock: Ports['clock'], most: number): Limit {
  const recent: number[] = [];
  return () => {
    const now = clock.monotonic();
    while (recent[0] !== undefined && now - recent[0] >= minuteMs) recent.shift();
    return recent.length < most && recent.push(now) > 0;
  };
}

/** Answers a notification; undefined where nothing is asked because of it. */
async function accept(
  receiving: Receiving,
  received: ReceivedNotification,
  { calls, savings, warnings, room }: Limits,
): Promise<Accepted | undefined> {
  const { ports, certificates, open } = receiving;
  const at = ports.clock.now().toISOString();
  const warn = (text: string) => {
    if (warnings()) ports.notices.warn(text);
  };
  const { certificate } = received;
  const told = readNotification(received.body);
  if (told === undefined) {
    refuse(received, 400);
    return;
  }
  if (certificate === null) {
    refuse(received, 401);
    return;
  }
  const resource = await known(receiving, told, savings);
  if (resource === undefined) {
    refuse(received, 404);
    return;
  }
  const target = await open(resource.profile);
  if (certificate !== undefined && !(await certificates.isOf(target, certificate))) {
    warn(`A notification of ${resource.id} came with a certificate that is not the bank's.`);
    refuse(received, 403);
    return;
  }
  if (!room()) {
    warn(`${String(mostWaiting)} notifications wait already: more are answered 503.`);
    refuse(received, 503);
    return;
  }
  if (!calls()) {
    warn(`${receiving.perMinute} notifications in a minute: the bank is not asked about more.`);
    refuse(received, 503);
    return;
  }
  received.answer(200);
  return { received, at, told, resource, target };
}

function refuse(received: ReceivedNotification, status: 400 | 401 | 403 | 404 | 503): undefined {
  received.answer(status);
}

async function known(
  { ports, profiles, signal }: Receiving,
  told: Told,
  savings: Limit,
): Promise<SavedResource | undefined> {
  const find = async (): Promise<SavedResource | undefined> => {
    for (const profile of profiles) {
      const found = await ports.resources.find(profile, told.noun, told.id);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const found = await find();
  if (found !== undefined || !savings()) return found;
  await ports.clock.sleep(savingMs, signal);
  return find();
}

/** Asks the bank for the status of the resource, and of the authorisation where it is ours. */
async function confirm({ received, at, told, resource, target }: Accepted): Promise<ConfirmedNotification> {
  const { noun, id, authorisationId } = told;
  const confirmed: Statuses = {
    ...(await statusOf(target, resource)),
    scaStatus: await scaStatusOf(target, told),
  };
  const said: Statuses = {
    transactionStatus: told.transactionStatus ?? null,
    consentStatus: told.consentStatus ?? null,
    scaStatus: told.scaStatus ?? null,
  };
  const names = Object.keys(said) as (keyof Statuses)[];
  return {
    at,
    requestId: received.requestId,
    profile: target.name,
    noun,
    id,
    authorisationId: authorisationId ?? null,
    cancels: told.cancels === true,
    told: said,
    confirmed,
    agrees: names.every((name) => said[name] === null || said[name] === confirmed[name]),
  };
}

async function statusOf(target: Target, resource: SavedResource): Promise<Omit<Statuses, 'scaStatus'>> {
  if (resource.noun === 'consent') {
    const { resource: read } = await readConsentState(target, resource);
    return { transactionStatus: null, consentStatus: read.status ?? null };
  }
  const { state } = await readPaymentState(target, resource);
  return { transactionStatus: state.transactionStatus ?? null, consentStatus: null };
}

/** Null for an authorisation that is not known here: what a stranger makes up is not asked for. */
async function scaStatusOf(target: Target, { noun, id, authorisationId }: Told): Promise<string | null> {
  if (authorisationId === undefined) return null;
  const saved = await target.ports.resources.conversations(target.name, noun, id);
  const conversation = saved.find((one) => one.authorisationId === authorisationId);
  if (conversation === undefined) return null;
  return (await observe(target, conversation)).conversation.scaStatus ?? null;
}
