import ts from 'typescript';
import { inSource, parse, visit } from './source.ts';
import type { Source } from './source.ts';

/** Who may take a secret out of its wrapping, how often, and what for: the last one before the wire, a file or a sum. */
export const revealers: Readonly<Record<string, readonly [calls: number, why: string]>> = {
  'signing/certificate': [1, 'the key of the test authority signs a certificate'],
  'signing/digest': [4, 'marks and fingerprints that cannot be turned back'],
  'signing/jwe': [1, 'the password is encrypted for the bank'],
  'signing/material': [3, 'private key and passphrase go to OpenSSL'],
  'signing/pkcs12': [1, 'the passphrase opens a PKCS#12 file'],
  'client/browser/return-url': [1, 'the address of a return is read, and its code is a Secret again'],
  'client/call/prepare': [
    3,
    'the body and the header Authorization as they are sent; the claim of a token that names the PSU',
  ],
  'client/oauth/oauth-parameters': [1, 'a client_secret goes to the OAuth server'],
  'client/oauth/oauth-grants': [5, 'verifier, code and tokens go to the OAuth server'],
  'tester/journeys/psu': [1, 'a wrong secret is made of the right one'],
  'tester/journeys/stand-in': [1, 'the address that a browser ended at, as it is pasted'],
  'adapters/http/http-proxy': [1, 'the header Proxy-Authorization as it is sent'],
  'adapters/http/http-request-check': [1, 'headers as they are sent'],
  'adapters/http/http-tls': [2, 'the key of the QWAC and its passphrase go to OpenSSL'],
  'adapters/secrets/conf-credentials': [2, 'credentials.json, or the keyring'],
  'adapters/shared-state/move-state': [
    1,
    'the key by which a machine knows what it has sent goes into its file',
  ],
  'adapters/postgres/postgres-credentials': [1, 'tokens are sealed in their row of the database'],
  'adapters/postgres/server-address': [1, 'user and password of a database, as they are sent to it'],
  'adapters/postgres/vault': [1, 'the key that seals what leaves for a database'],
  'adapters/terminal/scripted-person': [1, 'blanks within an OTP are taken out'],
  'adapters/browser/notification-listener': [2, 'a TLS server needs its key'],
  'adapters/http/undici-http': [2, 'connections with the same key are shared'],
  'adapters/files/user-files': [1, 'a private key is written to its file'],
  'cli/commands/sandbox/serving': [1, 'the link to the window of the bank inside is made to be opened'],
  'bank/notifications/post': [1, 'the bank inside pushes with a key that it made for a fault'],
  'bank/process/entrance': [
    1,
    'the access key of the bank inside is compared with the one that a call shows',
  ],
  'bank/addressing/ask-bank': [2, 'token and access key of a bank elsewhere, as they are sent to that bank'],
  'bank/sca/password-encryption': [1, 'the bank inside keeps the key that its certificate is for'],
  'bank/home/keys': [2, 'the bank inside writes the keys that it made, and shows its own to OpenSSL'],
};

/** The lines of a file that reveal a secret. */
function reveals(source: Source): number[] {
  const lines: number[] = [];
  if (!/reveal|\\/.test(source.text)) return lines;
  const file = parse(source);
  visit(file, (node) => {
    const isReveal =
      (ts.isPropertyAccessExpression(node) && node.name.text === 'reveal') ||
      (ts.isElementAccessExpression(node) &&
        ts.isStringLiteralLike(node.argumentExpression) &&
        node.argumentExpression.text === 'reveal') ||
      (ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'reveal');
    if (isReveal) lines.push(file.getLineAndCharacterOfPosition(node.getStart()).line + 1);
  });
  return lines;
}

/** Calls of `reveal` in a file beyond those that its row foresees. */
export function revealViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (place === undefined || place === 'secret') return [];
  const lines = reveals(source);
  const [calls] = revealers[place] ?? [0];
  if (lines.length <= calls) return [];
  const found = `${String(lines.length)} times (lines ${lines.join(', ')})`;
  return [`${source.path}: reveals a secret ${found}, ${String(calls)} are foreseen`];
}

/** Rows that foresee more calls than there are. */
export function idleRevealers(sources: readonly Source[]): string[] {
  const counts = new Map(sources.map((source) => [inSource(source.path), reveals(source).length]));
  return Object.entries(revealers).flatMap(([place, [calls]]) =>
    counts.get(place) === calls ? [] : [`${place}: ${String(calls)} calls are foreseen`],
  );
}
