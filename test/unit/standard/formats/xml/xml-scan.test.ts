import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { XmlFault } from '../../../../../src/standard/formats/xml/xml-fault.ts';
import { XmlScanner } from '../../../../../src/standard/formats/xml/xml-scan.ts';
import type { XmlNode } from '../../../../../src/standard/formats/xml/xml-scan.ts';

/** An element as both readers tell it: its text where nothing is in it. */
interface Told {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Told[];
}

/** What the scanner passes on of the elements in the root, and the reason why it stopped. */
function scanned(document: string, sizes: readonly number[] = [document.length]) {
  const elements: Told[] = [];
  const scanner = new XmlScanner(
    {
      open: (_, depth) => depth === 0,
      element: (node) => elements.push(toldOf(node)),
      close: () => undefined,
    },
    'INPUT_INVALID',
  );
  try {
    for (let [at, turn] = [0, 0]; at < document.length; turn += 1) {
      const size = sizes[turn % sizes.length] ?? 1;
      scanner.write(document.slice(at, at + size));
      at += size;
    }
    scanner.end();
    return { elements, why: undefined, line: undefined };
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault;
    return { elements, why: fault.why, line: fault.line };
  }
}

function toldOf({ name, attributes, text, first }: XmlNode): Told {
  const children: Told[] = [];
  for (let one = first; one !== undefined; one = one.next) children.push(toldOf(one));
  return { name, attributes: Object.fromEntries(attributes), text, children };
}

/** The same by a parser that is not ours. */
function parsed(document: string): Told[] {
  const root: Told = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const told = { name, attributes: { ...attributes }, text: '', children: [] };
    open.at(-1)?.children.push(told);
    open.push(told);
  });
  const add = (text: string): void => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const ended = open.pop();
    if (ended !== undefined && ended.children.length > 0) ended.text = '';
  });
  parser.write(document).close();
  return root.children[0]?.children ?? [];
}

// Few names and few ways to write them, so that the same tags come again and again in other company.
const text = fc.constantFrom(
  '',
  'a',
  ' a b ',
  ' ',
  '\n',
  '1 &amp; 2',
  '&#x41;',
  '<![CDATA[<x> ]]>',
  'ö',
  ' <!-- c --> ',
);
const layout = fc.constantFrom('', '', '\n', '\n  ', ' ', '<!-- between -->', '<?pi?>');
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom('A', 'B', 'Nm', 'Id'),
      fc.constantFrom('', '', ' Ccy="EUR"', " Ccy='>'", '\n x = "1"'),
      fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        text.map((inside) => ({ inside })),
        fc.constant({ inside: undefined }),
        fc
          .tuple(layout, fc.array(fc.tuple(tie('element'), layout), { minLength: 1, maxLength: 4 }))
          .map(([first, parts]) => ({ inside: first + parts.flat().join('') })),
      ),
      fc.constantFrom('', '', ' '),
    )
    .map(([name, attributes, { inside }, blank]) =>
      inside === undefined ? `<${name}${attributes}/>` : `<${name}${attributes}>${inside}</${name}${blank}>`,
    ),
}));
/** Some elements again and again, as the entries of a statement are. */
const entries = fc
  .tuple(fc.array(element, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(), { maxLength: 12 }))
  .map(([kinds, order]) => order.map((at) => kinds[at % kinds.length] ?? ''));
const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 });

describe('the scanner of large XML', () => {
  it('reports the elements that another parser reports, in pieces of any size', () => {
    fc.assert(
      fc.property(entries, layout, sizes, (all, between, cut) => {
        const document = `<?xml version="1.0"?>\n<Root>${between}${all.join(between)}</Root>\n`;
        const wanted = parsed(document);
        expect(scanned(document)).toEqual({ elements: wanted, why: undefined, line: undefined });
        expect(scanned(document, cut).elements).toEqual(wanted);
      }),
      { numRuns: 1500 },
    );
  });

  it('reports an element alike, whatever came before', () => {
    fc.assert(
      fc.property(
        element,
        fc.nat(),
        fc.constantFrom('', '<', '>', '/', 'A', '</A>', '<A>', '&', ']]>', '\u0001'),
        sizes,
        (one, at, put, cut) => {
          const place = at % (one.length + 1);
          const odd = one.slice(0, place) + put + one.slice(place + (put === '' ? 1 : 0));
          // A character that is forbidden stops the piece that it is in, so both are cut alike.
          const cuts = Array.from({ length: 500 }, () => cut).flat();
          const alone = scanned(`<Root>${odd}</Root>`, ['<Root>'.length, ...cuts]);
          const before = `<Root>${[one, one, one].join('\n')}`;
          const after = scanned(`${before}${odd}</Root>`, [before.length, ...cuts]);
          expect({ ...after, line: alone.line, elements: after.elements.slice(3) }).toEqual(alone);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('reports a run that ends other elements than before where it stands', () => {
    const good = '<A><B><Nm>x</Nm></B></A>\n';
    const bad = '<A><Id><Nm>x</Nm></B></A>\n';
    expect(scanned(`<Root>\n${good}${good}${bad}</Root>`)).toMatchObject({
      why: '</B> is not expected, Id is open',
      line: 4,
    });
    expect(scanned(`<Root>${good}${good}<A><B><Nm>x</Nm></B></A></Root><A><B><Nm>`).why).toBe(
      'it has more than one root element',
    );
  });

  it('refuses a reference without an end, and reports it', () => {
    expect(scanned('<Root><A>1 &lt; 2 &ampx</A></Root>').why).toBe('&ampx is not an XML reference');
    expect(scanned('<Root><A>&amp&lt;</A></Root>').why).toBe('&amp is not an XML reference');
  });

  it('keeps limits in what it knows from before', () => {
    const deep = (levels: number) => `${'<A>'.repeat(levels)}x${'</A>'.repeat(levels)}`;
    expect(scanned(`<Root>${deep(60)}<B>${deep(60)}</B></Root>`).why).toBeUndefined();
    expect(scanned(`<Root>${deep(60)}${'<B>'.repeat(4)}x${deep(60)}</B></Root>`).why).toBe(
      'it has too many levels',
    );
  });
});
