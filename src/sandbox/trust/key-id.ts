import { unauthorised } from '../rules/refusal.ts';
import { parseName } from './x500-names.ts';
import type { SignatureRules } from './signature-rules.ts';
import type { TppCertificate } from './tpp-certificate.ts';

const invalid = (text: string) => unauthorised('SIGNATURE_INVALID', text);

/** Throws SIGNATURE_INVALID where keyId does not name the certificate as the bank wants it named. */
export function checkKeyId(keyId: string, certificate: TppCertificate, rule: SignatureRules['keyId']): void {
  const { serial, issuer, issuerText } = certificate;
  if (rule === 'exact') {
    const right = `SN=${serial.toString(16)},CA=${issuerText.replaceAll(' ', '%20')}`;
    if (keyId !== right) throw invalid(`keyId is not ${right}.`);
    return;
  }
  const spelling = `${rule} ${keyId}`;
  if (certificate.keyIds.has(spelling)) return;
  const match = /^SN=([0-9a-fA-F]+)\s*,\s*CA=(.+)$/i.exec(keyId);
  if (match?.[1] === undefined || match[2] === undefined) throw invalid('keyId is not SN=...,CA=...');
  if (BigInt(`0x${match[1]}`) !== serial) throw invalid('keyId names another serial number.');
  const same =
    rule === 'unencoded'
      ? match[2] === issuerText
      : parseName(decode(match[2]))?.join('\n') === issuer.join('\n');
  if (!same) throw invalid(`keyId names another issuer${rule === 'unencoded' ? ` than ${issuerText}` : ''}.`);
  if (certificate.keyIds.size < 10) certificate.keyIds.add(spelling);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
