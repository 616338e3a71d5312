import { isLoopback } from '../../base/url.ts';

/** Where the bank may push: on this machine only, also where the TPP's certificate (QWAC) names the host, or anywhere. */
export type PushDoor = 'loopback' | 'certificate' | 'anywhere';

/** Says why the bank does not push to an address; undefined where it does. `names` are those of the QWAC. */
export function whyNot(url: URL | undefined, names: readonly string[], door: PushDoor): string | undefined {
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'The address is none of http or https.';
  if (url.username !== '' || url.password !== '') return 'The address has a user name or a password in it.';
  if (isLoopback(url.hostname) || door === 'anywhere') return undefined;
  if (names.length === 0) return 'The connection showed no certificate (QWAC) that names the host.';
  if (!names.some((name) => covers(name, url.hostname)))
    return 'No name in the certificate (QWAC) is that of the host.';
  if (url.protocol !== 'https:') return 'Outside this machine the bank pushes by https only.';
  return door === 'certificate' ? undefined : 'This bank pushes to this machine only.';
}

/**
 * Whether the name of a certificate covers a host: the name itself and all below it; below a wildcard likewise (guide
 * 1.0, 5.2). An address covers itself alone.
 */
function covers(name: string, hostname: string): boolean {
  const host = plain(hostname);
  const own = plain(name);
  const base = own.replace(/^\*\./, '');
  if (isAddress(host) || isAddress(base)) return own === host;
  // A name without a dot would cover a whole top-level domain.
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(base)) return false;
  return (own === base && host === base) || host.endsWith(`.${base}`);
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

const isAddress = (name: string): boolean => name.includes(':') || /^[0-9]+(\.[0-9]+){3}$/.test(name);
