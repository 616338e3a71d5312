import { randomUUID } from 'node:crypto';
import { parseUrl } from '../../url.ts';
import type { NotificationBody } from '../../xs2a/notification.ts';
import { takeFault } from '../rules/faults.ts';
import { doDueWork } from '../sca/timers.ts';
import type { RunningBank } from '../trust/call.ts';
import { takeMessages } from './changes.ts';
import type { Message } from './changes.ts';
import { foreignIdentity } from './foreign-identity.ts';
import { postOnce, usualLimits } from './post.ts';
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

/** So many pushes are on their way at a time. */
const mostAtOnce = 16;

/** One push, ready to leave. */
interface Push extends Pick<NotedPush, 'resourceId' | 'uri' | 'body' | 'resendOf'> {
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
  #timer: NodeJS.Timeout | undefined;
  #active = 0;

  constructor(bank: CourierBank, limits: CourierLimits = courierLimits) {
    this.#bank = bank;
    this.#limits = limits;
  }

  /** Does what is due, and sends what has changed; goes on looking while a resource may still change. */
  look(): void {
    if (this.#ending.signal.aborted) return;
    const { main } = this.#bank.ledger;
    try {
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
    for (const { held } of this.#lanes.values()) clearTimeout(held?.timer);
    this.#lanes.clear();
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
      return { resourceId, uri, operation, body: JSON.stringify(message.body satisfies NotificationBody) };
    }
    const { resendOf } = message;
    const earlier = pushNumbered(this.#bank.ledger.log, resendOf);
    if (earlier === undefined) return undefined;
    return {
      resourceId: earlier.resourceId,
      uri: earlier.uri,
      body: earlier.text,
      operation: undefined,
      resendOf,
    };
  }

  #pump(): void {
    for (const [resourceId, lane] of this.#lanes) {
      if (this.#active >= mostAtOnce) return;
      if (lane.busy) continue;
      const push = lane.waiting.shift();
      if (push === undefined) {
        if (lane.held === undefined) this.#lanes.delete(resourceId);
        continue;
      }
      lane.busy = true;
      this.#active++;
      void this.#deliver(push, lane).finally(() => {
        lane.busy = false;
        this.#active--;
        if (!this.#ending.signal.aborted) this.#pump();
      });
    }
  }

  async #deliver(push: Push, lane: Lane): Promise<void> {
    const { operation } = push;
    const strikes = push.uri.toLowerCase().startsWith('https:') ? 'push' : 'plain-push';
    const fault =
      operation === undefined ? undefined : takeFault(this.#bank.ledger.log, operation, strikes)?.kind;
    if (fault === 'push-out-of-order') {
      this.#hold({ ...push, operation: undefined }, lane);
      return;
    }
    const requestId = randomUUID();
    if (fault === 'push-lost') this.#note(push, requestId, { fault, failure: 'A fault has lost it.' });
    else await this.#post(push, requestId, fault);
    if (fault === 'push-twice') await this.#post(push, requestId, fault);
    const { held } = lane;
    if (held === undefined) return;
    delete lane.held;
    clearTimeout(held.timer);
    for (const late of held.pushes) await this.#post(late, randomUUID(), 'push-out-of-order');
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

  async #post(push: Push, requestId: string, fault: string | undefined): Promise<void> {
    const url = parseUrl(push.uri);
    if (url === undefined) throw new Error('the address was read before');
    const identity = fault === 'push-foreign-certificate' ? foreignIdentity : this.#bank.identity;
    const { signal } = this.#ending;
    const pushed = await postOnce(url, { requestId, body: push.body }, identity, this.#limits, signal);
    if (!signal.aborted) this.#note(push, requestId, { ...pushed, fault });
  }

  #note(
    { operation: _, ...push }: Push,
    requestId: string,
    how: Pick<NotedPush, 'status' | 'failure' | 'fault'>,
  ) {
    notePush(this.#bank.ledger.log, { ...push, requestId, ...how }, this.#bank.wallClock.now());
  }
}
