import type { IncomingMessage } from 'node:http';
import type { TenantsBy } from '../../settings/doors/doors.ts';
import { formatError, Refusal, unauthorised } from '../rules/refusal.ts';
import type { RunningBank } from '../trust/call.ts';
import { peerOf, readPeer } from '../trust/peer.ts';
import { isTenantName, tenantNameTakes } from '../../base/profile-name.ts';
import { refusalOf } from '../trust/verify.ts';

type Judge = Pick<RunningBank, 'certificates' | 'wallClock'>;

/** The name of the tenant for whom a TPP calls. Throws Refusal 400 or 401 where the call does not say. */
export function tenantOfCall(by: TenantsBy, bank: Judge, incoming: IncomingMessage): string {
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
export function tooManyTenants(most: number): Refusal {
  return new Refusal(
    403,
    'SERVICE_BLOCKED',
    `This bank has ${String(most)} tenants, and makes no more until one is deleted.`,
  );
}
