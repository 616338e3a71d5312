import { describe, expect, it } from 'vitest';
import { clean, cleanJson, cleanLine, cleanStyled } from '../../../src/base/clean.ts';

describe('clean', () => {
  it.each([
    ['a\tb\nc', 'a\tb\nc'],
    ['a\r\nb', 'a\nb'],
    ['a\rb', 'a\\x0db'],
    ['\u0000\u0008\u000b\u001b\u001f', '\\x00\\x08\\x0b\\x1b\\x1f'],
    [' ~\u007f\u0080\u009f\u00a0', ' ~\\x7f\\x80\\x9f\u00a0'],
    ['\u00ac\u00ad\u00ae\u00ff\u0100', '\u00ac\\xad\u00ae\u00ff\u0100'],
    ['\u061b\u061c\u061d', '\u061b\\u{61c}\u061d'],
    ['\u200a\u200b\u200f\u2010', '\u200a\\u{200b}\\u{200f}\u2010'],
    ['\u2027\u2028\u202e\u202f', '\u2027\\u{2028}\\u{202e}\u202f'],
    ['\u205f\u2060\u206f\u2070', '\u205f\\u{2060}\\u{206f}\u2070'],
    ['\ufefe\ufeff\uff00', '\ufefe\\u{feff}\uff00'],
    ['\ufff8\ufff9\ufffb\ufffc', '\ufff8\\u{fff9}\\u{fffb}\ufffc'],
    ['\u{dffff}\u{e0000}\u{e007f}\u{e0080}', '\u{dffff}\\u{e0000}\\u{e007f}\u{e0080}'],
    ['Jörg & Söhne €', 'Jörg & Söhne €'],
  ])('changes %j', (text, safe) => {
    expect(clean(text)).toBe(safe);
  });
});

describe('cleanJson', () => {
  it.each(['\u0007', '\u009b', '\u202e', '\ufeff', '\u{e0041}'])(
    'writes %j in characters that nothing obeys',
    (text) => {
      const json = cleanJson(JSON.stringify({ text }));
      expect(json).toMatch(/^[\x20-\x7e]+$/);
      expect(JSON.parse(json)).toEqual({ text });
    },
  );

  it('writes four digits for each half of a character', () => {
    expect(cleanJson('\u0007\u009b\u202e\u{e0041}')).toBe('\\u0007\\u009b\\u202e\\udb40\\udc41');
  });
});

describe('cleanLine', () => {
  it.each([
    ['a\nb\tc', 500, 'a⏎b c'],
    ['a\r\nb\r\nc\td\te', 500, 'a⏎b⏎c d e'],
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abc…'],
    ['\u{1f600}\u{1f600}\u{1f600}', 3, '\u{1f600}\u{1f600}\u{1f600}'],
    ['\u{1f600}\u{1f600}\u{1f600}', 2, '\u{1f600}…'],
    ['', 4, ''],
  ])('cuts %j to %i', (text, width, line) => {
    expect(cleanLine(text, width)).toBe(line);
  });

  it('keeps 500 characters by default', () => {
    expect(cleanLine('x'.repeat(500))).toBe('x'.repeat(500));
    expect(cleanLine('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  });
});

describe('cleanStyled', () => {
  it.each([
    ...['0', '1', '2', '7', '9', '10', '22', '31', '39', '79', '90', '97', '100', '107', '1;31', '', ';'],
    ...['38;5;1', '38;5;22', '38;5;208', '48;5;9', '38;2;1;22;255', '48;2;255;0;9', '0;38;5;7;1'],
  ])('keeps the colour %s', (code) => {
    const text = `a\u001b[${code}mb`;
    expect(cleanStyled(text)).toBe(text);
  });

  it.each([...['8', '28;8', '80', '8;1', '1;8', '38;5;x', 'x', '1x', '9x', '10x']])(
    'shows %s, which hides text or is not a colour',
    (code) => {
      expect(cleanStyled(`a\u001b[${code}mb`)).toBe(`a\\x1b[${code}mb`);
    },
  );

  it('keeps a line that is drawn again, and nothing that moves elsewhere', () => {
    expect(cleanStyled('a\r\u001b[Kb')).toBe('a\r\u001b[Kb');
    expect(cleanStyled('a\u001b[Kb')).toBe('a\\x1b[Kb');
    expect(cleanStyled('a\u001b[2Jb\u009bm\u001b[31mc\u001b]0;t\u0007')).toBe(
      'a\\x1b[2Jb\\x9bm\u001b[31mc\\x1b]0;t\\x07',
    );
  });
});
