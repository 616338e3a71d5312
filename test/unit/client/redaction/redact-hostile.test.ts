// Hundreds of documents that nobody wrote, apart from the tables: these alone take seconds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from '../../../../src/client/redaction/redact.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { encodings } from '../encodings.ts';
import { runs } from '../../../helpers/trials.ts';

const canary = 'c4n4ry-t0k3n-0123';

describe('a token in an answer of any form', () => {
  it('is cut wherever it stands, and nothing else of the document', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (before, after) => {
        const text = `{"a":${before},"access_token":"${canary}","b":${after}}`;
        const shown = redactText(text);
        expect(shown).not.toContain(canary);
        if (
          !/secret|token|key|pass|pwd|otp|pin|tan|jwt|auth|cookie|session|assertion|verifier|cred/i.test(
            before + after,
          )
        )
          expect(JSON.parse(shown)).toEqual({
            a: JSON.parse(before),
            access_token: '[secret]',
            b: JSON.parse(after),
          });
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('the removal of a secret by value', () => {
  const words = fc.string({ minLength: 12, maxLength: 40 }).filter((text) => text.trim().length >= 12);
  const around = fc.string({ maxLength: 7 });

  it.each(Object.entries(encodings))('leaves no %s form of a long secret', (_, encode) => {
    fc.assert(
      fc.property(words, around, around, (value, before, after) => {
        new Secret(value);
        const shown = redactText(encode(value, before, after));
        expect(shown).toContain('[secret]');
        // What is left must not be enough to put it together again.
        for (const form of Object.values(encodings)) expect(shown).not.toContain(form(value, '', ''));
      }),
      { numRuns: runs(150) },
    );
  });

  const small = (text: string) => text.replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase());
  const outer: typeof encodings = {
    ...encodings,
    'url in small letters': (text: string) => small(encodeURIComponent(text)),
  };
  const twice = Object.entries(encodings).flatMap(([inner, encode]) =>
    Object.entries(outer).map(([name, again]) => [inner, name, encode, again] as const),
  );
  it.each(twice)('leaves no %s in %s of a long secret', (_inner, _outer, encode, again) => {
    fc.assert(
      fc.property(words, around, around, (value, before, after) => {
        new Secret(value);
        const shown = redactText(again(encode(value, before, after), before, after));
        expect(shown).toContain('[secret]');
        for (const form of Object.values(encodings)) {
          expect(shown).not.toContain(form(value, '', ''));
          for (const other of Object.values(outer))
            expect(shown).not.toContain(other(form(value, '', ''), '', ''));
        }
      }),
      { numRuns: 10 },
    );
  });
});
