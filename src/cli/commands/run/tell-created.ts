import { forProfile, line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { endOf, isUnknown } from '../../../client/resources/parent-status.ts';
import { shownUrl } from '../../../client/sca/visit.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { idNames, nounOf } from '../../../standard/sca/operations.ts';
import type { Conversation, Parent } from '../../../standard/sca/state.ts';
import { afterEnd } from '../output/end-of-authorisation.ts';
import { cleanLine } from '../../../base/clean.ts';

/**
 * Says on stderr what exists now, before anything else can end the run: a job that is killed while it waits has the id, and
 * the link once there is one. `earlier`: another run has made it.
 */
export function createdTeller(
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
