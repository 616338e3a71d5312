import type { LinkName } from '../../standard/xs2a/links.ts';
import { reasonOf } from '../books/damage.ts';

/** The details of a refusal besides its status and code. */
export interface RefusalDetail {
  path?: string;
  links?: Readonly<Partial<Record<LinkName, string>>>;
  /** The methods that the path takes; a 405 has to tell them (RFC 9110 15.5.6). */
  allow?: readonly string[];
}

/** The text of an error has at most 500 characters (guidelines 14.19, RFC 7807 as the files have it). */
const mostText = 500;

/** A text that may repeat what the TPP sent, cut where it is too long for an error, and never within a character. */
export function clipped(text: string): string {
  if (text.length <= mostText) return text;
  return `${text.slice(0, mostText - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The bank refuses a call: HTTP status and tppMessage. Thrown, it undoes what the call did so far. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Empty for the statuses that have no body. */
  readonly code: string;
  readonly detail: RefusalDetail;

  constructor(status: number, code: string, text: string, detail: RefusalDetail = {}) {
    super(clipped(text));
    this.status = status;
    this.code = code;
    this.detail = detail.path === undefined ? detail : { ...detail, path: clipped(detail.path) };
  }
}

/** 500: the bank itself has failed. */
export function bankFailed(error: unknown): Refusal {
  const reason = reasonOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return new Refusal(
    500,
    'INTERNAL_SERVER_ERROR',
    reason === undefined ? `The bank failed: ${message}` : `The bank cannot use its ledger: ${reason}.`,
  );
}

/** 400: a header or a field is malformed; `path` names it. */
export function formatError(text: string, path?: string): Refusal {
  return new Refusal(400, 'FORMAT_ERROR', text, path === undefined ? {} : { path });
}

/** 401 with a code of the certificate, the signature or the credentials. */
export function unauthorised(code: string, text: string): Refusal {
  return new Refusal(401, code, text);
}

/** 404: no such resource of this TPP. */
export function resourceUnknown(what: string): Refusal {
  return new Refusal(404, 'RESOURCE_UNKNOWN', `There is no such ${what} of this TPP.`);
}

/** The bank's answer. */
export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** A body as JSON, or the bytes of another one, whole or while they are made. */
  body?: object;
  content?: { type: string } & ({ bytes: Uint8Array } | { chunks: Iterable<Uint8Array> });
}
