import { ObkError } from '../../base/errors.ts';
import type { SendStep } from '../../standard/sca/next-step.ts';
import { nounOf, resourceOf, scaOperations } from '../../standard/sca/operations.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import { parseUrl } from '../../base/url.ts';
import { resolveHref } from '../../standard/xs2a/links.ts';
import type { LinkPolicy } from '../../standard/xs2a/links.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { isPaymentService } from '../../standard/xs2a/products.ts';
import { linksOf } from '../exchange/addresses.ts';
import type { Target } from '../exchange/target.ts';

/** Throws LINK_REFUSED where the link of a step leads to another payment, consent or basket, or to the other process. */
export function checkOwnStep(target: Target, conversation: Conversation, { href }: SendStep): void {
  const why = foreignness(target, conversation.parent, href);
  if (why === undefined) return;
  throw new ObkError({
    code: 'LINK_REFUSED',
    title: 'A link of the bank is not followed.',
    detail: `${JSON.stringify(href.slice(0, 300))}: ${why}. Nothing was sent to it.`,
    hint: ['obk log show @last -vvv'],
    resource: resourceOf(conversation),
  });
}

/** The link to the scaStatus of a conversation, unless it leads to that of something else. */
export function ownStatusLink(target: Target, { parent, standing }: Conversation): string | undefined {
  const href = standing.scaStatus;
  if (href === undefined) return undefined;
  const why = foreignness(target, parent, href);
  if (why === undefined) return href;
  target.ports.notices.warn(`The link scaStatus of the bank is not followed: ${why}.`);
  return undefined;
}

/** Why a link is not that of this parent; undefined where it is, or where its path says nothing. */
function foreignness(target: Target, { kind, id }: Parent, href: string): string | undefined {
  const path = pathBelowPrefix(href, linksOf(target, operation(scaOperations[kind].update)));
  const place = path === undefined ? undefined : placeOf(path);
  if (place === undefined) return undefined;
  const noun = nounOf[kind];
  if (place.noun !== noun) return `it leads to a ${place.noun}`;
  if (place.id !== id) return `it leads to another ${noun} than ${id}`;
  const own = place.cancels === undefined || place.cancels === (kind === 'cancellation');
  if (own) return undefined;
  return place.cancels === true
    ? 'it leads to the cancellation'
    : 'it leads to the payment, not to its cancellation';
}

interface LinkTarget {
  noun: Noun;
  id: string | undefined;
  /** Undefined where the path is that of the payment itself. */
  cancels?: boolean;
}

const lists = ['authorisations', 'cancellation-authorisations'];

/** The resource that a path below the prefix belongs to, with or without the payment product. */
function placeOf(path: string): LinkTarget | undefined {
  const [first = '', ...rest] = path
    .replace(/\?.*$/s, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
  if (first === 'consents') return { noun: 'consent', id: rest[0] };
  if (first === 'signing-baskets') return { noun: 'basket', id: rest[0] };
  if (!isPaymentService(first)) return undefined;
  const at = rest.findIndex((segment) => lists.includes(segment));
  if (at < 0) return { noun: 'payment', id: rest.at(-1) };
  return { noun: 'payment', id: rest[at - 1], cancels: rest[at] === 'cancellation-authorisations' };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path of a link behind the prefix; undefined where the link is refused anyway. */
export function pathBelowPrefix(href: string, policy: LinkPolicy): string | undefined {
  const resolved = resolveHref(href, policy);
  if (!resolved.ok) return undefined;
  for (const address of [policy.base, ...policy.origins]) {
    const url = parseUrl(address);
    const base = url?.pathname.replace(/\/+$/, '') ?? '';
    if (url?.origin === resolved.origin && resolved.path.startsWith(`${base}${policy.prefix}/`))
      return resolved.path.slice(base.length + policy.prefix.length);
  }
  return undefined;
}
