// The script of a page of transactions: fields that search and sort the rows. Without it the tables stay as they are. It reads the
// text that the page shows, makes nothing of text but text, and makes no requests.
type Row = HTMLTableRowElement;
type Order = (one: Row, other: Row) => number;

/** Upper and lower case, and letters with and without marks, are the same for a search. */
const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const textOf = (row: Row, column: number) => (row.cells[column]?.textContent ?? '').trim();

/** The size of an amount in its smallest parts, as far as six decimals; null where the text is not an amount. */
function sizeOf(text: string): bigint | null {
  const [, sign, whole, part = ''] = /^(-?)([0-9]+)(?:\.([0-9]{1,6}))?(?= |$)/.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return null;
  return BigInt(sign + whole + part.padEnd(6, '0'));
}

/** Orders by amount; rows without one come last. */
function byAmount(one: Row, other: Row): number {
  const [a, b] = [sizeOf(textOf(one, 1)), sizeOf(textOf(other, 1))];
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : a > b ? 1 : 0;
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Orders by the text of a column; rows without one come last. */
const byText =
  (column: number): Order =>
  (one, other) => {
    const [a, b] = [textOf(one, column), textOf(other, column)];
    return a === '' || b === '' ? Number(a === '') - Number(b === '') : collator.compare(a, b);
  };

/** The order the other way round, where rows without a value still come last. */
const reversed =
  (order: Order, column: number, isNone: (text: string) => boolean): Order =>
  (one, other) =>
    isNone(textOf(one, column)) || isNone(textOf(other, column)) ? order(one, other) : order(other, one);

const orders: readonly [title: string, order?: Order][] = [
  ['As in the report'],
  ['Booked, newest first', reversed(byText(0), 0, (text) => text === '')],
  ['Booked, oldest first', byText(0)],
  ['Amount, largest first', reversed(byAmount, 1, (text) => sizeOf(text) === null)],
  ['Amount, smallest first', byAmount],
  ['With', byText(2)],
  ['Text', byText(3)],
  ['Status', byText(4)],
];

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...parts: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...parts);
  return element;
}

/** The field that hides the rows without its words, and the line that counts those that are left. */
function searchOf(rows: readonly Row[], id: string) {
  const texts = new Map<Row, string>();
  const textOfRow = (row: Row) => {
    const known = texts.get(row) ?? folded([...row.cells].map((cell) => cell.textContent).join(' '));
    texts.set(row, known);
    return known;
  };
  const count = make('p', { className: 'soft' });
  count.setAttribute('role', 'status');
  const search = make('input', { type: 'search', id, autocomplete: 'off' });
  search.addEventListener('input', () => {
    const words = folded(search.value).split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => textOfRow(row).includes(word));
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = shown === rows.length ? '' : `${shown} of ${rows.length} shown`;
  });
  return { search, count };
}

function sortOf(body: HTMLTableSectionElement, rows: readonly Row[], id: string) {
  const options = orders.map(([title], at) => new Option(title, String(at)));
  const sort = make('select', { id }, ...options);
  sort.addEventListener('change', () => {
    const [, order] = orders[Number(sort.value)] ?? [];
    body.append(...(order === undefined ? rows : [...rows].sort(order)));
  });
  return sort;
}

const tables = document.querySelectorAll<HTMLTableElement>('table.transactions');
for (const [number, table] of [...tables].entries()) {
  const [body] = table.tBodies;
  if (body === undefined) continue;
  const rows = [...body.rows];
  const { search, count } = searchOf(rows, `search-${number}`);
  const sort = sortOf(body, rows, `sort-${number}`);
  const tools = make(
    'div',
    { className: 'tools' },
    make('label', { htmlFor: search.id }, 'Search'),
    search,
    make('label', { htmlFor: sort.id }, 'Sort by'),
    sort,
  );
  table.before(tools, count);
}
