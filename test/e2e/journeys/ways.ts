/** How a PSU authenticates at the bank inside: a seeded person, and by whose hand the authorisation is started. */
export interface Way {
  psuId: string;
  approach: 'redirect' | 'oauth' | 'decoupled' | 'embedded';
  start: 'implicit' | 'explicit';
  /** The SCA method of somebody with a choice. */
  method?: string;
  /** A code or a token that only the redirect brings back must confirm the authorisation (v136). */
  confirmation?: true;
}

const both = (psuId: string, implicit: string, way: Omit<Way, 'psuId' | 'start'>): Way[] => [
  { psuId, start: 'explicit', ...way },
  { psuId: implicit, start: 'implicit', ...way },
];

/** Every SCA approach of the service with both kinds of start. */
export const ways: readonly Way[] = [
  ...both('redirect-explicit', 'redirect', { approach: 'redirect' }),
  ...both('oauth-explicit', 'oauth', { approach: 'oauth' }),
  ...both('decoupled', 'decoupled-implicit', { approach: 'decoupled' }),
  ...both('embedded-none', 'embedded-none-implicit', { approach: 'embedded' }),
  ...both('embedded-one', 'embedded-one-implicit', { approach: 'embedded' }),
  ...both('embedded-choice', 'embedded-choice-implicit', { approach: 'embedded', method: 'push' }),
];

/** Those whose authorisation waits for a confirmation of the TPP (v136). */
export const confirmed: readonly Way[] = [
  ...both('redirect-confirm-explicit', 'redirect-confirm', { approach: 'redirect', confirmation: true }),
  { psuId: 'oauth-confirm', start: 'implicit', approach: 'oauth', confirmation: true },
];
