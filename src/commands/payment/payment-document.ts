import type { Authorised } from '../../flows/authorise.ts';
import { amountText, payeeText } from '../../flows/payment-summary.ts';
import type { Target } from '../../flows/target.ts';
import { liveUrl } from '../../flows/visit.ts';
import type { SavedResource } from '../../ports.ts';
import { cleanLine } from '../../render/foreign.ts';
import type { Style } from '../../render/style.ts';
import { isFinalSca, transactionStatus } from '../../xs2a/codes.ts';

export type Conversation = Authorised['conversation'];

/** Where the authorisation of a payment stands, for those who go on with it elsewhere. */
export function scaDocument(target: Target, conversation: Conversation) {
  const { approach, scaStatus, authorisationId, scaMethods, chosenScaMethod, challengeData, psuMessage } =
    conversation;
  const over = scaStatus !== undefined && isFinalSca(scaStatus);
  const link = over ? undefined : (conversation.steering.scaRedirect ?? conversation.steering.scaOAuth);
  return {
    approach: approach ?? null,
    scaStatus: scaStatus ?? null,
    authorisationId: authorisationId ?? null,
    ...(link === undefined ? {} : { url: liveUrl(target, link) }),
    // Pages of a bank inside this process are gone when it ends.
    ...(link === undefined || target.inside === undefined ? {} : { urlAlive: !target.inside.embedded }),
    ...(scaMethods === undefined ? {} : { scaMethods }),
    ...(chosenScaMethod === undefined ? {} : { chosenScaMethod }),
    ...(challengeData === undefined ? {} : { challengeData }),
    ...(psuMessage === undefined ? {} : { psuMessage }),
  };
}

/** A payment after init, authorise or cancel, as `--json` prints it. */
export function paymentDocument(
  target: Target,
  resource: SavedResource,
  conversation: Conversation | undefined,
  next: string | undefined,
) {
  return {
    profile: target.name,
    environment: target.environment,
    paymentId: resource.id,
    service: resource.service ?? null,
    product: resource.product ?? null,
    transactionStatus: resource.status ?? null,
    requestId: resource.requestId ?? null,
    ...resource.summary,
    sca: conversation === undefined ? null : scaDocument(target, conversation),
    next: next ?? null,
  };
}

/** A status with its meaning. */
export function statusText(status: string | undefined, style: Style): string {
  if (status === undefined) return 'status not known';
  const fact = transactionStatus(status);
  if (fact === undefined) return `${cleanLine(status)} (a status that obk does not know)`;
  const bad = fact.kind === 'rejected' || fact.kind === 'cancelled' || fact.kind === 'partly';
  const good = fact.kind === 'settled' || fact.kind === 'accepted';
  const code = bad ? style.bad(status) : good ? style.good(status) : style.warn(status);
  return `${code} · ${fact.meaning}`;
}

/** The payment for a person. */
export function paymentText(
  target: Target,
  resource: SavedResource,
  conversation: Conversation | undefined,
  style: Style,
): string {
  const { summary } = resource;
  const lines = [
    `${style.bold(`Payment ${cleanLine(resource.id)}`)}: ${statusText(resource.status, style)}`,
    ...(summary === undefined ? [] : [`  ${summaryText(summary)}`]),
  ];
  if (conversation === undefined) return lines.join('\n');
  const sca = scaDocument(target, conversation);
  lines.push(`  SCA: ${cleanLine([sca.approach, sca.scaStatus].filter((part) => part !== null).join(', '))}`);
  if (sca.url !== undefined) lines.push(`  Link for the PSU: ${cleanLine(sca.url, 8192)}`);
  for (const method of sca.scaMethods ?? []) {
    lines.push(
      cleanLine(`  Method ${method.authenticationMethodId}: ${method.name ?? method.authenticationType}`),
    );
  }
  if (sca.psuMessage !== undefined) lines.push(`  ${cleanLine(sca.psuMessage)}`);
  return lines.join('\n');
}

/** What a person recognises a payment by, on one line. */
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
