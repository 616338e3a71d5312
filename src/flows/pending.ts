import { ObkError } from '../errors.ts';
import type { ErrorResource } from '../errors.ts';
import type { Intent, JournalRecord, Ports, SavedResource } from '../ports.ts';
import { nextStep } from '../sca/next-step.ts';
import type { Conversation } from '../sca/state.ts';
import { isFinalTransaction } from '../xs2a/codes.ts';
import { isPaymentService } from '../xs2a/products.ts';
import { intentState, shortHash, stateIn, unknownOutcome } from './intent.ts';
import { latest } from './pay.ts';
import type { Target } from './target.ts';
import { call } from './call.ts';
import { parentStatus, scaOperations, scaParams } from './sca-operations.ts';

type PreparedRecord = Extract<JournalRecord, { type: 'prepared' }>;

/** A write whose outcome nobody knows. */
export interface UnknownWrite {
  kind: 'unknown';
  /** What people type: the start of the intent's hash, or of the exchange's id. */
  id: string;
  run: string;
  exchange: string;
  operation: string;
  at: string;
  requestId: string;
  detail: string;
  intent?: Intent;
  resource?: ErrorResource;
  next: string;
}

/** A resource whose authorisation is still open. */
export interface OpenAuthorisation {
  kind: 'open';
  id: string;
  at: string;
  resource: SavedResource;
  conversation: Conversation;
  next: string;
}

/** What is unfinished or unknown. */
export type PendingItem = UnknownWrite | OpenAuthorisation;

/** How many of the newest resources are looked through for open authorisations. */
const searched = 200;

/** Everything of a profile that is unknown (first) or open, newest first. */
export async function listPending(ports: Ports, profile: string): Promise<PendingItem[]> {
  return [...(await unknownWrites(ports, profile)), ...(await openAuthorisations(ports, profile))];
}

async function unknownWrites(ports: Ports, profile: string): Promise<UnknownWrite[]> {
  const found: UnknownWrite[] = [];
  for (const { run } of await ports.journal.openRuns()) {
    const records = await ports.journal.read(run);
    const head = records.find((record) => record.type === 'run');
    if (head !== undefined && head.profile !== profile) continue;
    for (const record of records) {
      if (record.type !== 'prepared' || !record.write) continue;
      const state = stateIn(records, (other) => other.exchange === record.exchange);
      if (state.kind === 'unknown') found.push(await unknownWrite(ports, run, record, state.detail));
    }
  }
  return found;
}

async function unknownWrite(
  ports: Ports,
  run: string,
  record: PreparedRecord,
  detail: string,
): Promise<UnknownWrite> {
  const intent = record.intent === undefined ? undefined : await ports.journal.intent(record.intent);
  const id = intent === undefined ? record.exchange.slice(0, 12) : shortHash(intent);
  const next =
    intent === undefined
      ? `obk pending resume ${id}   # reads at the bank what became of it`
      : `obk pending resolve ${id} --payment-id ID | --not-created --reason TEXT   # after looking at the account or asking the bank`;
  return {
    kind: 'unknown',
    id,
    run,
    exchange: record.exchange,
    operation: record.operation,
    at: record.at,
    requestId: record.requestId,
    detail,
    ...(intent === undefined ? {} : { intent }),
    ...(record.resource === undefined ? {} : { resource: record.resource }),
    next,
  };
}

async function openAuthorisations(ports: Ports, profile: string): Promise<OpenAuthorisation[]> {
  const found: OpenAuthorisation[] = [];
  for (const resource of (await ports.store.resources(profile, 'payment')).slice(0, searched)) {
    if (resource.status !== undefined && isFinalTransaction(resource.status)) continue;
    const conversations = await ports.store.conversations(profile, 'payment', resource.id);
    const conversation = latest(conversations, 'cancellation') ?? latest(conversations, 'payment');
    if (conversation === undefined || nextStep(conversation).kind === 'done') continue;
    found.push({
      kind: 'open',
      id: resource.id,
      at: resource.createdAt,
      resource,
      conversation,
      next: `obk payment authorise ${resource.id}`,
    });
  }
  return found;
}

/** Finds one item by its id or a prefix of at least six characters. */
export async function findPending(ports: Ports, profile: string, id: string): Promise<PendingItem> {
  const items = await listPending(ports, profile);
  const matches = items.filter((item) => item.id === id || (id.length >= 6 && matchesPrefix(item, id)));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  throw new ObkError({
    code: matches.length > 1 ? 'ID_AMBIGUOUS' : 'RESOURCE_NOT_SAVED',
    title: matches.length > 1 ? `${id} fits several pending items.` : `Nothing pending has the id ${id}.`,
    detail:
      items.length === 0
        ? 'Nothing is pending in this profile.'
        : `Pending: ${items.map((item) => item.id).join(', ')}.`,
    hint: ['obk pending list'],
  });
}

function matchesPrefix(item: PendingItem, id: string): boolean {
  if (item.kind === 'open') return item.id.startsWith(id);
  return item.exchange.startsWith(id) || item.intent?.hash.startsWith(id) === true;
}

/** A person's word on an unknown write: it made this payment, or it made nothing. */
export type Resolution = { paymentId: string } | { notCreated: true };

/** Writes a person's resolution into the journal; a created payment is saved, so that it can be gone on with. */
export async function resolvePending(
  ports: Ports,
  target: {
    name: string;
    profile: { environment: SavedResource['environment'] } & Pick<SavedResource, 'framework' | 'prefix'>;
  },
  item: UnknownWrite,
  resolution: Resolution,
  reason: string,
): Promise<void> {
  const at = ports.clock.now().toISOString();
  const created = 'paymentId' in resolution;
  if (created && item.intent !== undefined) {
    const { intent } = item;
    await ports.store.saveResource({
      schemaVersion: 1,
      profile: target.name,
      environment: target.profile.environment,
      noun: 'payment',
      id: resolution.paymentId,
      createdAt: intent.createdAt,
      updatedAt: at,
      framework: target.profile.framework,
      prefix: target.profile.prefix,
      baseUrl: '',
      service: intent.service,
      product: intent.product,
      intent: intent.hash,
      requestId: item.requestId,
      links: {},
      summary: intent.summary,
    });
    await ports.journal.noteResource(intent.hash, resolution.paymentId);
  }
  await ports.journal.resolve(item.run, {
    type: 'resolved',
    at,
    exchange: item.exchange,
    resolution: created ? 'created' : 'not-created',
    by: 'person',
    reason,
    ...(created ? { resource: { paymentId: resolution.paymentId } } : {}),
  });
}

/**
 * Asks the bank what became of an unknown write where the id is known; gives what it said. A payment POST cannot be asked
 * for: the interface has no list of payments, so a person must resolve it (exit 12).
 */
export async function askBank(
  target: Target,
  item: UnknownWrite,
): Promise<{ status: string; resource: ErrorResource }> {
  if (item.intent !== undefined) {
    const state = await intentState(target.ports.journal, item.intent);
    if (state.kind === 'unknown') throw unknownOutcome(item.intent, state);
  }
  const { resource } = item;
  const paymentId = resource?.paymentId;
  if (resource === undefined || paymentId === undefined) throw notAskable(item);
  const saved = await target.ports.store.resource(target.name, 'payment', paymentId);
  if (saved?.service === undefined || !isPaymentService(saved.service)) throw notAskable(item);
  const kind =
    item.operation.includes('Cancellation') || item.operation === 'cancelPayment'
      ? 'cancellation'
      : 'payment';
  const parent = {
    kind,
    id: paymentId,
    service: saved.service,
    ...(saved.product === undefined ? {} : { product: saved.product }),
  } as const;
  const { authorisationId } = resource;
  const answer = await call(target, {
    operation: authorisationId === undefined ? parentStatus[kind] : scaOperations[kind].read,
    params: scaParams(parent, authorisationId),
    resource,
  });
  await target.ports.journal.resolve(item.run, {
    type: 'resolved',
    at: target.ports.clock.now().toISOString(),
    exchange: item.exchange,
    resolution: 'done',
    by: 'bank',
    reason: `read ${answer.scaStatus ?? answer.transactionStatus ?? 'no status'}`,
    resource,
  });
  return { status: answer.scaStatus ?? answer.transactionStatus ?? 'unknown', resource };
}

function notAskable(item: UnknownWrite): ObkError {
  return new ObkError({
    code: 'OUTCOME_UNKNOWN',
    title: 'The bank cannot be asked what became of this.',
    detail: `${item.operation} of ${item.at}: ${item.detail}.`,
    hint: [item.next],
  });
}
