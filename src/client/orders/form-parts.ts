import { boundaryOf, multipartType, readMultipart } from '../../standard/formats/text/multipart.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';

/** One part of an answer that is a form; JSON is read, everything else is text. */
export interface ShownPart {
  name: string;
  contentType: string;
  content: JsonValue;
}

/** The parts of an answer that is a form (a standing order as pain.001), else undefined; throws where they cannot be read. */
export function formParts({ media, body }: Answer): ShownPart[] | undefined {
  if (media !== 'multipart') return undefined;
  const boundary = boundaryOf(body);
  if (boundary === undefined) return undefined;
  return readMultipart(multipartType(boundary), body).map(({ name, contentType: type, content }) => ({
    name,
    contentType: type,
    content: /[/+]json\b/i.test(type) ? readJson(content) : Buffer.from(content).toString('utf8'),
  }));
}
