import { createHash, createVerify, X509Certificate } from 'node:crypto';

/** A bank written for these tests: reads the sent headers and the bytes, and uses nothing of ours. */
export function bankAccepts(
  sent: readonly (readonly [string, string])[],
  body: Uint8Array,
  target = '',
  p1363 = false,
): boolean {
  const get = (name: string) => sent.find(([other]) => other.toLowerCase() === name)?.[1];
  const parameters = new Map(
    [...(get('signature') ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );
  const hash = parameters.get('algorithm')!.endsWith('512') ? 'sha512' : 'sha256';
  const [, digestHash, expected] = /^SHA-(256|512)=(.+)$/.exec(get('digest')!)!;
  if (createHash(`sha${digestHash!}`).update(body).digest('base64') !== expected) return false;
  const lines = parameters
    .get('headers')!
    .split(' ')
    .map((name) => `${name}: ${name === '(request-target)' ? target : get(name)!.trim()}`);
  const certificate = new X509Certificate(Buffer.from(get('tpp-signature-certificate')!, 'base64'));
  const signature = Buffer.from(parameters.get('signature')!, 'base64');
  const key = { key: certificate.publicKey, dsaEncoding: p1363 ? 'ieee-p1363' : 'der' } as const;
  return createVerify(hash).update(lines.join('\n'), 'utf8').verify(key, signature);
}
