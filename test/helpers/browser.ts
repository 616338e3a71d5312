import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pathOf } from './programs.ts';

const executablePath = process.env['OBK_TEST_CHROMIUM'] ?? pathOf('chromium') ?? '';
const missing = 'no chromium on PATH (Debian: apt-get install chromium)';

/** A describe of tests in a browser: skipped aloud where there is none, failed where OBK_REQUIRE_BROWSER asks for one. */
export function describeInBrowser(name: string, body: () => void): void {
  if (executablePath !== '') {
    describe(name, body);
  } else if (process.env['OBK_REQUIRE_BROWSER'] === '1') {
    it(name, () => {
      throw new Error(missing);
    });
  } else {
    process.stderr.write(`SKIPPED: ${name}: ${missing}\n`);
    describe.skip(`${name}: ${missing}`, body);
  }
}

/** A tab of a browser of its own cookies, and what it has asked for. */
export interface Visitor {
  page: Page;
  /** Method and URL of every request, redirects included. */
  requests: string[];
  /** What must not have happened; taken out by a test that wants it. */
  troubles: string[];
}

/** How a visitor browses; `expected` is what the console may complain of. */
export type VisitorOptions = BrowserContextOptions & { expected?: RegExp };

let running: Promise<Browser> | undefined;

/** The Chromium of this process, for all its test files; it ends with the process. */
function chromiumOfProcess(): Promise<Browser> {
  running ??= chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // No name but one leads anywhere; that one is what a hostile page has resolved to this machine.
      '--host-resolver-rules=MAP bank.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
  return running;
}

/**
 * Visitors for the describe that calls it, each with a fresh profile. Each is closed after its test, and the test
 * fails if a page asked for anything beyond this machine, complained, threw or opened a dialog.
 */
export function useBrowser(): (options?: VisitorOptions) => Promise<Visitor> {
  let browser: Browser | undefined;
  const open: { context: BrowserContext; troubles: string[] }[] = [];
  beforeAll(async () => {
    browser = await chromiumOfProcess();
  });
  afterEach(async () => {
    const troubles = [];
    for (const visitor of open.splice(0)) {
      await visitor.context.close();
      troubles.push(...visitor.troubles);
    }
    expect(troubles).toEqual([]);
  });
  return async ({ expected, ...options } = {}) => {
    if (browser === undefined) throw new Error('the browser is not there before the tests');
    const context = await browser.newContext(options);
    context.setDefaultTimeout(10_000);
    const requests: string[] = [];
    const troubles: string[] = [];
    open.push({ context, troubles });
    watch(context, requests, troubles, expected);
    return { page: await context.newPage(), requests, troubles };
  };
}

function watch(context: BrowserContext, requests: string[], troubles: string[], expected?: RegExp): void {
  context.on('request', (request) => {
    requests.push(`${request.method()} ${request.url()}`);
    const { hostname } = new URL(request.url());
    if (hostname !== '127.0.0.1' && hostname !== 'bank.example') troubles.push(`asked for ${request.url()}`);
  });
  context.on('console', (message) => {
    const text = message.text();
    // Chromium says this of every page with such a status; the tests look at the status themselves.
    if (/^Failed to load resource: the server responded with a status of 4\d\d /.test(text)) return;
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (expected?.test(text) !== true) troubles.push(`console: ${text}`);
  });
  context.on('weberror', (error) => troubles.push(`script: ${error.error().message}`));
  context.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/** The web site of a TPP. */
export interface TppSite {
  origin: string;
  /** Path and query of every request, as they were sent. */
  arrivals: string[];
  /** Serves this HTML at a path; any other path thanks for the visit. */
  serve(path: string, html: string): void;
  /** Sends whoever comes to a path on to another address. */
  forward(path: string, to: string): void;
  close(): Promise<void>;
}

/** Starts the web site of a TPP on a free port. */
export async function startTppSite(): Promise<TppSite> {
  const arrivals: string[] = [];
  const pages = new Map<string, string>();
  const onward = new Map<string, string>();
  const thanks = '<!doctype html><html lang="en"><title>TPP</title><h1>Back at the TPP</h1></html>';
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const to = onward.get(url);
    if (url !== '/favicon.ico') arrivals.push(url);
    response.writeHead(to === undefined ? 200 : 302, {
      'Content-Type': 'text/html; charset=utf-8',
      ...(to !== undefined && { Location: to }),
    });
    response.end(pages.get(url) ?? thanks);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    serve: (path, html) => void pages.set(path, html),
    forward: (path, to) => void onward.set(path, to),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
