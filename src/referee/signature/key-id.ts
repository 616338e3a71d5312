import { parseName } from './x500-names.ts';
import type { DescribedKeyId, SignatureRules } from './signature-rules.ts';
import type { TppCertificate } from './tpp-certificate.ts';

/** Why keyId does not name the certificate as the bank wants it named; undefined where it does. */
export function keyIdMistake(
  keyId: string,
  certificate: TppCertificate,
  rule: SignatureRules['keyId'],
): string | undefined {
  const { serial, issuer, issuerText } = certificate;
  if (typeof rule === 'object') return describedMistake(keyId, certificate, rule);
  if (rule === 'exact') {
    const right = `SN=${serial.toString(16)},CA=${issuerText.replaceAll(' ', '%20')}`;
    return keyId === right ? undefined : `keyId is not ${right}.`;
  }
  const spelling = `${rule} ${keyId}`;
  if (certificate.keyIds.has(spelling)) return undefined;
  const match = /^SN=([0-9a-fA-F]+)\s*,\s*CA=(.+)$/i.exec(keyId);
  if (match?.[1] === undefined || match[2] === undefined) return 'keyId is not SN=...,CA=...';
  if (BigInt(`0x${match[1]}`) !== serial) return 'keyId names another serial number.';
  const same =
    rule === 'unencoded'
      ? match[2] === issuerText
      : parseName(decode(match[2]))?.join('\n') === issuer.join('\n');
  if (!same) return `keyId names another issuer${rule === 'unencoded' ? ` than ${issuerText}` : ''}.`;
  if (certificate.keyIds.size < 10) certificate.keyIds.add(spelling);
  return undefined;
}

/** The mistake in a keyId that one bank wants in a form of its own. */
function describedMistake(
  keyId: string,
  { serial, issuer, issuerText }: TppCertificate,
  wanted: DescribedKeyId,
): string | undefined {
  const form = wanted.template.replace('{serial}', () => serialIn(serial, wanted.serial));
  const [before = '', after] = form.split('{issuer}');
  if (after === undefined) return keyId === form ? undefined : `keyId is not ${form}.`;
  const right = form.replace('{issuer}', () => issuerText);
  const isInForm =
    keyId.startsWith(before) && keyId.endsWith(after) && keyId.length > before.length + after.length;
  if (!isInForm) return `keyId is not ${right}.`;
  const name = keyId.slice(before.length, keyId.length - after.length);
  const exact =
    wanted.issuer === 'rfc2253-%20'
      ? issuerText.replaceAll(' ', '%20')
      : wanted.issuer === 'rfc2253'
        ? issuerText
        : undefined;
  if (exact !== undefined) return name === exact ? undefined : `keyId names another issuer than ${exact}.`;
  if (parseName(name)?.join('\n') !== issuer.join('\n')) return 'keyId names another issuer.';
  // Only a name of several parts has something between them.
  const isSpaced = /^(java|dotnet|openssl$)/.test(wanted.issuer);
  return issuer.length > 1 && /[^\\], /.test(name) !== isSpaced
    ? `keyId does not write the issuer as ${wanted.issuer}.`
    : undefined;
}

/** A serial number as one bank writes it. */
function serialIn(serial: bigint, spelling: string): string {
  if (spelling === 'dec') return serial.toString();
  const short = serial.toString(16);
  const whole = short.length % 2 === 0 ? short : `0${short}`;
  // A byte of 0x80 and more would be a negative number without the zero before it.
  const signed = /^[89a-f]/.test(whole) ? `00${whole}` : whole;
  const written = { 'hex-bytes': whole, HEX: whole, 'HEX-signed': signed }[spelling] ?? short;
  return spelling.startsWith('HEX') ? written.toUpperCase() : written;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
