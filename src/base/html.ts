/** Text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template; null, undefined and false become empty text. */
export type Part = string | number | Html | null | undefined | false | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes the tag of templates whose parts are escaped unless they are Html, after `prepared` has seen them as text. */
export const htmlTag =
  (prepared: (text: string) => string = (text) => text) =>
  (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => {
    const written = (part: Part): string => {
      if (part === undefined || part === null || part === false) return '';
      if (part instanceof Html) return part.text;
      if (typeof part === 'object') return part.map(({ text }) => text).join('');
      return prepared(String(part)).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
    };
    return new Html(texts.map((text, at) => text + written(parts[at])).join(''));
  };
