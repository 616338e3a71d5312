import { isJsonObject } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import type { Reply } from '../rules/reply.ts';
import type { Dialect } from './dialect.ts';

/** An error in the form that the bank has for it; the links in it are in the bank's words. */
export function errorInForm(
  { settings }: Dialect,
  reply: Reply,
  inWords: (json: JsonValue) => JsonValue,
  atGateway: boolean,
): Reply {
  const [usual = 'tppMessages', ...others] = settings.errors?.shapes ?? [];
  // What never reaches the interface is refused by what stands before it.
  const shape = atGateway && others.includes('html') ? 'html' : usual;
  const { body, content, ...rest } = reply;
  if (body === undefined) return reply;
  const json = inWords(JSON.parse(JSON.stringify(body)) as JsonValue);
  const { code, text } = firstMessage(json);
  // An error that leads on is told in the form in which links can be told.
  const leads = isJsonObject(json) && json['_links'] !== undefined;
  if (shape === 'oauth' && !leads)
    return { ...rest, body: { error: code.toLowerCase(), error_description: text } };
  if (shape === 'html' && !leads) {
    const page = `<!doctype html><title>${String(reply.status)}</title><h1>${code}</h1><p>The request was refused.</p>`;
    return { ...rest, content: { type: 'text/html', bytes: Buffer.from(page) } };
  }
  return content === undefined ? { ...rest, body: json as object } : reply;
}

function firstMessage(json: JsonValue): { code: string; text: string } {
  const messages = isJsonObject(json) ? json['tppMessages'] : undefined;
  const first = Array.isArray(messages) ? messages[0] : undefined;
  const textOf = (name: string) => {
    const value = isJsonObject(first) ? first[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { code: textOf('code'), text: textOf('text') };
}
