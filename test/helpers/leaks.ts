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

/** Whether a secret can be read out of a text: plain, JSON, URL-encoded, hex, base64 and base64url at any alignment. */
export function leaks(text: string, secret: string): boolean {
  const bytes = Buffer.from(secret);
  for (const form of unwrapped(text)) {
    if (form.includes(secret)) return true;
    for (const [run] of form.matchAll(/[0-9a-f]{8,}/gi)) {
      if ([0, 1].some((at) => Buffer.from(run.slice(at), 'hex').includes(bytes))) return true;
    }
    for (const [run] of form.matchAll(/[A-Za-z0-9+/_-]{8,}/g)) {
      if ([0, 1, 2, 3].some((at) => Buffer.from(run.slice(at), 'base64').includes(bytes))) return true;
    }
  }
  return false;
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
