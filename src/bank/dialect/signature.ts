import { defined } from '../../base/defined.ts';
import type { BankSettings } from '../../settings/records/profile.ts';
import type { DescribedSignature } from '../../referee/signature/signature-rules.ts';
import { clientIdOf } from './client-id.ts';

type Signing = NonNullable<BankSettings['signing']>;

/** The names that the guidelines want signed, for a description that says nothing of them. */
const usualNames = ['digest', 'x-request-id', 'psu-id?', 'psu-corporate-id?', 'tpp-redirect-uri?'];

/** What a description wants of a signature beyond the family of banks that it names (signing.preset). */
export function signatureIn({ signing = {}, auth }: BankSettings): DescribedSignature {
  const { mode, hash, algorithmLabel, signatureEncoding, order, requiredFor } = signing;
  if (mode === 'none') return {};
  if (mode === 'jws') return digestIn(signing);
  const { certificateHeader } = signing;
  return {
    ...digestIn(signing),
    ...namesIn(signing),
    ...keyIdIn(signing),
    ...defined({ order, hash, label: algorithmLabel, encoding: signatureEncoding }),
    ...(certificateHeader !== undefined && { certificate: certificateForms[certificateHeader] }),
    ...defined({ requiredFor }),
    ...(auth?.clientId === 'tokenReply' && { clientIdOf }),
  };
}

const certificateForms = {
  bare: 'bare',
  pemOneLine: 'pem-line',
  pemUrlEncoded: 'pem-url',
  'base64-of-pem': 'pem-base64',
  none: 'none',
} as const;

function digestIn({ digest }: Signing): Pick<DescribedSignature, 'digest' | 'emptyBody'> {
  const { algorithm, emptyBody } = digest ?? {};
  return {
    ...defined({ digest: algorithm }),
    ...(emptyBody !== undefined && { emptyBody: emptyBody === 'empty' ? '' : emptyBody }),
  };
}

/** The names in their order: method and path first and Date last, where the list does not say it. */
function namesIn(signing: Signing): Pick<DescribedSignature, 'names'> {
  const { preset, headers, requestTarget, date, digest, order } = signing;
  const isOmitted = digest?.emptyBody === 'omit';
  const says = [headers, requestTarget, date?.sign, order].some((one) => one !== undefined) || isOmitted;
  if (!says) return {};
  const listed = (headers ?? usualNames).map((name) => name.toLowerCase());
  const hasDate = date?.sign ?? preset === 'adorsys';
  const names = [
    ...(requestTarget === true && !listed.includes('(request-target)') ? ['(request-target)'] : []),
    ...listed.map((name) => (isOmitted && name === 'digest' ? 'digest?' : name)),
    ...(hasDate && !listed.includes('date') ? ['date'] : []),
  ];
  return { names };
}

function keyIdIn({ preset, keyId }: Signing): Pick<DescribedSignature, 'keyId'> {
  if (keyId === undefined) return {};
  const { template = 'SN={serial},CA={issuer}', serial = 'hex' } = keyId;
  return {
    keyId: { template, serial, issuer: keyId.issuer ?? (preset === 'wso2' ? 'rfc2253' : 'rfc2253-%20') },
  };
}
