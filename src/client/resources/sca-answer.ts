import { defined } from '../../base/defined.ts';
import type { ScaAnswer } from '../../standard/sca/state.ts';
import { authorisationIdIn } from '../../standard/xs2a/answer.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import type { ErrorBody } from '../../standard/xs2a/tpp-messages.ts';

/** The part of a success answer that the conversation needs. */
export function scaAnswer(method: ScaAnswer['method'], answer: Answer): ScaAnswer {
  return { ...answer, method };
}

/** The part of a refusal that the conversation needs: its links, if any, and the authorisation they name. */
export function scaRefusal(method: ScaAnswer['method'], status: number, body: ErrorBody): ScaAnswer {
  const authorisationId = authorisationIdIn(body.links);
  return {
    method,
    status,
    hasLinks: body.hasLinks,
    links: body.links.known,
    unknownLinks: Object.keys(body.links.unknown),
    ...defined({ authorisationId }),
  };
}
