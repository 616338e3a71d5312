import { cleanLine } from '../../../base/clean.ts';
import type { Context } from '../../context.ts';
import { InteractionNeeded, ObkError } from '../../../base/errors.ts';
import type { BankSettings } from '../../../settings/records/profile.ts';
import { lowersLevel } from '../../../settings/profile/ciphers.ts';
import { isLoopback, parseUrl } from '../../../base/url.ts';
import { question } from '../flags/prompts.ts';

/**
 * The settings that a file or template gives, as far as its author may decide: what the bank does with a known X-Request-ID is
 * said by the operator alone; addresses of other hosts than `own` (the one that the operator has given) and weaker TLS are
 * agreed to first, since requests, tokens and codes would go there. Throws NOT_CONFIRMED, InteractionNeeded.
 */
export async function trustedBank(
  { ports: { notices, person } }: Context,
  what: string | undefined,
  { requestIdSemantics, ...bank }: BankSettings,
  own: string | undefined,
): Promise<BankSettings> {
  if (requestIdSemantics !== undefined && requestIdSemantics !== 'unknown')
    notices.warn(
      `requestIdSemantics of ${cleanLine(what ?? 'the file')} reads as unknown: only you can say it (obk config set).`,
    );
  const wishes = [...elsewhere(bank, own), ...weaker(bank)];
  if (wishes.length === 0) return bank;
  const asked = question('trustBank', `The file of the bank wants this: ${wishes.join('; ')}. Take it over?`);
  try {
    if (await person.confirm(asked)) return bank;
  } catch (error) {
    if (!(error instanceof InteractionNeeded)) throw error;
    throw new InteractionNeeded(error.flags, {
      detail: ['The file of the bank wants this:', ...wishes.map((one) => `  ${one}`)].join('\n'),
    });
  }
  throw new ObkError({ code: 'NOT_CONFIRMED', title: 'Nothing was taken over.' });
}

function elsewhere(bank: BankSettings, own: string | undefined): string[] {
  const { baseUrl, urls, origins = [], oauth, auth, headers } = bank;
  const addresses = [
    ...[baseUrl, ...Object.values(urls?.perService ?? {}), ...origins],
    ...[oauth?.metadata, oauth?.issuer, auth?.authorizeUrl, auth?.tokenUrl],
  ].filter((address) => address !== undefined);
  const home = hostOf(own ?? baseUrl);
  const hosts = addresses
    .map(hostOf)
    .filter((host) => host !== undefined && host !== home && !isLoopback(host));
  const calls = [...new Set(hosts)].map((host) => `calls to ${cleanLine(host ?? '')}`);
  // The PSU comes back to such an address with what confirms a payment, and the bank pushes to it.
  const returns = (headers?.rules ?? []).flatMap(({ name, value }) =>
    /^TPP-.*URI$/i.test(name) && value !== undefined ? [`${cleanLine(name)} ${cleanLine(value)}`] : [],
  );
  return [...calls, ...returns];
}

/** The host of an address, its variables as they stand. */
const hostOf = (address: string | undefined): string | undefined =>
  parseUrl(address ?? '')?.hostname ?? /^https?:\/\/([^/:]+)/.exec(address ?? '')?.[1];

function weaker({ tls }: BankSettings): string[] {
  return lowersLevel(tls?.ciphers) ? ['TLS with keys of 1024 bits and SHA-1'] : [];
}
