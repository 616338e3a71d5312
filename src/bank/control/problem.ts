import { line } from '../../base/command-line.ts';

/** What a caller of the control API hears of what went wrong: what, why, and what to do next (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly detail: string;
  readonly next: readonly string[];
  readonly pointer: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

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
    const { status, message: title, detail, next, pointer } = this;
    const body = {
      type: 'about:blank',
      title,
      status,
      detail,
      next,
      ...(pointer !== undefined && { pointer }),
    };
    return new Response(JSON.stringify(body), {
      status,
      headers: { ...this.headers, 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
    });
  }
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
  also: readonly string[] = [],
): Problem {
  return new Problem(404, {
    title: `The bank has no ${kind} ${id}.`,
    detail,
    next: [`GET /sandbox/api/${list}`, ...[commands[list] ?? []].flat(), ...also],
  });
}

/** 404: no tenant of this name has called yet. */
export const noTenant = (name: string): Problem =>
  notThere('tenant', name, 'tenants', 'None of that name has called, or it was deleted.', [
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
