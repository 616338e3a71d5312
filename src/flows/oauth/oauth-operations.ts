/** The calls to an OAuth2 server, as the journal names them. */
export const oauthOperations = ['oauthMetadata', 'oauthToken', 'oauthRevocation'] as const;
