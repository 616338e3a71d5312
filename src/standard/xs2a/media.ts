/** The kinds of body by Content-Type, matched loosely as banks write it. */

/** The kind of a body, as far as its reader is concerned. */
export type MediaKind = 'json' | 'problem' | 'xml' | 'text' | 'multipart' | 'html' | 'other' | 'none';

/** A Content-Type taken apart: type in lower case without parameters, parameters by lower-case name, unquoted. */
export interface MediaType {
  readonly type: string;
  readonly params: ReadonlyMap<string, string>;
}

/** Takes a Content-Type apart (RFC 9110 8.3); wrong parameters are dropped, nothing is thrown. */
export function parseMediaType(contentType: string): MediaType {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const params = new Map<string, string>();
  for (const part of contentType.matchAll(/;\s*([^=;\s]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g)) {
    const [, name = '', quoted, bare = ''] = part;
    params.set(name.toLowerCase(), quoted === undefined ? bare.trim() : quoted.replace(/\\(.)/g, '$1'));
  }
  return { type, params };
}

/** Returns the kind of a Content-Type (`application/hal+json; charset=utf-8` is json); `none` for an absent one. */
export function mediaKind(contentType: string | undefined): MediaKind {
  if (contentType === undefined || contentType.trim() === '') return 'none';
  if (contentType === 'application/json') return 'json';
  const { type } = parseMediaType(contentType);
  const kind = kinds.get(type);
  if (kind !== undefined) return kind;
  if (type.endsWith('+json')) return 'json';
  if (type.endsWith('+xml')) return 'xml';
  return type.startsWith('multipart/') ? 'multipart' : 'other';
}

const kinds: ReadonlyMap<string, MediaKind> = new Map([
  ['application/problem+json', 'problem'],
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['text/plain', 'text'],
  ['application/text', 'text'],
]);

/** The Accept header for each requested format; JSON stays acceptable because a bank may answer with it anyway. */
export const acceptHeaders = {
  json: 'application/json',
  xml: 'application/xml, application/json;q=0.5',
  // The second word is that of the files before December 2019.
  text: 'text/plain, application/text;q=0.9, application/json;q=0.5',
} as const;
