/** One thing in an answer that is written otherwise: the status, a header, the body or a member of it. */
export type AnswerEdit =
  | { readonly status: number }
  | { readonly body: string }
  | { readonly header: string; readonly to: string | undefined }
  | { readonly pointer: readonly string[]; readonly to: unknown };

/** An answer as far as it is edited. */
interface Edited {
  status: number;
  headers: Readonly<Record<string, string>>;
  content: string;
}

/** How an edit is written, for people. */
export const editForms = 'status=200, body=TEXT, NAME:=VALUE, NAME:, /pointer=VALUE or /pointer';

/**
 * Reads an edit: `status=200`, `body=TEXT`, `Location:=URL` for a header and `/paymentId=7` for a member by its JSON pointer, where the value
 * is JSON or else a text; `Location:` and `/paymentId` leave it out. Undefined for any other text.
 */
export function readEdit(text: string): AnswerEdit | undefined {
  const [, status] = /^status=([2-5]\d\d)$/.exec(text) ?? [];
  if (status !== undefined) return { status: Number(status) };
  if (text.startsWith('body=')) return { body: text.slice('body='.length) };
  const [, name, to] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(?:=([\x20-\x7e]+))?$/.exec(text) ?? [];
  if (name !== undefined) return { header: name, to };
  const [, pointer, value] = /^((?:\/(?:[^=~/]|~[01])+)+)(?:=(.*))?$/s.exec(text) ?? [];
  if (pointer === undefined) return undefined;
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { pointer: steps, to: value === undefined ? undefined : valueOf(value) };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Writes an answer otherwise in one thing; one that has no JSON keeps its members. */
export function withEdit(answer: Edited, edit: AnswerEdit): Edited {
  if ('status' in edit) return { ...answer, status: edit.status };
  if ('body' in edit) return { ...answer, content: edit.body };
  if ('header' in edit) {
    const kept = Object.entries(answer.headers).filter(
      ([name]) => name.toLowerCase() !== edit.header.toLowerCase(),
    );
    const set: [string, string][] = edit.to === undefined ? [] : [[edit.header, edit.to]];
    return { ...answer, headers: Object.fromEntries([...kept, ...set]) };
  }
  const json = valueOf(answer.content);
  if (typeof json !== 'object' || json === null) return answer;
  const { pointer, to } = edit;
  let at: unknown = json;
  for (const step of pointer.slice(0, -1))
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
  const last = pointer.at(-1) ?? '';
  if (typeof at !== 'object' || at === null) return answer;
  if (to !== undefined)
    Object.defineProperty(at, last, { value: to, enumerable: true, writable: true, configurable: true });
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else Reflect.deleteProperty(at, last);
  return { ...answer, content: JSON.stringify(json) };
}
