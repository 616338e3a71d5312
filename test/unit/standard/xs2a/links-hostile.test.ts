// Thousands of links that nobody wrote, apart from the tables: these alone take seconds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../../src/standard/xs2a/json.ts';
import { readLinks, resolveHref } from '../../../../src/standard/xs2a/links.ts';
import { runs } from '../../../helpers/trials.ts';

const policy = { base: 'https://bank.example/psd2', prefix: '/v1', origins: [], host: 'strict' } as const;

describe('readLinks', () => {
  it('never throws and pollutes nothing', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        readLinks(value);
      }),
    );
    readLinks(readJson('{"__proto__": {"href": "/x"}, "constructor": {"href": "/y"}}'));
    expect(({} as { href?: string }).href).toBeUndefined();
  });
});

describe('resolveHref', () => {
  it('never leads elsewhere than below origin, base path and prefix', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      '%2e',
      '%2E',
      '%2f',
      '%5c',
      '%25',
      '@',
      ':',
      '?',
      '#',
      ';',
      'v1',
      'psd2',
      'https:',
      'http:',
      '//',
      'bank.example',
      'evil.example',
      ' ',
      '\t',
      'a',
      '%',
      '\u3002',
      '443',
      '&',
      '=',
    );
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 14 }),
        fc.constantFrom('strict' as const, 'ignore' as const),
        (list, host) => {
          const resolved = resolveHref(list.join(''), { ...policy, host });
          if (!resolved.ok) return;
          const url = new URL(resolved.url);
          expect(url.origin).toBe('https://bank.example');
          expect(url.username + url.password).toBe('');
          expect(url.pathname.startsWith('/psd2/v1/')).toBe(true);
          expect(resolved.url).toBe(resolved.origin + resolved.path);
        },
      ),
      { numRuns: runs(5000) },
    );
  });
});
