import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { Made } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { idNames } from '../../standard/sca/operations.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isJsonObject, member } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';
import { savedRedirect } from '../browser/return-address.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { readOrder } from '../orders/read-order.ts';
import type { PaymentKind } from '../orders/read-order.ts';
import { consentIn } from '../resources/read-consent.ts';
import { madeOf, newResource } from '../resources/saved-resource.ts';

/** The operations that make what is kept here. */
export const nounMadeBy: Partial<Readonly<Record<OperationId, Noun>>> = {
  initiatePayment: 'payment',
  createConsent: 'consent',
  createSigningBasket: 'basket',
};

/** The resource that a request made which is not of a command for it: it is led, read and ended as any other. */
export function madeByHand(target: Target, noun: Noun, sent: CallInput, answer: Answer): Made {
  const id = answer.ids[idNames[noun]];
  if (id === undefined) throw new Error(`a ${noun} answer without ${idNames[noun]} passed the reader`);
  const uri = headerIn(sent, 'tpp-redirect-uri');
  const status = noun === 'consent' ? answer.consentStatus : answer.transactionStatus;
  const resource: SavedResource = {
    ...newResource(target, noun, id),
    links: answer.links,
    ...defined({ requestId: answer.requestId, status }),
    ...(uri === undefined ? {} : { redirect: savedRedirect(uri, headerIn(sent, 'tpp-nok-redirect-uri')) }),
    ...asked[noun](sent),
  };
  return madeOf(asPsuOf(target, sent), resource, answer);
}

/** What the request says of the resource that it asks for. */
const asked: Readonly<Record<Noun, (sent: CallInput) => Partial<SavedResource>>> = {
  payment(sent) {
    const { 'payment-service': service = '', 'payment-product': product = '' } = sent.params ?? {};
    const summary = summaryOf({ service, product }, sent.body);
    return { service, product, ...defined({ summary }) };
  },
  consent(sent) {
    const json = jsonOf(sent.body);
    const psuId = headerIn(sent, 'psu-id');
    return isJsonObject(json)
      ? {
          consent: {
            ...consentIn(json, undefined),
            combined: member(json, 'combinedServiceIndicator') === true,
            ...defined({ psuId }),
          },
        }
      : {};
  },
  basket(sent) {
    const json = jsonOf(sent.body);
    const idsIn = (name: string) => {
      const list = member(json, name);
      return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
    };
    return { basket: { paymentIds: idsIn('paymentIds'), consentIds: idsIn('consentIds') } };
  },
};

/** The value of a header that a request by hand carries. */
export const headerIn = ({ headers = [] }: CallInput, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

/** The run as that of the PSU whom the headers of a request name, if they name one. */
export function asPsuOf(target: Target, sent: CallInput): Target {
  const id = headerIn(sent, 'psu-id');
  if (id === undefined) return target;
  const idType = headerIn(sent, 'psu-id-type');
  const corporateId = headerIn(sent, 'psu-corporate-id');
  const corporateIdType = headerIn(sent, 'psu-corporate-id-type');
  const named = {
    id,
    ...defined({ idType, corporateId, corporateIdType }),
  };
  return {
    ...target,
    psu: { ...target.psu, ...named },
    run: { ...target.run, psu: { ...target.run.psu, ...named } },
  };
}

function jsonOf(body: CallInput['body']): JsonValue | undefined {
  return body !== undefined && 'bytes' in body ? tryJson(body.bytes) : undefined;
}

/** What the list shows of it; nothing of a body that the bank takes and obk does not read. */
function summaryOf(kind: PaymentKind, body: CallInput['body']): SavedResource['summary'] {
  try {
    return body === undefined || !('bytes' in body) ? undefined : readOrder(kind, body.bytes).summary;
  } catch (error) {
    if (error instanceof ObkError) return undefined;
    throw error;
  }
}
