import type { Context } from 'hono';
import { Html, htmlTag } from '../../base/html.ts';
import { createHash } from 'node:crypto';

/** A template whose parts are escaped unless they are Html. */
export const html = htmlTag();

/** A fault that the PSU can correct. */
export interface FieldFault {
  text: string;
  /** The id of the field with the fault, if it is in one. */
  field?: string;
  /** The PSU-ID as typed, to fill the form again. */
  psuId?: string;
  /** The status of the page that shows it, if it is not 422. */
  status?: 403;
}

/** The fault of a form that does not come from a page of its session. */
export const expired: FieldFault = { text: 'The page has expired. Please try again.', status: 403 };

/** The answer to a browser: a page, with the fault in what it sent. */
export function answerPage(c: Context, title: string, content: Html, fault?: FieldFault): Response {
  return c.html(page(title, content, fault), fault === undefined ? 200 : (fault.status ?? 422));
}

/** A page for a link that leads to nothing. */
export function nothingPage(c: Context, why: string): Response {
  const content = html`<p>${why}</p>
    <p>Please go back to where you came from and start again.</p>`;
  return c.html(page('Nothing to decide', content), 404);
}

/** A whole page with one heading; a fault comes first, in the title too. */
function page(title: string, content: Html, fault?: FieldFault): string {
  const told =
    fault?.field === undefined ? html`${fault?.text}` : html`<a href="#${fault.field}">${fault.text}</a>`;
  const summary =
    fault &&
    html`<div role="alert" id="error-summary">
      <p><strong>There is a problem.</strong></p>
      <p>${told}</p>
    </div>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${fault && 'Error: '}${title} - obk test bank</title>
        ${new Html(`<style>${css}</style>`)}
      </head>
      <body>
        <header>
          <p><strong>obk test bank</strong>: not a real bank, no real money.</p>
          <p>PSU-IDs, passwords and one-time passwords: <code>obk sandbox people</code></p>
        </header>
        <main>
          <div class="card">
            <h1>${title}</h1>
            ${summary} ${content}
          </div>
        </main>
      </body>
    </html> `.text;
}

/** One labelled input; `fault` marks it and takes the focus. */
export function field(
  name: string,
  label: string,
  attributes: Html,
  options: {
    fault?: FieldFault | undefined;
    first?: boolean;
    value?: string | undefined;
    hint?: string;
  } = {},
): Html {
  const wrong = options.fault?.field === name;
  const focus = wrong || (options.first === true && options.fault?.field === undefined);
  const described = [options.hint && `${name}-hint`, wrong && `${name}-error`].filter(Boolean).join(' ');
  return html`<label for="${name}">${label}</label>
    ${options.hint && html`<p class="hint" id="${name}-hint">${options.hint}</p>`}
    ${wrong && wrongText(name, options.fault?.text)}
    <input
      id="${name}"
      name="${name}"
      required
      ${attributes}${options.value !== undefined && html` value="${options.value}"`}${
        described !== '' && html` aria-describedby="${described}"`
      }${wrong && html` aria-invalid="true"`}${focus && html` autofocus`}
    />`;
}

/** The error text beside a field. */
export const wrongText = (name: string, text: string | undefined): Html =>
  html`<p class="wrong" id="${name}-error">${text}</p>`;

/** The one style sheet; its hash in the security policy is made from exactly this text. */
const css = `
:root {
  color-scheme: light dark;
  font: 100%/1.5 system-ui, sans-serif;
  --ground: #f4f6f9; --paper: #fff; --line: #dde3eb; --edge: #717d92;
  --ink: #1b2330; --quiet: #4c586b; --accent: #1d4ed8; --on-accent: #fff;
  --bad: #a61b1b; --bad-ground: #fdf2f1; --good: #17653a; --good-ground: #eff8f2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161d; --paper: #1b212b; --line: #333d4d; --edge: #8390a6;
    --ink: #e9edf3; --quiet: #b4bece; --accent: #9cbcff; --on-accent: #101828;
    --bad: #ffb4ab; --bad-ground: #331b1b; --good: #93dcae; --good-ground: #16281e;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
header, main { max-width: 32rem; margin: 0 auto; padding: 1rem; }
header p { margin: 0.25rem 0; color: var(--quiet); font-size: 0.875rem; }
header strong { color: var(--ink); }
main { padding-top: 0; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1.25rem; }
section { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.125rem; line-height: 1.35; margin: 0 0 0.75rem; }
p { margin: 0 0 1rem; }
section + p { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1rem; }
a { color: var(--accent); }
dl { margin: 0 0 1rem; }
dt { color: var(--quiet); font-size: 0.875rem; }
dd { margin: 0 0 0.625rem; font-weight: 600; white-space: pre-wrap; }
label, legend { font-weight: 600; }
label { display: block; margin-bottom: 0.25rem; }
fieldset { border: 0; margin: 0; padding: 0; }
legend { padding: 0; margin-bottom: 0.5rem; }
fieldset div { display: flex; align-items: center; gap: 0.75rem; }
fieldset label { flex: 1; margin: 0; padding: 0.625rem 0; font-weight: 400; }
input[type="radio"] { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
input:not([type="radio"]) {
  display: block; width: 100%; padding: 0.625rem 0.75rem; margin-bottom: 1rem; font: inherit;
  color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: 0.375rem;
}
input[aria-invalid] { border-color: var(--bad); }
.hint { margin: 0 0 0.375rem; color: var(--quiet); font-size: 0.875rem; }
.wrong { margin: 0 0 0.375rem; color: var(--bad); font-weight: 600; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.25rem; }
button {
  flex: 1 1 8rem; min-height: 2.75rem; padding: 0.5rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 0.375rem;
}
button.second { color: var(--accent); background: var(--paper); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role="alert"], [role="status"] {
  margin: 0 0 1.25rem; padding: 0.75rem 1rem; border-left: 0.375rem solid; border-radius: 0.375rem;
}
[role="alert"] { border-color: var(--bad); background: var(--bad-ground); }
[role="alert"] a, [role="alert"] strong { color: var(--bad); }
[role="alert"] p { margin: 0; }
[role="status"] { border-color: var(--good); background: var(--good-ground); }
[role="status"].refused { border-color: var(--edge); background: var(--ground); }
`;

/** The source expression with which Content-Security-Policy takes this style and no other. */
export const styleHash = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
