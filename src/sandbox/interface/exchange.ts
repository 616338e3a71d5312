import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request on its connection. */
export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  method: string;
  host: string;
  url: URL;
  /** That of the URL, decoded but for what would divide it anew. */
  path: string;
}
