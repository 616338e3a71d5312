/** The forms of an address in a payment, and until when each is taken. */
import type { XmlElement } from '../xml/xml-tree.ts';

/**
 * The day from which no scheme of the EPC takes an unstructured address, by the settlement between banks. Source: EPC153-22
 * version 2.1, rulebooks 2025 version 1.1.
 */
export const lastUnstructured = '2026-11-15';

const until =
  'from 15 November 2026 the schemes of the EPC (SCT, SCT Inst, SDD Core, SDD B2B, OCT Inst) take none of these, ' +
  'and Swift (CBPR+) takes none from 14 November 2026';

/** What is wrong with the form of an address, and whether it is unstructured, which ends. */
export interface AddressFault {
  readonly text: string;
  readonly isUnstructured: boolean;
}

/** Tells what is wrong with the form of a PstlAdr; undefined for a structured one, and for a hybrid one within its limits. */
export function addressFault({ children }: XmlElement): AddressFault | undefined {
  const count = (name: string) => children.filter((child) => child.name === name).length;
  const missing = ['TwnNm', 'Ctry'].filter((name) => count(name) === 0).join(' and ');
  const lines = count('AdrLine');
  if (missing !== '' && lines > 0)
    return {
      text: `the address is unstructured, lines without ${missing}: ${until}; TwnNm and Ctry make it hybrid`,
      isUnstructured: true,
    };
  if (missing !== '')
    return { text: `the address has no ${missing}, and a structured one has both`, isUnstructured: false };
  if (lines <= 2) return undefined;
  const text = `a hybrid address has at most two AdrLine beside TwnNm and Ctry, and this has ${String(lines)}`;
  return { text, isUnstructured: false };
}
