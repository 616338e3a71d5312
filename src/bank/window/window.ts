import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { shell } from './shell.ts';
import { css } from './style.ts';
import page from './page.json' with { type: 'json' };

interface Asset {
  type: string;
  text: string;
}

/** The files of the window by their path at the bank: one page, its style and its script, which the build makes of `page/`. */
const assets: Readonly<Record<string, Asset>> = {
  '/sandbox/': { type: 'text/html; charset=utf-8', text: shell },
  '/sandbox/window/window.css': { type: 'text/css; charset=utf-8', text: css },
  '/sandbox/window/main.js': { type: 'text/javascript; charset=utf-8', text: page.script },
};

/** The page may load its own files and call its own bank, and no text can become markup or a script in it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** The window of the tester: files that hold no secret; what they show comes from the control API, which wants its token. */
export const windowListener: RequestListener = (incoming, outgoing) => {
  const path = (incoming.url ?? '').split('?', 1)[0] ?? '';
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
    outgoing.setHeader('Allow', 'GET, HEAD');
    tell(outgoing, 405, 'The window is only read; POST and the like are for /sandbox/api.\n');
  } else if (path === '/sandbox') {
    outgoing.setHeader('Location', 'sandbox/');
    tell(outgoing, 308, 'The window is at sandbox/.\n');
  } else {
    const asset = Object.hasOwn(assets, path) ? assets[path] : undefined;
    if (asset === undefined) tell(outgoing, 404, 'There is nothing here. The window is at /sandbox/.\n');
    else answer(incoming, outgoing, asset);
  }
};

function tell(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.statusCode = status;
  outgoing.setHeader('Content-Type', 'text/plain; charset=utf-8');
  outgoing.end(text);
}

function answer({ method }: IncomingMessage, outgoing: ServerResponse, { type, text }: Asset): void {
  outgoing.setHeader('Content-Type', type);
  outgoing.setHeader('Content-Length', Buffer.byteLength(text));
  outgoing.end(method === 'HEAD' ? undefined : text);
}
