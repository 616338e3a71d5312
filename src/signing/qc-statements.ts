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

/**
 * What a qualified certificate is for: electronic signature, electronic seal or website (EN 319 412-5 4.2.3).
 */
export type QcType = 'esign' | 'eseal' | 'web';

/** The PSD2 statement: the roles, and the authority that granted them (ETSI TS 119 495 section 5.1). */
export interface Psd2Statement {
  roles: { oid: string; name: string }[];
  ncaName: string;
  ncaId: string;
}

/** The statements of a qualified certificate (RFC 3739 section 3.2.6, ETSI EN 319 412-5). */
export interface QcStatements {
  compliance: boolean;
  types: string[];
  sscd: boolean;
  psd2?: Psd2Statement;
  /** Statements of other kinds, as dotted text. */
  others: string[];
}

/** The extension that holds the statements. */
export const qcStatementsOid = '1.3.6.1.5.5.7.1.3';

const complianceOid = '0.4.0.1862.1.1';
const sscdOid = '0.4.0.1862.1.4';
const typeOid = '0.4.0.1862.1.6';
const psd2Oid = '0.4.0.19495.2';
const qcTypeOids: Readonly<Record<QcType, string>> = {
  esign: `${typeOid}.1`,
  eseal: `${typeOid}.2`,
  web: `${typeOid}.3`,
};

function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return encodeElement(tags.sequence, ...parts);
}

/**
 * Encodes QcCompliance, QcType and the PSD2 statement as the DER value of the extension; roles in the order
 * given.
 */
export function encodeQcStatements(
  type: QcType,
  roles: readonly Psd2Role[],
  ncaName: string,
  ncaId: string,
): Uint8Array {
  const roleList = roles.map((role) => sequence(encodeOid(psd2RoleOids[role]), encodeUtf8(role)));
  return sequence(
    sequence(encodeOid(complianceOid)),
    sequence(encodeOid(typeOid), sequence(encodeOid(qcTypeOids[type]))),
    sequence(encodeOid(psd2Oid), sequence(sequence(...roleList), encodeUtf8(ncaName), encodeUtf8(ncaId))),
  );
}

function text(elements: readonly DerElement[], index: number): string {
  return Buffer.from(expectElement(elements, index, tags.utf8String).content).toString('utf8');
}

function oid(elements: readonly DerElement[], index: number): string {
  return oidText(expectElement(elements, index, tags.oid).content);
}

function readPsd2(content: Uint8Array): Psd2Statement {
  const parts = readElements(content);
  const roles = readElements(expectElement(parts, 0, tags.sequence).content).map((role) => {
    const pair = readElements(role.content);
    return { oid: oid(pair, 0), name: text(pair, 1) };
  });
  return { roles, ncaName: text(parts, 1), ncaId: text(parts, 2) };
}

/** Reads the DER value of the QCStatements extension; unknown types and statements stay as dotted text. */
export function readQcStatements(value: Uint8Array): QcStatements {
  const result: QcStatements = { compliance: false, types: [], sscd: false, others: [] };
  for (const statement of readElements(expectElement([readElement(value)], 0, tags.sequence).content)) {
    const parts = readElements(statement.content);
    const id = oid(parts, 0);
    if (id === complianceOid) result.compliance = true;
    else if (id === sscdOid) result.sscd = true;
    else if (id === typeOid)
      result.types = readElements(expectElement(parts, 1, tags.sequence).content).map(({ content }) => {
        const found = Object.entries(qcTypeOids).find(([, candidate]) => candidate === oidText(content));
        return found?.[0] ?? oidText(content);
      });
    else if (id === psd2Oid) result.psd2 = readPsd2(expectElement(parts, 1, tags.sequence).content);
    else result.others.push(id);
  }
  return result;
}
