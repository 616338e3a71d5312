import type { BankDescriptor } from '../../records/bank-descriptor.ts';
import type { Framework } from '../../xs2a/variants.ts';

/** The known settings of banks that run one software, for `profile create --bank NAME`. */
export interface BankTemplate {
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  /** The settings by the framework that the bank speaks: the same software has declared other things in another one. */
  readonly settings: Readonly<Record<Framework, BankDescriptor>>;
}

const adorsys = {
  name: 'adorsys-xs2a',
  verifiedOn: '2026-11-22',
  sources: ['OpenAPI files in the repository adorsys/xs2a: 1.3.3 of July 2019 and 1.3.6 of October 2020'],
} as const;

/** Every template, by name. */
export const bankTemplates: readonly BankTemplate[] = [
  {
    name: 'adorsys-xs2a',
    about: 'Banks on the software XS2A of adorsys',
    settings: {
      '1.3.2': {
        meta: adorsys,
        consent: { withBalances: 'plural' },
        payments: {
          members: [
            ...(['ultimateDebtor', 'ultimateCreditor', 'purposeCode'] as const),
            ...(['remittanceInformationStructured', 'requestedExecutionDate'] as const),
          ],
          remittanceStructured: 'object',
          redirectOnCancel: true,
          plainText: true,
        },
      },
      '1.3.6': {
        meta: adorsys,
        payments: {
          members: [
            ...(['instructionIdentification', 'debtorName', 'ultimateDebtor', 'creditorId'] as const),
            ...(['ultimateCreditor', 'purposeCode', 'chargeBearer', 'requestedExecutionDate'] as const),
            ...(['remittanceInformationStructured', 'remittanceInformationStructuredArray'] as const),
          ],
          remittanceStructured: 'string',
          plainText: true,
        },
        reports: { paging: 'index' },
      },
    },
  },
];
