import { createHash } from 'node:crypto';

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; undefined and false leave nothing. */
export type Part = string | number | Html | undefined | false | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function written(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** A template whose parts are escaped unless they are Html. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + written(parts[index])).join(''));
}

const css = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
* { box-sizing: border-box; }
body { margin: 0; }
header, main { max-width: 34rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
header { border-bottom: 1px solid; }
h1 { font-size: 1.5rem; line-height: 1.2; }
h2 { font-size: 1.15rem; }
label, legend, dt { font-weight: 600; }
label { display: block; margin-top: 1rem; }
fieldset { border: 1px solid; margin: 1rem 0; padding: 0.5rem 1rem; }
fieldset label { display: inline; font-weight: 400; }
fieldset div { padding: 0.4rem 0; }
input:not([type="radio"]) { font: inherit; width: 100%; padding: 0.5rem; border: 1px solid; }
input[type="radio"] { width: 1.25rem; height: 1.25rem; vertical-align: middle; }
button { font: inherit; margin: 1.25rem 0.5rem 0 0; padding: 0.6rem 1.2rem; min-height: 2.75rem; }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
dd { margin: 0 0 0.75rem; }
[role="alert"], [role="status"] { border: 2px solid; border-left-width: 0.75rem; padding: 0.75rem 1rem; }
.hint { margin: 0.25rem 0; }
`;

/** What a browser must see to take the one style of the pages (Content-Security-Policy). */
export const styleHash = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/** A fault that the PSU can put right: what is wrong, and the id of the field. */
export interface FieldFault {
  field: string;
  text: string;
}

/** A whole page with one heading; a fault is told first, in the title too. */
export function page(title: string, content: Html, fault?: FieldFault): string {
  const summary =
    fault &&
    html`<div role="alert" id="error-summary">
      <p><strong>There is a problem.</strong></p>
      <p><a href="#${fault.field}">${fault.text}</a></p>
    </div>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${fault && 'Error: '}${title} - obk test bank</title>
        <style>
          ${new Html(css)}
        </style>
      </head>
      <body>
        <header><p>obk test bank: not a real bank, no real money</p></header>
        <main>
          <h1>${title}</h1>
          ${summary} ${content}
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
  const focus = wrong || (options.first === true && options.fault === undefined);
  const described = [options.hint && `${name}-hint`, wrong && `${name}-error`].filter(Boolean).join(' ');
  return html`<label for="${name}">${label}</label>
    ${options.hint && html`<p class="hint" id="${name}-hint">${options.hint}</p>`}
    ${wrong && html`<p class="hint" id="${name}-error"><strong>${options.fault?.text}</strong></p>`}
    <input
      id="${name}"
      name="${name}"
      required
      ${attributes}${options.value !== undefined && html` value="${options.value}"`}${
        described !== '' && html` aria-describedby="${described}"`
      }${wrong && html` aria-invalid="true"`}${focus && html` autofocus`}
    />`;
}
