import { defined } from '../../../base/defined.ts';
import { cleanLine } from '../../../base/clean.ts';
import { line, forBank, forProfile } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { InteractionNeeded, ObkError, exitCodes } from '../../../base/errors.ts';
import { countAuthorisations } from '../../../client/authorisations/other-authorisations.ts';
import type { Progress } from '../../../client/authorisations/other-authorisations.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { refreshMembers } from '../../../client/payments/baskets.ts';
import type { MemberState } from '../../../client/payments/baskets.ts';
import { readPartly } from '../../../client/payments/payment-status.ts';
import { isUnknown, endOf } from '../../../client/resources/parent-status.ts';
import { latest, named } from '../../../client/resources/saved-resource.ts';
import { authorise } from '../../../client/sca/authorise.ts';
import type { Authorised, AuthoriseOptions } from '../../../client/sca/authorise.ts';
import { reread } from '../../../client/sca/decision.ts';
import { dueStep } from '../../../client/sca/one-step.ts';
import { withholdSecrets } from '../../../client/sca/given-credentials.ts';
import type { DataOutcome } from '../../outcome.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { foldFor } from '../../render/wrap.ts';
import { nextStep } from '../../../standard/sca/next-step.ts';
import { idNames, nounOf } from '../../../standard/sca/operations.ts';
import { withLinks } from '../../../standard/sca/state.ts';
import type { Conversation, Parent } from '../../../standard/sca/state.ts';
import { isFinalTransaction, isUsableConsent, standingOf } from '../../../standard/xs2a/codes.ts';
import { unusedVariables } from '../flags/psu-variables.ts';
import { authoriseOptions } from '../flags/sca-options.ts';
import type { ScaOptions } from '../flags/sca-options.ts';
import { statusNames } from '../flags/status-text.ts';
import { afterEnd, endLines, mayStartAnother } from '../output/end-of-authorisation.ts';
import type { End } from '../output/end-of-authorisation.ts';
import { exitOfLed } from '../output/exit-of-status.ts';
import type { Leader } from '../output/exit-of-status.ts';
import { stateLines } from '../output/rejected-lines.ts';
import { memberLines, resourceDocument, resourceText } from '../output/resource-document.ts';
import { documented } from './documented.ts';
import { asksForAuthorisation, whyOpen } from './why-open.ts';
import { psuIdOf } from '../../../client/sca/sca-send.ts';
import { scaQuestions } from '../../../client/sca/sca-questions.ts';
import { shownUrl } from '../../../client/sca/visit.ts';

interface Led extends End, Pick<Authorised, 'timedOut' | 'said'> {
  /** The members of a basket whose authorisation has ended. */
  members?: readonly MemberState[];

  /** The flags that would have led further. */
  missing: readonly string[];
  /** Exit 0 is to mean authorised. */
  asked: boolean;
}

/** The thing to authorise, the place to start from, and the command that leads. */
interface Start {
  resource: SavedResource;
  conversation: Conversation;
  resumed: boolean;
  leader: Leader;
  /** Whether the command has made the resource just now. */
  created: boolean;
  only?: NonNullable<AuthoriseOptions['only']>;
  /** Where it stands is read, and nothing is sent. */
  sendsNothing?: boolean;
}

/** Leads the PSU through SCA as far as possible, and says where the resource stands then; every error names it. */
export async function lead(
  context: Context,
  target: Target,
  start: Start,
  options: ScaOptions,
): Promise<DataOutcome> {
  const { resource, conversation } = start;
  return documented(target, resource, conversation.parent.kind, async () => {
    try {
      return await leadOn(context, target, start, options);
    } catch (error) {
      throw error instanceof ObkError ? named(error, resource.noun, resource.id) : error;
    }
  });
}

async function leadOn(
  context: Context,
  opened: Target,
  start: Start,
  options: ScaOptions,
): Promise<DataOutcome> {
  const { leader, created, only, sendsNothing = false } = start;
  const tell = tellerOf(context, opened, start);
  tell?.(start.conversation);
  const { resource, conversation } = await current(opened, start);
  const how = {
    ...authoriseOptions(context, options, start.resumed),
    sendsNothing,
    ...defined({ away: tell, only }),
  };
  const { target, withheld = unusedVariables(options.psuId, context.process.env) } = withholdSecrets(
    opened,
    conversation,
  );
  // A command that authorises what is there already is asked to; one that takes a step is asked for that step.
  const isAsked = (of: Conversation) =>
    leader !== 'step' && (!created || leader === 'delete' || asksForAuthorisation(target, of, options));
  try {
    const led = await authorise(target, resource, conversation, how);
    const asked = isAsked(led.conversation);
    if (created && led.success === undefined && !sendsNothing) tellOpen(target, led.conversation, asked);
    return ledOutcome(context, target, { ...(await withState(target, led)), asked }, leader);
  } catch (error) {
    const isOpen = created && error instanceof ObkError && error.exit === exitCodes.usage;
    if (!isOpen) throw because(error, withheld);
    const open = await leftOpen(target, { resource, conversation }, error);
    const asked = isAsked(open.conversation);
    if (open.missing.length > 0 && withheld !== undefined) target.ports.notices.warn(withheld);
    tellOpen(target, open.conversation, asked, error);
    return ledOutcome(context, target, { ...open, asked }, leader);
  }
}

/** Tells of what the command has made; undefined where nothing new is there. */
const tellerOf = (context: Context, target: Target, { resource, created, leader, resumed }: Start) =>
  created && leader !== 'delete' ? createdTeller(context, target, resource, resumed) : undefined;

/** The resource and its authorisation as they are now; what was made just now is not read again. */
async function current(target: Target, { resource, conversation, resumed, created }: Start) {
  if (created && !resumed) return { resource, conversation: withLinks(conversation, []) };
  const again = await reread(target, resource);
  return { resource: again.resource, conversation: withLinks(conversation, again.unknownLinks) };
}

/** What was led, with what the bank says of it then: how far other PSUs are, and what became of the members of a basket. */
async function withState(target: Target, led: Authorised): Promise<Omit<Led, 'asked'>> {
  const progress = await progressOf(target, led);
  const isOver = led.success !== undefined;
  const partly = isOver ? await readPartly(target, led.resource) : undefined;
  const members =
    isOver && led.resource.noun === 'basket' ? await refreshMembers(target, led.resource) : undefined;
  return { ...led, ...defined({ progress, members }), said: { ...led.said, ...partly }, missing: [] };
}

/** The resource exists, so what is wrong with an input keeps it open, and never makes the run a failure. */
async function leftOpen(
  { name, ports: { resources } }: Target,
  { resource, conversation }: Pick<Start, 'resource' | 'conversation'>,
  error: ObkError,
) {
  const { noun, id } = resource;
  const saved = await resources.conversations(name, noun, id);
  return {
    resource: (await resources.find(name, noun, id)) ?? resource,
    conversation: latest(saved, conversation.parent.kind) ?? conversation,
    success: undefined,
    timedOut: false,
    missing: error instanceof InteractionNeeded ? error.flags : [],
  };
}

function tellOpen(target: Target, conversation: Conversation, asked: boolean, error?: ObkError): void {
  const why = whyOpen(target, conversation, asked, error);
  if (why !== undefined) target.ports.notices.warn(why);
}

/** A secret that is missing although the profile has one. */
function because(error: unknown, withheld: string | undefined): unknown {
  if (withheld === undefined || !(error instanceof InteractionNeeded)) return error;
  const { flags, hint, resource } = error;
  return new InteractionNeeded(flags, {
    detail: withheld,
    hint,
    ...defined({ resource }),
  });
}

/** The result of a resource whose authorisation has ended, or stands open. */
export function ledOutcome(context: Context, target: Target, led: Led, leader: Leader): DataOutcome {
  const { resource, conversation } = led;
  const next = nextStepOf(target, led, leader);
  return {
    kind: 'data',
    data: resourceDocument(target, resource, conversation, {
      kind: leader === 'cancel' ? 'cancellation' : resource.noun,
      next,
      more: {
        ...defined({ authorisations: led.progress }),
        ...(led.members === undefined ? {} : { members: led.members.map(memberDocument) }),
        ...led.said,
      },
    }),
    text: (style) =>
      [
        resourceText(target, resource, conversation, style),
        ...foldFor(style, [
          ...memberLines(led.members ?? [], style),
          ...saidLines(led),
          ...endLines(led, leader).map((line) => `  ${line}`),
        ]),
      ].join('\n'),
    exit: exitOfLed({
      noun: resource.noun,
      kind: conversation?.parent.kind,
      status: resource.status,
      success: led.success,
      timedOut: led.timedOut,
      leader,
      asked: led.asked,
    }),
    next: [next],
    name: resource.id,
  };
}

/** Words that the conversation has shown already are not repeated. */
function saidLines({ said = {}, conversation }: Led): string[] {
  const { psuMessage, tppMessages = [], ...state } = said;
  const shown = psuMessage === undefined || psuMessage === conversation?.psuMessage;
  return [
    ...stateLines(shown ? state : { ...state, psuMessage }),
    ...tppMessages.map(({ code, text }) =>
      cleanLine(`  ${[code, text].filter((part) => part !== undefined).join(': ')}`),
    ),
  ];
}

function memberDocument({ noun, id, status }: MemberState) {
  return { [idNames[noun]]: id, [statusNames[noun]]: status ?? null };
}

/** The runnable command that goes on with the resource. */
function nextStepOf(target: Target, led: Led, leader: Leader): string {
  const { resource, conversation, success } = led;
  // Only what the bank has says more, where it says what obk does not know.
  const isStuck = conversation !== undefined && nextStep(conversation).kind === 'stuck';
  if (isUnknown(resource) || (success === undefined && isStuck))
    return line`obk ${resource.noun} get ${resource.id}`;
  const authorise = (flags: readonly string[]) => line`obk ${resource.noun} authorise ${resource.id}${flags}`;
  if (mayStartAnother(led)) return authorise(['--new']);
  if (led.progress !== undefined) return authorise(['--psu-id', 'ID']);
  if (leader === 'step' && success === undefined && conversation !== undefined) {
    return dueStep(conversation, undefined, (flag) => flagWith(target, conversation, flag)).command;
  }
  if (givesAccess(led)) return line`obk accounts --consent ${resource.id}`;
  if (success !== undefined) return afterEnd(resource);
  if (conversation !== undefined) return authorise(flagsToGoOn(target, conversation, led.missing));
  return standingOf(resource.noun, resource.status) === 'open' ? authorise([]) : afterEnd(resource);
}

/** Whether it is a consent that can be used, and is not being ended. */
const givesAccess = ({ resource: { noun, status = '' }, conversation }: Led): boolean =>
  noun === 'consent' && conversation?.parent.kind !== 'deletion' && isUsableConsent(status);

/** The flags that lead an open authorisation further. */
function flagsToGoOn(target: Target, conversation: Conversation, missing: readonly string[]): string[] {
  if (missing.length > 0) return missing.flatMap((flag) => flagWith(target, conversation, flag));
  // A code comes back with the browser, which a script hands over.
  if (conversation.returnState !== undefined) return ['--return-url-from', 'REF'];
  return conversation.refused === true ? [] : ['--wait'];
}

/** How far the PSUs are, where some of them must still follow; a bank of 1.3.2 leaves such a consent received. */
async function progressOf(
  target: Target,
  { resource, conversation, success }: Authorised,
): Promise<Progress | undefined> {
  const { status = '' } = resource;
  const { kind } = conversation.parent;
  const { multilevel } = target.profile.sca ?? {};
  // A bank where one PSU is always enough has nobody to be counted.
  if (success !== true || multilevel === false) return undefined;
  // The bank lists the authorisations of a deletion among those of the consent.
  if (kind === 'deletion') return undefined;
  // The bank never says whether a cancellation waits for further PSUs; it is not done before CANC.
  if (kind === 'cancellation')
    return isFinalTransaction(status) ? undefined : countAuthorisations(target, resource, kind);
  // Some banks leave a payment as it was until the last PSU has agreed.
  const waits = multilevel === true ? ['RCVD', 'PDNG', 'ACTC'] : [];
  const others = [
    'PATC',
    'partiallyAuthorised',
    ...waits,
    ...(resource.noun === 'consent' ? ['received'] : []),
  ];
  return others.includes(status) ? countAuthorisations(target, resource) : undefined;
}

/** The result of a resource that was only made: its authorisation is left to a later run, or over. */
export function madeOutcome(
  context: Context,
  target: Target,
  {
    resource,
    conversation,
    earlier = false,
  }: {
    resource: SavedResource;
    conversation: Conversation | undefined;
    earlier?: boolean;
  },
  leader: Leader,
): DataOutcome {
  createdTeller(context, target, resource, earlier)(conversation);
  const open = { success: undefined, timedOut: false, missing: [], asked: false };
  return ledOutcome(context, target, { ...open, resource, conversation }, leader);
}

const { password, additionalPassword, otp, method } = scaQuestions;

/** The members of a customer of the built-in bank that answer a question. */
const fields: Readonly<Record<string, string>> = {
  [password.flag]: 'password',
  [additionalPassword.flag]: 'additionalPassword',
  [otp.flag]: 'otp',
};

/** A flag with the value that answers it, where that is known here; else with the name of what it takes. */
function flagWith(target: Target, conversation: Conversation, flag: string): string[] {
  if (flag === method.flag) return [flag, conversation.scaMethods?.[0]?.authenticationMethodId ?? 'ID'];
  const psuId = psuIdOf(target, conversation);
  const field = fields[flag];
  if (target.ownBank === undefined || psuId === undefined || field === undefined) return [flag, 'REF'];
  return [flag, `cmd:${forBank(line`obk sandbox people ${psuId} --field ${field}`, target.inLines)}`];
}

/**
 * Says on stderr what exists now, before anything else can end the run: a job that is killed while it waits has the id, and
 * the link once there is one. `earlier`: another run has made it.
 */
function createdTeller(
  { inUse }: Pick<Context, 'inUse'>,
  target: Target,
  resource: SavedResource,
  earlier: boolean,
): (conversation: Conversation | undefined) => void {
  let told: string | undefined;
  return (conversation) => {
    const { noun, id } = resource;
    const next = nextOf(resource, conversation?.parent.kind);
    const own = inUse === undefined ? next : forProfile(next, inUse);
    const facts = {
      [idNames[noun]]: id,
      authorisationId: conversation?.authorisationId ?? null,
      url: (conversation && shownUrl(target, resource, conversation)) ?? null,
      next: own,
    };
    const isFirst = told === undefined;
    // The link may come with a later step; where nothing is new, nothing is said again.
    if (!isFirst && (facts.url === null || facts.url === told)) return;
    told = facts.url ?? '';
    const isEnd = conversation !== undefined && conversation.parent.kind !== nounOf[conversation.parent.kind];
    const what = isEnd ? `Begun the cancellation of payment ${id}` : `Created ${noun} ${id}`;
    target.ports.notices.created(isFirst && !earlier ? cleanLine(`${what}. Next: ${own}`) : undefined, facts);
  };
}

function nextOf(resource: SavedResource, kind: Parent['kind'] = resource.noun): string {
  const { noun, id, status } = resource;
  if (isUnknown(resource)) return line`obk ${noun} get ${id}`;
  return endOf(kind, status) === undefined ? line`obk ${noun} authorise ${id}` : afterEnd(resource);
}
