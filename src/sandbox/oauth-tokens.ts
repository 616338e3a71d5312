/** What an access token is for. */
export interface Token {
  /** The resource of its scope: a payment. */
  resourceId: string;
}
