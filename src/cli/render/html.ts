import { clean } from '../../base/clean.ts';
import { Html, htmlTag } from '../../base/html.ts';

export { Html };

/** A template whose parts are cleaned and escaped unless they are Html. */
export const html = htmlTag(clean);

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
