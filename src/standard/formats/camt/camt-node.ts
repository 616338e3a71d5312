/** Finds parts of a camt message in the elements that the scanner made. */
import type { XmlNode } from '../xml/xml-scan.ts';

/** Returns the first child of a local name. */
export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  for (let found = node?.first; found !== undefined; found = found.next)
    if (found.name === name) return found;
  return undefined;
}

/** Returns the first element at a path of local names. */
export function at(node: XmlNode | undefined, ...path: readonly string[]): XmlNode | undefined {
  let found = node;
  for (const name of path) {
    if (found === undefined) return undefined;
    found = child(found, name);
  }
  return found;
}

/** Returns the text of an element without blanks around it; undefined where there is none. */
export function textOf(node: XmlNode | undefined): string | undefined {
  const text = node?.text.trim();
  return text === '' ? undefined : text;
}

/** Returns the text at a path as `textOf`. */
export const textAt = (node: XmlNode | undefined, ...path: readonly string[]): string | undefined =>
  textOf(at(node, ...path));

/** Returns the text of a child as `textOf`. */
export const childText = (node: XmlNode | undefined, name: string): string | undefined =>
  textOf(child(node, name));

/** Returns the children of a name, or all of them, in their order. */
export function all(node: XmlNode | undefined, name?: string): readonly XmlNode[] {
  let found: XmlNode[] | undefined;
  for (let one = node?.first; one !== undefined; one = one.next)
    if (name === undefined || one.name === name) (found ??= []).push(one);
  return found ?? none;
}
const none: readonly XmlNode[] = [];

/** Returns the currency that an amount says of itself, or ''. */
export const currencyOf = (amount: XmlNode | undefined): string => amount?.attributes.get('Ccy') ?? '';

/** Returns the code of a choice between one of ISO and one of the bank's own. */
export const codeAt = (node: XmlNode | undefined): string | undefined =>
  childText(node, 'Cd') ?? childText(node, 'Prtry');

/** Returns texts in one, without those that are not there; undefined where none is. */
export function joined(texts: readonly (string | undefined)[], by = ' '): string | undefined {
  const found = texts.filter((text) => text !== undefined && text !== '');
  return found.length === 0 ? undefined : found.join(by);
}

/** Returns the number of an account: its IBAN, or another identification. */
export function accountAt(account: XmlNode | undefined): string | undefined {
  const id = child(account, 'Id');
  if (id === undefined) return undefined;
  // Version 01 has the last three.
  return (
    childText(id, 'IBAN') ??
    textAt(id, 'Othr', 'Id') ??
    textAt(id, 'BBAN') ??
    textAt(id, 'UPIC') ??
    textAt(id, 'PrtryAcct', 'Id')
  );
}
