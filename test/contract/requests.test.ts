// Everything that obk sends on its journeys, and everything that the bank inside answers to it, judged by the official files.
// The method: obk runs whole commands against a recorder in front of the bank; the checker finds the operation of each raw
// exchange by the official path and method (never by our own table), judges headers, parameters and bodies on both sides, and
// where a schema is a oneOf it takes the branch by operation, by the service in the path, or by the key of the request's
// body: the files' own oneOf would refuse every real body of an authorisation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { checkExchange, hasOfficialFiles } from '../helpers/contract.ts';
import type { Exchange } from '../helpers/contract.ts';
import {
  everyCancellation,
  everyPerson,
  findingsIn,
  refusals,
  startTraveller,
  titleOf,
  wrongSecrets,
} from './journeys.ts';
import type { Traveller } from './journeys.ts';

describe.skipIf(!hasOfficialFiles()).each(['v1', 'v136'] as const)(
  'obk and the bank as %s, by the official files',
  (name) => {
    let traveller: Traveller;
    const all: Exchange[] = [];
    beforeAll(async () => {
      traveller = await startTraveller(name);
    });
    afterAll(() => traveller.close());

    it.each([
      ['a payment of every PSU', everyPerson],
      ['a cancellation in every approach', everyCancellation],
      ['wrong secrets', wrongSecrets],
      ['refusals', refusals],
    ])('agree on %s', { timeout: 90_000 }, async (_name, travel) => {
      await travel(traveller);
      const exchanges = traveller.take();
      all.push(...exchanges);
      expect(findingsIn(presets[name], exchanges, checkExchange)).toEqual([]);
    });

    it('agree on every operation of a payment, well and badly', () => {
      const { prefix } = presets[name];
      const seen = new Set(
        all.map((made) => titleOf(made).replace(`${prefix}/payments/sepa-credit-transfers`, '')),
      );
      expect([...seen].sort()).toEqual(expect.arrayContaining(titles));
    });

    it('agree without using an X-Request-ID twice, with one TPP-Redirect-URI for each payment', () => {
      const requestIds = all.map((made) => headerOf(made, 'x-request-id'));
      expect(new Set(requestIds).size).toBe(requestIds.length);
      const byPayment = new Map<string, Set<string>>();
      for (const made of all) {
        const uri = headerOf(made, 'tpp-redirect-uri');
        const id = uuid.exec(made.path)?.[0] ?? uuid.exec(made.responseBody.toString())?.[0];
        if (uri === undefined || id === undefined) continue;
        byPayment.set(id, (byPayment.get(id) ?? new Set()).add(uri));
      }
      expect(byPayment.size).toBeGreaterThan(10);
      expect([...byPayment.values()].filter((uris) => uris.size > 1)).toEqual([]);
    });
  },
);

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/;

const titles = [
  ...[
    'POST  201',
    'POST  400',
    'POST  403',
    'GET /ID 200',
    'GET /ID 404',
    'GET /ID/status 200',
    'GET /ID/status 404',
  ],
  ...['DELETE /ID 202', 'DELETE /ID 204', 'DELETE /ID 404', 'DELETE /ID 405'],
  ...['GET /ID/authorisations 200', 'GET /ID/authorisations/ID 200', 'GET /ID/authorisations/ID 404'],
  ...[201, 401, 404, 409].map((status) => `POST /ID/authorisations ${String(status)}`),
  ...['PUT /ID/authorisations/ID 200', 'PUT /ID/authorisations/ID 401'],
  ...['GET /ID/cancellation-authorisations 200', 'GET /ID/cancellation-authorisations/ID 200'],
  ...['POST /ID/cancellation-authorisations 201', 'PUT /ID/cancellation-authorisations/ID 200'],
];

function headerOf({ requestHeaders }: Exchange, name: string): string | undefined {
  return (requestHeaders as [string, string][]).find(([key]) => key.toLowerCase() === name)?.[1];
}
