/** A request as it goes out, secrets cut out already. */
export interface ShownRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

/** An equivalent curl command; where a secret was cut out, a variable of the shell stands in its place. */
export function curlCommand({ method, url, headers, body }: ShownRequest): string {
  const parts = [`curl -X ${method} ${quoted(url)}`];
  for (const [name, value] of headers) {
    if (name.toLowerCase() === 'authorization') parts.push(`-H "${name}: Bearer $OBK_TOKEN"`);
    else parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body !== '') parts.push(`--data-binary ${quoted(body)}`);
  return parts.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
