// Own code because @peculiar/asn1-x509-qualified cannot read a statement without information (QcCompliance) and no
// package knows the PSD2 statement.
import type { DerElement } from './der.ts';
import {
  encodeElement,
  encodeOid,
  encodeUtf8,
  expectElement,
  oidText,
  readElement,
  readElements,
  tags,
} from './der.ts';

/** The four roles of a payment service provider (ETSI TS 119 495 section 4.2). */
export const psd2RoleOids = {
  PSP_AS: '0.4.0.19495.1.1',
  PSP_PI: '0.4.0.19495.1.2',
  PSP_AI: '0.4.0.19495.1.3',
  PSP_IC: '0.4.0.19495.1.4',
} as const;

/** One role: PSP_AS keeps accounts, PSP_PI starts payments, PSP_AI reads accounts, PSP_IC issues cards. */
export type Psd2Role = keyof typeof psd2RoleOids;

/** The purpose of a qualified certificate: electronic signature, electronic seal or website (EN 319 412-5 4.2.3). */
export type QcType = 'esign' | 'eseal' | 'web';

/** The PSD2 statement: the roles, and the authority that granted them (ETSI TS 119 495 section 5.1). */
export interface Psd2Statement {
  roles: { oid: string; name: string }[];
  ncaName: string;
  ncaId: string;
}

/** Where a disclosure statement of the authority (PDS) stands, and its language as ISO 639-1 (EN 319 412-5 section 4.3.4). */
export interface PdsLocation {
  url: string;
  language: string;
}

/** The statements of a qualified certificate (RFC 3739 section 3.2.6, ETSI EN 319 412-5). */
export interface QcStatements {
  compliance: boolean;
  types: string[];
  sscd: boolean;
  pds: PdsLocation[];
  /** For how many years after its end the authority keeps what it knows of the certificate. */
  retentionYears?: number;
  /** The first one, where there are several. */
  psd2?: Psd2Statement;
  /** Statements of other kinds, as dotted text. */
  others: string[];
  /** Deviations from the standards, in words. */
  odd: string[];
}

/** The extension that holds the statements. */
export const qcStatementsOid = '1.3.6.1.5.5.7.1.3';

const complianceOid = '0.4.0.1862.1.1';
const retentionOid = '0.4.0.1862.1.3';
const sscdOid = '0.4.0.1862.1.4';
const pdsOid = '0.4.0.1862.1.5';
const typeOid = '0.4.0.1862.1.6';
const psd2Oid = '0.4.0.19495.2';
const statementNames: Readonly<Record<string, string>> = {
  [complianceOid]: 'QcCompliance',
  [retentionOid]: 'QcRetentionPeriod',
  [sscdOid]: 'QcSSCD',
  [pdsOid]: 'QcPDS',
  [typeOid]: 'QcType',
  [psd2Oid]: 'The PSD2 statement',
};
const qcTypeOids: Readonly<Record<QcType, string>> = {
  esign: `${typeOid}.1`,
  eseal: `${typeOid}.2`,
  web: `${typeOid}.3`,
};

function sequence(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return encodeElement(tags.sequence, ...parts);
}

/** What the QCStatements extension of a certificate is to say; roles and locations in the order given. */
export interface QcWish {
  type: QcType;
  roles: readonly Psd2Role[];
  ncaName: string;
  ncaId: string;
  pds?: readonly PdsLocation[];
}

/** Encodes QcCompliance, QcPDS, QcType and the PSD2 statement as the DER value of the extension. */
export function encodeQcStatements({
  type,
  roles,
  ncaName,
  ncaId,
  pds = [],
}: QcWish): Uint8Array<ArrayBuffer> {
  const roleList = roles.map((role) => sequence(encodeOid(psd2RoleOids[role]), encodeUtf8(role)));
  const ascii = (tag: number, text: string) => encodeElement(tag, Buffer.from(text, 'ascii'));
  const locations = pds.map(({ url, language }) =>
    sequence(ascii(tags.ia5String, url), ascii(tags.printableString, language)),
  );
  return sequence(
    sequence(encodeOid(complianceOid)),
    ...(locations.length === 0 ? [] : [sequence(encodeOid(pdsOid), sequence(...locations))]),
    sequence(encodeOid(typeOid), sequence(encodeOid(qcTypeOids[type]))),
    sequence(encodeOid(psd2Oid), sequence(sequence(...roleList), encodeUtf8(ncaName), encodeUtf8(ncaId))),
  );
}

function sequencesOf(element: DerElement | undefined): DerElement[] {
  return element?.tag === tags.sequence ? readElements(element.content) : [];
}

/** Leaves of a nested encoding, from left to right. */
function leaves(element: DerElement): DerElement[] {
  return element.tag === tags.sequence ? readElements(element.content).flatMap(leaves) : [element];
}

function isPlain({ content }: DerElement): boolean {
  const [roles, ...rest] = readElements(content);
  const pair = (role: DerElement) => {
    const tagsOf = sequencesOf(role).map(({ tag }) => tag);
    return tagsOf.length === 2 && tagsOf[0] === tags.oid && tagsOf[1] === tags.utf8String;
  };
  return (
    sequencesOf(roles).every(pair) && rest.length === 2 && rest.every(({ tag }) => tag === tags.utf8String)
  );
}

/**
 * Roles and authority are found by their order whatever is wrapped in what: some authorities leave out the SEQUENCE
 * of each role, or that of all.
 */
function readPsd2(parts: readonly DerElement[], odd: string[]): Psd2Statement {
  const [info] = parts;
  if (parts.length !== 1 || info?.tag !== tags.sequence || !isPlain(info))
    odd.push('The PSD2 statement does not follow ETSI TS 119 495; it was read by the order of its parts.');
  const all = parts.flatMap(leaves);
  const isText = (element: DerElement | undefined) => element !== undefined && element.tag !== tags.oid;
  const [name, id] = isText(all.at(-1)) && isText(all.at(-2)) ? all.splice(-2) : [];
  const roles: Psd2Statement['roles'] = [];
  for (const leaf of all) {
    const last = roles.at(-1);
    if (leaf.tag === tags.oid) roles.push({ oid: oidText(leaf.content), name: '' });
    else if (last?.name === '') last.name = stringOf(leaf);
    else odd.push(`The PSD2 statement holds a text that is neither a role nor the authority.`);
  }
  for (const { oid, name: called } of roles) {
    const right = Object.entries(psd2RoleOids).find(([, known]) => known === oid)?.[0];
    if (right === undefined) odd.push(`The role ${oid} is not a role of PSD2.`);
    else if (right !== called) odd.push(`The role ${oid} is called ${JSON.stringify(called)}, not ${right}.`);
  }
  return { roles, ncaName: stringOf(name), ncaId: stringOf(id) };
}

function stringOf(element: DerElement | undefined): string {
  return element === undefined ? '' : Buffer.from(element.content).toString('utf8');
}

/** The statements as lists that begin with an OID; one that is not wrapped is found and called odd. */
function statementsIn(elements: readonly DerElement[], odd: string[]): DerElement[][] {
  const found: DerElement[][] = [];
  const rest = [...elements];
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next.tag !== tags.oid) {
      found.push(readElements(next.content));
      continue;
    }
    const id = oidText(next.content);
    odd.push(`The statement ${id} has no SEQUENCE of its own.`);
    const told =
      id === typeOid || id === psd2Oid || id === pdsOid
        ? rest.splice(0, rest[0]?.tag === tags.sequence ? 1 : 0)
        : [];
    found.push([next, ...told]);
  }
  return found;
}

/**
 * Reads the DER value of the QCStatements extension; unknown types and statements stay as dotted text, and what is
 * built otherwise than the standards say is read as far as it goes and named in `odd`; throws CERTIFICATE_FILE where
 * it is not even DER.
 */
export function readQcStatements(value: Uint8Array): QcStatements {
  const result: QcStatements = { compliance: false, types: [], sscd: false, pds: [], others: [], odd: [] };
  const { odd } = result;
  const seen = new Map<string, number>();
  const outer = expectElement([readElement(value)], 0, tags.sequence);
  for (const [head, ...info] of statementsIn(readElements(outer.content), odd)) {
    if (head?.tag !== tags.oid) {
      odd.push('A statement does not begin with an OID.');
      continue;
    }
    const id = oidText(head.content);
    seen.set(id, (seen.get(id) ?? 0) + 1);
    readStatement(result, id, info);
  }
  for (const [id, times] of seen) {
    if (times > 1) odd.push(`${statementNames[id] ?? `The statement ${id}`} is there ${times} times.`);
  }
  return result;
}

function readStatement(result: QcStatements, id: string, info: readonly DerElement[]): void {
  const { odd } = result;
  if (id === complianceOid) result.compliance = true;
  else if (id === sscdOid) result.sscd = true;
  else if (id === typeOid) result.types = readTypes(info, odd);
  else if (id === pdsOid) result.pds.push(...readPds(info, odd));
  else if (id === retentionOid) Object.assign(result, readRetention(info, odd));
  else if (id !== psd2Oid) result.others.push(id);
  else if (info.length === 0) odd.push('The PSD2 statement has no content.');
  else result.psd2 ??= readPsd2(info, odd);
}

function readTypes(info: readonly DerElement[], odd: string[]): string[] {
  if (info[0]?.tag !== tags.sequence) odd.push('QcType is not a SEQUENCE of types.');
  return info.flatMap(leaves).map(({ content }) => {
    const found = Object.entries(qcTypeOids).find(([, candidate]) => candidate === oidText(content));
    return found?.[0] ?? oidText(content);
  });
}

function readPds([list]: readonly DerElement[], odd: string[]): PdsLocation[] {
  const found = sequencesOf(list).map(sequencesOf);
  const whole = found.filter(
    ([url, language]) => url?.tag === tags.ia5String && language?.tag === tags.printableString,
  );
  if (whole.length === 0 || whole.length < found.length)
    odd.push('QcPDS is not a list of addresses with their languages.');
  return whole.map(([url, language]) => ({ url: stringOf(url), language: stringOf(language) }));
}

function readRetention([years]: readonly DerElement[], odd: string[]): Pick<QcStatements, 'retentionYears'> {
  const hex = Buffer.from(years?.content ?? []).toString('hex');
  if (years?.tag === tags.integer && /^[0-7][0-9a-f]{1,7}$/.test(hex))
    return { retentionYears: Number(`0x${hex}`) };
  odd.push('QcRetentionPeriod is not a number of years.');
  return {};
}
