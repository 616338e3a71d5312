import type { LinkName } from '../../xs2a/links.ts';

/** The details of a refusal besides its status and code. */
export interface RefusalDetail {
  path?: string;
  links?: Readonly<Partial<Record<LinkName, string>>>;
  /** The methods that the path takes; a 405 has to tell them (RFC 9110 15.5.6). */
  allow?: readonly string[];
}

/** The bank refuses a call: HTTP status and tppMessage. Thrown, it undoes what the call did so far. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Empty for the statuses that have no body. */
  readonly code: string;
  readonly detail: RefusalDetail;

  constructor(status: number, code: string, text: string, detail: RefusalDetail = {}) {
    super(text);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
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
