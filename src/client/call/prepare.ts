import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { HttpRequest } from '../ports/http.ts';
import type { Header } from '../../settings/records/wire.ts';
import { Secret } from '../../base/secret.ts';
import { queryOfBank } from '../../standard/xs2a/query-of-bank.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { signRequest } from '../../signing/sign-request.ts';
import type { SigningOptions } from '../../signing/signing-options.ts';
import { urlOf } from '../../base/url.ts';
import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { encodedHref, resolveHref } from '../../standard/xs2a/links.ts';
import type { Tolerated } from '../../standard/xs2a/tolerated.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import { buildPath } from '../../standard/xs2a/request.ts';
import { isNaming, nameToHeader } from '../../standard/xs2a/psu-names.ts';
import { absence } from '../../standard/xs2a/variants.ts';
import { baseOf, linksOf } from '../exchange/addresses.ts';
import { connectionFacts } from '../exchange/connection.ts';
import type { Body, CallInput, Prepared } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { needLogin } from '../oauth/auth-mode.ts';
import type { Granted } from '../oauth/oauth-grants.ts';
import { claimOf } from '../oauth/oauth-parameters.ts';
import { readsAccounts, storedTokenFor, tokenFor } from '../oauth/tokens.ts';
import { redactText } from '../redaction/redact.ts';
import { composeHeaders, needAll, qwacOf, readSecretHeaders, wantsQwac } from './bank-headers.ts';
import type { Composed } from './bank-headers.ts';
import { withheldBy } from './operation-of-bank.ts';
import { guardOrigin } from './own-origins.ts';

/** Builds the exact bytes of a call and signs them; sends nothing. */
export async function prepare(target: Target, input: CallInput, requestId: string): Promise<Prepared> {
  const op = operation(input.operation);
  const own = target.profile.spec?.operations?.[op.id];
  const withheld = withheldBy(target.profile, op);
  if (withheld !== undefined) throw notOffered(target, op, withheld);
  const method = own?.method ?? op.method;
  const missing = absence(target.variant, op.id);
  if (missing !== undefined) {
    throw new ObkError({
      code: 'NOT_OFFERED',
      title: `${op.id} is not part of this profile's interface: ${missing}.`,
      detail: `Profile ${target.name}: framework ${target.variant.framework}, prefix ${target.variant.prefix}.`,
      hint: [
        line`obk profile edit ${target.name} --surface framework   # where the bank offers more than the service`,
      ],
    });
  }
  const { url, path, tolerated = [] } = locate(target, op, input);
  const body = inMediaType(
    encodeBody(await asWanted(target, op, input)),
    target.profile.headers?.contentType?.[op.id],
  );
  const stored = input.anonymous === true ? undefined : await storedTokenFor(target, input);
  const known = await tokenFor(target, input);
  const ofTpp = known === undefined ? await tokenOfTpp(target, op) : undefined;
  const token = known ?? ofTpp?.token;
  if (token === undefined && input.anonymous !== true) needLogin(target, op);
  const given = withPsuOf(target, op, token, withoutConsent(target, op, token, input.headers ?? []));
  const composed = composeHeaders(target, op, {
    requestId,
    date: target.ports.clock.now().toUTCString(),
    contentType: body?.contentType,
    withToken: token !== undefined,
    qwac: wantsQwac(target, op) ? await qwacOf(target) : undefined,
    input: { ...input, headers: given },
  });
  needAll(target, op, composed, input);
  tellDropped(target, composed);
  const plain = composed.headers.map(({ name, value }): Header => [
    name,
    isNaming(name) ? nameToHeader(value) : value,
  ]);
  const isKeptEmpty = (empty: string) =>
    composed.headers.some(({ name, rule }) => name === empty && rule?.action === 'keepEmpty');
  for (const [name, value] of plain) if (!(value === '' && isKeptEmpty(name))) checkHeader(name, value);
  await guardOrigin(target, url, {
    token: stored ?? (target.tokenOfRun === true || token === undefined ? undefined : {}),
    consentId: plain.find(([name]) => name.toLowerCase() === 'consent-id')?.[1] ?? input.params?.consentId,
    secretBody: body?.hasSecret === true,
    secretHeaders: composed.secrets,
  });
  const secrets = await readSecretHeaders(target.ports, composed);
  const bytes = body?.bytes ?? new Uint8Array();
  const signed =
    target.signing.mode === 'none' || target.signing.requiredFor?.includes(op.id) === false
      ? undefined
      : await signRequest(
          { method, path, headers: plain, body: bytes, time: target.ports.clock.now() },
          beside(target, token, (stored ?? ofTpp)?.clientId),
          await target.material(),
        );
  const authorization =
    token === undefined ? [] : [bearer(token, target.profile.auth?.tokenHeader ?? 'Authorization')];
  const hasSecret = body !== undefined && body.hasSecret;
  const request: HttpRequest = {
    method,
    url,
    headers: [...plain, ...authorization, ...secrets, ...(signed?.headers ?? [])],
    body: bytes,
  };
  return {
    operation: op,
    request: target.run.spoil?.(request) ?? request,
    path,
    requestId,
    // Whether funds are there is asked by POST, but changes nothing.
    write: op.method !== 'GET' && op.parent !== 'funds',
    shownBody: body?.shown ?? '',
    bodySha256: sha256Hex(hasSecret ? body.shown : bytes),
    hasSecret,
    signed,
    tls: await connectionFacts(target, url),
    input:
      tolerated.length === 0 ? input : { ...input, tolerated: [...(input.tolerated ?? []), ...tolerated] },
  };
}

/** The header with the token of a call that is ready otherwise. Throws CREDENTIALS_ELSEWHERE as every call does. */
export async function tokenHeaders(
  target: Target,
  input: CallInput,
  url: string,
): Promise<readonly (readonly [string, Secret])[]> {
  const stored = await storedTokenFor(target, input);
  const token = await tokenFor(target, input);
  await guardOrigin(target, url, {
    token: stored ?? (target.tokenOfRun === true || token === undefined ? undefined : {}),
    consentId: undefined,
    secretBody: false,
    secretHeaders: [],
  });
  return token === undefined ? [] : [bearer(token, target.profile.auth?.tokenHeader ?? 'Authorization')];
}

/**
 * A token takes the header Authorization, so that a signature stands in its own. Where the reply of a token named the client, that
 * name is the keyId of the calls with it.
 */
function beside(
  { signing: usual, profile }: Target,
  token: Secret | undefined,
  clientId: string | undefined,
): SigningOptions {
  const signing =
    clientId === undefined ? usual : { ...usual, keyId: { ...usual.keyId, template: clientId } };
  const free =
    token === undefined || (profile.auth?.tokenHeader ?? 'authorization').toLowerCase() !== 'authorization';
  return free ? signing : { ...signing, carrier: 'Signature' };
}

/** The token of client credentials, for the few banks that want one. */
async function tokenOfTpp(target: Target, op: Operation): Promise<Granted | undefined> {
  if (target.profile.auth === undefined) return undefined;
  const { appTokenFor } = await import('../oauth/app-token.ts');
  return appTokenFor(target, op);
}

/** A payment in JSON in the words of the bank; any other body as it is. */
async function asWanted(
  { profile }: Target,
  op: Operation,
  { body, params }: CallInput,
): Promise<Body | undefined> {
  if (op.id !== 'initiatePayment' || body === undefined || !('bytes' in body)) return body;
  if (profile.payments === undefined) return body;
  const { inParts, paymentAsWanted } = await import('./payment-body.ts');
  const { multipartParts } = profile.payments;
  if (multipartParts !== undefined && body.contentType.startsWith('multipart/'))
    return { ...body, bytes: inParts(body.bytes, multipartParts) };
  if (!body.contentType.startsWith('application/json')) return body;
  return { ...body, bytes: paymentAsWanted(body.bytes, profile.payments, params?.['payment-product']) };
}

/** The body with the media type that the bank wants; one of several parts keeps its own, which says where they end. */
function inMediaType(body: EncodedBody | undefined, type: string | undefined): EncodedBody | undefined {
  if (body === undefined || type === undefined || body.contentType.startsWith('multipart/')) return body;
  return { ...body, contentType: type };
}

function notOffered({ name }: Target, op: Operation, setting: string): ObkError {
  return new ObkError({
    code: 'NOT_OFFERED',
    title: `The bank of the profile ${name} does not have ${op.id}.`,
    detail: `${setting} says so; the request was not sent.`,
    hint: [line`obk config unset ${setting} --profile ${name}   # where it has it`],
  });
}

interface Located {
  url: string;
  path: string;
  tolerated?: readonly Tolerated[];
}

function locate(target: Target, op: Operation, input: CallInput): Located {
  const { href } = input;
  if (href === undefined) return ownPlace(target, op, input);
  // A query only is that of the request whose answer holds it; every other relative link begins at the base address.
  const full = href.startsWith('?') ? ownPlace(target, op, { ...input, query: {} }).url + href : href;
  const resolved = resolveHref(full, linksOf(target, op));
  if (!resolved.ok) throw refusedLink(target, input, href, resolved.why);
  const { url, path } = resolved;
  const noted: Tolerated[] = [
    ...(full === href ? [] : [{ at: href, what: 'the link is a query only' }]),
    ...(encodedHref(full) === full
      ? []
      : [{ at: href, what: 'the link has characters that a URL must escape' }]),
  ];
  return { url, path, ...(noted.length > 0 && { tolerated: noted }) };
}

/** Where the interface has an operation. */
function ownPlace(target: Target, op: Operation, input: CallInput): Located {
  const own = target.profile.spec?.operations?.[op.id]?.path;
  const { variant } = target;
  const query = queryOf(target, op, input.query ?? {});
  const path =
    own === undefined
      ? buildPath(variant, op, input.params ?? {}, query)
      : buildPath({ ...variant, prefix: '' }, { ...op, path: own }, input.params ?? {}, query);
  const base = baseOf(target, op.service);
  return { url: base + path, path: urlOf(base).pathname.replace(/\/$/, '') + path };
}

function refusedLink(target: Target, { resource }: CallInput, href: string, why: string): ObkError {
  const origin = /^its origin (\S+) is not declared/.exec(why)?.[1];
  return new ObkError({
    code: 'LINK_REFUSED',
    title: 'A link of the bank is not followed.',
    detail: `${JSON.stringify(href.slice(0, 300))}: ${why}.`,
    hint: [
      origin === undefined
        ? 'obk log show @last -vvv   # shows the answer that holds it'
        : line`obk profile edit ${target.name} --origin ${origin}   # if the bank really serves its interface there`,
    ],
    ...defined({ resource }),
  });
}

interface EncodedBody {
  bytes: Uint8Array;
  contentType: string;
  shown: string;
  hasSecret: boolean;
}

function encodeBody(body: Body | undefined): EncodedBody | undefined {
  if (body === undefined) return undefined;
  if ('bytes' in body) {
    const { buffer, byteOffset, length } = body.bytes;
    const text = Buffer.from(buffer, byteOffset, length).toString('utf8');
    const shown = redactText(text);
    return { ...body, shown, hasSecret: text !== shown };
  }
  const text = JSON.stringify(reveal(body.json));
  const shown = JSON.stringify(body.json);
  return {
    bytes: Buffer.from(text, 'utf8'),
    contentType: 'application/json',
    shown,
    hasSecret: text !== shown,
  };
}

/** The one place where secrets enter a body: the bytes are needed for digest and signature. */
function reveal(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(reveal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, reveal(inner)]));
}

/** Some banks read the consent of account calls from the token alone. */
function withoutConsent(
  { profile }: Target,
  op: Operation,
  token: Secret | undefined,
  headers: readonly Header[],
): readonly Header[] {
  if (!readsAccounts(op) || token === undefined || profile.auth?.consent !== 'token') return headers;
  return headers.filter(([name]) => name.toLowerCase() !== 'consent-id');
}

/** The PSU-ID that a token names, for a bank that wants it beside the token (auth.psuIdFrom). */
function withPsuOf(
  { profile }: Target,
  op: Operation,
  token: Secret | undefined,
  headers: readonly Header[],
): readonly Header[] {
  const claim = profile.auth?.psuIdFrom;
  const takes = op.headers.some((set) => set.startsWith('PSU4')) && op.method !== 'GET';
  if (claim === undefined || token === undefined || !takes) return headers;
  const psuId = claimOf(token.reveal(), claim);
  const others = headers.filter(([name]) => name.toLowerCase() !== 'psu-id');
  return psuId === undefined ? headers : [...others, ['PSU-ID', psuId]];
}

/** Somebody may have given it on purpose, and would look for it in vain. */
function tellDropped({ ports }: Target, { dropped }: Composed): void {
  for (const { name, rule } of dropped)
    ports.notices.trace(1, `${name} is left out: a rule of the profile (${rule.action}) says so`);
}

/** The query with what the bank wants besides and without what it refuses (ais.params, ais.withBalance). */
function queryOf(
  { profile, ports }: Target,
  op: Operation,
  given: NonNullable<CallInput['query']>,
): Readonly<Record<string, string>> {
  const { allow, forbid, add } = queryOfBank(profile, op.id);
  const isTaken = (name: string) =>
    !forbid.includes(name) &&
    (allow?.includes(name) ?? true) &&
    !(name === 'withBalance' && profile.ais?.withBalance === false);
  const dropped = Object.keys(given).filter((name) => !isTaken(name));
  for (const name of dropped)
    ports.notices.warn(`${name} is left out of ${op.id}: the bank does not take it (ais.params).`);
  const kept = Object.entries(given).filter(([name]) => isTaken(name));
  return { ...add, ...Object.fromEntries(kept) };
}

function bearer(token: Secret, header: string): [string, Secret] {
  return [header, new Secret(`Bearer ${token.reveal()}`)];
}

function checkHeader(name: string, value: string): void {
  const checked = checkHeaderValue(name, value);
  if (checked.ok) return;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `The header ${name} cannot be sent.`,
    detail: checked.why,
  });
}
