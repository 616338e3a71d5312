import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import {
  buildMultipart,
  multipartType,
  periodicDocuments,
  periodicParts,
  readMultipart,
} from '../../../../../src/standard/formats/text/multipart.ts';
import { runs } from '../../../../helpers/trials.ts';

const xml = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<Document/>\n');
const json = Buffer.from('{"startDate":"2026-12-01","frequency":"Monthly"}');
const type = 'multipart/form-data; boundary=AaaBbbCcc';

// Typed by hand after RFC 7578 and the official example of a standing order.
const golden = [
  '--AaaBbbCcc',
  'Content-Disposition: form-data; name="xml_sct"',
  'Content-Type: application/xml',
  '',
  '<?xml version="1.0" encoding="UTF-8"?>\n<Document/>\n',
  '--AaaBbbCcc',
  'Content-Disposition: form-data; name="json_standingorderType"',
  'Content-Type: application/json',
  '',
  '{"startDate":"2026-12-01","frequency":"Monthly"}',
  '--AaaBbbCcc--',
  '',
].join('\r\n');

const documentsOf = (contentType: string, body: string | Uint8Array) => {
  const documents = periodicDocuments(readMultipart(contentType, Buffer.from(body)));
  return (
    documents && { xml: Buffer.from(documents.xml).toString(), json: Buffer.from(documents.json).toString() }
  );
};
const both = { xml: xml.toString(), json: json.toString() };

describe('buildMultipart', () => {
  it('writes the golden bytes', () => {
    expect(Buffer.from(buildMultipart(periodicParts(xml, json), 'AaaBbbCcc')).toString()).toBe(golden);
    expect(multipartType('AaaBbbCcc')).toBe(type);
  });

  it.each([
    ['a boundary with a line break', 'a\r\nb', 'xml_sct', 'application/xml', 'x'],
    ['an empty boundary', '', 'xml_sct', 'application/xml', 'x'],
    ['a boundary of 71', 'x'.repeat(71), 'xml_sct', 'application/xml', 'x'],
    ['a boundary in the part', 'abc', 'xml_sct', 'application/xml', 'x--abcd'],
    ['a name with a quote', 'abc', 'a"; filename="x', 'application/xml', 'x'],
    ['a name with a line break', 'abc', 'a\r\nX: y', 'application/xml', 'x'],
    ['a type with a line break', 'abc', 'a', 'text/plain\r\nX: y', 'x'],
  ])('refuses %s', (_, boundary, name, contentType, text) => {
    expect(() => buildMultipart([{ name, contentType, content: Buffer.from(text) }], boundary)).toThrow(
      Error,
    );
  });

  it('writes what is read back byte for byte', () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.array(fc.constantFrom(13, 10, 45, 45, 120), { maxLength: 20 }).map((list) => Uint8Array.from(list)),
    );
    const part = fc.record({
      name: fc.constantFrom('xml_sct', 'json_standingorderType', 'a.b-c'),
      contentType: fc.constantFrom('application/xml', 'application/json; charset=utf-8'),
      content,
    });
    const boundary = fc.constantFrom('bound', "a'()+_,-./:=?b", 'x'.repeat(70), '--');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), boundary, (parts, mark) => {
        fc.pre(parts.every((each) => !Buffer.from(each.content).includes(`--${mark}`)));
        const read = readMultipart(multipartType(mark), buildMultipart(parts, mark));
        expect(read.map((each) => ({ ...each, content: Uint8Array.from(each.content) }))).toEqual(parts);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('readMultipart', () => {
  it.each<[string, string, string]>([
    ['the golden bytes', type, golden],
    ['LF line ends', type, golden.replaceAll('\r\n', '\n')],
    [
      'a quoted boundary and other parameters',
      'Multipart/Form-Data; charset=utf-8; boundary="AaaBbbCcc"',
      golden,
    ],
    [
      'the name of the guidelines',
      type,
      golden.replace('json_standingorderType', 'json_standingordermanagement'),
    ],
    ['names without quotes', type, golden.replace('"xml_sct"', 'xml_sct')],
    [
      'headers in small letters, in another order',
      type,
      golden.replace(
        /Content-Disposition: (.*)\r\nContent-Type: (.*)/,
        'content-type:$2\r\ncontent-disposition:$1',
      ),
    ],
    [
      'more headers and a file name',
      type,
      golden.replace('name="xml_sct"', 'name="xml_sct"; filename="name.xml"\r\nContent-Length: 54'),
    ],
    ['parameters of a type', type, golden.replace('application/xml', 'application/xml; charset=UTF-8')],
    [
      'parts by type under other names',
      type,
      golden.replace('xml_sct', 'a').replace('json_standingorderType', 'b'),
    ],
    ['a preamble and an epilogue', type, `hello\r\n${golden}bye`],
    ['no line end after the last boundary', type, golden.trimEnd()],
    ['blanks after a boundary', type, golden.replace('--AaaBbbCcc\r\n', '--AaaBbbCcc  \r\n')],
    [
      'the parts swapped',
      type,
      [...golden.split('--AaaBbbCcc\r\n').filter(Boolean)]
        .reverse()
        .map((part) => `--AaaBbbCcc\r\n${part.replace('--AaaBbbCcc--\r\n', '')}`)
        .join('')
        .concat('--AaaBbbCcc--\r\n'),
    ],
  ])('accepts %s', (_, contentType, body) => {
    expect(documentsOf(contentType, body)).toEqual(both);
  });

  it('keeps line ends and what only looks like a boundary', () => {
    const text = '\r\nx --AaaBbbCcc\r\n--AaaBbbCccD\n--AaaBbb\r\n\r\n';
    const body = golden.replace(both.xml, text);
    expect(documentsOf(type, body)?.xml).toBe(text);
  });

  it.each<[string, string, string]>([
    ['another type', 'application/json; boundary=AaaBbbCcc', golden],
    ['no boundary', 'multipart/form-data', golden],
    ['a boundary that does not occur', 'multipart/form-data; boundary=zzz', golden],
    ['an end that is missing', type, golden.replace('--AaaBbbCcc--', '')],
    ['nothing', type, ''],
    ['a part without headers', type, '--AaaBbbCcc\r\nabc\r\n--AaaBbbCcc--'],
    ['a part without a name', type, golden.replace('; name="xml_sct"', '')],
    ['a name that is a file name', type, golden.replace('; name="xml_sct"', '; filename="xml_sct"')],
    [
      '21 parts',
      type,
      `${'--AaaBbbCcc\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n'.repeat(21)}--AaaBbbCcc--`,
    ],
  ])('refuses %s', (_, contentType, body) => {
    expect(() => readMultipart(contentType, Buffer.from(body))).toThrow(ObkError);
    expect(() => readMultipart(contentType, Buffer.from(body), 'INPUT_INVALID')).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID' }),
    );
  });

  it('throws nothing but ObkError for any bytes', () => {
    const piece = fc.constantFrom(
      '--AaaBbbCcc',
      '--',
      '\r\n',
      '\n',
      '\r',
      'Content-Disposition: form-data; name="a"',
      ':',
      ' ',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          readMultipart(type, Buffer.from(pieces.join('')));
        } catch (error) {
          expect(error).toBeInstanceOf(ObkError);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it('finds no standing order where a part lacks it', () => {
    const alone = golden.replace(
      /--AaaBbbCcc\r\nContent-Disposition: form-data; name="json[^]*?(?=--AaaBbbCcc--)/,
      '',
    );
    expect(documentsOf(type, alone)).toBeUndefined();
  });
});
