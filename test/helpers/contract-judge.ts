import type { ErrorObject } from 'ajv';
import { messageCode } from '../../src/standard/xs2a/codes.ts';
import { answerHeadersOf, checkHeaderValue, headerName } from '../../src/standard/xs2a/headers.ts';
import { readJson } from '../../src/standard/xs2a/json.ts';
import { codesAt } from '../../src/standard/xs2a/message-places.ts';
import { mediaKind, parseMediaType } from '../../src/standard/xs2a/media.ts';
import { operation } from '../../src/standard/xs2a/operations.ts';
import type { OperationId } from '../../src/standard/xs2a/operations.ts';
import type { AnswerDeviation } from '../../src/standard/xs2a/shapes.ts';
import type { Framework, Variant } from '../../src/standard/xs2a/variants.ts';
import { compiled, flat, linkNamesOf } from './contract-schema.ts';
import { waivers } from './contract-waivers.ts';
import { official } from './official.ts';
import type { OfficialOperation, Response, Schema } from './official.ts';

type Headers = readonly (readonly [name: string, value: string])[] | Readonly<Record<string, string>>;
type Bytes = Uint8Array | string;

export interface ExchangeRequest {
  method: string;
  /** With prefix and query, as on the request line. */
  path: string;
  requestHeaders: Headers;
  requestBody: Bytes;
}

export interface Exchange extends ExchangeRequest {
  status: number;
  responseHeaders: Headers;
  responseBody: Bytes;
}

/** A departure from the contract, by the client (`request`) or by the bank (`answer`). */
export interface ContractFinding extends AnswerDeviation {
  part: 'request' | 'answer';
}

export function finding(
  part: 'request' | 'answer',
  pointer: string,
  rule: string,
  text: string,
): ContractFinding {
  return { part, pointer, rule, text };
}

export const bytes = (body: Bytes): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

export function headerMap(headers: Headers): Map<string, string> {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers as Record<string, string>);
  return new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Collects the findings of one side of an exchange. */
export class Judge {
  readonly findings: ContractFinding[] = [];
  readonly #framework: Framework;
  readonly #id: OperationId;
  readonly #part: 'request' | 'answer';

  constructor(framework: Framework, id: OperationId, part: 'request' | 'answer') {
    this.#framework = framework;
    this.#id = id;
    this.#part = part;
  }

  add(pointer: string, rule: string, text: string): void {
    const waived = waivers.some(
      (waiver) =>
        waiver.rule === rule &&
        (typeof waiver.pointer === 'string' ? waiver.pointer === pointer : waiver.pointer.test(pointer)) &&
        (waiver.framework ?? this.#framework) === this.#framework &&
        (waiver.operations?.includes(this.#id) ?? true),
    );
    if (!waived) this.findings.push(finding(this.#part, pointer, rule, text));
  }

  parameters(op: OfficialOperation, place: 'path' | 'query' | 'header', values: Map<string, string>): void {
    const declared = op.parameters.filter((parameter) => parameter.in === place);
    const key = (name: string): string => (place === 'header' ? name.toLowerCase() : name);
    for (const { name, required, schema } of declared) {
      const value = values.get(key(name));
      const pointer = `${place} ${name}`;
      if (value !== undefined) this.text(pointer, schema, value);
      else if (required === true) this.add(pointer, 'required', `${name} is missing`);
    }
    const names = new Set(declared.map(({ name }) => key(name)));
    for (const name of values.keys()) {
      // The guidelines imply these, and an unknown header is nobody's business.
      const implied = ['date', 'accept', 'content-type', 'authorization'].includes(name);
      const foreign = place === 'header' && (implied || headerName(name) === undefined);
      if (!names.has(name) && !foreign) this.add(`${place} ${name}`, 'undeclared', `${name} is not declared`);
    }
  }

  /** A parameter or header: text by its schema, where booleans and numbers are spelt out. */
  text(pointer: string, schema: Schema, value: string): void {
    if (schema.type === 'boolean') {
      if (value !== 'true' && value !== 'false') this.add(pointer, 'type', `${value} is not true or false`);
    } else if (schema.type === 'integer') {
      if (!/^-?[0-9]+$/.test(value)) this.add(pointer, 'type', `${value} is not an integer`);
    } else {
      this.value(pointer, schema, value);
    }
  }

  requestBody(op: OfficialOperation, params: Map<string, string>, body: Uint8Array, type?: string): void {
    const declared = op.requestBody;
    if (body.length === 0) {
      if (declared?.required === true) this.add('body', 'required', 'the body is missing');
      return;
    }
    if (declared === undefined) this.add('body', 'undeclared', 'no body is declared');
    const media = parseMediaType(type ?? '').type;
    const allowed = Object.keys(declared?.content ?? { 'application/json': {} });
    if (!allowed.includes(media))
      this.add('header Content-Type', 'media', `${media} is none of ${allowed.join(', ')}`);
    if (media !== 'application/json') return;
    const json = this.json(body);
    if (json === undefined) return;
    const schema = this.requestSchema(op, params, json);
    if (schema !== undefined) this.value('', schema, json);
  }

  requestSchema(op: OfficialOperation, params: Map<string, string>, json: unknown): Schema | undefined {
    const declared = op.requestBody?.content?.['application/json']?.schema;
    if (op.operationId === 'initiatePayment') return ref(`${prefixOf(params)}aymentInitiation_json`);
    if (!isAuthorisation(op)) return declared;
    const keys = keysOf(json);
    if (keys.length === 0) return undefined;
    const name = keys.length === 1 ? authBodies[keys[0] ?? ''] : undefined;
    const offered = (declared?.oneOf ?? []).some(
      (branch) => branch.$ref === `#/components/schemas/${name ?? ''}`,
    );
    if (name === undefined || (declared !== undefined && !offered)) {
      this.add('', 'branch', `{${keys.join(', ')}} is no body of an authorisation in ${this.#framework}`);
      return undefined;
    }
    return ref(name);
  }

  answerHeaders(variant: Variant, exchange: Exchange, response: Response): void {
    const headers = headerMap(exchange.responseHeaders);
    const declared = response.headers ?? {};
    for (const [name, { required, schema }] of Object.entries(declared)) {
      const value = headers.get(name.toLowerCase());
      if (value !== undefined) this.text(`header ${name}`, schema ?? {}, value);
      else if (required === true) this.add(`header ${name}`, 'required', `${name} is missing`);
    }
    for (const { name, need } of answerHeadersOf(variant, operation(this.#id), exchange.status)) {
      if (need === 'm' && !headers.has(name.toLowerCase()))
        this.add(`header ${name}`, 'required', `${name} is missing`);
    }
    const sent = headerMap(exchange.requestHeaders).get('x-request-id');
    const echoed = headers.get('x-request-id');
    // What is no UUID cannot be echoed: such an answer has one of the bank's own.
    const isOwed = sent !== undefined && checkHeaderValue('X-Request-ID', sent).ok;
    if (isOwed && echoed !== undefined && sent !== echoed) {
      this.add('header X-Request-ID', 'echo', `${echoed} is not the ${sent} of the request`);
    }
    for (const name of ['location', 'aspsp-sca-approach', 'digest', 'signature', 'consent-id']) {
      if (headers.has(name) && !Object.keys(declared).some((key) => key.toLowerCase() === name)) {
        this.add(
          `header ${headerName(name) ?? name}`,
          'undeclared',
          `${name} is not declared for this answer`,
        );
      }
    }
  }

  answerBody(exchange: Exchange, response: Response, service: string): void {
    const body = bytes(exchange.responseBody);
    const content = response.content;
    if (content === undefined) {
      const rule = exchange.status < 300 ? 'undeclared' : 'undeclared-status-body';
      if (body.length > 0) this.add('body', rule, `no body is declared for ${String(exchange.status)}`);
      return;
    }
    if (body.length === 0) {
      this.add('body', 'required', 'the body is missing');
      return;
    }
    const type = headerMap(exchange.responseHeaders).get('content-type') ?? '';
    const media = parseMediaType(type).type;
    const declared = content[media];
    if (declared === undefined) {
      this.add('header Content-Type', 'media', `${media} is none of ${Object.keys(content).join(', ')}`);
      return;
    }
    const kind = mediaKind(media);
    if (kind !== 'json' && kind !== 'problem') return;
    const json = this.json(body);
    if (json === undefined) return;
    const schema = this.answerSchema(exchange, declared.schema ?? {}, service);
    this.value('', schema, this.unwrapped(json, schema));
    this.linkNames(json);
    if (exchange.status >= 400) this.codes(json, exchange.status);
  }

  answerSchema(exchange: Exchange, declared: Schema, service: string): Schema {
    if (declared.oneOf === undefined) return declared;
    if (this.#id === 'getPaymentInformation') {
      const prefix = service === 'payments' ? 'p' : service === 'bulk-payments' ? 'bulkP' : 'periodicP';
      return ref(`${prefix}aymentInitiationWithStatusResponse`);
    }
    // The answer to PUT: what was sent decides.
    const key = keysOf(tryJson(bytes(exchange.requestBody)))[0] ?? '';
    const name = authAnswers[key] ?? 'updatePsuIdenticationResponse';
    const isOffered = declared.oneOf.some((branch) => branch.$ref === ref(name).$ref);
    return isOffered ? ref(name) : {};
  }

  /** The single reads are bare in the 1.3.2 file and wrapped everywhere else. */
  unwrapped(json: unknown, schema: Schema): unknown {
    const wrapper = wrappers[this.#id];
    if (wrapper === undefined || schema.$ref === undefined || keysOf(json).join() !== wrapper) return json;
    this.add('', 'wrapped', `the object is wrapped in ${wrapper}`);
    return (json as Record<string, unknown>)[wrapper];
  }

  linkNames(json: unknown): void {
    const known = linkNamesOf(official(this.#framework));
    const links = (json as { _links?: unknown } | null)?._links;
    for (const name of keysOf(links)) {
      if (!known.has(name))
        this.add(`/_links/${name}`, 'link-name', `${name} is no link of ${this.#framework}`);
    }
  }

  codes(json: unknown, status: number): void {
    const body = json as {
      tppMessages?: { code?: unknown }[];
      code?: unknown;
      additionalErrors?: { code?: unknown }[];
    };
    const codes = [...(body.tppMessages ?? []), body, ...(body.additionalErrors ?? [])].map(
      ({ code }) => code,
    );
    if (Array.isArray(body.tppMessages) && body.tppMessages.length === 0) {
      this.add('/tppMessages', 'empty', 'an error without a code has no body');
    }
    const { service } = operation(this.#id);
    for (const code of codes) {
      if (typeof code !== 'string') continue;
      const fact = messageCode(code);
      if (fact === undefined || fact.foreign === true)
        this.add('/code', 'code', `${code} is no code of the framework`);
      else if (!codesAt(this.#framework, { service, id: this.#id }, status).includes(code))
        this.add('/code', 'code', `${code} does not come with ${String(status)} of ${this.#id}`);
    }
  }

  json(body: Uint8Array): unknown {
    try {
      readJson(body);
      return JSON.parse(new TextDecoder().decode(body)) as unknown;
    } catch (error) {
      this.add('', 'json', `the JSON cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  value(pointer: string, schema: Schema, value: unknown): void {
    const validate = compiled(this.#framework, schema);
    if (!validate(value)) {
      for (const error of validate.errors ?? []) this.error(pointer, error);
    }
    this.undeclared(pointer, schema, value);
  }

  error(pointer: string, { instancePath, keyword, message, params }: ErrorObject): void {
    const missing = keyword === 'required' ? `/${String(params['missingProperty'])}` : '';
    this.add(pointer + instancePath + missing, keyword, message ?? keyword);
  }

  /** Members that no schema knows are legal for a bank, but in our own messages they are slips. */
  undeclared(pointer: string, schema: Schema, value: unknown): void {
    const known = flat(official(this.#framework), schema);
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        this.undeclared(`${pointer}/${String(at)}`, known.items ?? {}, item);
      return;
    }
    if (known.properties === undefined || typeof value !== 'object' || value === null) return;
    for (const [name, item] of Object.entries(value)) {
      const at = `${pointer}/${name}`;
      const own = known.properties[name];
      if (own !== undefined) this.undeclared(at, own, item);
      else if (typeof known.additionalProperties === 'object')
        this.undeclared(at, known.additionalProperties, item);
      else this.add(at, 'undeclared', `${name} is not declared`);
    }
  }
}

const authBodies: Record<string, string | undefined> = {
  psuData: 'updatePsuAuthentication',
  authenticationMethodId: 'selectPsuAuthenticationMethod',
  scaAuthenticationData: 'transactionAuthorisation',
  confirmationCode: 'authorisationConfirmation',
};

const authAnswers: Record<string, string | undefined> = {
  psuData: 'updatePsuAuthenticationResponse',
  authenticationMethodId: 'selectPsuAuthenticationMethodResponse',
  scaAuthenticationData: 'scaStatusResponse',
  confirmationCode: 'authorisationConfirmationResponse',
};

const wrappers: Partial<Record<OperationId, string>> = {
  readAccountDetails: 'account',
  ReadCardAccount: 'cardAccount',
  getTransactionDetails: 'transactionsDetails',
};

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const keysOf = (json: unknown): string[] =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.keys(json) : [];

const isAuthorisation = (op: OfficialOperation): boolean =>
  (op.method === 'POST' || op.method === 'PUT') && /authorisations(\/|$)/.test(op.path);

function prefixOf(params: Map<string, string>): string {
  const service = params.get('payment-service');
  return service === 'payments' ? 'p' : service === 'bulk-payments' ? 'bulkP' : 'periodicP';
}

function tryJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
