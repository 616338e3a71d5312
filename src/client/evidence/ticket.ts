import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { Journal } from '../ports/journal.ts';
import type { Resources } from '../ports/resources.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';
import type { Actor, Ticket, TicketExchange, StatusStep, TicketStep } from '../../settings/records/ticket.ts';
import type { Environment } from '../../settings/records/profile.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { nouns } from '../../standard/sca/operations.ts';
import { consentStatus, scaStatus, transactionStatus } from '../../standard/xs2a/codes.ts';
import { feesIn } from '../../standard/xs2a/fees.ts';
import type { StatedFees } from '../../standard/xs2a/fees.ts';
import { isJsonObject, member, readJson, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject } from '../../standard/xs2a/json.ts';
import { decisiveCode, messagesIn } from '../../standard/xs2a/bank-messages.ts';
import { messageMembers } from '../../standard/xs2a/tpp-messages.ts';
import { feeLines } from '../orders/fees.ts';
import { maskAccounts } from '../redaction/masking.ts';
import {
  ambiguousId,
  candidateOf,
  leastOfId,
  newestHere,
  newestOfAll,
  placeOfLast,
} from '../resources/naming.ts';
import { findRuns } from './journal-runs.ts';
import type { RunView } from './journal-runs.ts';
import { verdictOf } from './journal-runs.ts';

const traceHeader =
  /^(date|server|via|.*(trace|correlation|request-?id|transaction-?id|span|amz|cf-ray).*)$/i;
const statusNames = ['transactionStatus', 'consentStatus', 'scaStatus'] as const;
const meaningOf: Record<(typeof statusNames)[number], (code: string) => string | null> = {
  transactionStatus: (code) => transactionStatus(code)?.meaning ?? null,
  consentStatus: (code) => consentStatus(code)?.meaning ?? null,
  scaStatus: (code) => scaStatus(code)?.meaning ?? null,
};

/** The resource that an id, its first six or more characters or `@last` names in a profile; undefined for one that is not saved. */
export async function savedFor(
  resources: Resources,
  profile: string,
  id: string,
): Promise<SavedResource | undefined> {
  const at = placeOfLast(id);
  if (at !== undefined) {
    const found = (await newestOfAll((noun) => newestHere(resources, profile, noun, at + 1)))[at];
    if (found !== undefined) return found;
    throw new ObkError({
      code: 'RESOURCE_NOT_SAVED',
      title: `${id}: the profile ${profile} has not started that many payments, consents or baskets.`,
      hint: ['obk log list'],
    });
  }
  for (const noun of nouns) {
    const exact = await resources.find(profile, noun, id);
    if (exact !== undefined) return exact;
  }
  const beginning = nouns.map((noun) => resources.listBeginning(profile, noun, id));
  const matches = id.length < leastOfId ? [] : (await Promise.all(beginning)).flat();
  if (matches.length < 2) return matches[0];
  throw ambiguousId(id, 'payments, consents and baskets', matches.map(candidateOf), 'obk payment list');
}

/** Asked before account numbers are shown: which environment's they are; null where that is not known. */
type MayUnmask = (environment: Environment | null, profile: string | null) => Promise<void>;

/** What is known of the resource of a ticket, and how the ticket is wanted. */
interface TicketWished {
  readonly saved?: SavedResource | undefined;
  readonly mayUnmask?: MayUnmask | undefined;
  /** `@last` and `@failed` stand for runs with this profile alone. */
  readonly profile?: string | undefined;
}

/**
 * Gathers from all runs what was sent and answered about a resource. Account numbers are masked; with `mayUnmask`, which may throw,
 * they are not. Throws RESOURCE_NOT_SAVED where there is nothing about it.
 */
export async function ticketOf(
  journal: Journal,
  id: string,
  { saved, mayUnmask, profile }: TicketWished = {},
): Promise<Ticket> {
  const unmasked = mayUnmask !== undefined;
  const found = await findRuns(journal, id, { whole: unmasked, profile });
  const runs = Array.isArray(found) ? found : [found];
  const gravest = runs.map(gravity).sort((a, b) => b.grave - a.grave)[0];
  await mayUnmask?.(gravest?.environment ?? null, gravest?.profile ?? null);
  const masked = unmasked ? (text: string) => text : maskAccounts;
  const exchanges = runs
    .flatMap((run) => run.exchanges)
    .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1))
    .map((view) => forTicket(view, masked));
  const statuses = exchanges.flatMap(statusesIn);
  const own = statuses.findLast(({ name }) => name !== 'scaStatus');
  const head = runs.at(-1);
  return {
    id: id.startsWith('@') ? (head?.run ?? id) : id,
    noun: saved?.noun ?? null,
    profile: saved?.profile ?? head?.profile ?? null,
    environment: saved?.environment ?? head?.environment ?? null,
    baseUrl: saved?.baseUrl ?? originOf(exchanges),
    framework: saved === undefined ? null : `${saved.framework} under ${saved.prefix}`,
    product: saved?.product === undefined ? null : `${saved.service ?? 'payments'}/${saved.product}`,
    runs: runs.map(({ run, host }) => ({ run, ...defined({ host }) })),
    verdict: maskedVerdict(verdictOf(exchanges, own), masked),
    status: own?.value ?? saved?.status ?? null,
    fees: feeLines(exchanges.reduce<StatedFees>((all, view) => ({ ...all, ...feesIn(answerOf(view)) }), {})),
    certificate: exchanges.map(keyIdOf).findLast((keyId) => keyId !== undefined) ?? null,
    statuses,
    steps: exchanges.flatMap(stepsOf),
    unmasked,
    exchanges,
  };
}

type Mask = (text: string) => string;
const maskedVerdict = (text: string | null, masked: Mask) => (text === null ? null : masked(text));

/** How grave it is to show the account numbers of a run. */
function gravity({ environment, profile }: RunView) {
  const grave = ['sandbox', 'test', null, 'production'].indexOf(environment);
  return { environment, profile, grave };
}

/** Whether the run with its profile that failed last came after this resource and has nothing to do with it: then the newest may not be what is meant. */
export async function failedLater(journal: Journal, saved: SavedResource): Promise<boolean> {
  try {
    const failed = await findRuns(journal, '@failed', { profile: saved.profile });
    if (Array.isArray(failed) || failed.startedAt < saved.createdAt) return false;
    const about = [await findRuns(journal, saved.id)].flat();
    const told = new Set(about.flatMap(({ exchanges }) => exchanges.map(({ requestId }) => requestId)));
    return !failed.exchanges.some(({ requestId }) => told.has(requestId));
  } catch (error) {
    if (error instanceof ObkError && error.code === 'RESOURCE_NOT_SAVED') return false;
    throw error;
  }
}

/** Returns an exchange for the ticket, which others will read: account numbers are masked in the answer too. */
function forTicket(view: ExchangeView, masked: Mask): TicketExchange {
  const headers = view.answer?.headers ?? view.failure?.headers ?? [];
  const named = (name: RegExp) => headers.filter((header) => name.test(header.name));
  const bankRequestId = named(/^x-request-id$/i)[0]?.value ?? null;
  return {
    ...view,
    url: masked(view.url),
    request: { ...view.request, body: masked(view.request.body) },
    ...(view.answer === undefined ? {} : { answer: { ...view.answer, body: masked(view.answer.body) } }),
    bankRequestId: bankRequestId?.toLowerCase() === view.requestId.toLowerCase() ? null : bankRequestId,
    trace: named(traceHeader).filter(({ name }) => !/^x-request-id$/i.test(name)),
  };
}

function statusesIn(view: TicketExchange, exchange: number): StatusStep[] {
  const body = answerOf(view);
  const { at = '' } = view;
  const told = toldIn(body);
  return statusNames.flatMap((name) => {
    const value = stringMember(body, name);
    return value === undefined ? [] : [{ at, name, value, meaning: meaningOf[name](value), told, exchange }];
  });
}

function toldIn(body: JsonObject | undefined): string | null {
  const texts = [
    stringMember(body, 'psuMessage'),
    ...messagesIn(body, messageMembers).map(({ text }) => text),
  ];
  return texts.filter((text) => text !== undefined).join(' ') || null;
}

function stepsOf(view: TicketExchange, exchange: number): TicketStep[] {
  const { operation, method, answer, failure, outcome } = view;
  const bank: Actor = operation.startsWith('oauth') ? 'oauth' : 'aspsp';
  const step = (from: Actor, to: Actor, text: string, more: Partial<TicketStep> = {}): TicketStep => ({
    ...{ from, to, text, answer: false, seen: true, exchange },
    ...more,
  });
  const code = decisiveCode(answer?.messages ?? []);
  const told = statusesIn(view, exchange).map(({ name, value }) => `${name} ${value}`);
  const ending =
    answer === undefined
      ? `${failure?.left === false ? 'not sent' : 'no answer'}${outcome === 'UNKNOWN' ? ', outcome unknown' : ''}`
      : [String(answer.status), code, ...told].filter((part) => part !== undefined).join(' ');
  return [
    // A code comes to obk by the PSU's browser only.
    ...(/"confirmationCode"|(^|&)code=/.test(view.request.body)
      ? [step('browser', 'tpp', 'returns with a code')]
      : []),
    step('tpp', bank, `${method} ${operation}`),
    ...(failure?.left === false ? [] : [step(bank, 'tpp', ending, { answer: true })]),
    ...visitsIn(view).flatMap(({ to, text }) => [
      step('tpp', 'browser', text),
      step('browser', to, 'the PSU at the bank (obk does not see it)', { seen: false }),
    ]),
  ];
}

/** Where an answer sends the PSU. */
function visitsIn(view: TicketExchange): { to: Actor; text: string }[] {
  const body = answerOf(view);
  if (view.outcome !== 'DONE') return [];
  const links = member(body, '_links');
  return [
    { name: 'scaRedirect', to: 'aspsp' as const },
    { name: 'scaOAuth', to: 'oauth' as const },
  ].flatMap(({ name, to }) => (member(links, name) !== undefined ? [{ to, text: `opens ${name}` }] : []));
}

function answerOf({ answer }: ExchangeView): JsonObject | undefined {
  if (answer === undefined) return undefined;
  try {
    const body = readJson(answer.body);
    return isJsonObject(body) ? body : undefined;
  } catch {
    // XML, text, or JSON that was cut.
    return undefined;
  }
}

function keyIdOf({ request }: ExchangeView): string | undefined {
  const signature = request.headers.find(({ name }) => /^signature$/i.test(name))?.value;
  return /keyId="([^"]*)"/.exec(signature ?? '')?.[1];
}

function originOf(exchanges: readonly ExchangeView[]): string | null {
  const first = exchanges.find(({ operation }) => !operation.startsWith('oauth'));
  return /^[a-z]+:\/\/[^/?#]+/i.exec(first?.url ?? '')?.[0] ?? null;
}
