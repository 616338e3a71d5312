/** The bytes as a text: in base64 where they are no UTF-8; a character that is cut at the end is left out. */
export function textOf(bytes: Uint8Array): { text: string; encoding: 'utf-8' | 'base64' } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return { text, encoding: 'utf-8' };
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  }
}
