import { line } from '../../base/command-line.ts';
import { BankRefusal, isFailure, TransportFailure } from '../../base/errors.ts';
import type { HttpAnswer } from '../ports/http.ts';
import { parseUrl } from '../../base/url.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { presetNames, presets } from '../../standard/xs2a/variants.ts';
import { tryCall } from '../call/call.ts';
import { baseOf } from '../exchange/addresses.ts';
import type { Target } from '../exchange/target.ts';
import { doubledPrefix } from '../profile/doubled-prefix.ts';
import { fail } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';

/** The line that sets another address, with the one that is there to be corrected in it. */
export const anotherAddress = ({ name, profile }: Pick<Target, 'name' | 'profile'>, how: string): string =>
  line`obk profile edit ${name} --base-url ${profile.baseUrl ?? 'URL'}   # with the right ${how}`;

/** An address and a prefix, at which a bank may answer; `flags` of `profile edit` lead there. */
interface Way {
  address: string;
  flags: readonly string[];
}

/** Where a bank answers as the service does: where the profile looks, elsewhere, or nowhere that is known. */
type Found =
  /** `silent`: no answer, or that of a server of TLS to what is no TLS. */
  | { at: 'here' | 'nowhere' | 'silent' }
  | { at: 'elsewhere'; way: Way }
  /** The server answers each read with an address of another server, which begins with this. */
  | { at: 'redirected'; address: string };

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
  let found: Found;
  let why: string | undefined;
  try {
    found = await findBank(target);
  } catch (error) {
    if (!isFailure(error)) throw error;
    why = speechless(error.cause);
    found = { at: 'silent' };
  }
  if (found.at === 'silent') {
    if (links.base.startsWith('http:') && (await speaksTls(target))) {
      const secure = links.base.replace(/^http:/, 'https:');
      const { host } = new URL(secure);
      return told('tls', `${host} speaks TLS, and the address says http.`, ['--base-url', secure]);
    }
    if (why === undefined) return undefined;
    const another = anotherAddress(target, 'port');
    return { finding: fail('tcp', `${new URL(links.base).host} ${why}.`, another) };
  }
  if (found.at === 'here') return undefined;
  if (found.at === 'redirected') {
    const { address } = found;
    const text = `${links.base} sends every call on to ${address}, and obk does not follow.`;
    // An answer over plain http may be anybody's; what it names is taken for the bank on the same host alone.
    if (new URL(address).hostname === new URL(links.base).hostname)
      return told('prefix', text, ['--base-url', address]);
    const another = anotherAddress(target, 'address, which the bank has published');
    return { finding: fail('prefix', text, another) };
  }
  const looked = baseOf(target, 'AIS') + target.variant.prefix;
  if (found.at === 'elsewhere') {
    const { address, flags } = found.way;
    return told('prefix', `The bank answers at ${address}, and the profile calls ${looked}.`, flags);
  }
  const text = `Nothing at ${looked} answers as an XS2A interface does: the address or the prefix is wrong.`;
  return {
    finding: fail(
      'prefix',
      text,
      line`obk profile edit ${target.name} --base-url ${target.profile.baseUrl ?? 'URL'} --prefix ${target.variant.prefix || '/'}   # with the right address and prefix`,
    ),
  };
}

/** How a server answered that has no word of HTTP; undefined where it may have passed. */
function speechless(cause: unknown): string | undefined {
  if (!(cause instanceof TransportFailure) || !cause.sent || cause.partial !== undefined) return undefined;
  if (cause.reason === 'malformed') return 'does not speak HTTP on this port';
  return cause.reason === 'reset' ? 'takes a request and closes the connection without an answer' : undefined;
}

/** Asked of a server that has just answered otherwise, so that it says at once what it has to say. */
const handshakeMs = 2000;

async function speaksTls({ links, ports: { clock, tlsPeers }, run }: Target): Promise<boolean> {
  const { hostname, port } = new URL(links.base);
  const bare = hostname.replace(/^\[|\]$/g, '');
  const over = new AbortController();
  const signal = run.signal === undefined ? over.signal : AbortSignal.any([over.signal, run.signal]);
  const chain = tlsPeers.chain(bare, Number(port === '' ? 80 : port), signal).catch(() => []);
  const patience = clock.sleep(handshakeMs, signal).then(
    () => [],
    () => [],
  );
  const seen = await Promise.race([chain, patience]);
  over.abort();
  return seen.length > 0;
}

/** Looks for the service by unsigned reads: where the profile says, then where a doubled, missing or other prefix would lead. */
async function findBank(target: Target): Promise<Found> {
  const base = baseOf(target, 'AIS');
  const { prefix } = target.variant;
  let address: string | undefined;
  let status: number | undefined;
  const here = await heard(target, base, prefix, (answer, consentId) => {
    ({ status } = answer);
    address = redirected(answer, `${prefix}/consents/${consentId}/status`);
  });
  if (here === ranks.service) return { at: 'here' };
  if (address !== undefined) return { at: 'redirected', address };
  if (here === ranks.gateway && status === 400) return { at: 'silent' };
  let best: { rank: Rank; way: Way } | undefined;
  for (const { address, prefix: other, flags } of elsewhere(base, prefix)) {
    const rank = await heard(target, address, other);
    if (rank > here && rank > (best?.rank ?? 0)) best = { rank, way: { address: address + other, flags } };
    if (rank === ranks.service) break;
  }
  if (best !== undefined && best.rank !== ranks.gateway) return { at: 'elsewhere', way: best.way };
  return { at: here === ranks.nothing ? 'nowhere' : 'here' };
}

/** The address of a bank in an answer that sends a call to the same path elsewhere; `rest` is what follows the address. */
function redirected({ status, headers }: HttpAnswer, rest: string): string | undefined {
  const url = [301, 302, 307, 308].includes(status)
    ? parseUrl(headerOf(headers, 'location') ?? '')
    : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !url.pathname.endsWith(rest)) return undefined;
  return url.origin + url.pathname.slice(0, -rest.length);
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
    ...(doubled === undefined ? [] : [doubled]),
    ...(doubled === undefined || doubled.written === doubled.prefix ? [] : [asWritten(doubled)]),
    ...others,
    ...(prefix === '' ? [] : [{ address: base, prefix: '', flags: ['--prefix', '/'] }]),
  ];
}

/** A bank whose version is spelt as its operator gave it, which no preset has. */
const asWritten = ({ address, written }: { address: string; written: string }) => ({
  ...{ address, prefix: written, flags: ['--base-url', address, '--prefix', written] },
});

/** One unsigned read, without any token. Throws what stopped it on the way. */
async function heard(
  target: Target,
  base: string,
  prefix: string,
  onAnswer: (answer: HttpAnswer, consentId: string) => void = () => undefined,
): Promise<Rank> {
  const consentId = target.ports.ids.uuid();
  const { urls: _, ...profile } = target.profile;
  const there: Target = {
    ...target,
    profile,
    variant: { ...target.variant, prefix },
    links: { ...target.links, base, prefix },
    signing: { ...target.signing, mode: 'none' },
    token: undefined,
    logins: [],
    run: {
      ...target.run,
      onExchange: (seen) => {
        target.run.onExchange?.(seen);
        if (seen.answer !== undefined) onAnswer(seen.answer, consentId);
      },
    },
  };
  const called = await tryCall(there, {
    operation: 'getConsentStatus',
    params: { consentId },
    anonymous: true,
    once: true,
  });
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
