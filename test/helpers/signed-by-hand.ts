import { createHash, sign } from 'node:crypto';
import type { KeyObject, X509Certificate } from 'node:crypto';
import type { RightRequest } from './right-requests.ts';

/** A certificate for seals and its key. */
export interface Seal {
  certificate: X509Certificate;
  key: KeyObject;
}

/** Signs a request, whose headers hold bytes, as chapter 12 of the guidelines says, with node:crypto alone. */
export function signed<Request extends Pick<RightRequest, 'headers' | 'body'>>(
  request: Request,
  { certificate, key }: Seal,
): Request {
  const digest = `SHA-256=${createHash('sha256').update(request.body).digest('base64')}`;
  const headers: [string, string][] = [...request.headers, ['Digest', digest]];
  const names = ['Digest', 'X-Request-ID', 'PSU-ID', 'PSU-Corporate-ID', 'TPP-Redirect-URI'];
  const lines = names.flatMap((name) => {
    const value = headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
    return value === undefined ? [] : [`${name.toLowerCase()}: ${value}`];
  });
  const listed = lines.map((text) => text.slice(0, text.indexOf(':'))).join(' ');
  const serial = certificate.serialNumber.toLowerCase().replace(/^0+/, '');
  const issuer = certificate.issuer.split('\n').reverse().join(',').replaceAll(' ', '%20');
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'rsa-sha256' : 'ecdsa-sha256';
  const signature = sign('sha256', Buffer.from(lines.join('\n'), 'latin1'), key).toString('base64');
  return {
    ...request,
    headers: [
      ...headers,
      ['TPP-Signature-Certificate', certificate.raw.toString('base64')],
      [
        'Signature',
        `keyId="SN=${serial},CA=${issuer}",algorithm="${algorithm}",headers="${listed}",signature="${signature}"`,
      ],
    ],
  };
}
