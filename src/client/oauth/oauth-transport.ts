import { ObkError } from '../../base/errors.ts';
import type { ErrorResource, TransportFailure } from '../../base/errors.ts';
import type { HttpAnswer } from '../ports/http.ts';
import type { Secret } from '../../base/secret.ts';
import type { Header } from '../../settings/records/wire.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { signRequest } from '../../signing/sign-request.ts';
import type { SignedRequest, SigningInput } from '../../signing/sign-request.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { inUtf8 } from '../../standard/xs2a/json-charset.ts';
import { checkBrowserUrl } from '../../standard/xs2a/links.ts';
import { toleranceList } from '../../standard/xs2a/tolerated.ts';
import type { Tolerate } from '../../standard/xs2a/tolerated.ts';
import { connectionFacts } from '../exchange/connection.ts';
import type { Prepared } from '../exchange/prepared.ts';
import { pauseAfterLoss } from '../exchange/retry.ts';
import type { Target } from '../exchange/target.ts';
import { believed, transmit } from '../exchange/transmit.ts';
import type { Verdict } from '../exchange/verdict.ts';
import { redactUrl } from '../redaction/redact.ts';
import type { oauthOperations } from './oauth-operations.ts';
import { JsonNumber, isJsonObject, writeJson } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';

/** A request to the OAuth server; its form holds a code and a verifier, which no record shows. */
export interface OauthCall {
  id: (typeof oauthOperations)[number];
  method: 'GET' | 'POST';
  url: string;
  headers?: Readonly<Record<string, string>>;
  form?: URLSearchParams;
  /** Signed as calls are; `keyId` is the name of the key where a token has told it. */
  signed?: { keyId?: string };
}

/**
 * Sends one request to a bank's OAuth server over our own transport, so that it is journalled, traced and redacted like
 * every other; returns the answer whatever its status. A GET without an answer is repeated. Throws LINK_REFUSED,
 * NOT_SENT, ANSWER_LOST.
 */
export async function callOauth(target: Target, call: OauthCall, resource: ErrorResource): Promise<Response> {
  const checked = checkBrowserUrl(call.url);
  if (!checked.ok) throw linkRefused(call.url, checked.why, resource);
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare(target, call, checked.url, resource);
    target.run.onPrepared?.(prepared);
    const seen: { answer?: HttpAnswer; body?: Uint8Array; failure?: TransportFailure } = {};
    const verdict = await transmit<HttpAnswer>(target, prepared, () => ({
      answer: (answer) => {
        const { list: tolerated, tolerate } = toleranceList();
        seen.answer = answer;
        seen.body = bodyOf(answer, call, tolerate);
        return Promise.resolve({ verdict: judgeAnswer(call, answer, checked.host), tolerated });
      },
      failure: (failure) => {
        seen.failure = failure;
        return judgeFailure(failure, checked.host, resource);
      },
    }));
    if (seen.answer !== undefined) {
      const { answer, body = answer.body } = seen;
      const why = believed(target, answer) ?? (answer.status === 206 ? 'it is only a part (206)' : undefined);
      if (why === undefined) return responseOf(answer, body);
      throw new ObkError({
        code: 'ANSWER_UNREADABLE',
        title: `The answer of the OAuth server ${checked.host} cannot be believed.`,
        detail: `${why}.`,
        resource,
      });
    }
    target.run.signal?.throwIfAborted();
    if (verdict.outcome === 'DONE') throw new Error('an answer that nobody saw');
    // A code or a refresh token may be used up by a request whose answer is lost.
    const lost = call.method === 'GET' ? seen.failure : undefined;
    const pause = lost && pauseAfterLoss(lost, attempt);
    if (pause === undefined) throw verdict.error;
    await target.ports.clock.sleep(pause, target.run.signal);
  }
}

/** The body in UTF-8, and that of a token without what the standard does not have. */
function bodyOf({ status, headers, body }: HttpAnswer, { id }: OauthCall, tolerate: Tolerate): Uint8Array {
  const json = inUtf8(body, headerOf(headers, 'content-type'), tolerate);
  return id === 'oauthToken' && status === 200
    ? Buffer.from(tidyToken(Buffer.from(json).toString('utf8'), tolerate))
    : json;
}

function responseOf({ status, headers }: HttpAnswer, body: Uint8Array): Response {
  return new Response(body.length === 0 ? null : Buffer.from(body), {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
}

/** A link to an OAuth server that is not followed, with the reason. */
export function linkRefused(url: string, why: string, resource: ErrorResource): ObkError {
  return new ObkError({
    code: 'LINK_REFUSED',
    title: 'A link to the OAuth server of the bank is not followed.',
    detail: `${JSON.stringify(url.slice(0, 300))}: ${why}.`,
    resource,
  });
}

async function prepare(
  target: Target,
  call: OauthCall,
  url: string,
  resource: ErrorResource,
): Promise<Prepared> {
  const { id, method, headers = {}, form, signed: wish } = call;
  const requestId = target.ports.ids.uuid();
  const body = form?.toString() ?? '';
  const shownBody = redactUrl(body);
  const path = url.slice(new URL(url).origin.length);
  const bytes = Buffer.from(body);
  const plain: Header[] = [
    ['X-Request-ID', requestId],
    ...Object.entries({ accept: 'application/json', ...headers }),
  ];
  if (wish !== undefined) plain.push(['Date', target.ports.clock.now().toUTCString()]);
  const signed = wish && (await signedBy(target, { method, path, headers: plain, body: bytes }, wish.keyId));
  return {
    operation: { id, method },
    request: {
      method,
      url,
      headers: [...plain, ...(signed?.headers ?? []), ...(await accessKeyFor(target, url))],
      body: bytes,
    },
    path,
    requestId,
    // A lost answer to a token request leaves no payment in an unknown state, so it is not recorded as a write.
    write: false,
    shownBody,
    bodySha256: sha256Hex(shownBody),
    hasSecret: shownBody !== body,
    signed,
    tls: await connectionFacts(target, url),
    input: { resource },
  };
}

/** The signature of the profile; the certificate names the key until the reply of a token has told another name for it. */
async function signedBy(
  target: Target,
  input: SigningInput,
  keyId: string | undefined,
): Promise<SignedRequest | undefined> {
  const { signing: usual } = target;
  const signing = keyId === undefined ? usual : { ...usual, keyId: { ...usual.keyId, template: keyId } };
  return signRequest({ ...input, time: target.ports.clock.now() }, signing, await target.material());
}

/** The key that a bank inside elsewhere wants of every call; no other origin ever gets it. */
async function accessKeyFor({ ownBank, ports }: Target, url: string): Promise<[string, Secret][]> {
  const { accessKeyFrom: reference, baseUrl } = ownBank ?? {};
  if (reference === undefined || baseUrl === undefined) return [];
  if (new URL(url).origin !== new URL(baseUrl).origin) return [];
  return [['X-Access-Key', await ports.secrets.read(reference, 'the header X-Access-Key')]];
}

function judgeAnswer({ id }: OauthCall, answer: HttpAnswer, host: string): Verdict<HttpAnswer> {
  const { status } = answer;
  if (status >= 200 && status < 300) return { outcome: 'DONE', answer };
  const title = `The OAuth server ${host} answered ${String(status)} to ${id}.`;
  return { outcome: 'FAILED', error: new ObkError({ code: 'REFUSED', title }) };
}

function judgeFailure(failure: TransportFailure, host: string, resource: ErrorResource): Verdict<HttpAnswer> {
  const { sent, message, cause, hint = [], code = 'NOT_SENT' } = failure;
  const error = new ObkError({
    code: sent ? 'ANSWER_LOST' : code,
    title: sent ? `The answer of the OAuth server ${host} was lost.` : 'The request was not sent.',
    detail: message,
    hint,
    cause: cause ?? failure,
    resource,
  });
  return { outcome: sent ? 'FAILED' : 'NOT_SENT', error };
}

const optional = ['scope', 'refresh_token', 'expires_in', 'id_token', 'token_type'];

/**
 * The answer of a token endpoint (RFC 6749, section 5.1) without optional members that are null or empty, which mean that they
 * are absent; a lifetime written as a text is a number, and a missing token_type is Bearer, the only one there is here. Notes
 * what it had to tidy.
 */
export function tidyToken(text: string, tolerate?: Tolerate): string {
  const json = tryJson(text);
  if (!isJsonObject(json) || typeof json['access_token'] !== 'string') return text;
  const tidy = Object.create(null) as JsonObject;
  for (const [name, value] of Object.entries(json)) {
    if (optional.includes(name) && isAbsent(value)) tolerate?.(`/${name}`, `${name} is null or empty`);
    else tidy[name] = name === 'expires_in' ? lifetime(value, tolerate) : value;
  }
  if (tidy['token_type'] === undefined) {
    tolerate?.('/token_type', 'token_type is missing: the token is taken for a bearer token');
    tidy['token_type'] = 'Bearer';
  }
  return writeJson(tidy);
}

const isAbsent = (value: JsonValue): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

function lifetime(value: JsonValue, tolerate: Tolerate | undefined): JsonValue {
  if (typeof value !== 'string' || !/^\s*[0-9]{1,9}\s*$/.test(value)) return value;
  tolerate?.('/expires_in', 'expires_in is a text and not a number');
  return new JsonNumber(String(Number(value)));
}
