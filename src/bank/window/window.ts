import page from './page.json' with { type: 'json' };
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { operations } from '../../standard/xs2a/operations.ts';

/** The style of the window: the colours of the bank's pages, on the width of a screen. */
const css = `
:root {
  color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif;
  --ground: #f4f6f9; --paper: #fff; --line: #dde3eb; --edge: #717d92; --ink: #1b2330; --quiet: #4c586b;
  --accent: #1d4ed8; --on-accent: #fff; --bad: #a61b1b; --bad-ground: #fdf2f1; --good: #17653a; --good-ground: #eff8f2;
  --warn: #7a4a00; --warn-ground: #fdf6e7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161d; --paper: #1b212b; --line: #333d4d; --edge: #8390a6; --ink: #e9edf3; --quiet: #b4bece;
    --accent: #9cbcff; --on-accent: #101828; --bad: #ffb4ab; --bad-ground: #331b1b; --good: #93dcae; --good-ground: #16281e;
    --warn: #f2c877; --warn-ground: #2e2513;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 0.5rem; top: 0.5rem; background: var(--paper); padding: 0.5rem; z-index: 2; }
header {
  display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: center; padding: 0.5rem 1rem;
  background: var(--paper); border-bottom: 1px solid var(--line);
}
header p { margin: 0; }
.name span, #state { color: var(--quiet); font-size: 0.875rem; }
#state::before { content: ""; display: inline-block; width: 0.625rem; height: 0.625rem; margin-right: 0.375rem;
  border-radius: 50%; border: 2px solid var(--edge); }
#state.live::before { background: var(--good); border-color: var(--good); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem; flex: 1 1 100%; }
nav a { padding: 0.375rem 0.75rem; border-radius: 0.375rem; text-decoration: none; font-weight: 600; min-height: 2.25rem; }
nav a[aria-current] { background: var(--accent); color: var(--on-accent); }
main { max-width: 87.5rem; margin: 0 auto; padding: 1rem; outline: none; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 0.75rem; }
h2 { font-size: 1.125rem; line-height: 1.35; margin: 0 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; border-top: 1px solid var(--line); padding-top: 0.75rem; }
h4 { font-size: 0.9375rem; margin: 0.75rem 0 0.25rem; }
p { margin: 0 0 0.5rem; }
a { color: var(--accent); }
section { min-width: 0; }
main > div > section { margin-top: 1.25rem; }
.quiet { color: var(--quiet); font-size: 0.875rem; }
.big { font-size: 1.25rem; font-weight: 600; }
.card, #call, #list {
  background: var(--paper); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem; min-width: 0; margin: 0 0 1rem;
}
.narrow { max-width: 32rem; }
.panes { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.panes.detail #list { display: none; }
.panes.detail .back, .back.always { display: block; }
.back { display: none; }
ol.calls, ul.cards, ul.findings { list-style: none; margin: 0; padding: 0; }
ul.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); }
ul.cards .card { margin: 0; }
ol.calls li { border-top: 1px solid var(--line); }
ol.calls a {
  display: flex; flex-wrap: wrap; gap: 0.125rem 0.625rem; align-items: baseline; padding: 0.5rem 0.375rem;
  color: var(--ink); text-decoration: none;
}
ol.calls a:hover, ol.calls a[aria-current] { background: var(--ground); }
ol.calls a[aria-current] { box-shadow: inset 0.25rem 0 var(--accent); }
.number, .time { color: var(--quiet); font-variant-numeric: tabular-nums; font-size: 0.875rem; }
.what { flex: 1 1 12rem; min-width: 0; text-decoration: underline; text-decoration-color: var(--line); }
ol.calls .what { max-height: 4.5rem; overflow: hidden; }
ol.calls .money { font-variant-numeric: tabular-nums; font-weight: 600; }
.transfers tbody th div + div { font-weight: 400; }
.why { flex: 1 1 100%; color: var(--quiet); font-size: 0.875rem; }
.badge { border: 1px solid; border-radius: 0.25rem; padding: 0 0.375rem; font-size: 0.8125rem; font-weight: 600; white-space: normal; }
.good { color: var(--good); background: var(--good-ground); }
.bad { color: var(--bad); background: var(--bad-ground); }
.warn { color: var(--warn); background: var(--warn-ground); }
.verdict { border-left: 0.375rem solid; border-radius: 0.375rem; padding: 0.5rem 0.75rem; margin: 0 0 1rem; }
.verdict p { margin: 0; }
ul.findings li { border: 1px solid var(--line); border-radius: 0.375rem; padding: 0.5rem 0.75rem; margin: 0 0 0.5rem; }
ul.findings p { margin: 0 0 0.25rem; }
dl { margin: 0 0 0.75rem; display: grid; gap: 0.25rem 1rem; }
dl div { display: grid; grid-template-columns: minmax(7rem, 12rem) minmax(0, 1fr); gap: 0.5rem; }
dt { color: var(--quiet); font-size: 0.875rem; }
dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; table-layout: fixed; }
caption { text-align: left; color: var(--quiet); padding: 0.25rem 0; }
th, td { text-align: left; vertical-align: top; border-top: 1px solid var(--line); padding: 0.25rem 0.5rem 0.25rem 0; font-weight: 400; }
thead th { font-weight: 600; }
tbody th { font-weight: 600; }
#call th:first-child { width: 34%; }
.amount { text-align: right; font-variant-numeric: tabular-nums; padding-right: 1rem; }
pre {
  margin: 0; padding: 0.75rem; background: var(--ground); border: 1px solid var(--line); border-radius: 0.375rem;
  font: 0.8125rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow: auto; max-height: 24rem;
}
.row { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; margin: 0 0 0.75rem; }
label { display: grid; gap: 0.25rem; font-size: 0.875rem; font-weight: 600; min-width: 0; }
label.check { display: flex; align-items: center; min-height: 2.5rem; }
input, select {
  font: inherit; font-weight: 400; max-width: 100%; min-height: 2.5rem; padding: 0.375rem 0.625rem; color: var(--ink);
  background: var(--paper); border: 1px solid var(--edge); border-radius: 0.375rem;
}
input[type="checkbox"] { min-height: 0; width: 1.25rem; height: 1.25rem; accent-color: var(--accent); }
button {
  min-height: 2.5rem; padding: 0.375rem 1rem; font: inherit; font-weight: 600; cursor: pointer; color: var(--on-accent);
  background: var(--accent); border: 1px solid var(--accent); border-radius: 0.375rem;
}
button.second, button.small { color: var(--accent); background: var(--paper); }
button.small { min-height: 1.75rem; padding: 0 0.5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
main:focus-visible { outline: none; }
.switches { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
.switch { border: 1px solid var(--line); border-radius: 0.375rem; padding: 0.625rem; }
.switch select { width: 100%; }
.switch.changed { border-color: var(--accent); box-shadow: inset 0.25rem 0 var(--accent); }
.switch p { margin: 0.25rem 0 0; }
.drawing { overflow: auto; border: 1px solid var(--line); border-radius: 0.375rem; background: var(--paper); }
svg { display: block; font-size: 12px; text-anchor: middle; fill: var(--ink); }
svg rect { fill: var(--ground); stroke: var(--edge); }
svg rect.note { fill: var(--paper); stroke: var(--line); }
svg line { stroke: var(--ink); }
svg line.life { stroke: var(--edge); stroke-dasharray: 2 4; }
svg line.answer { stroke-dasharray: 6 3; }
svg .actor { font-weight: 600; }
ol.life { margin: 0; padding-left: 1.25rem; }
ol.life li { margin: 0 0 0.25rem; }
#said { position: fixed; left: 1rem; right: 1rem; bottom: 1rem; margin: 0 auto; max-width: 40rem; z-index: 1; }
#said:empty { display: none; }
#said { display: flex; gap: 1rem; justify-content: space-between; align-items: center; border: 1px solid; border-radius: 0.375rem; padding: 0.75rem 1rem; }
@media (max-width: 30rem) {
  nav a { padding: 0.25rem 0.5rem; }
  main { padding: 0.75rem; }
  dl div { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
@media (min-width: 64rem) {
  nav { flex: 1 1 auto; justify-content: flex-end; }
  .panes.detail { grid-template-columns: minmax(20rem, 2fr) minmax(0, 3fr); align-items: start; }
  .panes.detail #list { display: block; max-height: calc(100vh - 9rem); overflow: auto; }
  .panes.detail .back { display: none; }
}
`;

const options = ['*', ...operations.map(({ id }) => id)]
  .map((id) => `<option value="${id}"></option>`)
  .join('');

/** The page before anything is known: what stands in it for ever, and the places that the script fills. */
const shell = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>obk test bank</title>
    <link rel="stylesheet" href="window/window.css">
    <script type="module" src="window/main.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <p class="name"><strong>obk test bank</strong> <span>not a real bank, no real money</span></p>
      <p id="state" role="status">Starting</p>
      <div id="tenants" hidden></div>
      <nav id="nav" aria-label="Parts of the bank" hidden></nav>
    </header>
    <main id="main" tabindex="-1">
      <h1>The window of the bank</h1>
      <noscript><p>This page needs its scripts, which come from this bank alone.</p></noscript>
    </main>
    <p id="said" role="alert"></p>
    <datalist id="operations">${options}</datalist>
  </body>
</html>
`;

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
