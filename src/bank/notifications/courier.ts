import { randomUUID } from 'node:crypto';
import { parseUrl } from '../../base/url.ts';
import type { NotificationBody } from '../../standard/xs2a/notification.ts';
import { lastEvent, wasResetAfter } from '../rules/events.ts';
import { takeFault } from '../rules/faults.ts';
import { doDueWork } from '../sca/timers.ts';
import type { RunningBank } from '../trust/call.ts';
import { takeMessages } from './changes.ts';
import type { Message } from './changes.ts';
import { foreignIdentity, postOnce, usualLimits } from './post.ts';
import type { BankIdentity, PushLimits } from './post.ts';
import { notePush, pushNumbered } from './pushes.ts';
import type { NotedPush } from './pushes.ts';
import { isAnythingWished } from './waiting-changes.ts';

/** The bank as the courier needs it. */
export interface CourierBank extends Pick<RunningBank, 'ledger' | 'clock' | 'wallClock'> {
  identity: () => BankIdentity;
}

/** The milliseconds between two looks for changes that nobody called for, and for how long a push waits to be overtaken. */
export interface CourierLimits extends PushLimits {
  lookMs: number;
  holdMs: number;
}

const courierLimits: CourierLimits = { ...usualLimits, lookMs: 250, holdMs: 2000 };

/** So many pushes are on their way at a time, and to one address: a TPP that is slow holds up no other. */
const mostAtOnce = 32;
const mostAtOneAddress = 8;

/** One push, ready to leave. */
interface Push extends Pick<NotedPush, 'resourceId' | 'uri' | 'body' | 'resendOf'> {
  url: URL;
  /** The operation whose faults strike it; undefined for one that is said again. */
  operation: string | undefined;
}

/** The pushes of one resource leave one after the other. */
interface Lane {
  waiting: Push[];
  busy: boolean;
  /** A fault holds it back until the next one has left. */
  held?: { pushes: readonly Push[]; timer: NodeJS.Timeout };
}

/**
 * Tells TPPs what has changed: after a commit, in order for each resource, each change once. It keeps nothing for the time
 * after it: what has not left when the bank ends is lost.
 */
export class Courier {
  readonly #bank: CourierBank;
  readonly #limits: CourierLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #ending = new AbortController();
  readonly #active: URL[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The last event of the bank that was seen. */
  #seen: number;

  constructor(bank: CourierBank, limits: CourierLimits = courierLimits) {
    this.#bank = bank;
    this.#limits = limits;
    this.#seen = lastEvent(bank.ledger.log);
  }

  /** Does what is due, and sends what has changed; goes on looking while a resource may still change. */
  look(): void {
    if (this.#ending.signal.aborted) return;
    const { main } = this.#bank.ledger;
    try {
      this.#forgetWithBank();
      doDueWork(main, this.#bank.clock.now());
      for (const message of takeMessages(main)) this.#enqueue(message);
      const goesOn = isAnythingWished(main);
      if (!goesOn) clearInterval(this.#timer);
      this.#timer = goesOn ? (this.#timer ?? this.#looking()) : undefined;
    } catch {
      // Another process has the ledger for itself: the next look finds the same changes.
      this.#timer ??= this.#looking();
    }
  }

  /** Whether something waits or is on its way. */
  get isBusy(): boolean {
    return this.#lanes.size > 0;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#ending.abort();
    this.#forget();
  }

  #forget(): void {
    for (const { held } of this.#lanes.values()) clearTimeout(held?.timer);
    this.#lanes.clear();
  }

  /** A bank that began anew, or went back to a snapshot, tells nothing more of what it has forgotten. */
  #forgetWithBank(): void {
    const { log } = this.#bank.ledger;
    const last = lastEvent(log);
    if (last === this.#seen) return;
    if (wasResetAfter(log, this.#seen)) this.#forget();
    this.#seen = last;
  }

  #looking(): NodeJS.Timeout {
    return setInterval(() => {
      this.look();
    }, this.#limits.lookMs).unref();
  }

  #enqueue(message: Message): void {
    const push = this.#pushOf(message);
    if (push === undefined) return;
    const lane = this.#lanes.get(push.resourceId) ?? { waiting: [], busy: false };
    this.#lanes.set(push.resourceId, lane);
    lane.waiting.push(push);
    this.#pump();
  }

  #pushOf(message: Message): Push | undefined {
    if (message.resendOf === undefined) {
      const { resourceId, uri, operation } = message.wish;
      const body = JSON.stringify(message.body satisfies NotificationBody);
      return { resourceId, uri, url: urlOf(uri), operation, body };
    }
    const { resendOf } = message;
    const earlier = pushNumbered(this.#bank.ledger.log, resendOf);
    if (earlier === undefined) return undefined;
    return {
      resourceId: earlier.resourceId,
      uri: earlier.uri,
      url: urlOf(earlier.uri),
      body: earlier.text,
      operation: undefined,
      resendOf,
    };
  }

  #pump(): void {
    for (const [resourceId, lane] of this.#lanes) {
      if (this.#active.length >= mostAtOnce) return;
      if (lane.busy) continue;
      const [push] = lane.waiting;
      if (push === undefined) {
        if (lane.held === undefined) this.#lanes.delete(resourceId);
        continue;
      }
      const { url } = push;
      if (this.#active.filter(({ origin }) => origin === url.origin).length >= mostAtOneAddress) continue;
      lane.waiting.shift();
      lane.busy = true;
      this.#active.push(url);
      const next = () => {
        lane.busy = false;
        this.#active.splice(this.#active.indexOf(url), 1);
        if (!this.#ending.signal.aborted) this.#pump();
      };
      // A ledger that takes no note, as on a full disk, is no reason to say it again, nor to end the bank.
      this.#deliver(push, lane).then(next, next);
    }
  }

  /** Whether the bank has not ended, and has forgotten nothing of what this lane tells. */
  #isKept(lane: Lane, { resourceId }: Push): boolean {
    if (this.#ending.signal.aborted) return false;
    this.#forgetWithBank();
    return this.#lanes.get(resourceId) === lane;
  }

  async #deliver(push: Push, lane: Lane): Promise<void> {
    if (!this.#isKept(lane, push)) return;
    const { operation, url } = push;
    const strikes = url.protocol === 'https:' ? 'push' : 'plain-push';
    const fault =
      operation === undefined ? undefined : takeFault(this.#bank.ledger.log, operation, strikes)?.kind;
    if (fault === 'push-out-of-order') {
      this.#hold({ ...push, operation: undefined }, lane);
      return;
    }
    const requestId = randomUUID();
    if (fault === 'push-lost') this.#note(push, requestId, { fault, failure: 'A fault has lost it.' });
    else await this.#post(push, lane, { requestId, fault });
    if (fault === 'push-twice') await this.#post(push, lane, { requestId, fault });
    const { held } = lane;
    if (held === undefined) return;
    delete lane.held;
    clearTimeout(held.timer);
    for (const late of held.pushes)
      await this.#post(late, lane, { requestId: randomUUID(), fault: 'push-out-of-order' });
  }

  /** Several that are held come after the next one, the newest of them first. */
  #hold(push: Push, lane: Lane): void {
    clearTimeout(lane.held?.timer);
    const pushes = [push, ...(lane.held?.pushes ?? [])];
    const timer = setTimeout(() => {
      delete lane.held;
      lane.waiting.unshift(...pushes);
      this.#pump();
    }, this.#limits.holdMs).unref();
    lane.held = { pushes, timer };
  }

  async #post(push: Push, lane: Lane, how: Pick<NotedPush, 'requestId' | 'fault'>): Promise<void> {
    if (!this.#isKept(lane, push)) return;
    const { requestId, fault } = how;
    const identity = fault === 'push-foreign-certificate' ? foreignIdentity : this.#bank.identity;
    const pushed = await postOnce({ ...push, requestId }, identity, this.#limits, this.#ending.signal);
    if (this.#isKept(lane, push)) this.#note(push, requestId, { ...pushed, fault });
  }

  #note(
    { operation: _, url: __, ...push }: Push,
    requestId: string,
    how: Pick<NotedPush, 'status' | 'failure' | 'fault'>,
  ) {
    notePush(this.#bank.ledger.log, { ...push, requestId, ...how }, this.#bank.wallClock.now());
  }
}

function urlOf(uri: string): URL {
  const url = parseUrl(uri);
  if (url === undefined) throw new Error('the address was read before');
  return url;
}
