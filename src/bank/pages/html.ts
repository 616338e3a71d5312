import type { Context } from 'hono';
import { Html, htmlTag } from '../../base/html.ts';
import { css } from './style.ts';

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
