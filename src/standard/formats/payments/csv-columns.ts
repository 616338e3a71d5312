/** The columns of a CSV file of payments. */

/** A column of the file: whether it must be there, what it says, and a cell of it. */
export interface CsvColumn {
  readonly name: string;
  readonly needed: boolean;
  readonly text: string;
  readonly example: string;
}

const column = <Name extends string>(name: Name, text: string, example = '', needed = false) =>
  ({ name, needed, text, example }) as const;

/** The columns that a file may have, in any order; a header line names them. */
export const csvColumns = [
  column('creditor_name', 'the name of the payee, at most 70 characters', 'Shop', true),
  column(
    'creditor_iban',
    'the account of the creditor; bban:NUMBER for one without IBAN',
    'DE89370400440532013000',
    true,
  ),
  column('amount', 'a decimal number such as 12.50, or 1.234,56 where the file has commas', '12.50', true),
  column('currency', 'three letters; EUR where it is absent or empty', 'EUR'),
  column('remittance', 'what the payment is for, at most 140 characters', 'Invoice 4711'),
  column('end_to_end_id', 'an identification for the creditor, at most 35 characters'),
  column('creditor_bic', 'the bank of the creditor'),
  column('creditor_street', 'at most 70 characters'),
  column('creditor_number', 'of the building, at most 16 characters'),
  column('creditor_postcode', 'at most 16 characters'),
  column('creditor_city', 'at most 35 characters'),
  column('creditor_country', 'two letters; needed with any other part of an address'),
  column('charge_bearer', 'DEBT, CRED, SHAR or SLEV'),
  column(
    'creditor_reference',
    'a structured reference: ISO 11649 (RF), a QR reference, or another of at most 35 characters',
  ),
  column(
    'creditor_line_1',
    'a further line of an address with town and country, in pain.001; at most 70 characters',
  ),
  column('creditor_line_2', 'another one'),
  column('uetr', 'a UUID of version 4, in pain.001.001.09 that is not of SEPA'),
  column('creditor_lei', 'legal entity identifier of the payee, in pain.001.001.09'),
  column(
    'instruction_priority',
    'HIGH or NORM, in pain.001 of cross-border payments; for a whole file of others by --instruction-priority',
  ),
  column('reporting_country', 'regulatory reporting in pain.001 that is not of SEPA: two letters'),
  column('reporting_code', 'its code, at most 10 characters'),
  column('reporting_information', 'its text, at most 35 characters'),
] as const satisfies readonly CsvColumn[];

/** The name of a column. */
export type ColumnName = (typeof csvColumns)[number]['name'];
