/** Reads a stream to its end. Throws if it has ended already or yields more than `maxBytes`. */
export async function readWhole(stream: NodeJS.ReadableStream, maxBytes = Infinity): Promise<Buffer> {
  if (!stream.readable) throw new Error('it has been read already');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > maxBytes) throw new Error(`it is longer than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
