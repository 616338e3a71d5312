/** The ids and names in the address of a request whose operation is known, whatever stands in front of the interface. */
import { operations } from './operations.ts';
import type { ParamName } from './operations.ts';
import type { PathParams } from './request.ts';

/**
 * Returns the path parameters of an address, decoded, by the operation that it was called for; undefined where the end of the path
 * is not that of the operation.
 */
export function paramsOf(operation: string, url: string): PathParams | undefined {
  const template = operations
    .find(({ id }) => id === operation)
    ?.path.split('/')
    .slice(1);
  if (template === undefined) return undefined;
  const segments = pathOf(url).split('/').slice(-template.length);
  if (segments.length !== template.length) return undefined;
  const params: Partial<Record<ParamName, string>> = {};
  for (const [at, part] of template.entries()) {
    const segment = segments[at] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (part !== segment) return undefined;
    } else params[name as ParamName] = decoded(segment);
  }
  return params;
}

/** Returns the path of an address without its query. */
export const pathOf = (url: string): string =>
  (url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '') || '/';

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
