import type { Page } from 'playwright-core';

/** What an audit uses of the browser's own types, which a program of Node does not have. */
interface PageElement {
  id: string;
  tagName: string;
  type?: string;
  value?: string;
  textContent: string;
  parentElement: PageElement | null;
  labels?: Iterable<PageElement> | null;
  childNodes: Iterable<{ nodeType: number; textContent: string }>;
  getAttribute(name: string): string | null;
  getAttributeNames(): string[];
  getBoundingClientRect(): { left: number; right: number; width: number; height: number };
}
interface PageWindow {
  document: {
    title: string;
    documentElement: { lang: string; scrollWidth: number };
    activeElement: PageElement | null;
    getElementById(id: string): PageElement | null;
    querySelectorAll(selector: string): Iterable<PageElement>;
  };
  innerWidth: number;
  getComputedStyle: (element: PageElement) => Record<string, string>;
}

/** Runs in the page: what is wrong with it as it stands, and with the focus where `focus` is asked for. */
function inspect(focus: boolean): string[] {
  const { document, innerWidth, getComputedStyle } = globalThis as unknown as PageWindow;
  const found: string[] = [];
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  const named = (element: PageElement) =>
    `${element.tagName.toLowerCase()}${element.id && `#${element.id}`} ${JSON.stringify(element.textContent.trim().slice(0, 30))}`;

  const channels = (colour: string) => (/^rgba?\((.+)\)$/.exec(colour)?.[1] ?? '').split(',').map(Number);
  const seen = (colour: string) => channels(colour).length === 3;
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = channels(colour).map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one: string, other: string) => {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const ground = (element: PageElement | null): string => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at)['backgroundColor'] ?? '';
      if (seen(colour)) return colour;
    }
    return 'none';
  };
  const need = (least: number, what: string, colour: string, under: string) => {
    const has = seen(colour) && seen(under) ? contrast(colour, under) : 0;
    if (has < least) found.push(`${what}: contrast ${has.toFixed(2)} of ${colour} on ${under}`);
  };

  if (focus) {
    const element = document.activeElement;
    if (element === null || element.tagName === 'BODY') return [];
    const style = getComputedStyle(element);
    if (style['outlineStyle'] === 'none' || Number.parseFloat(style['outlineWidth'] ?? '0') < 2)
      found.push(`${named(element)}: the focus is not visible`);
    else need(3, `focus of ${named(element)}`, style['outlineColor'] ?? '', ground(element.parentElement));
    return found;
  }

  if (document.documentElement.lang !== 'en') found.push('no lang');
  if (document.title.trim() === '') found.push('no title');
  if (all('h1').length !== 1) found.push(`${all('h1').length} h1`);
  if (all('main').length !== 1) found.push(`${all('main').length} main`);
  const levels = all('h1, h2, h3, h4').map(({ tagName }) => Number(tagName[1]));
  if (levels.some((level, index) => level > (levels[index - 1] ?? 0) + 1))
    found.push(`headings ${levels.join()}`);
  const ids = all('[id]').map(({ id }) => id);
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index)))
    found.push(`id ${id} twice`);
  for (const element of all('script, link, img, iframe, [style], [src]')) found.push(`has ${named(element)}`);

  for (const element of all('*')) {
    if (element.getAttributeNames().some((name) => name.startsWith('on')))
      found.push(`script in ${named(element)}`);
    const pointed = [element.getAttribute('aria-describedby'), element.getAttribute('aria-labelledby')];
    for (const id of pointed.flatMap((list) => list?.split(' ') ?? []))
      if (document.getElementById(id) === null) found.push(`${named(element)} points to no ${id}`);
  }

  for (const input of all('input:not([type=hidden]), select, textarea')) {
    const label = [...(input.labels ?? [])].map(({ textContent }) => textContent.trim()).join(' ');
    if (label === '') found.push(`${named(input)}: no label`);
    if (input.type === 'radio') continue;
    const edge = getComputedStyle(input)['borderTopColor'] ?? '';
    need(3, `edge of ${named(input)}`, edge, ground(input.parentElement));
    need(4.5, `text in ${named(input)}`, getComputedStyle(input)['color'] ?? '', ground(input));
    if (input.type === 'password' && (input.getAttribute('value') ?? '') !== '')
      found.push('a password comes back');
  }
  for (const button of all('button')) {
    if (button.textContent.trim() === '') found.push(`${named(button)}: no name`);
    if (button.getBoundingClientRect().height < 44) found.push(`${named(button)}: too small to touch`);
  }

  for (const element of all('body *')) {
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 0 && (left < 0 || right > innerWidth))
      found.push(`${named(element)} is wider than the window`);
    if (['STYLE', 'SCRIPT'].includes(element.tagName)) continue;
    const text = [...element.childNodes].some(
      ({ nodeType, textContent }) => nodeType === 3 && textContent.trim(),
    );
    if (text) need(4.5, named(element), getComputedStyle(element)['color'] ?? '', ground(element));
  }
  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`scrolls sideways: ${document.documentElement.scrollWidth} of ${innerWidth}`);
  return found;
}

/** What is wrong with the page in the light and in the dark, at 320 px; leaves the tab as it was. */
export async function audit(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await page.evaluate(inspect, false)).map((what) => `${colorScheme}: ${what}`));
  }
  if (before !== null) await page.setViewportSize(before);
  return found;
}

/** Walks through the page with Tab and tells where the focus cannot be seen. */
export async function auditFocus(page: Page, stops: number): Promise<string[]> {
  const found: string[] = [];
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab');
    found.push(...(await page.evaluate(inspect, true)));
  }
  return found;
}
