import { linksOf } from '../../../client/exchange/addresses.ts';
import { callByHand } from '../../../client/by-hand/call-by-hand.ts';
import { call } from '../../../client/call/call.ts';
import { needSameCall, sameAccountOnPages } from '../../../client/accounts/one-account.ts';
import { pageGuard } from '../../../client/accounts/page-guard.ts';
import type { CallInput } from '../../../client/exchange/prepared.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { Answer } from '../../../standard/xs2a/answer.ts';
import { isJsonObject, member } from '../../../standard/xs2a/json.ts';
import { operation } from '../../../standard/xs2a/operations.ts';

/**
 * A call and all pages after it: each next link as the bank wrote it, with the headers of the first call. Throws LINK_REFUSED
 * or ANSWER_UNREADABLE where one is not of what was asked for.
 */
export async function* pagesOf(target: Target, input: CallInput): AsyncGenerator<Answer> {
  const { params = {}, query: _, ...same } = input;
  const guard = pageGuard();
  const sameAccount = sameAccountOnPages();
  const asked = operation(input.operation);
  const paged = { variant: target.variant, operation: asked, params, links: linksOf(target, asked) };
  for (let answer = await callByHand(target, input); ;) {
    sameAccount(answer);
    yield answer;
    const href = nextIn(answer);
    if (href === undefined) return;
    needSameCall(href, paged);
    guard(href);
    answer = await call(target, { ...same, href });
  }
}

/** The link next of an answer, or of the report in it. */
function nextIn({ json }: Answer): string | undefined {
  const reports = isJsonObject(json) ? Object.values(json).filter(isJsonObject) : [];
  return [json, ...reports]
    .map((part) => member(member(member(part, '_links'), 'next'), 'href'))
    .find((href) => typeof href === 'string');
}
