import { tenantPath } from '../../base/profile-name.ts';
import type { Answer } from '../interface/answer.ts';
import type { Exchange } from '../interface/exchange.ts';
import { Refusal } from '../rules/refusal.ts';
import type { RunningBank, TakenBank, Tenants } from '../trust/call.ts';
import { interfaceAt } from '../trust/interfaces.ts';
import { TooManyTenants } from '../trust/tenants.ts';
import { tenantOfCall, tooManyTenants } from './tenant-of-call.ts';

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
