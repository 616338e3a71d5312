import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import { XmlFault } from '../../../../../src/standard/formats/xml/xml-fault.ts';
import { readXml, walkXml } from '../../../../../src/standard/formats/xml/xml.ts';
import type { ReadXmlOptions, XmlEvent } from '../../../../../src/standard/formats/xml/xml.ts';
import { childrenOf, elementAt, textAt } from '../../../../../src/standard/formats/xml/xml-tree.ts';
import type { XmlElement } from '../../../../../src/standard/formats/xml/xml-tree.ts';
import { escapeXml } from '../../../../../src/standard/formats/xml/xml-writer.ts';
import { runs } from '../../../../helpers/trials.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const nothing: ReadonlySet<string> = new Set();

/** An element as plain data, without its place. */
interface Plain {
  name: string;
  ns: string | undefined;
  attributes: [string, string][];
  text: string;
  children: Plain[];
}
const plain = ({ name, ns, attributes, text, children }: XmlElement): Plain => ({
  name,
  ns,
  attributes: [...attributes],
  text,
  children: children.map(plain),
});

async function eventsOf(
  source: string | Uint8Array | Iterable<Uint8Array>,
  containers: ReadonlySet<string> = nothing,
  options: ReadXmlOptions = {},
): Promise<XmlEvent[]> {
  const found: XmlEvent[] = [];
  const input = typeof source === 'string' ? bytes(source) : source;
  for await (const event of walkXml(input, containers, options)) found.push(event);
  return found;
}

/** The root with everything in it, as the streaming reader sees it: wrapped, since it opens the root. */
async function streamed(text: string | Iterable<Uint8Array>): Promise<XmlElement> {
  const parts = typeof text === 'string' ? [bytes(text)] : text;
  const source = [bytes('<wrap>'), ...parts, bytes('</wrap>')];
  const found = (await eventsOf(source)).filter(({ kind }) => kind === 'element');
  expect(found).toHaveLength(1);
  return found[0]!.element;
}

async function bothFail(source: Uint8Array): Promise<XmlFault[]> {
  const faults: XmlFault[] = [];
  const catching = async (read: () => unknown) => {
    try {
      await read();
    } catch (error) {
      expect(error).toBeInstanceOf(ObkError);
      faults.push(error as XmlFault);
    }
  };
  await catching(() => readXml(source));
  await catching(() => eventsOf(source));
  return faults;
}

describe('the two readers of XML', () => {
  it.each<[string, string, Partial<Plain>]>([
    ['a text', '<a>x</a>', { name: 'a', ns: undefined, text: 'x' }],
    ['blanks are kept', '<a> x </a>', { text: ' x ' }],
    ['a number stays a text', '<a>0012.30</a>', { text: '0012.30' }],
    ['an exponent stays a text', '<a>1e5</a>', { text: '1e5' }],
    ['a truth stays a text', '<a>true</a>', { text: 'true' }],
    ['named entities', '<a>&lt;&gt;&amp;&quot;&apos;</a>', { text: `<>&"'` }],
    ['numeric entities', '<a>&#65;&#x42;&#x1F600;&#233;</a>', { text: 'AB😀é' }],
    ['decoded once', '<a>&amp;lt;&#38;gt;</a>', { text: '&lt;&gt;' }],
    ['CDATA is not decoded', '<a>x<![CDATA[<b>&amp;</b>]]>y</a>', { text: 'x<b>&amp;</b>y', children: [] }],
    ['comments and instructions vanish', '<a>x<!-- <b/> --><?php y?>z</a>', { text: 'xz' }],
    ['line ends', '<a>x\r\ny\rz</a>', { text: 'x\ny\nz' }],
    [
      'attributes',
      `<a b="1 &lt; 2" c='"'/>`,
      {
        attributes: [
          ['b', '1 < 2'],
          ['c', '"'],
        ],
      },
    ],
    ['a default namespace', '<a xmlns="urn:x"/>', { name: 'a', ns: 'urn:x', attributes: [] }],
    ['a prefix', '<p:a xmlns:p="urn:x"/>', { name: 'a', ns: 'urn:x' }],
    ['xml:lang needs no declaration', '<a xml:lang="de"/>', { attributes: [['xml:lang', 'de']] }],
    ['blanks between children vanish', '<a>\n  <b/>\n</a>', { text: '', children: [plainOf('b')] }],
    [
      'a tag called toString',
      '<a><toString>1</toString></a>',
      { children: [{ ...plainOf('toString'), text: '1' }] },
    ],
  ])('give the same tree for %s', async (_, text, expected) => {
    const tree = readXml(bytes(text));
    expect(plain(tree)).toMatchObject(expected);
    expect(plain(await streamed(text))).toEqual(plain(tree));
  });

  function plainOf(name: string): Plain {
    return { name, ns: undefined, attributes: [], text: '', children: [] };
  }

  it('end namespaces with the element that declares them', () => {
    const tree = readXml(bytes('<a xmlns="urn:1"><b xmlns="urn:2"><c/></b><d/><e xmlns=""><f/></e></a>'));
    expect(elementAt(tree, 'b')?.ns).toBe('urn:2');
    expect(elementAt(tree, 'b/c')?.ns).toBe('urn:2');
    expect(elementAt(tree, 'd')?.ns).toBe('urn:1');
    expect(elementAt(tree, 'e/f')?.ns).toBeUndefined();
    const inner = readXml(bytes('<a xmlns="urn:1"><p:b xmlns:p="urn:2"><c/><p:d/></p:b></a>'));
    expect(elementAt(inner, 'b/c')?.ns).toBe('urn:1');
    expect(elementAt(inner, 'b/d')?.ns).toBe('urn:2');
  });

  it('give the same tree for any tree and any cut into pieces', async () => {
    const name = fc.constantFrom('a', 'Nm', 'CdtTrfTxInf', '_x.y-z', 'toString', 'é');
    const text = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((value) => value.replace(/\p{Cc}|\p{Cs}/gu, ''));
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc
        .tuple(
          name,
          fc.option(text),
          fc.oneof({ depthSize: 'small' }, text.map(escapeXml), fc.array(tie('tree'), { maxLength: 4 })),
        )
        .map(([tag, attribute, content]) => {
          const inner = Array.isArray(content) ? content.join('\n') : content;
          return `<${tag}${attribute === null ? '' : ` k="${escapeXml(attribute)}"`}>${inner}</${tag}>`;
        }),
    }));
    await fc.assert(
      fc.asyncProperty(tree, fc.integer({ min: 1, max: 7 }), async (document, size) => {
        const whole = bytes(document);
        const cut = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
          whole.subarray(at * size, (at + 1) * size),
        );
        expect(plain(await streamed(cut))).toEqual(plain(readXml(whole)));
      }),
      { numRuns: runs(300) },
    );
  });
});

const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY lol${String(at + 1)} "${`&lol${at === 0 ? '' : String(at)};`.repeat(10)}">`,
).join('')}]>`;

describe('hostile XML', () => {
  const deep = (count: number) => '<a>'.repeat(count) + '</a>'.repeat(count);
  it.each<[string, string]>([
    ['billion laughs', `${laughs}<a>&lol9;</a>`],
    ['quadratic blow-up', `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(50_000)}">]><a>${'&x;'.repeat(10_000)}</a>`],
    ['external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['external DTD', '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>'],
    ['parameter entity', '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/"> %p;]><a/>'],
    ['a DOCTYPE without entities', '<!DOCTYPE a><a/>'],
    ['a DOCTYPE in small letters', '<!doctype a><a/>'],
    ['an entity shadowed by a dot in its name', '<!DOCTYPE a [<!ENTITY l. "<x/>">]><a>&lt;</a>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['an entity of Object.prototype', '<a>&toString;</a>'],
    ['an entity called __proto__', '<a>&__proto__;</a>'],
    ['a numeric entity out of range', '<a>&#x110000;</a>'],
    ['a numeric entity with a thousand digits', `<a>&#${'9'.repeat(1000)};</a>`],
    ['a numeric surrogate', '<a>&#xD800;</a>'],
    ['a numeric NUL', '<a>&#0;</a>'],
    ['a numeric ESC', '<a>&#x1b;</a>'],
    ['a numeric ESC in an attribute', '<a b="&#27;"/>'],
    ['a bare ampersand', '<a>x & y</a>'],
    ['an ampersand without an end', '<a>&amp</a>'],
    ['a raw ESC', '<a>\u001b[2J</a>'],
    ['a raw NUL', '<a>\u0000</a>'],
    ['U+FFFF', '<a>\uffff</a>'],
    ['3,000 levels', deep(3000)],
    ['65 levels', deep(65)],
    ['300,000 open tags', '<a>'.repeat(300_000)],
    ['an unclosed tag', '<a><b></a>'],
    ['a tag that never ends', '<a'],
    ['two roots', '<a></a><b></b>'],
    ['two empty roots', '<a/><b/>'],
    ['text after the root', '<a></a>x'],
    ['text after an empty root', '<a/>x'],
    ['text and a comment after an empty root', '<a/>x<!-- y -->'],
    ['a root closed by its content', '</_><_>'],
    ['a wrapper closed by its content', '<a/></_><_><b/>'],
    ['text before the root', 'x<a/>'],
    ['no root', '<?xml version="1.0"?>'],
    ['nothing', ''],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['an attribute without a value', '<a b/>'],
    ['a < in an attribute', '<a b="<"/>'],
    [']]> in a text', '<a>]]></a>'],
    ['an unclosed comment', '<a><!-- x</a>'],
    ['an unclosed CDATA', '<a><![CDATA[x</a>'],
    ['an undeclared prefix', '<p:a/>'],
    ['an undeclared prefix of an attribute', '<a p:b="1"/>'],
    ['a name with two colons', '<a xmlns:p="u"><p:b:c/></a>'],
    ['ISO-8859-1', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
    ['UTF-7', '<?xml version="1.0" encoding="UTF-7"?><a>+ADw-b+AD4-</a>'],
  ])('is refused by both readers, fast and small: %s', async (_, text) => {
    const before = process.memoryUsage().heapUsed;
    const faults = await bothFail(bytes(text));
    expect(faults).toHaveLength(2);
    for (const fault of faults) {
      expect(fault.code).toBe('ANSWER_UNREADABLE');
      expect(fault.detail!.length).toBeLessThan(300);
      expect(fault.detail).not.toMatch(/root:|lollol/);
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });

  it.each<[string, Uint8Array]>([
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff<a/>', 'utf16le')],
    ['UTF-16 without one', Buffer.from('<a/>', 'utf16le')],
    ['Latin-1', Buffer.from('<a>é</a>', 'latin1')],
    ['an overlong <', Buffer.from([0x3c, 0x61, 0x3e, 0xc0, 0xbc, 0x3c, 0x2f, 0x61, 0x3e])],
    ['a cut character', Buffer.from([0x3c, 0x61, 0x2f, 0x3e, 0xc3])],
    ['a surrogate in UTF-8', Buffer.from([0x3c, 0x61, 0x3e, 0xed, 0xa0, 0x80, 0x3c, 0x2f, 0x61, 0x3e])],
  ])('is refused by both readers: %s', async (_, source) => {
    expect(await bothFail(source)).toHaveLength(2);
  });

  it('is not refused when the refusal is planted out: the table can notice', async () => {
    expect(await bothFail(bytes('<a>fine</a>'))).toHaveLength(0);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty'])(
    'does not pollute anything by a tag or attribute %s',
    async (name) => {
      const text = `<a ${name}="1"><${name}><polluted>yes</polluted></${name}></a>`;
      try {
        readXml(bytes(text));
      } catch (error) {
        expect(error).toBeInstanceOf(XmlFault);
      }
      const tree = await streamed(text);
      expect(textAt(tree, `${name}/polluted`)).toBe('yes');
      expect(tree.attributes.get(name)).toBe('1');
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );
});

describe('the limits of XML', () => {
  it('allow 1 MiB in the tree reader, and more when set', () => {
    const text = `<a>${'x'.repeat(1024 * 1024)}</a>`;
    expect(() => readXml(bytes(text))).toThrow(XmlFault);
    expect(readXml(bytes(text), { maxBytes: 2 ** 21 }).text).toHaveLength(1024 * 1024);
  });

  it('allow in both as many levels as set', async () => {
    const text = '<a><b><c/></b></a>';
    expect(readXml(bytes(text), { maxDepth: 3 }).name).toBe('a');
    expect(() => readXml(bytes(text), { maxDepth: 2 })).toThrow(XmlFault);
    expect(await eventsOf(text, nothing, { maxDepth: 3 })).toHaveLength(3);
    await expect(eventsOf(text, nothing, { maxDepth: 2 })).rejects.toThrow(XmlFault);
  });

  it('refuse in the walk a document, or one element, that is too long', async () => {
    const rows = `<a>${'<b>x</b>'.repeat(1000)}</a>`;
    await expect(eventsOf(rows, nothing, { maxBytes: 5000 })).rejects.toThrow(ObkError);
    expect(await eventsOf(rows, nothing, { maxElement: 100_000 })).toHaveLength(1002);
    const long = { maxElement: 100_000 };
    await expect(eventsOf(`<a><b>${'x'.repeat(200_000)}</b></a>`, nothing, long)).rejects.toThrow(/XML/);
    await expect(eventsOf(`<a><!--${'x'.repeat(200_000)}--></a>`, nothing, long)).rejects.toThrow(/XML/);
    await expect(eventsOf(`<a b="${'x'.repeat(200_000)}"/>`, nothing, long)).rejects.toThrow(/XML/);
    await expect(eventsOf(`<!DOCTYPE a [${'x'.repeat(200_000)}`, nothing, long)).rejects.toThrow(/XML/);
  });

  it('distinguish the error of a person from that of a bank', async () => {
    expect(() => readXml(bytes('<a>'), { code: 'INPUT_INVALID' })).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID' }),
    );
    await expect(eventsOf('<a>', nothing, { code: 'INPUT_INVALID' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });
});

describe('walkXml', () => {
  const containers = new Set(['root', 'list']);
  const told = (events: XmlEvent[]) => events.map(({ kind, element }) => `${kind} ${element.name}`);

  it('opens containers and yields the rest whole, in order', async () => {
    const text = '<root><head><list/></head><list><row>1</row><row>2</row></list><foot/></root>';
    expect(told(await eventsOf(text, containers))).toEqual([
      'open root',
      'element head',
      'open list',
      'element row',
      'element row',
      'close list',
      'element foot',
      'close root',
    ]);
  });

  it('yields an empty container, and any root', async () => {
    expect(told(await eventsOf('<root><list/></root>', containers))).toEqual([
      'open root',
      'open list',
      'close list',
      'close root',
    ]);
    expect(told(await eventsOf('<other><list/></other>', containers))).toEqual([
      'open other',
      'open list',
      'close list',
      'close other',
    ]);
  });

  it('states where tags begin, in lines and characters', async () => {
    const text =
      '<?xml version="1.0"?>\n<root>\r\n  <row>😀</row><row\n k="1"/>\n<p:row xmlns:p="u">\n</p:row></root>';
    const places = (await eventsOf(text, containers))
      .filter(({ kind }) => kind !== 'close')
      .map(({ element: { line, column } }) => [line, column]);
    expect(places).toEqual([
      [2, 1],
      [3, 3],
      [3, undefined],
      [5, 1],
    ]);
  });

  it('states where a fault is', async () => {
    await expect(eventsOf('<root>\n  <row></wrong></root>', containers)).rejects.toMatchObject({ line: 2 });
    expect(() => readXml(bytes('<root>\n  <row></wrong></root>'))).toThrow(
      expect.objectContaining({ line: 2 }),
    );
  });

  it('drops a byte order mark, also cut in two', async () => {
    const mark = bytes('\ufeff<root/>');
    expect(told(await eventsOf(mark))).toEqual(['open root', 'close root']);
    expect(told(await eventsOf([mark.subarray(0, 2), mark.subarray(2)]))).toEqual([
      'open root',
      'close root',
    ]);
    expect(readXml(mark).name).toBe('root');
  });

  it('reads thirty megabytes in little memory, and yields rows before the end', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const row = bytes(`<row><Nm>${'x'.repeat(1000)}</Nm></row>`.repeat(100));
    let made = 0;
    function* source() {
      yield bytes('<root>');
      for (; made < 300; made += 1) yield row;
      yield bytes('</root>');
    }
    let rows = 0;
    let madeAtFirst = -1;
    const heap: number[] = [];
    for await (const { kind } of walkXml(source(), new Set())) {
      if (kind !== 'element') continue;
      if (rows === 0) madeAtFirst = made;
      rows += 1;
      if (rows % 10_000 !== 100) continue;
      collect();
      heap.push(process.memoryUsage().heapUsed);
    }
    expect(rows).toBe(30_000);
    expect(madeAtFirst).toBeLessThan(3);
    expect(Math.max(...heap) - heap[0]!).toBeLessThan(3_000_000);
  });
});

describe('a path to parts', () => {
  const tree = readXml(bytes('<a><b><c>1</c></b><b><c>2</c></b><d/></a>'));
  it('finds the first, all, or none', () => {
    expect(textAt(tree, 'b/c')).toBe('1');
    expect(childrenOf(tree, 'b').map((child) => textAt(child, 'c'))).toEqual(['1', '2']);
    expect(textAt(tree, 'd')).toBe('');
    expect(textAt(tree, 'd/c')).toBeUndefined();
    expect(elementAt(tree, 'toString')).toBeUndefined();
  });
});
