import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import type { HttpRequest } from '../../ports/http.ts';
import type { Header } from '../../records/wire.ts';
import { Secret } from '../../secret.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { signRequest } from '../../signing/signature.ts';
import { checkHeaderValue } from '../../xs2a/headers.ts';
import { resolveHref } from '../../xs2a/links.ts';
import { operation } from '../../xs2a/operations.ts';
import type { Operation } from '../../xs2a/operations.ts';
import { buildPath } from '../../xs2a/request.ts';
import { isNaming, nameToHeader } from '../../xs2a/psu-names.ts';
import { absence } from '../../xs2a/variants.ts';
import { baseOf, linksOf } from '../exchange/addresses.ts';
import { connectionFacts } from '../exchange/connection.ts';
import type { Body, CallInput, Prepared } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { readsAccounts, storedTokenFor, tokenFor } from '../oauth/tokens.ts';
import { redactText } from '../redaction/redact.ts';
import { composeHeaders, needAll, readSecretHeaders } from './bank-headers.ts';
import type { Composed } from './bank-headers.ts';
import { guardOrigin } from './own-origins.ts';

/** Builds the exact bytes of a call and signs them; sends nothing. */
export async function prepare(target: Target, input: CallInput, requestId: string): Promise<Prepared> {
  const op = operation(input.operation);
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
  const { url, path } = locate(target, op, input);
  const body = encodeBody(input.body);
  const stored = input.anonymous === true ? undefined : await storedTokenFor(target, input);
  const token = await tokenFor(target, input);
  const given = withoutConsent(target, op, token, input.headers ?? []);
  const composed = composeHeaders(target, op, {
    requestId,
    date: target.ports.clock.now().toUTCString(),
    contentType: body?.contentType,
    input: { ...input, headers: given },
  });
  needAll(target, op, composed, input);
  tellDropped(target, composed);
  const plain = composed.headers.map(({ name, value }): Header => [
    name,
    isNaming(name) ? nameToHeader(value) : value,
  ]);
  for (const [name, value] of plain) checkHeader(name, value);
  await guardOrigin(target, url, {
    token: stored ?? (target.tokenOfRun === true || token === undefined ? undefined : {}),
    consentId: plain.find(([name]) => name.toLowerCase() === 'consent-id')?.[1] ?? input.params?.consentId,
    secretBody: body?.hasSecret === true,
    secretHeaders: composed.secrets,
  });
  const secrets = await readSecretHeaders(target.ports, composed);
  const bytes = body?.bytes ?? new Uint8Array();
  const signed =
    target.signing.mode === 'none'
      ? undefined
      : await signRequest(
          { method: op.method, path, headers: plain, body: bytes },
          target.signing,
          await target.material(),
        );
  const authorization = token === undefined ? [] : [bearer(token)];
  const hasSecret = body !== undefined && body.hasSecret;
  const request: HttpRequest = {
    method: op.method,
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
    input,
  };
}

function locate(target: Target, op: Operation, input: CallInput): { url: string; path: string } {
  if (input.href === undefined) {
    const path = buildPath(target.variant, op, input.params ?? {}, input.query ?? {});
    const base = baseOf(target, op.service);
    return { url: base + path, path: new URL(base).pathname.replace(/\/$/, '') + path };
  }
  const resolved = resolveHref(input.href, linksOf(target, op));
  if (resolved.ok) return { url: resolved.url, path: resolved.path };
  throw new ObkError({
    code: 'LINK_REFUSED',
    title: 'A link of the bank is not followed.',
    detail: `${JSON.stringify(input.href.slice(0, 300))}: ${resolved.why}.`,
    hint: [
      line`obk profile edit ${target.name} --origin URL   # if the bank really serves its interface there`,
    ],
    ...(input.resource === undefined ? {} : { resource: input.resource }),
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

/** Somebody may have given it on purpose, and would look for it in vain. */
function tellDropped({ ports }: Target, { dropped }: Composed): void {
  for (const { name, rule } of dropped)
    ports.notices.trace(1, `${name} is left out: a rule of the profile (${rule.action}) says so`);
}

function bearer(token: Secret): [string, Secret] {
  return ['Authorization', new Secret(`Bearer ${token.reveal()}`)];
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
