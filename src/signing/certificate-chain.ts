import { X509Certificate } from 'node:crypto';
import type { CertificateReport } from './certificate-report.ts';
import { when } from './certificate-rules.ts';
import type { CertificateRole, Complaint } from './certificate-rules.ts';
import { isIssued, isOfIntermediate, isOfRoot } from './chain-order.ts';

/** A complaint about the certificate at a place of its file, from 0. */
export type ChainComplaint = Complaint & { at: number; severity: 'error' | 'warning' };

interface Chain {
  certificates: readonly X509Certificate[];
  /** Places of the certificates, each once. */
  distinct: readonly number[];
}

function chainOf(ders: readonly Uint8Array[]): Chain {
  const certificates = ders.map((der) => new X509Certificate(der));
  const distinct = certificates.flatMap(({ fingerprint256 }, at) =>
    certificates.findIndex((other) => other.fingerprint256 === fingerprint256) === at ? [at] : [],
  );
  return { certificates, distinct };
}

/** Finds the place (from 0) of the certificate that a file is about: the first one, unless that issued others or is an authority. */
export function leafOf(ders: readonly Uint8Array[]): number {
  const { certificates, distinct } = chainOf(ders);
  const ends = distinct.filter((at) =>
    distinct.every((other) => {
      const [own, another] = [certificates[at], certificates[other]];
      return own === undefined || another === undefined || !isIssued(another, own);
    }),
  );
  return ends.find((at) => certificates[at]?.ca === false) ?? ends[0] ?? 0;
}

/** Follows the issuers from a place as far as the file has them, the one that stands nearest after it first. */
function pathFrom(leaf: number, { certificates, distinct }: Chain): number[] {
  const path = [leaf];
  for (;;) {
    const last = path.at(-1) ?? leaf;
    const own = certificates[last];
    const next = [...distinct.filter((at) => at > last), ...distinct].find((at) => {
      const issuer = certificates[at];
      return !path.includes(at) && own && issuer && isIssued(own, issuer);
    });
    if (next === undefined) return path;
    path.push(next);
  }
}

/**
 * Lists what is wrong with the order and the wholeness of a file with the chain of one certificate (RFC 8446 section 4.4.2);
 * the issuer of the last one may be an authority that the bank knows.
 */
export function chainComplaints(
  ders: readonly Uint8Array[],
  reports: readonly CertificateReport[],
  leaf: number,
  { as, authorities = [] }: { as: CertificateRole; authorities?: readonly Uint8Array[] | undefined },
): ChainComplaint[] {
  const chain = chainOf(ders);
  const path = pathFrom(leaf, chain);
  const strangers = chain.distinct.filter((at) => !path.includes(at));
  const end = path.at(-1) ?? leaf;
  const isWhole = reports[end]?.selfSigned === true;
  const isSorted = path.every((at, index) => index === 0 || at > (path[index - 1] ?? 0));
  const set = (at: number, severity: 'error' | 'warning', found: readonly Complaint[]) =>
    found.map((complaint): ChainComplaint => ({ ...complaint, at, severity }));
  const last = ders[end];
  // A chain of several may end at an authority that the bank knows; one whose issuer is known here and is no root goes on.
  const goesOn =
    last !== undefined &&
    (path.length === 1 ? !isOfRoot(last, authorities) : isOfIntermediate(last, authorities));
  const gap = strangers.length > 0 && !isWhole;
  return [
    ...set(
      leaf,
      'error',
      when(leaf !== 0 || !isSorted, () =>
        orderComplaint(path, path.length === ders.length && !isSorted && leaf === ders.length - 1),
      ),
    ),
    // A signing certificate is sent without its chain; a TLS client sends the chain.
    ...set(
      leaf,
      'warning',
      when(goesOn && !gap && as !== 'qsealc' && !isWhole, () => ({
        rule: 'chain-missing',
        text: `${path.length === 1 ? 'Its issuer' : 'The chain ends before its root: the issuer'} ${reports[end]?.issuer ?? ''} is not in the file; a bank that knows only the root cannot check it.`,
        hint: 'Append the certificates of the intermediate authorities to the file.',
      })),
    ),
    ...set(
      end,
      'error',
      when(gap, () => gapComplaint(chain.certificates, reports, end, strangers)),
    ),
    ...strangers.flatMap((at) =>
      set(
        at,
        'warning',
        when(isWhole, () => ({
          rule: 'chain-stranger',
          text: `${reports[at]?.subject ?? ''} is not a part of the chain.`,
          hint: 'Leave it out of the file.',
        })),
      ),
    ),
    ...path.slice(1).flatMap((at) =>
      set(
        at,
        'error',
        when(reports[at]?.isCa === false, () => ({
          rule: 'chain-no-authority',
          text: `${reports[at]?.subject ?? ''} signed the one before it, and is not the certificate of an authority.`,
          hint: 'Take the chain from the trust service provider.',
          bankCode: 'CERTIFICATE_INVALID',
        })),
      ),
    ),
    ...ders.flatMap((_, at) =>
      set(
        at,
        'warning',
        when(!chain.distinct.includes(at), () => ({
          rule: 'chain-double',
          text: `${reports[at]?.subject ?? ''} is in the file twice.`,
          hint: 'Leave the second one out.',
        })),
      ),
    ),
  ];
}

/** Whether what is told of its use leaves out signing certificates (RFC 5280 section 4.2.1.3). */
export const mayNotSign = ({ keyUsages }: Pick<CertificateReport, 'keyUsages'>): boolean =>
  keyUsages.length > 0 && !keyUsages.includes('keyCertSign');

function orderComplaint(path: readonly number[], isReverse: boolean): Complaint {
  const places = path.map((at) => at + 1).join(', ');
  return {
    rule: 'chain-order',
    text: isReverse
      ? 'The file has the chain in reverse order: yours is the last certificate, and must be the first.'
      : `The file has its certificates in the wrong order: it must be ${places}.`,
    hint: 'Put the file in order: your certificate, its issuer, the issuer of that, and so on.',
    bankCode: 'CERTIFICATE_INVALID',
  };
}

function gapComplaint(
  certificates: readonly X509Certificate[],
  reports: readonly CertificateReport[],
  end: number,
  strangers: readonly number[],
): Complaint {
  const own = certificates[end];
  const namesake = strangers.find((at) => {
    const issuer = certificates[at];
    return own !== undefined && issuer !== undefined && own.checkIssued(issuer);
  });
  const [named] = strangers.flatMap((at) =>
    reports[at]?.subject === reports[end]?.issuer ? (reports[at] ?? []) : [],
  );
  if (named !== undefined && mayNotSign(named)) {
    return {
      rule: 'chain-no-authority',
      text: `${named.subject} has the name of its issuer, and may sign no certificates (no keyCertSign).`,
      hint: 'Take the chain from the trust service provider.',
      bankCode: 'CERTIFICATE_INVALID',
    };
  }
  return {
    rule: 'chain-gap',
    text:
      namesake === undefined
        ? `Its issuer ${reports[end]?.issuer ?? ''} is not in the file, though other certificates follow.`
        : `It was not signed with the key of ${reports[namesake]?.subject ?? ''}, which has the name of its issuer.`,
    hint: 'Append the certificate of that issuer, and leave out what does not belong to the chain.',
  };
}
