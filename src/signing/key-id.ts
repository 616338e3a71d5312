import type { DerElement } from './der.ts';
import { expectElement, readElement, readElements, tags } from './der.ts';
import type { DistinguishedName, NameSpelling } from './distinguished-name.ts';
import { readName, spellName } from './distinguished-name.ts';

/**
 * How the serial number is written: `hex` a1b2c, `HEX` 0A1B2C in whole bytes, `hex-bytes` 0a1b2c, `HEX-short` A1B2C,
 * `HEX-signed` 00FA1B, the bytes of the certificate with the zero before a high one (.NET's SerialNumber), or decimal.
 */
export const serialSpellings = ['hex', 'HEX', 'hex-bytes', 'HEX-short', 'HEX-signed', 'dec'] as const;

/** One way to write a serial number. */
export type SerialSpelling = (typeof serialSpellings)[number];

/** How a bank expects the keyId: a template with `{serial}` and `{issuer}`, or a fixed text. */
export interface KeyIdOptions {
  template: string;
  serial: SerialSpelling;
  issuer: NameSpelling;
}

/** The parts of a keyId: the serial number's bytes (unsigned, big-endian) and the issuer's name. */
export interface KeyIdFacts {
  serial: Uint8Array;
  issuer: DistinguishedName;
}

/** The first fields of a certificate's body, from the serial number on (RFC 5280 section 4.1). */
export function certificateBody(der: Uint8Array): DerElement[] {
  const certificate = readElements(expectElement([readElement(der)], 0, tags.sequence).content);
  const body = readElements(expectElement(certificate, 0, tags.sequence).content);
  return body[0]?.tag === 0xa0 ? body.slice(1) : body;
}

/** Reads serial number and issuer from a certificate's DER by a short walk; throws CERTIFICATE_FILE. */
export function keyIdFacts(der: Uint8Array): KeyIdFacts {
  const body = certificateBody(der);
  const serial = expectElement(body, 0, tags.integer).content;
  const start = serial.findIndex((byte) => byte !== 0);
  return {
    serial: start === -1 ? Uint8Array.of(0) : serial.subarray(start),
    issuer: readName(expectElement(body, 2, tags.sequence)),
  };
}

/** Writes a serial number in one spelling. */
export function spellSerial(serial: Uint8Array, spelling: SerialSpelling): string {
  const hex = Buffer.from(serial).toString('hex');
  switch (spelling) {
    case 'HEX':
      return hex.toUpperCase();
    case 'hex-bytes':
      return hex;
    case 'hex':
      return hex.replace(/^0(?=.)/, '');
    case 'HEX-short':
      return hex.replace(/^0(?=.)/, '').toUpperCase();
    case 'HEX-signed':
      return ((serial[0] ?? 0) < 0x80 ? hex : `00${hex}`).toUpperCase();
    case 'dec':
      return BigInt(`0x${hex}`).toString();
  }
}

/**
 * Returns the keyId of a certificate as the bank wants it, such as `SN=9FA1,CA=CN=...` (guidelines, section
 * 12.2).
 */
export function keyId(facts: KeyIdFacts, options: KeyIdOptions): string {
  return options.template.replace(/\{(serial|issuer)\}/g, (_, field) =>
    field === 'serial' ? spellSerial(facts.serial, options.serial) : spellName(facts.issuer, options.issuer),
  );
}
