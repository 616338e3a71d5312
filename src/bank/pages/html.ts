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
}

/** A whole page with one heading; a fault comes first, in the title too. */
export function page(title: string, content: Html, fault?: FieldFault): string {
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
