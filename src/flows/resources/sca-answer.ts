import type { ScaAnswer } from '../../sca/state.ts';
import { authorisationIdIn } from '../../xs2a/answer.ts';
import type { Answer } from '../../xs2a/answer.ts';
import type { ErrorBody } from '../../xs2a/tpp-messages.ts';

/** What the conversation takes from a success answer. */
export function scaAnswer(method: ScaAnswer['method'], answer: Answer): ScaAnswer {
  return { ...answer, method };
}

/** What the conversation takes from a refusal: its links, if it has any, and the authorisation that they name. */
export function scaRefusal(method: ScaAnswer['method'], status: number, body: ErrorBody): ScaAnswer {
  const authorisationId = authorisationIdIn(body.links);
  return {
    method,
    status,
    hasLinks: body.hasLinks,
    links: body.links.known,
    unknownLinks: Object.keys(body.links.unknown),
    ...(authorisationId === undefined ? {} : { authorisationId }),
  };
}
