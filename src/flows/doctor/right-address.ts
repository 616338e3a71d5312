import { line } from '../../command-line.ts';
import { BankRefusal, isFailure } from '../../errors.ts';
import { presetNames, presets } from '../../xs2a/variants.ts';
import { tryCall } from '../call/call.ts';
import { baseOf } from '../exchange/addresses.ts';
import type { Target } from '../exchange/target.ts';
import { doubledPrefix } from '../profile/doubled-prefix.ts';
import { fail } from './doctor-finding.ts';
import type { Finding } from './doctor-finding.ts';

/** An address and a prefix, at which a bank may answer; `flags` of `profile edit` lead there. */
interface Way {
  address: string;
  flags: readonly string[];
}

/** Where a bank answers as the service does: where the profile looks, elsewhere, or nowhere that is known. */
type Found = { at: 'here' | 'nowhere' } | { at: 'elsewhere'; way: Way };

/** How an unsigned read of a consent that cannot exist was answered; the service refuses it with its own error. */
const ranks = { service: 3, unknownResource: 2, gateway: 1, nothing: 0 } as const;
type Rank = (typeof ranks)[keyof typeof ranks];

/** A bank that is not where the profile looks: the finding, and the flags of `profile edit` that lead there, if they are known. */
export interface Misplaced {
  finding: Finding;
  flags?: readonly string[];
}

/** Looks where the bank is; undefined where it seems to be where the profile looks. */
export async function misplaced(target: Target): Promise<Misplaced | undefined> {
  const { name, links } = target;
  const told = (check: string, text: string, flags: readonly string[]): Misplaced => ({
    finding: fail(check, text, line`obk profile edit ${name} ${flags}`),
    flags,
  });
  if (links.base.startsWith('http:') && (await speaksTls(target))) {
    const secure = links.base.replace(/^http:/, 'https:');
    return told('tls', `${new URL(secure).host} speaks TLS, and the address says http.`, [
      '--base-url',
      secure,
    ]);
  }
  const found = await findBank(target).catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    return { at: 'here' as const };
  });
  if (found.at === 'here') return undefined;
  const looked = baseOf(target, 'AIS') + target.variant.prefix;
  if (found.at === 'elsewhere') {
    const { address, flags } = found.way;
    return told('prefix', `The bank answers at ${address}, and the profile calls ${looked}.`, flags);
  }
  const text = `Nothing at ${looked} answers as an XS2A interface does: the address or the prefix is wrong.`;
  return { finding: fail('prefix', text, line`obk profile edit ${name} --base-url URL --prefix PATH`) };
}

async function speaksTls({ links, ports, run }: Target): Promise<boolean> {
  const { hostname, port } = new URL(links.base);
  const bare = hostname.replace(/^\[|\]$/g, '');
  const chain = ports.tlsPeers.chain(bare, Number(port === '' ? 80 : port), run.signal);
  return (await chain.catch(() => [])).length > 0;
}

/** Looks for the service by unsigned reads: where the profile says, then where a doubled, missing or other prefix would lead. */
async function findBank(target: Target): Promise<Found> {
  const base = baseOf(target, 'AIS');
  const { prefix } = target.variant;
  const here = await heard(target, base, prefix);
  if (here === ranks.service) return { at: 'here' };
  let best: { rank: Rank; way: Way } | undefined;
  for (const { address, prefix: other, flags } of elsewhere(base, prefix)) {
    const rank = await heard(target, address, other);
    if (rank > here && rank > (best?.rank ?? 0)) best = { rank, way: { address: address + other, flags } };
    if (rank === ranks.service) break;
  }
  if (best !== undefined && best.rank !== ranks.gateway) return { at: 'elsewhere', way: best.way };
  return { at: here === ranks.nothing ? 'nowhere' : 'here' };
}

/** The prefixes of the interface at which a bank answers, by their variants. */
export async function variantsAt(target: Target): Promise<(typeof presetNames)[number][]> {
  const found: (typeof presetNames)[number][] = [];
  for (const name of presetNames) {
    const rank = await heard(target, baseOf(target, 'AIS'), presets[name].prefix);
    if (rank === ranks.service) found.push(name);
  }
  return found;
}

function elsewhere(base: string, prefix: string): (Way & { prefix: string })[] {
  const doubled = doubledPrefix({ baseUrl: base, prefix: prefix === '' ? '/' : prefix });
  const others = presetNames.flatMap((name) =>
    presets[name].prefix === prefix
      ? []
      : [{ address: base, prefix: presets[name].prefix, flags: ['--variant', name] }],
  );
  return [
    ...(doubled === undefined
      ? []
      : [{ address: doubled.address, prefix: base.slice(doubled.address.length), flags: doubled.flags }]),
    ...others,
    ...(prefix === '' ? [] : [{ address: base, prefix: '', flags: ['--prefix', '/'] }]),
  ];
}

/** One unsigned read, without any token. Throws what stopped it on the way. */
async function heard(target: Target, base: string, prefix: string): Promise<Rank> {
  const { urls: _, ...profile } = target.profile;
  const there: Target = {
    ...target,
    profile,
    variant: { ...target.variant, prefix },
    links: { ...target.links, base, prefix },
    signing: { ...target.signing, mode: 'none' },
    token: undefined,
    logins: [],
  };
  const params = { consentId: target.ports.ids.uuid() };
  const called = await tryCall(there, { operation: 'getConsentStatus', params, anonymous: true });
  if (called.ok) return ranks.service;
  const { error } = called;
  if (!(error instanceof BankRefusal)) {
    if (error.code === 'NOT_SENT' || error.code === 'ANSWER_LOST') throw error;
    return ranks.nothing;
  }
  const { httpStatus, messages } = error;
  const isMissing = httpStatus === 404 || httpStatus === 410;
  if (messages.length > 0) return isMissing ? ranks.unknownResource : ranks.service;
  return isMissing ? ranks.nothing : ranks.gateway;
}
