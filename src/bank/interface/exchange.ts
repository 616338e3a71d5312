import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Site } from '../trust/site.ts';

/** A request on its connection, and the site that links in its answer are of. */
export interface Exchange extends Site {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  method: string;
  host: string;
  url: URL;
  /** The path of the URL below the base path, decoded except for encoded slashes and the like, which would split it differently. */
  path: string;
  /** The name of the tenant whose pages are asked for. */
  tenant?: string;
}
