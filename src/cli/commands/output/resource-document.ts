import { cleanLine } from '../../../base/clean.ts';
import type { Authorised } from '../../../client/sca/authorise.ts';
import { bankSays } from '../../../client/resources/bank-says.ts';
import type { MemberState } from '../../../client/payments/baskets.ts';
import { challengeLines } from '../../../client/sca/challenge.ts';
import { accessText } from '../../../client/consents/explain-consent.ts';
import { feeLines } from '../../../client/orders/fees.ts';
import { amountText, payeeText } from '../../../client/orders/payment-summary.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { shownUrl } from '../../../client/sca/visit.ts';
import type { SavedConsent, SavedResource } from '../../../settings/records/resources.ts';
import type { Style } from '../../render/style.ts';
import { foldFor } from '../../render/wrap.ts';
import { idNames, isEnding } from '../../../standard/sca/operations.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import type { Parent } from '../../../standard/sca/state.ts';
import { isFinalSca } from '../../../standard/xs2a/codes.ts';
import { checkBrowserUrl } from '../../../standard/xs2a/links.ts';
import { accountsGrouped } from './for-person.ts';
import { statusNames, statusText, titles } from '../flags/status-text.ts';

export type Conversation = Authorised['conversation'];

/** A payment, consent or basket as far as it is known: without an id where none was made, or nobody knows. */
export type Described = Pick<SavedResource, 'noun'> & Partial<SavedResource>;

/** What a document has besides the resource and its authorisation. */
export interface DocumentParts {
  /** What the authorisation is of, where none is known yet. */
  kind?: Parent['kind'];
  next: string | undefined;
  /** The bank's words at the end, and how far several PSUs are. */
  more?: Readonly<Record<string, unknown>>;
}

/** The state of an authorisation, for a program that continues it. */
function scaDocument(
  target: Target,
  resource: Described,
  conversation: Partial<Conversation> | undefined,
  kind: Parent['kind'] = resource.noun,
) {
  const known = conversation ?? {};
  const { scaStatus, parent, steering = {} } = known;
  const over = scaStatus !== undefined && isFinalSca(scaStatus);
  const url = over ? undefined : shownUrl(target, resource, { ...known, steering });
  return {
    of: parent?.kind ?? kind,
    ...orNull(known, 'approach', 'scaStatus', 'authorisationId'),
    url: url ?? null,
    urlRefused: url === undefined ? null : refusedUrl(url),
    // Pages of a sandbox in this process are gone when the process ends.
    urlAlive: url === undefined || target.ownBank === undefined ? null : !target.ownBank.embedded,
    ...orNull(known, 'scaMethods', 'chosenScaMethod', 'challengeData', 'psuMessage'),
  };
}

type OrNull<Whole, Name extends keyof Whole> = { [Each in Name]-?: Exclude<Whole[Each], undefined> | null };

/** Some members of an object; null is one that is not there. */
function orNull<Whole, Name extends keyof Whole>(whole: Whole, ...names: Name[]): OrNull<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name] ?? null])) as OrNull<Whole, Name>;
}

/** Warns a script that would hand the link to a browser why obk would not open it. */
function refusedUrl(url: string): string | null {
  const checked = checkBrowserUrl(url);
  return checked.ok ? null : checked.why;
}

const nothing = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, null]));

/** What is asked for with a resource, by noun; null where it is not known. */
const wishes = {
  payment: nothing('service product amount currency creditorName creditorAccount debtorAccount count sums'),
  consent: nothing('access recurringIndicator validUntil frequencyPerDay'),
  basket: nothing('paymentIds consentIds members'),
} as const satisfies Record<Noun, object>;

const endings = nothing(
  'authorisations fees code psuMessage tppMessages fundsAvailable reasons rejected explained counts contradictions',
);

/**
 * A payment, consent or basket after a command that leads its authorisation, as `--json` prints it. It has the same members
 * at every exit: what is absent is null.
 */
export function resourceDocument(
  target: Target,
  resource: Described,
  conversation: Partial<Conversation> | undefined,
  { kind, next, more = {} }: DocumentParts,
) {
  const { noun, service = null, product = null, consent } = resource;
  return {
    profile: target.name,
    environment: target.environment,
    [idNames[noun]]: resource.id ?? null,
    [statusNames[noun]]: resource.status ?? null,
    requestId: resource.requestId ?? null,
    intent: resource.intent ?? null,
    ...wishes[noun],
    ...(noun === 'payment' ? { service, product } : {}),
    ...resource.summary,
    ...(consent && consentMembers(consent)),
    ...resource.basket,
    ...endings,
    ...(conversation?.fees === undefined ? {} : { fees: conversation.fees }),
    ...more,
    sca: scaDocument(target, resource, conversation, kind),
    unknownLinks: conversation?.unknownLinks ?? [],
    next: next ?? null,
  };
}

/** The access of a consent, by its wire names. */
export function consentMembers({ access, recurring, validUntil, frequency }: SavedConsent) {
  return { access, recurringIndicator: recurring, validUntil, frequencyPerDay: frequency };
}

/** The access of a consent, on one line. */
function consentText({ access, recurring, validUntil, frequency }: SavedConsent): string {
  const often = recurring ? `${String(frequency)} accesses a day without the PSU` : 'once';
  return cleanLine(`for ${accessText(access)}; until ${validUntil}, ${often}`);
}

/** The resource for a person: what it is, where it stands, and where its authorisation does. */
export function resourceText(
  target: Target,
  resource: SavedResource,
  conversation: Conversation | undefined,
  style: Style,
): string {
  const { noun, id, status, summary } = resource;
  const lines = [
    `${style.bold(`${titles[noun]} ${cleanLine(id)}`)}: ${statusText(status, style, noun)}`,
    ...(summary === undefined ? [] : [`  ${accountsShown(summaryText(summary), style)}`]),
    ...(resource.consent === undefined ? [] : [`  ${consentText(resource.consent)}`]),
  ];
  if (conversation !== undefined) lines.push(...conversationLines(target, resource, conversation));
  return foldFor(style, lines).join('\n');
}

/** Where an authorisation stands, and what the bank says with it. */
function conversationLines(target: Target, resource: SavedResource, conversation: Conversation): string[] {
  const lines: string[] = [];
  if (conversation.fees !== undefined)
    lines.push(...feeLines(conversation.fees).map((text) => cleanLine(`  ${text}`)));
  const sca = scaDocument(target, resource, conversation);
  const where = [sca.approach, sca.scaStatus].filter((part) => part !== null).join(', ');
  const { kind } = conversation.parent;
  // Who confirms this ends the payment or consent.
  const of = isEnding(kind) ? ` of the ${kind}` : '';
  lines.push(`  SCA${of}: ${where === '' ? 'not begun' : cleanLine(where)}`);
  if (sca.url !== null) lines.push(`  Link for the PSU: ${cleanLine(sca.url, 8192)}`);
  if (sca.urlRefused !== null) lines.push(`  Do not open this link: ${sca.urlRefused}.`);
  const { unknownLinks } = conversation;
  if (unknownLinks.length > 0)
    lines.push(cleanLine(`  Links that obk does not know: ${unknownLinks.join(', ')}`));
  for (const method of sca.scaMethods ?? []) {
    lines.push(
      cleanLine(`  Method ${method.authenticationMethodId}: ${method.name ?? method.authenticationType}`),
    );
  }
  if (sca.challengeData !== null && !isOver(sca.scaStatus)) {
    lines.push(...challengeLines(sca.challengeData).map((line) => `  ${cleanLine(line, 8192)}`));
  }
  if (sca.psuMessage !== null) lines.push(`  ${cleanLine(bankSays(sca.psuMessage))}`);
  return lines;
}

/** Where the members of a basket stand. */
export function memberLines(members: readonly MemberState[], style: Style): string[] {
  return members.map(({ noun, id, status }) => {
    const shown = status === undefined ? 'status not known here' : statusText(status, style, noun);
    return `  ${titles[noun]} ${cleanLine(id)}: ${shown}`;
  });
}

/** A pipe gets account numbers whole. */
const accountsShown = (text: string, { tty }: Style): string => (tty ? accountsGrouped(text, {}) : text);

/** A summary on one line by which a person recognises a payment. */
export function summaryText(summary: NonNullable<SavedResource['summary']>): string {
  const { creditorName, creditorAccount, debtorAccount } = summary;
  const account = creditorName === undefined || creditorAccount === undefined ? '' : ` (${creditorAccount})`;
  return cleanLine(
    [
      amountText(summary).trim(),
      `to ${payeeText(summary)}${account}`,
      debtorAccount === undefined ? '' : `from ${debtorAccount}`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  );
}

function isOver(scaStatus: string | null): boolean {
  return scaStatus !== null && isFinalSca(scaStatus);
}
