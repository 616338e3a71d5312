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
const closedHead: Html = headBy('');

/** The head of a page that runs the one script of this hash, in which no text becomes markup, and fetches nothing. */
export const headWithScript = (hash: string): Html =>
  headBy(`script-src ${hash}; require-trusted-types-for 'script'; trusted-types 'none'; `);

/** A page that stands in a file by itself: `name` ends its title, `after` follows what is in `main`. */
export function filePage(
  title: string,
  main: Html,
  how: { name?: string; style?: string; head?: Html; after?: Html } = {},
): string {
  const { name = '', style, head = closedHead, after } = how;
  const page = html`<html lang="en">
    <head>
      ${head}
      <title>${title}${name}</title>
      ${style === undefined ? null : new Html(`<style>${style}</style>`)}
    </head>
    <body>
      <main>
        <h1>${title}</h1>
        ${main}
      </main>
      ${after}
    </body>
  </html>`;
  return `<!doctype html>\n${page.text}\n`;
}

/** Text as a page. */
export const textPage = (text: string): string => filePage('obk', html`<pre>${text}</pre>`);
