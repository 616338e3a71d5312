import type { BankAddress } from '../door.ts';
import { agreedPort, originOf, readAddress } from './bank-address.ts';
import type { BankHome } from './bank-home.ts';
import type { KeyFiles } from './keys.ts';

/** Where the default ledger is served, or would be. */
export function describe(house: Pick<BankHome, 'folder'>, keys: KeyFiles, embedded: boolean): BankAddress {
  const port = agreedPort(house.folder);
  return {
    baseUrl: originOf(port) + (readAddress(house.folder).started?.basePath ?? ''),
    embedded,
    certificatePath: keys.certificate,
    keyPath: keys.key,
    tlsCertificatePath: keys.tlsCertificate,
    tlsKeyPath: keys.tlsKey,
    caPath: keys.ca,
    formerOrigins: readAddress(house.folder).formerOrigins,
  };
}
