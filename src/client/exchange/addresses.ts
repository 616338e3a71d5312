import { parseUrl } from '../../base/url.ts';
import type { LinkPolicy } from '../../standard/xs2a/links.ts';
import type { Service, Operation } from '../../standard/xs2a/operations.ts';
import type { Target } from './target.ts';

/** The address of a service: its own, else that of the bank; without a final slash. */
export function baseOf({ profile, links }: Pick<Target, 'profile' | 'links'>, service: Service): string {
  const own = profile.urls?.perService?.[serviceKeys[service]];
  return own?.replace(/\/+$/, '') ?? links.base;
}

const serviceKeys = { PIS: 'pis', AIS: 'ais', PIIS: 'piis', SBS: 'pis' } as const satisfies Record<
  Service,
  string
>;

/** Every address of a bank, that of the bank itself first, each once. */
export function basesOf(target: Pick<Target, 'profile' | 'links'>): string[] {
  const services = Object.keys(serviceKeys) as Service[];
  return [...new Set([target.links.base, ...services.map((service) => baseOf(target, service))])];
}

/** Where links may lead from an answer of the service: relative ones stay below its address. */
export function linksOf(target: Target, { service }: Operation): LinkPolicy {
  const base = baseOf(target, service);
  const others = basesOf(target).filter((one) => one !== base);
  return { ...target.links, base, origins: [...others, ...target.links.origins] };
}

/**
 * A saved link of the sandbox with the sandbox's present origin, since it may have had to take another port; path and
 * query, and links of other banks, stay as they are.
 */
export function liveUrl(target: Target, href: string): string {
  const url = parseUrl(href);
  if (target.ownBank === undefined || url === undefined) return href;
  const now = new URL(target.ownBank.baseUrl);
  if (!target.ownBank.formerOrigins.includes(url.origin)) return href;
  return now.origin + href.slice(url.origin.length);
}
