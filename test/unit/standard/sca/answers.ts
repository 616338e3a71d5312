import { newConversation } from '../../../../src/standard/sca/state.ts';
import type { Conversation, Parent, ScaAnswer } from '../../../../src/standard/sca/state.ts';

export const parent: Parent = {
  kind: 'payment',
  id: 'pay-1',
  service: 'payments',
  product: 'sepa-credit-transfers',
};

export const authorisations = '/v1/payments/sepa-credit-transfers/pay-1/authorisations';

type Part = Partial<ScaAnswer>;

const plain: ScaAnswer = { method: 'GET', status: 200, hasLinks: false, links: {}, unknownLinks: [] };

/** An answer; naming links says that there are some. */
export function answer(method: ScaAnswer['method'], part: Part = {}): ScaAnswer {
  const status = method === 'POST' ? 201 : 200;
  const hasLinks = part.links !== undefined || part.unknownLinks !== undefined;
  return { ...plain, method, status, hasLinks, ...part };
}

/** A refusal of a secret. */
export function refusal(method: ScaAnswer['method'], part: Part = {}): ScaAnswer {
  return answer(method, { status: 401, ...part });
}

export function created(part: Part = {}): Conversation {
  return newConversation(parent, answer('POST', part), '2026-11-21T10:00:00.000Z');
}
