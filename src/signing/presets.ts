import type { SigningOptions } from './signing-options.ts';

/** Signing as the guidelines 1.3.6 (section 12) and their errata say. */
export const guidelines: SigningOptions = {
  mode: 'cavage',
  headers: ['digest', 'x-request-id', 'psu-id?', 'psu-corporate-id?', 'tpp-redirect-uri?'],
  order: 'listed',
  date: { sign: false },
  requestTarget: false,
  digest: { algorithm: 'SHA-256', emptyBody: 'empty' },
  hash: 'SHA-256',
  keyId: { template: 'SN={serial},CA={issuer}', serial: 'hex', issuer: 'rfc2253-%20' },
  certificateHeader: 'bare',
  signatureEncoding: 'der',
  carrier: 'Signature',
  targetEncoding: 'encoded',
  jws: {
    alg: 'key',
    pars: ['(request-target)', 'digest?', 'content-type?', 'x-request-id', 'psu-id?', 'tpp-redirect-uri?'],
    certificate: 'x5c',
    trailingNewline: false,
    maxAgeS: 60,
  },
};

/** How a family of banks wants requests signed, as data; `verified` tells whether such a bank ever took one of obk. */
export interface SigningPreset {
  about: string;
  source: string;
  /** The month of the source. */
  asOf: string;
  verified: boolean;
  options: SigningOptions;
}

/** The known ways to sign, by name; settings of a profile change single options of one. */
export const signingPresets = {
  guidelines: {
    about: 'as the standard says',
    source: 'NextGenPSD2 XS2A implementation guidelines 1.3.6, section 12',
    asOf: '2020-02',
    verified: false,
    options: guidelines,
  },
  adorsys: {
    about: 'Date signed too, certificate as PEM on one line',
    source: 'adorsys XS2A-Sandbox and xs2a-adapter (published source)',
    asOf: '2022-06',
    verified: false,
    options: { ...guidelines, date: { sign: true }, certificateHeader: 'pemOneLine' },
  },
  wso2: {
    about: 'Digest of {} where there is no body, issuer in keyId with its blanks',
    source: 'WSO2 Open Banking, toolkit for NextGenPSD2 (published source)',
    asOf: '2022-06',
    verified: false,
    options: {
      ...guidelines,
      digest: { algorithm: 'SHA-256', emptyBody: '{}' },
      keyId: { ...guidelines.keyId, issuer: 'rfc2253' },
    },
  },
} as const satisfies Record<string, SigningPreset>;

/** One of the known ways to sign. */
export type SigningPresetName = keyof typeof signingPresets;

/** Their names. */
export const signingPresetNames = Object.keys(signingPresets) as SigningPresetName[];
