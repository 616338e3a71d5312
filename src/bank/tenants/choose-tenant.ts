import { tenantPath, isTenantName, tenantNameTakes } from '../../base/profile-name.ts';
import type { Answer } from '../interface/answer.ts';
import type { Exchange } from '../interface/exchange.ts';
import { Refusal, formatError, unauthorised } from '../rules/refusal.ts';
import type { RunningBank, TakenBank, Tenants } from '../trust/call.ts';
import { interfaceAt } from '../trust/interfaces.ts';
import { TooManyTenants } from '../trust/tenants.ts';
import type { IncomingMessage } from 'node:http';
import type { TenantsBy } from '../../settings/doors/doors.ts';
import { peerOf, readPeer, refusalOf } from '../trust/caller.ts';

/** Whose ledger a request is about: that of a tenant, with the URL as the tenant's bank knows it; or the answer where it is nobody's. */
export type Chosen = { taken: TakenBank; url?: string } | { refusal: Refusal } | { answer: Answer };

/** What steers a tenant is below this path and the name. */
const steering = /^\/sandbox\/api\/tenants\/([^/]+)(\/.+)$/;
const endpoints = ['/oauth/token', '/oauth/revoke', '/sandbox/password-key'];

/** Finds the tenant of a request; undefined for one that is about the bank as a whole. */
export async function chooseTenant(
  bank: RunningBank,
  tenants: Tenants,
  exchange: Exchange,
): Promise<Chosen | undefined> {
  const { path, tenant, incoming } = exchange;
  const isCall = interfaceAt({ ...bank.doors, dialect: bank.dialect }, path) !== undefined;
  const isEndpoint = endpoints.includes(path);
  if (tenant !== undefined) {
    const isPage = !isCall && (isEndpoint || !/^\/sandbox(\/|$)/.test(path));
    const named = nameIn(bank, tenants, exchange);
    if (!isPage || (named !== undefined && named !== tenant)) return { answer: nothing };
    return found(await tenants.take(tenant));
  }
  if (isCall) {
    try {
      return { taken: await tenants.takeOrMake(tenantOfCall(tenants.by, bank, incoming)) };
    } catch (error) {
      if (error instanceof TooManyTenants) return { refusal: tooManyTenants(error.most) };
      if (error instanceof Refusal) return { refusal: error };
      throw error;
    }
  }
  if (isEndpoint) {
    const name = nameIn(bank, tenants, exchange);
    return found(name === undefined ? undefined : await tenants.take(name));
  }
  if (/^\/sandbox(\/|$)/.test(path)) return steered(tenants, exchange);
  return { answer: nothing };
}

/** The name that a request shows, whatever else is wrong with it. */
function nameIn(bank: RunningBank, tenants: Tenants, { incoming }: Exchange): string | undefined {
  try {
    return tenantOfCall(tenants.by, bank, incoming);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** A tenant that the bank does not have is told by its control API, to those who have its token. */
async function steered(tenants: Tenants, { path, url }: Exchange): Promise<Chosen | undefined> {
  const [, segment = '', rest = ''] = steering.exec(path) ?? [];
  const name = decoded(segment);
  const taken = name === undefined ? undefined : await tenants.take(name);
  return taken && { taken, url: `/sandbox/api${rest}${url.search}` };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const nothing: Answer = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
  content: `There is nothing here. Pages and the OAuth server of a tenant are below ${tenantPath('…')}: follow the links of its calls.\n`,
};

const found = (taken: TakenBank | undefined): Chosen =>
  taken === undefined ? { answer: nothing } : { taken };

type Judge = Pick<RunningBank, 'certificates' | 'wallClock'>;

/** The name of the tenant for whom a TPP calls. Throws Refusal 400 or 401 where the call does not say. */
function tenantOfCall(by: TenantsBy, bank: Judge, incoming: IncomingMessage): string {
  return by === 'certificate'
    ? byCertificate(bank, incoming)
    : byHeader(by.slice('header:'.length), incoming);
}

function byHeader(name: string, { headersDistinct }: IncomingMessage): string {
  const [value, ...more] = headersDistinct[name.toLowerCase()] ?? [];
  if (value === undefined)
    throw formatError(`${name} is missing: this bank has a ledger for each of its values.`, name);
  if (more.length > 0) throw formatError(`${name} comes more than once.`, name);
  if (!isTenantName(value))
    throw formatError(`${name} does not name a tenant: it takes ${tenantNameTakes}.`, name);
  return value;
}

/**
 * The certificate of the connection (QWAC) goes first: who shows it has proved to have its key before the bank reads anything,
 * while TPP-Signature-Certificate is a claim until the signature is verified. Where both are there they agree.
 */
function byCertificate(bank: Judge, incoming: IncomingMessage): string {
  const peer = peerOf(incoming);
  const qwac = peer && readPeer(bank, peer);
  const header = incoming.headers['tpp-signature-certificate'];
  const seal = typeof header === 'string' ? bank.certificates.read(header, bank.wallClock.now()) : undefined;
  if (qwac !== undefined) {
    // Whatever else is wrong with the other one is for the ledger of the tenant to say.
    const other = seal?.mistake === undefined ? seal?.certificate?.tpp : undefined;
    if (other !== undefined && other !== qwac.tpp)
      throw unauthorised('CERTIFICATE_INVALID', 'QWAC and QSealC are of different organisations.');
    return named(qwac.tpp);
  }
  if (seal === undefined)
    throw unauthorised(
      'CERTIFICATE_MISSING',
      'There is no certificate of a TPP: this bank has a ledger for each organizationIdentifier.',
    );
  if (seal.mistake !== undefined) throw refusalOf(seal.mistake);
  return named(seal.certificate?.tpp ?? '');
}

function named(organizationIdentifier: string): string {
  if (isTenantName(organizationIdentifier)) return organizationIdentifier;
  throw unauthorised(
    'CERTIFICATE_INVALID',
    `The organizationIdentifier does not name a tenant: it takes ${tenantNameTakes}.`,
  );
}

/** 403: the bank has as many tenants as it may. */
function tooManyTenants(most: number): Refusal {
  return new Refusal(
    403,
    'SERVICE_BLOCKED',
    `This bank has ${String(most)} tenants, and makes no more until one is deleted.`,
  );
}
