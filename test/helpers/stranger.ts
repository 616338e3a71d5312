import { createHash, createPrivateKey, randomBytes, randomUUID, sign, X509Certificate } from 'node:crypto';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

/**
 * A TPP that is none of ours: node:http, node:https and node:crypto, and what the implementation guidelines say. Nothing of
 * src is used here, so that the bank cannot pass by sharing a mistake with the client.
 */
export interface StrangerOptions {
  baseUrl: string;
  /** PEM of the authority of the server. */
  ca?: string;
  /** PEM of the client certificate (QWAC). */
  tls?: { cert: string; key: string };
  /** PEM of the seal (QSealC); without it nothing is signed. */
  seal?: { cert: string; key: string };
  headers?: Readonly<Record<string, string>>;
  /** The client_id of the OAuth server; without it that of the certificates of the bank. */
  clientId?: string;
}

/** A customer whose approach the bank knows. */
export interface Customer {
  psuId: string;
  password: string;
  otp: string;
  iban: string;
  approach: 'REDIRECT' | 'OAUTH' | 'EMBEDDED' | 'DECOUPLED';
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a bank answers has every shape
type Json = any;

const back = 'http://127.0.0.1:9/back';

export class Stranger {
  readonly #options: StrangerOptions;

  constructor(options: StrangerOptions) {
    this.#options = options;
  }

  /** A consent of the customer, given; returns its id and the token, if the approach has one. */
  async consent(customer: Customer): Promise<{ consentId: string; token: string | undefined }> {
    const access = [{ iban: customer.iban }];
    const created = await this.call('POST', '/v1/consents', customer, {
      access: { accounts: access, balances: access, transactions: access },
      recurringIndicator: true,
      validUntil: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    });
    expectStatus(created, 201);
    const token = await this.#authorise(customer, created.json, `AIS:${String(created.json.consentId)}`);
    return { consentId: created.json.consentId, token };
  }

  /** The status of a resource by its link. */
  async status(path: string, customer: Customer, token?: string): Promise<Json> {
    const { json } = expectStatus(await this.call('GET', path, customer, undefined, bearer(token)), 200);
    return json;
  }

  /** The accounts under a consent, and the booked transactions of the first. */
  async read(
    customer: Customer,
    consentId: string,
    token?: string,
  ): Promise<{ accounts: Json[]; booked: Json[] }> {
    const headers = { 'Consent-ID': consentId, ...bearer(token) };
    const listed = expectStatus(await this.call('GET', '/v1/accounts', customer, undefined, headers), 200);
    const [first] = listed.json.accounts;
    const path = `/v1/accounts/${String(first.resourceId)}/transactions?dateFrom=2020-01-01&bookingStatus=booked`;
    const read = expectStatus(await this.call('GET', path, customer, undefined, headers), 200);
    return { accounts: listed.json.accounts, booked: read.json.transactions.booked };
  }

  /** A payment of the customer, authorised; returns its status. */
  async pay(customer: Customer, amount: string): Promise<string> {
    const path = '/v1/payments/sepa-credit-transfers';
    const created = await this.call('POST', path, customer, {
      debtorAccount: { iban: customer.iban },
      instructedAmount: { currency: 'EUR', amount },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Shop',
      remittanceInformationUnstructured: 'Invoice 1',
    });
    expectStatus(created, 201);
    const id = String(created.json.paymentId);
    const token = await this.#authorise(customer, created.json, `PIS:${id}`);
    const { transactionStatus } = await this.status(`${path}/${id}/status`, customer, token);
    return transactionStatus as string;
  }

  async #authorise(customer: Customer, created: Json, scope: string): Promise<string | undefined> {
    const links = created._links as Record<string, { href: string } | undefined>;
    const href = (name: string): string | undefined => links[name]?.href;
    switch (customer.approach) {
      case 'REDIRECT':
        await this.#visit(customer, href('scaRedirect') ?? 'no scaRedirect');
        return undefined;
      case 'OAUTH':
        return this.#oauth(customer, href('scaOAuth') ?? 'no scaOAuth', scope);
      case 'EMBEDDED':
        await this.#embedded(customer, links);
        return undefined;
      case 'DECOUPLED':
        await this.#decoupled(customer, links);
        return undefined;
    }
  }

  async #embedded(customer: Customer, links: Record<string, { href: string } | undefined>): Promise<void> {
    const start = links['startAuthorisationWithPsuAuthentication'] ?? links['startAuthorisation'];
    let step = expectStatus(
      await this.call('POST', start?.href ?? 'no start', customer, {
        psuData: { password: customer.password },
      }),
      201,
    ).json;
    if (step._links.updatePsuAuthentication !== undefined)
      step = expectStatus(
        await this.call('PUT', step._links.updatePsuAuthentication.href, customer, {
          psuData: { password: customer.password },
        }),
        200,
      ).json;
    const done = await this.call('PUT', step._links.authoriseTransaction?.href ?? 'no link', customer, {
      scaAuthenticationData: customer.otp,
    });
    expectFinal(expectStatus(done, 200).json.scaStatus);
  }

  /** The customer approves in the app, which is a page of the bank. */
  async #decoupled(customer: Customer, links: Record<string, { href: string } | undefined>): Promise<void> {
    const start = links['startAuthorisationWithPsuIdentification'] ?? links['startAuthorisation'];
    const started = expectStatus(await this.call('POST', start?.href ?? 'no start', customer, {}), 201).json;
    const app = /https?:\S+/.exec(String(started.psuMessage))?.[0] ?? 'no address';
    const browser = new Browser(this.#options.ca);
    const login = await browser.open(app);
    const waiting = await browser.submit(login, { psuId: customer.psuId, password: customer.password });
    await browser.submit(waiting, { decision: 'approve' });
    const { scaStatus } = await this.status(started._links.scaStatus.href, customer);
    expectFinal(scaStatus as string);
  }

  /** The customer logs in and approves on the page; returns where the bank leads the browser then. */
  async #visit(customer: Customer, address: string): Promise<string> {
    const browser = new Browser(this.#options.ca);
    let page = await browser.open(address);
    page = await browser.submit(page, { psuId: customer.psuId, password: customer.password });
    page = await browser.submit(page, { otp: customer.otp, decision: 'approve' });
    if (!page.address.startsWith(back)) throw new Error(`not led back but to ${page.address}\n${page.text}`);
    return page.address;
  }

  /** RFC 6749 with PKCE, by the metadata to which the bank leads (RFC 8414). */
  async #oauth(customer: Customer, address: string, scope: string): Promise<string> {
    const { ca, tls, headers = {}, clientId = 'PSDDE-BAFIN-999999' } = this.#options;
    const metadata = JSON.parse((await send(address, { ca })).text) as Record<string, string>;
    const { authorization_endpoint: authorize = '', token_endpoint: token = '' } = metadata;
    const [state, verifier] = [randomUUID(), randomBytes(40).toString('base64url')];
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      scope,
      state,
      redirect_uri: back,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const answered = new URL(await this.#visit(customer, `${authorize}?${String(asked)}`));
    if (answered.searchParams.get('state') !== state) throw new Error('another state came back');
    if (answered.searchParams.get('iss') !== metadata['issuer']) throw new Error('another issuer answered');
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: answered.searchParams.get('code') ?? '',
      redirect_uri: back,
      code_verifier: verifier,
    });
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = { method: 'POST', headers: { ...headers, ...type }, body: String(form), ca, tls };
    const granted = await send(token, sent);
    if (granted.status !== 200) throw new Error(`no token: ${granted.text}`);
    return (JSON.parse(granted.text) as { access_token: string }).access_token;
  }

  /** One call of the interface; a path, or a link as the bank gave it. */
  async call(
    method: string,
    path: string,
    customer: Customer,
    body?: object,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer & { json: Json }> {
    const { baseUrl, ca, tls, seal, headers: always = {} } = this.#options;
    // A link is a path of the server; what is written here is one of the interface.
    const url = path.startsWith('/v1') ? baseUrl + path : new URL(path, baseUrl).href;
    const bytes = body === undefined ? '' : JSON.stringify(body);
    const headers: Record<string, string> = {
      'X-Request-ID': randomUUID(),
      'PSU-ID': customer.psuId,
      'PSU-IP-Address': '192.0.2.1',
      'TPP-Redirect-URI': back,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...always,
      ...more,
    };
    const signed = seal === undefined ? headers : signedBy(seal, headers, bytes);
    const answer = await send(url, { method, headers: signed, body: bytes, ca, tls });
    const json: Json = answer.text.startsWith('{') ? JSON.parse(answer.text) : undefined;
    return { ...answer, json };
  }
}

/** Digest and Signature as chapter 12 of the guidelines has them. */
function signedBy(
  seal: { cert: string; key: string },
  headers: Readonly<Record<string, string>>,
  body: string,
): Record<string, string> {
  const certificate = new X509Certificate(seal.cert);
  const key = createPrivateKey(seal.key);
  const whole: Record<string, string> = {
    ...headers,
    Digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
  };
  const names = ['Digest', 'X-Request-ID', 'PSU-ID', 'TPP-Redirect-URI'];
  const text = names.map((name) => `${name.toLowerCase()}: ${whole[name] ?? ''}`).join('\n');
  const issuer = certificate.issuer.split('\n').reverse().join(',').replaceAll(' ', '%20');
  const serial = BigInt(`0x${certificate.serialNumber}`).toString(16);
  const parts = {
    keyId: `SN=${serial},CA=${issuer}`,
    algorithm: key.asymmetricKeyType === 'rsa' ? 'rsa-sha256' : 'ecdsa-sha256',
    headers: names.join(' ').toLowerCase(),
    signature: sign('sha256', Buffer.from(text), key).toString('base64'),
  };
  return {
    ...whole,
    Signature: Object.entries(parts)
      .map(([name, value]) => `${name}="${value}"`)
      .join(','),
    'TPP-Signature-Certificate': certificate.raw.toString('base64'),
  };
}

interface Page {
  address: string;
  text: string;
}

/** As much of a browser as the pages need: cookies by path, forms and redirects. */
class Browser {
  readonly #ca: string | undefined;
  readonly #cookies = new Map<string, { path: string; pair: string }>();

  constructor(ca: string | undefined) {
    this.#ca = ca;
  }

  async open(address: string, form?: URLSearchParams): Promise<Page> {
    if (address.startsWith(back)) return { address, text: '' };
    const { pathname } = new URL(address);
    const fitting = [...this.#cookies.values()].filter(({ path }) => pathname.startsWith(path));
    const answer = await send(address, {
      ca: this.#ca,
      headers: {
        ...(fitting.length > 0 && { Cookie: fitting.map(({ pair }) => pair).join('; ') }),
        ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { method: 'POST', body: String(form) }),
    });
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = '', ...attributes] = cookie.split(/;\s*/);
      const path = attributes.find((one) => one.startsWith('Path='))?.slice(5) ?? '/';
      this.#cookies.set(`${path} ${pair.split('=')[0] ?? ''}`, { path, pair });
    }
    const { location } = answer.headers;
    if (typeof location === 'string') return this.open(new URL(location, address).href);
    if (answer.status !== 200) throw new Error(`${address}: ${String(answer.status)}\n${answer.text}`);
    return { address, text: answer.text };
  }

  /** Sends the first form of a page, its hidden fields and what was typed. */
  async submit({ address, text }: Page, typed: Readonly<Record<string, string>>): Promise<Page> {
    const [, action = '', content = ''] =
      /<form method="post" action="([^"]*)"[^>]*>([^]*?)<\/form>/.exec(text) ?? [];
    const hidden = [...content.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    const target = new URL(action.replaceAll('&amp;', '&'), address).href;
    return this.open(target, new URLSearchParams({ ...fields, ...typed }));
  }
}

interface Sent {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  ca?: string | undefined;
  tls?: { cert: string; key: string } | undefined;
}

function send(address: string, { method = 'GET', headers = {}, body = '', ca, tls }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false } as const;
    const outgoing = address.startsWith('https:')
      ? secure(address, { ...options, ...(ca !== undefined && { ca }), ...tls })
      : plain(address, options);
    outgoing.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

function expectStatus<Known extends Answer>(answer: Known, status: number): Known {
  if (answer.status !== status)
    throw new Error(`${String(answer.status)} and not ${String(status)}: ${answer.text}`);
  return answer;
}

function expectFinal(scaStatus: string): void {
  if (scaStatus !== 'finalised') throw new Error(`scaStatus is ${scaStatus}`);
}
