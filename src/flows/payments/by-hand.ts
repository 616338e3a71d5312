import { ObkError } from '../../errors.ts';
import type { Made } from '../../records/journal.ts';
import type { SavedResource } from '../../records/resources.ts';
import type { Answer } from '../../xs2a/answer.ts';
import type { Header } from '../../records/wire.ts';
import { savedRedirect } from '../browser/return-address.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { readOrder } from '../orders/read-order.ts';
import { madeOf, newResource } from '../resources/saved-resource.ts';

/** A payment as somebody has put it together. */
interface ByHand {
  service: string | undefined;
  product: string | undefined;
  headers: readonly Header[];
  body: CallInput['body'];
}

/** The payment that a request made which is not of `payment init`: it is led, read and cancelled as any other. */
export function madeByHand(target: Target, sent: ByHand, answer: Answer): Made {
  const { service = '', product = '', headers } = sent;
  const id = answer.ids.paymentId;
  if (id === undefined) throw new Error('a payment answer without paymentId passed the reader');
  const of = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
  const uri = of('tpp-redirect-uri');
  const summary = summaryOf(sent);
  const resource: SavedResource = {
    ...newResource(target, 'payment', id),
    ...{ service, product, links: answer.links },
    ...(summary === undefined ? {} : { summary }),
    ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    ...(answer.transactionStatus === undefined ? {} : { status: answer.transactionStatus }),
    ...(uri === undefined ? {} : { redirect: savedRedirect(uri, of('tpp-nok-redirect-uri')) }),
  };
  const psuId = of('psu-id');
  const asSent = psuId === undefined ? target : { ...target, psu: { ...target.psu, id: psuId } };
  return madeOf(asSent, resource, answer);
}

/** What the list shows of it; nothing of a body that the bank takes and obk does not read. */
function summaryOf({ service = '', product = '', body }: ByHand): SavedResource['summary'] {
  try {
    return body === undefined || !('bytes' in body)
      ? undefined
      : readOrder(service, product, body.bytes).summary;
  } catch (error) {
    if (error instanceof ObkError) return undefined;
    throw error;
  }
}
