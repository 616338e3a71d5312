import { describe, expect, it } from 'vitest';
import { mediaKind, parseMediaType } from '../../../../src/standard/xs2a/media.ts';

describe('mediaKind', () => {
  it.each([
    [undefined, 'none'],
    ['', 'none'],
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['APPLICATION/JSON;Charset="UTF-8"', 'json'],
    ['application/hal+json', 'json'],
    ['application/vnd.bank.v1+json', 'json'],
    ['text/json', 'json'],
    ['application/problem+json', 'problem'],
    ['application/xml', 'xml'],
    ['text/xml; charset=iso-8859-1', 'xml'],
    ['application/vnd.BerlinGroup.camt.053+xml', 'xml'],
    ['application/xhtml+xml', 'html'],
    ['text/html', 'html'],
    ['text/plain', 'text'],
    ['application/text', 'text'],
    ['multipart/form-data; boundary=x', 'multipart'],
    ['application/zip', 'other'],
    ['application/jsonp', 'other'],
    ['nonsense', 'other'],
  ])('reads %s as %s', (type, kind) => {
    expect(mediaKind(type)).toBe(kind);
  });
});

describe('parseMediaType', () => {
  it('separates parameters, quoted or not', () => {
    const { type, params } = parseMediaType('Multipart/Form-Data; boundary="a;\\"b"; Charset=utf-8 ; x');
    expect(type).toBe('multipart/form-data');
    expect(Object.fromEntries(params)).toEqual({ boundary: 'a;"b', charset: 'utf-8' });
  });
});
