import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ObkError } from '../../../src/base/errors.ts';
import { operations } from '../../../src/standard/xs2a/operations.ts';
import { buildPath, matchRequest } from '../../../src/standard/xs2a/request.ts';
import { presets } from '../../../src/standard/xs2a/variants.ts';
import { trials } from '../../helpers/trials.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

const row = trials('21', 3_000);
const framework = { ...presets.v136, surface: 'framework' } as const;

const pieces = fc.constantFrom(
  ...[
    '/',
    '\\',
    '..',
    '.',
    '%2e',
    '%2E%2e',
    '%2f',
    '%5c',
    '%252e',
    '%00',
    '%',
    ';',
    '?',
    '#',
    '@',
    ':',
    '//',
  ],
  ...['\u3002', '\uff0f', '\u0000', '\n', '\r\n', '\t', ' ', '\u200b', '\ud800', 'é'],
  ...['status', 'authorisations', 'payments', 'v1', 'id', '7', '-', '_', '~', '+', '&', '='],
);
const ids = fc.oneof(
  fc.array(pieces, { maxLength: 6 }).map((list) => list.join('')),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.uuid(),
);

it(
  'an id of a bank is refused, or is one segment of the path and comes back as it was',
  () => {
    let sent = 0;
    fc.assert(
      fc.property(fc.constantFrom(...operations), ids, ids, (op, one, two) => {
        const params = {
          'payment-service': 'payments',
          'payment-product': 'sepa-credit-transfers',
          ...{ paymentId: one, consentId: one, basketId: one, 'account-id': one },
          ...{ transactionId: two, authorisationId: two },
        };
        let path: string;
        try {
          path = buildPath(framework, op, params);
        } catch (error) {
          expect(error).toBeInstanceOf(ObkError);
          return;
        }
        sent += 1;
        // A server, a proxy and the WHATWG parser see the same path: no segment more, none less, none resolved.
        expect(new URL(path, 'https://bank.example').pathname).toBe(path);
        expect(path).toMatch(/^[\x21-\x7e]+$/);
        expect(path.split('/')).toHaveLength((framework.prefix + op.path).split('/').length);
        const match = matchRequest(framework, op.method, path);
        expect(match).toMatchObject({ operation: { id: op.id } });
        for (const [name, value] of Object.entries((match as { params: object }).params))
          expect(value).toBe(params[name as keyof typeof params]);
      }),
      { numRuns: row.count, seed: row.seed },
    );
    expect(sent).toBeGreaterThan(0);
    row.report(`${sent} sent, the rest refused, 0 mismatches`);
  },
  row.timeout(60_000),
);
