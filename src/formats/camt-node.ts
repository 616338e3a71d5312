/** Finds parts of a camt message in the elements that the scanner made. */
import type { XmlNode } from './xml-scan.ts';

/** Returns the first element at a path of local names. */
export function at(node: XmlNode | undefined, ...path: readonly string[]): XmlNode | undefined {
  let found = node;
  for (const name of path) {
    if (found === undefined) return undefined;
    found = childOf(found, name);
  }
  return found;
}

function childOf({ children }: XmlNode, name: string): XmlNode | undefined {
  for (const child of children) if (child.name === name) return child;
  return undefined;
}

/** Returns the text at a path without blanks around it; undefined where there is none. */
export function textAt(node: XmlNode | undefined, ...path: readonly string[]): string | undefined {
  const text = at(node, ...path)?.text.trim();
  return text === '' ? undefined : text;
}

/** Returns the children of a name, in their order. */
export function all(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  if (node === undefined) return none;
  let found: XmlNode[] | undefined;
  for (const child of node.children) if (child.name === name) (found ??= []).push(child);
  return found ?? none;
}
const none: readonly XmlNode[] = [];

/** Returns the currency that an amount says of itself, or ''. */
export const currencyOf = (amount: XmlNode | undefined): string => amount?.attributes.get('Ccy') ?? '';

/** Returns the code of a choice between one of ISO and one of the bank's own. */
export const codeAt = (node: XmlNode | undefined): string | undefined =>
  textAt(node, 'Cd') ?? textAt(node, 'Prtry');

/** Returns texts in one, without those that are not there; undefined where none is. */
export function joined(texts: readonly (string | undefined)[], by = ' '): string | undefined {
  const found = texts.filter((text) => text !== undefined && text !== '');
  return found.length === 0 ? undefined : found.join(by);
}

/** Returns the number of an account: its IBAN, or another identification. */
export function accountAt(account: XmlNode | undefined): string | undefined {
  const id = at(account, 'Id');
  // Version 01 has the last three.
  return (
    textAt(id, 'IBAN') ??
    textAt(id, 'Othr', 'Id') ??
    textAt(id, 'BBAN') ??
    textAt(id, 'UPIC') ??
    textAt(id, 'PrtryAcct', 'Id')
  );
}

/** Returns the day of a choice of Dt and DtTm. */
export const dayAt = (node: XmlNode | undefined): string | undefined =>
  textAt(node, 'Dt') ?? textAt(node, 'DtTm');
