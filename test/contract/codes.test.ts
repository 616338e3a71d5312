import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codesAt } from '../../src/standard/xs2a/message-places.ts';
import type { OperationId, Service } from '../../src/standard/xs2a/operations.ts';
import type { Framework } from '../../src/standard/xs2a/variants.ts';

const operationOf: Record<string, readonly [Service, OperationId]> = {
  PIS: ['PIS', 'initiatePayment'],
  PIS_CANC: ['PIS', 'cancelPayment'],
  AIS: ['AIS', 'createConsent'],
  PIIS: ['PIIS', 'checkAvailabilityOfFunds'],
  SBS: ['SBS', 'createSigningBasket'],
};

const lines = readFileSync(new URL('codes.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, status, service = '', more, codes = ''] = /^(\d{3}) (\w+)( \+)?: (.+)$/.exec(line) ?? [];
    return status === undefined
      ? []
      : [{ status: Number(status), service, added: more !== undefined, codes: codes.split(' ') }];
  });

it.each<[Framework, boolean]>([
  ['1.3.2', false],
  ['1.3.6', true],
])('the codes of %s are those that were typed, in both directions', (framework, withAdded) => {
  for (const [key, [service, id]] of Object.entries(operationOf)) {
    for (let status = 400; status < 600; status += 1) {
      // Only the 405 of a cancellation has a list of its own.
      const list = key === 'PIS_CANC' && status !== 405 ? 'PIS' : key;
      const typed = lines
        .filter((line) => line.status === status && line.service === list && (withAdded || !line.added))
        .flatMap(({ codes }) => codes);
      const both = typed.includes('CERTIFICATE_REVOKE') ? [...typed, 'CERTIFICATE_REVOKED'] : typed;
      const table = codesAt(framework, { service, id }, status);
      expect([status, key, [...table].sort()]).toEqual([status, key, both.sort()]);
    }
  }
  expect(lines).toHaveLength(35);
});
