// What is wrong in the genuine files themselves: each is put right before anything is judged by them, with its reason. Formats,
// escapes in patterns and the boolean exclusiveMinimum are put right where schemas are compiled (contract-schema.ts).
import type { Framework } from '../../src/standard/xs2a/variants.ts';
import type { RawDocument, Schema } from './official.ts';

/** One defect: it throws where the file does not have it, so that a repair of nothing is seen. */
export interface Repair {
  what: string;
  reason: string;
  frameworks: readonly Framework[];
  apply: (document: RawDocument) => void;
}

const every: readonly Framework[] = ['1.3.2', '1.3.6', '1.3.8', '1.3.11', '1.3.12'];
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

function schema({ components }: RawDocument, name: string): Schema {
  const found = components.schemas[name];
  if (found === undefined) throw new Error(`the file has no ${name}`);
  return found;
}

/** Points every reference below a value elsewhere. */
function repoint(value: unknown, from: string, to: string): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = (value as Schema).$ref === ref(from).$ref ? 1 : 0;
  if (own === 1) (value as Schema).$ref = ref(to).$ref!;
  return Object.values(value).reduce<number>((sum, inner) => sum + repoint(inner, from, to), own);
}

const some = (count: number, what: string): void => {
  if (count === 0) throw new Error(`the file does not have ${what}`);
};

export const repairs: readonly Repair[] = [
  {
    what: 'the list of cancellation authorisations is a bare array',
    reason: 'guidelines 5.7 have an object with cancellationIds, as every other list; later files too',
    frameworks: ['1.3.2'],
    apply: (document) => {
      const list = schema(document, 'cancellationList');
      if (list.type !== 'array') throw new Error('cancellationList is no array');
      document.components.schemas['cancellationList'] = {
        type: 'object',
        properties: { cancellationIds: list },
        required: ['cancellationIds'],
      };
    },
  },
  {
    what: 'CERTIFICATE_REVOKE in all lists of codes',
    reason: 'guidelines 14.11.1 spell it CERTIFICATE_REVOKED, and that is what a bank should send',
    frameworks: every,
    apply: ({ components: { schemas } }) => {
      const lists = Object.entries(schemas).filter(([name]) => name.startsWith('MessageCode401_'));
      some(lists.filter(([, { enum: codes }]) => codes?.includes('CERTIFICATE_REVOKE')).length, 'the code');
      for (const [, list] of lists) list.enum = [...(list.enum ?? []), 'CERTIFICATE_REVOKED'];
    },
  },
  {
    what: 'the answer 400 of funds-confirmations refers to the errors of AIS',
    reason: 'CARD_INVALID and NO_PIIS_ACTIVATION would be impossible there, and Error400_PIIS used nowhere',
    frameworks: every,
    apply: (document) => {
      const answer = document.components.responses['BAD_REQUEST_400_PIIS'];
      some(repoint(answer, 'Error400_NG_AIS', 'Error400_NG_PIIS'), 'the reference to AIS');
      some(repoint(answer, 'Error400_AIS', 'Error400_PIIS'), 'the reference to AIS');
    },
  },
  {
    what: 'Error401_PIIS refers to the codes of PIS',
    reason: 'REQUIRED_KID_MISSING is a code of PIS only (guidelines 14.11.2), and MessageCode401_PIIS exists',
    frameworks: every,
    apply: (document) => {
      some(repoint(schema(document, 'Error401_PIIS'), 'MessageCode401_PIS', 'MessageCode401_PIIS'), 'it');
    },
  },
  {
    what: 'monthsOfExecution bounds the length of its items, not of itself',
    reason: 'guidelines and files from 1.3.11 on: at most 11 months',
    frameworks: ['1.3.6', '1.3.8'],
    apply: (document) => {
      const months = schema(document, 'monthsOfExecution');
      const items = months.items as { maxItems?: number };
      some(items.maxItems ?? 0, 'maxItems on the item');
      delete items.maxItems;
      Object.assign(months, { maxItems: 11 });
    },
  },
  {
    what: 'the details of a transaction are wrapped twice',
    reason: 'guidelines 6.5.5 and the example of the file itself wrap them once',
    frameworks: ['1.3.8', '1.3.11', '1.3.12'],
    apply: (document) => {
      const answer = document.components.responses['OK_200_TransactionDetails'];
      some(repoint(answer, 'transactionDetailsBody', 'transactions'), 'the second wrapper');
    },
  },
  {
    what: 'tppMessageGeneric.code has the type of the category',
    reason: 'ERROR and WARNING are no codes; a type of its own from 1.3.12 on',
    frameworks: ['1.3.11'],
    apply: (document) => {
      const message = schema(document, 'tppMessageGeneric');
      some(repoint(message.properties?.['code'], 'tppMessageCategory', 'tppMessageText'), 'it');
    },
  },
];
