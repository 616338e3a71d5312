/**
 * A request as text without what stands around it: comments of files of requests, marks and lines of `curl -v`, and the fields of
 * HTTP/2 in place of a request line. Bytes that are none of this are the same.
 */
export function bareHttp(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (/^> ?[A-Z]+ \S+ HTTP\//m.test(text)) return Buffer.from(sentOf(text), 'latin1');
  const bare = text.replace(/^(?:\s*(?:#|\/\/)[^\n]*\n)+/, '').trimStart();
  return Buffer.from(/^:[a-z]+: /.test(bare) ? withRequestLine(bare) : bare, 'latin1');
}

/** What `curl -v` marks as sent; where nothing else is there, the lines of a body stand below without a mark. */
function sentOf(text: string): string {
  const lines = text.split(/\r?\n/);
  const isSent = (line: string) => line.startsWith('>');
  if (!lines.some((line) => /^[*<{}] ?/.test(line))) return text.replace(/^> ?/gm, '');
  return `${lines
    .filter(isSent)
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n')
    .trimEnd()}\n`;
}

function withRequestLine(text: string): string {
  const [head = '', ...rest] = text.split(/(\r?\n\r?\n[^]*)/);
  const lines = head.split(/\r?\n/);
  const field = (name: string) => lines.find((line) => line.startsWith(`:${name}: `))?.slice(name.length + 3);
  const others = lines.filter((line) => !line.startsWith(':'));
  return [`${field('method') ?? ''} ${field('path') ?? ''} HTTP/2`, ...others].join('\n') + rest.join('');
}
