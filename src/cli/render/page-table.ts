import { html } from './html.ts';
import type { Html } from './html.ts';

/** A cell: its text or HTML, with a class where it has one. */
export type PageCell = string | number | { content: string | number | Html; class: string };

/** A table that becomes a list of named values where a page is narrow; from one column on they are numbers. */
export function pageTable(
  titles: readonly string[],
  rows: readonly (readonly PageCell[])[],
  numbersFrom = titles.length,
): Html {
  const head = (title: string, at: number) =>
    at < numbersFrom ? html`<th scope="col">${title}</th>` : html`<th scope="col" class="num">${title}</th>`;
  const cell = (one: PageCell, at: number) => {
    const { content, class: own } = typeof one === 'object' ? one : { content: one, class: '' };
    const kinds = [at < numbersFrom ? '' : 'num', own].filter((kind) => kind !== '').join(' ');
    return kinds === ''
      ? html`<td data-title="${titles[at] ?? ''}">${content}</td>`
      : html`<td data-title="${titles[at] ?? ''}" class="${kinds}">${content}</td>`;
  };
  return html`<table class="found">
    <thead>
      <tr>
        ${titles.map(head)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map(cell)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
