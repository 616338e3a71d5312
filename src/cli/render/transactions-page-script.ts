/**
 * The script of a page of transactions: fields that search and sort the rows. Without it the tables stand as they are; it reads
 * what the page shows, makes nothing of text but text, and asks for nothing.
 */
export const transactionsPageScript = `
'use strict';
const make = (name, properties, ...parts) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...parts);
  return element;
};
// Letters with and without marks are the same to one who searches.
const folded = (text) => text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase();
const textOf = (row, at) => row.cells[at].textContent.trim();
/** The size of an amount in its smallest parts, as far as six decimals; null where it is none. */
const sizeOf = (text) => {
  const found = /^(-?)([0-9]+)(?:\\.([0-9]{1,6}))?(?= |$)/.exec(text);
  return found && BigInt(found[1] + found[2] + (found[3] ?? '').padEnd(6, '0'));
};
const byAmount = (one, other) => {
  const [a, b] = [sizeOf(textOf(one, 1)), sizeOf(textOf(other, 1))];
  return a === null || b === null ? (a === null) - (b === null) : a < b ? -1 : a > b ? 1 : 0;
};
const collator = new Intl.Collator(undefined, { numeric: true });
const byText = (at) => (one, other) => {
  const [a, b] = [textOf(one, at), textOf(other, at)];
  // What has none comes last.
  return a === '' || b === '' ? (a === '') - (b === '') : collator.compare(a, b);
};
const last = (order, at, isNone) => (one, other) =>
  isNone(textOf(one, at)) || isNone(textOf(other, at)) ? order(one, other) : order(other, one);
const orders = [
  ['As in the report'],
  ['Booked, newest first', last(byText(0), 0, (text) => text === '')],
  ['Booked, oldest first', byText(0)],
  ['Amount, largest first', last(byAmount, 1, (text) => sizeOf(text) === null)],
  ['Amount, smallest first', byAmount],
  ['With', byText(2)],
  ['Text', byText(3)],
  ['Status', byText(4)],
];
for (const [count, table] of document.querySelectorAll('table.transactions').entries()) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const said = new Map();
  const told = make('p', { className: 'soft' });
  told.setAttribute('role', 'status');
  const tell = () => {
    const shown = rows.filter((row) => !row.hidden).length;
    told.textContent = shown === rows.length ? '' : shown + ' of ' + rows.length + ' shown';
  };
  const search = make('input', { type: 'search', id: 'search-' + count, autocomplete: 'off' });
  search.addEventListener('input', () => {
    const words = folded(search.value).split(/\\s+/).filter(Boolean);
    for (const row of rows) {
      if (!said.has(row)) said.set(row, folded([...row.cells].map((cell) => cell.textContent).join(' ')));
      row.hidden = !words.every((word) => said.get(row).includes(word));
    }
    tell();
  });
  const sort = make('select', { id: 'sort-' + count }, ...orders.map(([title], at) => new Option(title, at)));
  sort.addEventListener('change', () => {
    const order = orders[Number(sort.value)][1];
    body.append(...(order === undefined ? rows : [...rows].sort(order)));
  });
  table.before(
    make(
      'div',
      { className: 'tools' },
      make('label', { htmlFor: search.id }, 'Search'),
      search,
      make('label', { htmlFor: sort.id }, 'Sort by'),
      sort,
    ),
    told,
  );
}
`;

/**
 * The SHA-256 of the script, by which the page's own policy allows it and no other (Content Security Policy Level 3, 2.3.1);
 * its test says what it is to be.
 */
export const transactionsPageScriptHash = "'sha256-9g5zkFE+KHAfmiTtuqFIDoXKzJKlpvoghvHZYY2nCD8='";
