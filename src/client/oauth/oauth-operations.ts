/** The calls beside those of the interface, as the journal names them: to an OAuth2 server, and for a certificate of the bank. */
export const oauthOperations = ['oauthMetadata', 'oauthToken', 'oauthRevocation', 'bankCertificate'] as const;
