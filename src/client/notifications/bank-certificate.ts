import { isServerCertificate } from '../../signing/server-certificate.ts';
import { certificatesIn } from '../../signing/pem.ts';
import type { Target } from '../exchange/target.ts';
import { readProfileFile } from '../profile/profile-file.ts';

/** The certificates that banks show at their own addresses; each is looked at again only where another one is shown. */
export interface BankCertificates {
  /** Whether a client certificate (DER) is the bank's own: the one of its interface, or one for its host of its authority. */
  isOf(target: Target, certificate: Uint8Array): Promise<boolean>;
}

/** A bank renews its certificate now and then; a stranger must not make this look at it all the time. */
const againMs = 60_000;

export function bankCertificates(): BankCertificates {
  const seen = new Map<string, { chain: Promise<Uint8Array | undefined>; at: number }>();
  const shown = (target: Target, fresh: boolean): Promise<Uint8Array | undefined> => {
    const { hostname, port, origin } = new URL(target.links.base);
    const { clock, tlsPeers } = target.ports;
    const known = seen.get(origin);
    if (known !== undefined && (!fresh || clock.monotonic() - known.at < againMs)) return known.chain;
    const chain = tlsPeers
      .chain(bare(hostname), port === '' ? 443 : Number(port), target.run.signal)
      .then(([own]) => own)
      .catch(() => undefined);
    seen.set(origin, { chain, at: clock.monotonic() });
    return chain;
  };
  return {
    async isOf(target, certificate) {
      if (isByTls(target)) {
        if (isEqual(await shown(target, false), certificate)) return true;
        if (isEqual(await shown(target, true), certificate)) return true;
      }
      const host = bare(new URL(target.links.base).hostname);
      return isServerCertificate(certificate, host, await authorities(target), target.ports.clock.now());
    },
  };
}

/** Whether there is anything to judge the certificate of this bank by. */
export async function isBankKnown(target: Target): Promise<boolean> {
  return isByTls(target) || (await authorities(target)).length > 0;
}

const isByTls = ({ links }: Target): boolean => links.base.startsWith('https:');

const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

function isEqual(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.from(a).equals(Buffer.from(b));
}

async function authorities(target: Target): Promise<readonly Uint8Array[]> {
  const { ownBank, ports } = target;
  const { ca } = await target.connection();
  const own = ownBank && (await readProfileFile(ports, ownBank.caPath, 'CERTIFICATE_FILE', 'CA certificate'));
  return [ca, own].flatMap((pem) => (pem === undefined ? [] : certificatesIn(pem)));
}
