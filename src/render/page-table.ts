import { Html, html } from './html.ts';

/** A cell: its text or HTML, with a class where it has one. */
export type PageCell = string | number | { content: string | number | Html; class: string };

/** A table that becomes a list of named values where a page is narrow; classes of columns hold for their titles, too. */
export function pageTable(
  titles: readonly string[],
  rows: readonly (readonly PageCell[])[],
  numbersFrom = titles.length,
): Html {
  const kind = (at: number, own = ''): Html => {
    const names = [...(at >= numbersFrom ? ['num'] : []), ...(own === '' ? [] : [own])];
    return new Html(names.length === 0 ? '' : ` class="${names.join(' ')}"`);
  };
  return html`<table class="found">
    <thead>
      <tr>
        ${titles.map((title, at) => html`<th scope="col" ${kind(at)}>${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell, at) => {
              const { content, class: own } = typeof cell === 'object' ? cell : { content: cell, class: '' };
              return html`<td data-title="${titles[at] ?? ''}" ${kind(at, own)}>${content}</td>`;
            })}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
