// Elements made of data: every foreign text becomes a text node, and its characters that cannot be seen are spelled out.

/** The content of an element: texts, elements, lists of them; `undefined`, `null` and `false` are left out. */
export type Child = string | number | boolean | null | undefined | Node | readonly Child[];
type Handlers = Readonly<Record<string, (event: Event) => unknown>>;
/** Attributes by their names; `value` is set as a property, and `on` holds the listeners. */
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined | Handlers>>;

/**
 * Controls, marks that turn the direction of a text, characters without width, and halves of characters could make a line lie:
 * they are shown by their number.
 */
const unseen = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f' +
    '\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\ud800-\\udfff\\u{e0000}-\\u{e007f}]',
  'gu',
);

export function visible(text: string | number | true): string {
  return String(text).replace(unseen, (sign) =>
    sign === '\r' ? '' : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

const isList = (child: Child): child is readonly Child[] => Array.isArray(child);

function parts(child: Child): (string | number | true | Node)[] {
  if (isList(child)) return child.flatMap(parts);
  return child === undefined || child === null || child === false ? [] : [child];
}

/** The attributes of an element, where it has any, and its content. */
type Inside = readonly [first?: Attributes | Child, ...rest: Child[]];

const isAttributes = (one: Attributes | Child): one is Attributes =>
  typeof one === 'object' && one !== null && !Array.isArray(one) && !(one instanceof Node);

function setAttribute(node: Element, name: string, value: Attributes[string]): void {
  if (value === undefined || value === null || value === false) return;
  if (typeof value === 'object')
    for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
  else if (name === 'value') Object.assign(node, { value });
  else node.setAttribute(name, value === true ? '' : visible(value));
}

function fill<Made extends Element>(node: Made, [first, ...rest]: Inside): Made {
  if (isAttributes(first)) for (const [name, value] of Object.entries(first)) setAttribute(node, name, value);
  const children = parts(isAttributes(first) ? rest : [first, rest]);
  node.append(...children.map((child) => (child instanceof Node ? child : visible(child))));
  return node;
}

/** Makes an element of HTML. */
export const el = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, ...inside: Inside) =>
  fill(document.createElement(tag), inside);

/** Makes an element of a drawing. */
export const svg = <Tag extends keyof SVGElementTagNameMap>(tag: Tag, ...inside: Inside) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), inside);

/** An element that the page has from the beginning. */
export function ofPage(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found;
}

/** Puts other content into an element; the keyboard focus stays where it is, and open details stay open. */
export function put(place: Element, ...children: readonly Child[]): void {
  const held = place.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const open = [...place.querySelectorAll('details[open][id]')].map(({ id }) => id);
  place.replaceChildren(
    ...parts(children)
      .filter((child) => child !== '')
      .map((child) => (child instanceof Node ? child : String(child))),
  );
  for (const id of open) {
    const found = document.getElementById(id);
    if (found instanceof HTMLDetailsElement) found.open = true;
  }
  if (held !== undefined && held !== '') document.getElementById(held)?.focus();
}

export const clockTime = (at: string) => /T([0-9:]{8})/.exec(at)?.[1] ?? '';

export const dayTime = (at: string) => at.replace('T', ' ').replace(/\.[0-9]+Z$/, ' UTC');

/** A name and its value. */
export type Fact = readonly [string, Child];

/** A list of facts; one without a value is left out. */
export const facts = (pairs: readonly Fact[]) =>
  el(
    'dl',
    pairs
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => el('div', el('dt', name), el('dd', value))),
  );

/** A name that others have chosen: when it is written from right to left, it does not turn round the text beside it. */
export const foreign = (text: string) => el('bdi', text);

export const badge = (text: string, kind: string) => el('span', { class: `badge ${kind}` }, text);

/** A text as it is, in a box that scrolls and that the keyboard reaches. */
export const box = (text: string | null | undefined, label: string) =>
  el('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text);

export const button = (text: string, act: () => unknown, given: Attributes = {}) =>
  el('button', { type: 'button', ...given, on: { click: () => act() } }, text);

export const empty = (text: string) => el('p', { class: 'quiet' }, text);

/** Fields and buttons beside each other. */
export const sideBySide = (...inside: readonly Child[]) => el('div', { class: 'row' }, ...inside);

/** The row of titles above a table. */
export const headings = (titles: readonly string[]) =>
  el(
    'thead',
    el(
      'tr',
      titles.map((title) => el('th', { scope: 'col' }, title)),
    ),
  );

export const searchField = (id: string) => el('input', { id, type: 'search', autocomplete: 'off' });

/** The words that a person types into a search field. */
export const wordsIn = (field: HTMLInputElement) => field.value.toLowerCase().split(/\s+/).filter(Boolean);

/** Says something aloud once: a failure, or the result of a button. */
export function say(text: string, kind = 'bad'): void {
  const place = ofPage('said');
  place.className = kind;
  const close = () => {
    put(place);
  };
  put(place, el('span', text), button('Close', close, { class: 'small' }));
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
