import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { RefereeFinding } from '../../referee/finding.ts';
import { judge } from '../../referee/judge.ts';
import { certificatesIn } from '../../referee/signature/authorities.ts';
import { TppCertificates } from '../../referee/signature/tpp-certificate.ts';
import { guidelineSigning } from '../../referee/signing.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { isPaymentService, paymentServices } from '../../standard/xs2a/products.ts';
import { usualFramework, presets } from '../../standard/xs2a/variants.ts';
import type { Framework, Variant } from '../../standard/xs2a/variants.ts';
import { capturesOfRun, isPathLike, readCaptures } from './captured-request.ts';
import type { CapturedRequest } from './captured-request.ts';
import { withoutMasked } from './masked-capture.ts';

/** A captured request with what the referee says of it. */
export interface JudgedCapture {
  /** Its number in the file, from 1. */
  entry: number;
  method: string;
  target: string;
  operation: OperationId | null;
  framework: Framework;
  findings: readonly RefereeFinding[];
  notTested: readonly string[];
  notes: readonly string[];
}

/** The bank that the requests were for. */
export interface JudgingOptions {
  framework?: Framework | undefined;
  /** True where the bank wants every request signed. */
  needsSignature?: boolean;
  /** PEM files of CAs; without any the issuers of certificates are not judged. */
  trust?: readonly string[];
}

/** A request is a few kilobytes, and a HAR holds thousands; nobody captures more. */
const maxBytes = 64 * 1024 * 1024;
const maxRequests = 10_000;

/** Judges the requests of a file (raw HTTP, a curl command, HAR, requests as obk shows them); `-` is stdin. Throws INPUT_INVALID. */
export async function judgeRequests(
  ports: Pick<Ports, 'files' | 'clock'>,
  source: string,
  options: JudgingOptions,
): Promise<JudgedCapture[]> {
  const captures = await capturesIn(ports, source);
  const certificates = await authorities(ports.files, options.trust ?? []);
  const judged: JudgedCapture[] = [];
  for (const [index, captured] of captures.entries()) {
    const variant = variantOfTarget(captured.path, options.framework);
    const about = {
      entry: index + 1,
      method: captured.method,
      target: captured.path,
      framework: variant.framework,
      notes: captured.notes,
    };
    if (captures.length > 1 && isForeign(captured)) {
      judged.push({ ...about, operation: null, findings: [], notTested: [notOfTheInterface] });
      continue;
    }
    const signing = { needsSignature: options.needsSignature === true, certificates };
    judged.push({ ...about, ...(await judgeCapture(captured, variant, ports.clock, signing)) });
  }
  return judged;
}

/** Reads the calls of a file, in which bodies and answers may be missing. Throws INPUT_INVALID. */
const capturesIn = async ({ files }: Pick<Ports, 'files'>, source: string): Promise<CapturedRequest[]> =>
  capturesOf(source, await files.read(source));

/** The calls in the bytes of a file, which every error names: it may be one of several. */
function capturesOf(source: string, bytes: Uint8Array): CapturedRequest[] {
  try {
    return limitedCaptures(bytes);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { code, title, detail, hint } = error;
    throw new ObkError({ code, title, detail: `${source}: ${detail ?? ''}`, hint, cause: error });
  }
}

function limitedCaptures(bytes: Uint8Array): CapturedRequest[] {
  if (bytes.length > maxBytes) throw tooMuch(`It has ${String(bytes.length)} bytes; 64 MiB are read.`);
  const captures = readCaptures(bytes);
  if (captures.length > maxRequests)
    throw tooMuch(`It holds ${String(captures.length)} requests; ${String(maxRequests)} are read.`);
  return captures;
}

/**
 * The calls that a word names: those of a file, else those of a run or of what runs were about, with the profile of the run. Throws
 * what the file or the journal throws.
 */
export async function callsNamed(
  ports: Pick<Ports, 'files' | 'journal'>,
  source: string,
  ofRuns: { profile?: string | undefined },
): Promise<{ profile: string | null; captures: CapturedRequest[] }> {
  if (source.startsWith('@')) return capturesOfRun(ports.journal, source, ofRuns);
  let bytes: Uint8Array | undefined;
  let noFile: unknown;
  try {
    bytes = await ports.files.read(source);
  } catch (error) {
    if (!(error instanceof ObkError) || isPathLike(source)) throw error;
    noFile = error;
  }
  if (bytes !== undefined) return { captures: capturesOf(source, bytes), profile: null };
  try {
    return await capturesOfRun(ports.journal, source);
  } catch (error) {
    throw error instanceof ObkError && error.code === 'RESOURCE_NOT_SAVED' ? noFile : error;
  }
}

/** Judges one captured request as of the day on which it was sent. */
export async function judgeCapture(
  captured: CapturedRequest,
  variant: Variant,
  clock: Ports['clock'],
  signing: { needsSignature: boolean; certificates?: TppCertificates | undefined },
): Promise<Pick<JudgedCapture, 'operation' | 'findings' | 'notTested'>> {
  const { needsSignature, certificates } = signing;
  const { operation, findings, notTested } = await judge(
    {
      method: captured.method,
      target: captured.path,
      headers: captured.headers,
      body: captured.lacksBody === true ? undefined : captured.body,
    },
    {
      variant,
      now: timeOf(captured) ?? clock.now(),
      ...(certificates && { certificates }),
      signing: { ...guidelineSigning, signature: needsSignature ? 'required' : 'optional' },
    },
  );
  const known = withoutMasked(captured, findings);
  return {
    operation: operation?.id ?? null,
    findings: known.findings,
    notTested: [...notTested, ...known.notTested],
  };
}

const tooMuch = (detail: string): ObkError =>
  new ObkError({
    code: 'INPUT_INVALID',
    title: 'The file is too large to be judged.',
    detail,
    hint: ["jq '.log.entries |= .[:1000]' FILE.har | obk check -   # the first 1000 calls of a HAR file"],
  });

/** A request is judged as of the day on which it was sent. */
function timeOf({ headers, at }: CapturedRequest): Date | undefined {
  for (const text of [at, headerOf(headers, 'date')]) {
    const ms = text === undefined ? Number.NaN : Date.parse(text);
    if (!Number.isNaN(ms)) return new Date(ms);
  }
  return undefined;
}

const roots = new Set<string>([
  ...paymentServices,
  ...operations.map(({ path }) => path.split('/')[1] ?? '').filter((root) => !root.startsWith('{')),
]);

/**
 * Returns the variant that a path is of. What stands in front of the interface is the bank's own; without a known path the version is
 * that of the start.
 */
export function variantOfTarget(target: string, asked: Framework | undefined): Variant {
  const segments = (target.split('?', 1)[0] ?? '').split('/');
  const at = segments.findIndex((segment, index) => index > 0 && roots.has(segment));
  const version = segments.findIndex((segment) => /^v[0-9]/.test(segment));
  const end = at > 0 && isRoot(segments, at) ? at : version + 1;
  const prefix = end > 1 ? segments.slice(0, end).join('/') : '/v1';
  const preset = Object.values(presets).find((one) => prefix.endsWith(one.prefix));
  return { framework: asked ?? preset?.framework ?? usualFramework, prefix, surface: 'framework' };
}

/** What is said of a call to another server. */
export const notOfTheInterface = 'the request, whose path is none of the interface';

/** Tells a call to another server, such as that of OAuth, among many; one alone was meant for the interface. */
export function isForeign({ method, path }: Pick<CapturedRequest, 'method' | 'path'>): boolean {
  // A browser asks before it calls another origin, and a proxy is asked for a tunnel: no client of the interface does either.
  if (/^(?:OPTIONS|CONNECT)$/i.test(method)) return true;
  const segments = (path.split('?', 1)[0] ?? '').split('/');
  return !segments.some((segment) => roots.has(segment) || /^v[0-9]/.test(segment));
}

/** An id may have the name of a root; a payment service has its product behind it. */
const isRoot = (segments: readonly string[], at: number): boolean =>
  !isPaymentService(segments[at] ?? '') || segments.length > at + 1;

/** Reads the CAs of TPP certificates from files in PEM; undefined without any. Throws INPUT_INVALID. */
export async function authorities(
  files: Ports['files'],
  paths: readonly string[],
): Promise<TppCertificates | undefined> {
  if (paths.length === 0) return undefined;
  const trusted = [];
  for (const path of paths) {
    const found = certificatesIn(await files.read(path));
    if (found === undefined)
      throw new ObkError({ code: 'INPUT_INVALID', title: `${path} holds no certificate in PEM.` });
    trusted.push(...found);
  }
  return new TppCertificates(trusted);
}
