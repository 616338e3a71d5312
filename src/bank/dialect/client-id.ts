import { createHash } from 'node:crypto';

/** The name that a bank may give a TPP as client, in place of the organizationIdentifier. */
export const clientIdOf = (tpp: string): string =>
  createHash('sha256').update(`client ${tpp}`).digest('hex').slice(0, 32);
