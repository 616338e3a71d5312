/** A thing that is wrong with the signature of a request or with a certificate, with the answer of a bank to it. */
export interface SignatureMistake {
  readonly rule: SignatureRule;
  /** The header that it stands in; the connection for a client certificate. */
  readonly header: 'Digest' | 'Signature' | 'TPP-Signature-Certificate' | 'Date' | 'connection';
  readonly status: 400 | 401;
  readonly code: string;
  readonly text: string;
}

/** Each check of a signature and of the certificates, in the order in which a bank makes them. */
export type SignatureRule =
  | 'signature-missing'
  | 'certificate-missing'
  | 'certificate-form'
  | 'certificate-issuer'
  | 'certificate-not-yet-valid'
  | 'certificate-expired'
  | 'certificate-use'
  | 'date-missing'
  | 'date-form'
  | 'date-window'
  | 'digest-missing'
  | 'digest-form'
  | 'digest-wrong'
  | 'signature-form'
  | 'key-id'
  | 'signed-names'
  | 'signature-algorithm'
  | 'signature-wrong';
