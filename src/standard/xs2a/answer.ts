/** Reads a success answer, tolerant of what known banks do, into what the tool works with. */
import { defined } from '../../base/defined.ts';
import { cleanLine } from '../../base/clean.ts';
import { ObkError } from '../../base/errors.ts';
import type { BankMessage } from '../../base/errors.ts';
import { parseUrl } from '../../base/url.ts';
import { translated } from './answer-dialect.ts';
import type { AnswerDialect } from './answer-dialect.ts';
import { messagesIn } from './bank-messages.ts';
import { feesIn } from './fees.ts';
import type { StatedFees } from './fees.ts';
import { inUtf8 } from './json-charset.ts';
import { JsonNumber, isJsonObject, member, readJson, stringMember, toPlain } from './json.ts';
import type { JsonValue } from './json.ts';
import { readLinks } from './links.ts';
import type { LinkName, LinkSet } from './links.ts';
import { mediaKind, parseMediaType } from './media.ts';
import type { MediaKind } from './media.ts';
import type { AnswerKind, Operation, OperationId } from './operations.ts';
import { withIdTexts } from './id-texts.ts';
import { asContracted, checkShape } from './shapes.ts';
import type { AnswerDeviation } from './shapes.ts';
import { toleranceList } from './tolerated.ts';
import type { Tolerate, Tolerated } from './tolerated.ts';
import { messageMembers } from './tpp-messages.ts';
import type { Variant } from './variants.ts';
import type { AuthenticationObject, ChallengeData } from './wire.ts';

/** A complete answer as it came: headers in wire order, body decoded of its transfer and content coding. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** The part after `body`, if the answer streams. */
  readonly rest?: AsyncGenerator<Uint8Array>;
}

/** The ids that an answer names. */
export interface AnswerIds {
  readonly paymentId?: string;
  readonly consentId?: string;
  readonly basketId?: string;
  readonly authorisationId?: string;
}

/** A success answer that was read; texts are as they came, not cleaned. */
export interface Answer {
  readonly operation: OperationId;
  readonly status: number;
  readonly kind: AnswerKind;
  readonly media: MediaKind;
  /** The characters of a body of text or JSON, as its Content-Type names them. */
  readonly charset?: string;
  /** The body where it is JSON, lossless, its members in the types of the contract; absent where it streams. */
  readonly json?: JsonValue;
  /** The bytes of the body, whatever they are; of one that streams its beginning. */
  readonly body: Uint8Array;
  /** The part after `body`, if the answer streams: to be read to its end, or returned from. */
  readonly rest?: AsyncGenerator<Uint8Array>;
  readonly hasLinks: boolean;
  readonly links: Readonly<Partial<Record<LinkName, string>>>;
  readonly unknownLinks: readonly string[];
  /** Where the certificate for passwords is, at a bank that links to it. */
  readonly certificateLink?: string;
  /** ASPSP-SCA-Approach in capitals. */
  readonly approach?: string;
  /** ASPSP-Notification-Support is true. */
  readonly notified?: true;
  readonly location?: string;
  readonly requestId?: string;
  readonly ids: AnswerIds;
  readonly authorisationId?: string;
  readonly transactionStatus?: string;
  readonly consentStatus?: string;
  readonly scaStatus?: string;
  readonly scaMethods?: readonly AuthenticationObject[];
  readonly chosenScaMethod?: AuthenticationObject;
  readonly challengeData?: ChallengeData;
  readonly psuMessage?: string;
  readonly fees?: StatedFees;
  readonly authorisationIds?: readonly string[];
  readonly messages: readonly BankMessage[];
  /** Where the answer departs from the contract without being useless. */
  readonly findings: readonly AnswerDeviation[];
  /** What its readers tolerated, where it is anything. */
  readonly tolerated?: readonly Tolerated[];
}

const otherMedia: Readonly<Partial<Record<AnswerKind, readonly MediaKind[]>>> = {
  payment: ['xml', 'multipart', 'text'],
  'payment-status': ['xml'],
  // `other` is the zip of several camt files.
  transactions: ['xml', 'text', 'other'],
};

/** Returns the value of the last header of that name, whatever its case, or undefined. */
export function headerOf(headers: RawAnswer['headers'], name: string): string | undefined {
  const lower = name.toLowerCase();
  for (let at = headers.length - 1; at >= 0; at -= 1) {
    const [key, value] = headers[at] ?? [''];
    if (key.length === lower.length && key.toLowerCase() === lower) return value;
  }
  return undefined;
}

/**
 * Reads a 2xx answer of an operation: JSON with the data of the authorisation, or the other formats of payments, statuses
 * and reports as bytes. Throws ObkError ANSWER_UNREADABLE, with status, Content-Type and the first 200 characters, for
 * HTML, broken or truncated JSON and a body that lacks what nothing works without.
 */
export function readAnswer(
  op: Operation,
  _variant: Variant,
  raw: RawAnswer,
  dialect: AnswerDialect = {},
): Answer {
  if (raw.status < 200 || raw.status > 299) throw new Error(`readAnswer got a ${String(raw.status)}`);
  const contentType = headerOf(raw.headers, 'content-type');
  const media = mediaKind(contentType);
  // That of XML is told by its own declaration.
  const charset = media === 'xml' ? undefined : parseMediaType(contentType ?? '').params.get('charset');
  const kind = kindOf(op, raw);
  const base = {
    operation: op.id,
    status: raw.status,
    kind,
    body: raw.body,
    ...headersIn(raw),
    ...defined({ charset }),
  };
  const mayBeEmpty = kind === 'none' || kind === 'cancel';
  if (raw.body.length === 0) {
    if (!mayBeEmpty) throw unreadable(raw, 'it has no body');
    return { ...base, media: 'none', ...withoutJson, ids: {} };
  }
  const allowed = otherMedia[kind] ?? [];
  if (media === 'html') throw unreadable(raw, 'it is a web page');
  const isOther = allowed.includes(media) && !(media !== 'xml' && looksLikeJson(raw.body));
  if (raw.rest !== undefined) {
    if (!isOther && !looksLikeJson(raw.body)) throw unreadable(raw, 'it is not JSON');
    return { ...base, media: isOther ? media : 'json', ...withoutJson, ids: {}, rest: raw.rest };
  }
  if (isOther) return { ...base, media, ...withoutJson, ids: {} };
  const { list: tolerated, tolerate } = toleranceList();
  const sent = withIdTexts(translated(jsonOf(raw, tolerate), dialect, tolerate), tolerate);
  const shape = checkShape(kind, sent);
  const json = asContracted(kind, sent, tolerate);
  const useless = shape.find((finding) => finding.essential);
  if (useless !== undefined) throw unreadable(raw, useless.text);
  const findings = shape.map(({ pointer, rule, text }) => ({ pointer, rule, text }));
  return {
    ...base,
    media: media === 'problem' ? media : 'json',
    json,
    ...readBody(json, dialect, tolerate),
    findings,
    ...(tolerated.length === 0 ? {} : { tolerated }),
  };
}

const withoutJson = { hasLinks: false, links: {}, unknownLinks: [], messages: [], findings: [] } as const;

/** The exact status decides; a bank that answers another 2xx is read by whether it sent a body. */
function kindOf(op: Operation, raw: RawAnswer): AnswerKind {
  if (op.method === 'DELETE') return raw.body.length === 0 && raw.status !== 202 ? 'none' : 'cancel';
  const exact = op.success.find((row) => row.status === raw.status);
  return (exact ?? op.success[0])?.answer ?? 'none';
}

function headersIn(raw: RawAnswer): Pick<Answer, 'approach' | 'location' | 'notified' | 'requestId'> {
  const approach = headerOf(raw.headers, 'aspsp-sca-approach')?.trim().toUpperCase();
  // Official samples quote the value of Location.
  const location = headerOf(raw.headers, 'location')
    ?.trim()
    .replace(/^"(.*)"$/, '$1');
  const requestId = headerOf(raw.headers, 'x-request-id');
  return {
    ...(approach === undefined || approach === '' ? {} : { approach }),
    ...(headerOf(raw.headers, 'aspsp-notification-support') === 'true' ? { notified: true as const } : {}),
    ...(location === undefined || location === '' ? {} : { location }),
    ...defined({ requestId }),
  };
}

function looksLikeJson(body: Uint8Array): boolean {
  const first = new TextDecoder().decode(body.subarray(0, 64)).trimStart();
  return first.startsWith('{') || first.startsWith('[{');
}

function jsonOf(raw: RawAnswer, tolerate: Tolerate): JsonValue {
  try {
    return readJson(inUtf8(raw.body, headerOf(raw.headers, 'content-type'), tolerate));
  } catch (error) {
    const why = error instanceof ObkError ? error.detail : undefined;
    throw unreadable(raw, why ?? 'its JSON is broken', error);
  }
}

function unreadable(raw: RawAnswer, why: string, cause?: unknown): ObkError {
  const type = headerOf(raw.headers, 'content-type') ?? 'no Content-Type';
  const text = cleanLine(new TextDecoder().decode(raw.body.subarray(0, 1000)), 200);
  const shown = text === '' ? '' : `: ${text}`;
  return new ObkError({
    code: 'ANSWER_UNREADABLE',
    title: 'The answer of the bank cannot be read.',
    detail: `${why.replace(/\.$/, '')} (status ${String(raw.status)}, ${cleanLine(type, 100)})${shown}`,
    cause,
  });
}

type BodyFacts = Omit<
  Answer,
  | 'operation'
  | 'status'
  | 'kind'
  | 'media'
  | 'charset'
  | 'json'
  | 'body'
  | 'rest'
  | 'approach'
  | 'location'
  | 'requestId'
  | 'findings'
  | 'tolerated'
>;

function readBody(
  json: JsonValue,
  { aliases, withoutStart, certificateLink: named }: AnswerDialect,
  tolerate: Tolerate,
): BodyFacts {
  const linksValue = member(json, '_links') ?? undefined;
  const allLinks = readLinks(linksValue, aliases);
  const linkSet = withoutStart === true ? withoutStarts(allLinks) : allLinks;
  const text = (name: string): string | undefined => stringMember(json, name);
  const authorisationId = text('authorisationId') ?? authorisationIdIn(linkSet);
  const scaMethods = listOf(member(json, 'scaMethods')).flatMap(methodOf);
  const chosen = listOf(member(json, 'chosenScaMethod')).flatMap(methodOf)[0];
  const challengeData = challengeOf(member(json, 'challengeData'));
  // In the file of 1.3.3 a list of authorisations is the whole answer, without an object around it.
  const idList = Array.isArray(json)
    ? json
    : (member(json, 'authorisationIds') ?? member(json, 'cancellationIds'));
  return dropUndefined({
    hasLinks: linksValue !== undefined,
    links: linkSet.known,
    unknownLinks: Object.keys(linkSet.unknown).filter((name) => name !== named),
    certificateLink:
      named !== undefined && Object.hasOwn(linkSet.unknown, named) ? linkSet.unknown[named] : undefined,
    ids: dropUndefined({
      paymentId: text('paymentId'),
      consentId: text('consentId'),
      basketId: text('basketId'),
      authorisationId,
    }),
    authorisationId,
    transactionStatus: text('transactionStatus'),
    consentStatus: text('consentStatus'),
    scaStatus: text('scaStatus'),
    scaMethods: scaMethods.length > 0 ? scaMethods : undefined,
    chosenScaMethod: chosen,
    challengeData,
    // 1.3.2 names the text of a consent `message`.
    psuMessage: text('psuMessage') ?? text('message'),
    fees: feesIn(json),
    authorisationIds: Array.isArray(idList) ? idList.filter((id) => typeof id === 'string') : undefined,
    // From 1.3.9 on a status and a payment as read have them under the singular.
    messages: messagesIn(json, [...messageMembers, 'tppMessage'], tolerate),
  });
}

function withoutStarts({ known, unknown }: LinkSet): LinkSet {
  const kept = Object.entries(known).filter(([name]) => !name.startsWith('startAuthorisation'));
  return { known: Object.fromEntries(kept), unknown };
}

/** Returns the authorisation id that the links of an answer or refusal name, decoded; some banks put it nowhere else. */
export function authorisationIdIn(links: LinkSet): string | undefined {
  for (const href of Object.values(links.known)) {
    const id = /authorisations\/([^/?#]+)/.exec(href)?.[1];
    if (id !== undefined && parseUrl(`http://h/${id}`) !== undefined) return decodeOrKeep(id);
  }
  return undefined;
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

function methodOf(value: JsonValue): AuthenticationObject[] {
  const authenticationMethodId = stringMember(value, 'authenticationMethodId');
  if (authenticationMethodId === undefined) return [];
  return [
    dropUndefined({
      authenticationMethodId,
      authenticationType: stringMember(value, 'authenticationType') ?? '',
      authenticationVersion: stringMember(value, 'authenticationVersion'),
      name: stringMember(value, 'name'),
      explanation: stringMember(value, 'explanation'),
    }),
  ];
}

function challengeOf(value: JsonValue | undefined): ChallengeData | undefined {
  if (!isJsonObject(value)) return undefined;
  const data = member(value, 'data');
  // UniCredit writes opt... for otp...; lengths come as strings, too.
  const length = member(value, 'otpMaxLength') ?? member(value, 'optMaxLength');
  const digits = length instanceof JsonNumber ? length.text : length;
  const plain = data === undefined ? undefined : toPlain(data);
  return dropUndefined({
    image: stringMember(value, 'image'),
    data: isStrings(plain) ? plain : undefined,
    imageLink: stringMember(value, 'imageLink'),
    otpMaxLength: typeof digits === 'string' && /^[0-9]{1,4}$/.test(digits) ? Number(digits) : undefined,
    otpFormat: stringMember(value, 'otpFormat') ?? stringMember(value, 'optFormat'),
    additionalInformation: stringMember(value, 'additionalInformation'),
  });
}

const isStrings = (value: unknown): value is string | string[] =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

type Dropped<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function dropUndefined<T extends object>(object: T): Dropped<T> {
  const kept: Partial<T> = {};
  for (const name of Object.keys(object) as (keyof T)[])
    if (object[name] !== undefined) kept[name] = object[name];
  return kept as unknown as Dropped<T>;
}
