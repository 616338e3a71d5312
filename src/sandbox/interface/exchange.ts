import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request on its connection. */
export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  method: string;
  host: string;
  url: URL;
  /** The path of the URL, decoded except for encoded slashes and the like, which would split it differently. */
  path: string;
}
