/** Undoes what an artefact may have done to a text: JSON and URL escapes, as often as they were applied. */
function* unwrapped(text: string): Generator<string> {
  let now = text;
  for (let depth = 0; depth < 4; depth += 1) {
    yield now;
    const before = now;
    now = now.replace(/\\u([0-9a-f]{4})|\\(.)/gi, (_, code?: string, plain = '') =>
      code === undefined ? String(plain) : String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (now === before) break;
  }
  yield text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

/** What may be hidden in a text by hex, base64 and base64url, at any alignment: bytes as latin1. */
function* decoded(text: string): Generator<string> {
  for (const [form, encoding, shifts] of [
    [/[0-9a-f]{8,}/gi, 'hex', 2],
    [/[A-Za-z0-9+/_-]{8,}/g, 'base64', 4],
  ] as const) {
    const runs = text.match(form) ?? [];
    for (let at = 0; at < shifts; at += 1)
      yield runs.map((run) => Buffer.from(run.slice(at), encoding).toString('latin1')).join('\n');
  }
}

/** Those secrets that can be read out of a text: plain, JSON, URL-encoded, hex, base64 and base64url at any alignment. */
export function leaked(text: string, secrets: readonly string[]): string[] {
  const found = new Set<string>();
  const bytes = secrets.map((secret) => [secret, Buffer.from(secret).toString('latin1')] as const);
  for (const form of unwrapped(text)) {
    for (const secret of secrets) if (form.includes(secret)) found.add(secret);
    for (const hidden of decoded(form))
      for (const [secret, as] of bytes) if (hidden.includes(as)) found.add(secret);
  }
  return secrets.filter((secret) => found.has(secret));
}

/** Whether a secret can be read out of a text. */
export function leaks(text: string, secret: string): boolean {
  return leaked(text, [secret]).length > 0;
}

/** The forms in which a bank may repeat a secret. */
export const encodings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  json: (secret) => JSON.stringify(secret),
  url: (secret) => encodeURIComponent(secret),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  HEX: (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 after one byte': (secret) => Buffer.from(`x${secret}yz`).toString('base64'),
  'base64 after two bytes': (secret) => Buffer.from(`xy${secret}z`).toString('base64'),
  base64url: (secret) => Buffer.from(`:${secret}`).toString('base64url'),
};
