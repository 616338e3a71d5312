import { clean } from '../clean.ts';

/** Text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template; null becomes empty text. */
type Part = string | number | null | Html | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose parts are cleaned and escaped unless they are Html. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const written = parts.map((part) => {
    if (part === null) return '';
    if (part instanceof Html) return part.text;
    if (typeof part === 'object') return part.map(({ text }) => text).join('');
    return clean(String(part)).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
  });
  return new Html(texts.map((text, at) => text + (written[at] ?? '')).join(''));
}

const headBy = (policy: string): Html =>
  new Html(`<meta charset="utf-8" />
      <meta
        http-equiv="Content-Security-Policy"
        content="default-src 'none'; ${policy}style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
      />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />`);

/** The head of a page that runs nothing and fetches nothing. */
export const closedHead: Html = headBy('');

/** The head of a page that runs the one script of this hash, in which no text becomes markup, and fetches nothing. */
export const headWithScript = (hash: string): Html =>
  headBy(`script-src ${hash}; require-trusted-types-for 'script'; trusted-types 'none'; `);

/** Text as a page. */
export function textPage(text: string): string {
  const page = html`<html lang="en">
    <head>
      ${closedHead}
      <title>obk</title>
    </head>
    <body>
      <main>
        <h1>obk</h1>
        <pre>${text}</pre>
      </main>
    </body>
  </html>`;
  return `<!doctype html>\n${page.text}\n`;
}
