import { parseName } from './x500-names.ts';
import type { SignatureRules } from './signature-rules.ts';
import type { TppCertificate } from './tpp-certificate.ts';

/** Why keyId does not name the certificate as the bank wants it named; undefined where it does. */
export function keyIdMistake(
  keyId: string,
  certificate: TppCertificate,
  rule: SignatureRules['keyId'],
): string | undefined {
  const { serial, issuer, issuerText } = certificate;
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
