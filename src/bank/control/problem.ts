import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';

/** What a caller of the control API hears of what went wrong: what, why, and what to do next (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly detail: string;
  readonly next: readonly string[];
  readonly pointer: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  get title(): string {
    return this.message;
  }

  constructor(
    status: number,
    parts: {
      title: string;
      detail: string;
      next: readonly string[];
      pointer?: string | undefined;
      headers?: Readonly<Record<string, string>>;
    },
  ) {
    super(parts.title);
    this.status = status;
    this.detail = parts.detail;
    this.next = parts.next;
    this.pointer = parts.pointer;
    this.headers = parts.headers ?? {};
  }

  /** The answer that tells it. */
  answer(): Response {
    const { status, title, detail, next, pointer } = this;
    const body = {
      type: 'about:blank',
      title,
      status,
      detail,
      next,
      ...defined({ pointer }),
    };
    return new Response(JSON.stringify(body), {
      status,
      headers: { ...this.headers, 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
    });
  }
}

/** The detail of a refusal that has none of its own: a person at a terminal is not shown it. */
export const withoutDetail = {
  bank: 'The bank cannot do it.',
  decision: 'What it is about does not allow it.',
} as const;

/** What a problem says to a person at a terminal (USAGE), for whom calls of the API are no hint. */
export function refusalOf({ title, detail, next }: Pick<Problem, 'title' | 'detail' | 'next'>): ObkError {
  return new ObkError({
    code: 'USAGE',
    title,
    ...(detail !== '' && !Object.values<string>(withoutDetail).includes(detail) && { detail }),
    hint: next.filter((one) => /^obk [a-z]/.test(one)),
  });
}

/** The command that shows the same as a list of the API. */
const commands: Readonly<Record<string, string>> = {
  people: 'obk sandbox people',
  calls: 'obk sandbox log',
  snapshots: 'obk sandbox snapshot list',
  notifications: 'obk sandbox log --notifications',
  tenants: 'obk sandbox tenant list',
};

/** 404: the bank has nothing of this kind and id; `list` shows what it has. */
export function notThere(
  kind: string,
  id: string,
  list: string,
  detail = 'It is unknown, or was forgotten by a reset.',
): Problem {
  return absent(`The bank has no ${kind} ${id}.`, list, detail);
}

/** As `notThere`, under a title of its own. */
export function absent(title: string, list: string, detail: string, also: readonly string[] = []): Problem {
  const next = [`GET /sandbox/api/${list}`, ...[commands[list] ?? []].flat(), ...also];
  return new Problem(404, { title, detail, next });
}

/** 404: no tenant of this name has called yet. */
export const noTenant = (name: string): Problem =>
  absent(`The bank has no tenant ${name}.`, 'tenants', 'None of that name has called, or it was deleted.', [
    line`obk sandbox tenant create ${name}`,
  ]);

/** 400: a part of the request is not as it should be. */
export function badRequest(
  title: string,
  detail: string,
  pointer?: string,
  next?: readonly string[],
): Problem {
  return new Problem(400, { title, detail, pointer, next: next ?? ['GET /sandbox/api/openapi.json'] });
}

/** What to do next where a name was probably misspelt. */
export const didYouMean = (meant: readonly string[]): string[] | undefined =>
  meant.length > 0 ? [`Did you mean ${meant.join(' or ')}?`] : undefined;
