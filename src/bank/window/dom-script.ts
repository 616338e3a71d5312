/** Elements made of data: every foreign text becomes a text node, and what cannot be seen in it is spelled out. */
export const domScript = String.raw`
/**
 * Controls, marks that turn the direction of a text, what takes no room, and halves of characters could make a line lie: they are
 * shown by their number.
 */
const unseen = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f'
  + '\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\ud800-\\udfff\\u{e0000}-\\u{e007f}]', 'gu');

export function visible(text) {
  return String(text).replace(unseen, (sign) =>
    sign === '\r' ? '' : '\\u{' + sign.codePointAt(0).toString(16) + '}');
}

function fill(node, given, children) {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (name === 'value') node.value = value;
    else node.setAttribute(name, value === true ? '' : visible(value));
  }
  node.append(...children.flat(4).filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (child instanceof Node ? child : visible(child))));
  return node;
}

export const el = (tag, given, ...children) => fill(document.createElement(tag), given, children);

export const svg = (tag, given, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), given, children);

/** Puts other content into an element; who stands in it with the keyboard stays there, and what is open stays open. */
export function put(place, ...children) {
  const held = place.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const open = [...place.querySelectorAll('details[open][id]')].map(({ id }) => id);
  place.replaceChildren(...children.flat(4).filter(Boolean));
  for (const id of open) {
    const found = document.getElementById(id);
    if (found instanceof HTMLDetailsElement) found.open = true;
  }
  if (held) document.getElementById(held)?.focus();
}

export const clockTime = (at) => (/T([0-9:]{8})/.exec(at ?? '') ?? [])[1] ?? '';

export const dayTime = (at) => String(at ?? '').replace('T', ' ').replace(/\.[0-9]+Z$/, ' UTC');

/** A list of facts: pairs of a name and a value; a pair without a value is left out. */
export const facts = (pairs) =>
  el('dl', undefined, pairs.filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => el('div', undefined, el('dt', undefined, name), el('dd', undefined, value))));

/** A name that others have chosen: written from right to left it turns round nothing beside it. */
export const foreign = (text) => el('bdi', undefined, text);

export const badge = (text, kind) => el('span', { class: 'badge ' + kind }, text);

/** A text as it is, in a box that scrolls and that the keyboard reaches. */
export const box = (text, label) =>
  el('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text);

export const button = (text, act, given) =>
  el('button', { type: 'button', ...given, on: { click: act } }, text);

export const empty = (text) => el('p', { class: 'quiet' }, text);

/** Says something aloud once: a failure, or what a button did. */
export function say(text, kind) {
  const place = document.getElementById('said');
  place.className = kind ?? 'bad';
  put(place, el('span', undefined, text), button('Close', () => put(place), { class: 'small' }));
}
`;
