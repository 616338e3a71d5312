/** Where the dates of a camt message stand; `setDay` of the rows reads them. */
import type { XmlNode } from '../xml/xml-scan.ts';
import { childText } from './camt-node.ts';

/** Returns the day of the transaction of RltdDts, or that of its acceptance. */
export const transactionDayAt = (days: XmlNode | undefined): string | undefined =>
  childText(days, 'TxDtTm') ?? childText(days, 'AccptncDtTm');

/** Returns the day of a choice of Dt and DtTm. */
export const dayAt = (node: XmlNode | undefined): string | undefined =>
  childText(node, 'Dt') ?? childText(node, 'DtTm');
