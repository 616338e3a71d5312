import { beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../../src/referee/judge.ts';
import type { TppCertificates } from '../../../src/referee/signature/tpp-certificate.ts';
import { plantedMistakes } from '../../helpers/planted-mistakes.ts';
import { Dice } from '../../helpers/dice.ts';
import { rightDay, rightRequest } from '../../helpers/right-requests.ts';
import { signed } from '../../helpers/signed-by-hand.ts';
import type { RightRequest } from '../../helpers/right-requests.ts';
import { makeSeals } from './seals.ts';

let certificates: TppCertificates;
let seals: Awaited<ReturnType<typeof makeSeals>>['seals'];
beforeAll(async () => {
  ({ certificates, seals } = await makeSeals());
});

const prefixes = { '1.3.2': '/v1', '1.3.6': '/v136' } as const;
/** Payments of a certain service and product. */
const services: Readonly<Record<string, string>> = {
  initiatePayment: '/payments/sepa-credit-transfers',
  bulk: '/bulk-payments/sepa-credit-transfers',
  periodic: '/periodic-payments/sepa-credit-transfers',
  xml: '/payments/pain.001-sepa-credit-transfers',
};

/** A right request of the operation, for payments of a service. */
function right(operation: string, framework: '1.3.2' | '1.3.6', seed: number): RightRequest {
  const dice = new Dice(seed);
  for (;;) {
    const made = rightRequest(dice, framework, operation in services ? 'initiatePayment' : operation);
    const wanted = services[operation];
    // Without the values that a mistake is about, and with those that it needs.
    const hasBody = !operation.startsWith('updat') || made.body.length > 0;
    if ((wanted === undefined || made.target.endsWith(wanted)) && hasBody) return made;
  }
}

const terms = (framework: '1.3.2' | '1.3.6') => ({
  variant: { framework, prefix: prefixes[framework], surface: 'framework' as const },
  now: rightDay,
  certificates,
});

describe('a planted mistake', () => {
  it('is one of at least 140, each with its own name in its operation', () => {
    const names = plantedMistakes.map(
      ({ operation, framework, name }) => `${operation} ${framework} ${name}`,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(140);
  });

  it.each(plantedMistakes.map((one) => [`${one.operation} ${one.framework}: ${one.name}`, one] as const))(
    'is found: %s',
    async (_title, planted) => {
      for (const seed of [1, 2, 3]) {
        const request = right(planted.operation, planted.framework, seed);
        const bare = { ...request, headers: [...request.headers] };
        const before = await judge(signed(bare, seals.ec), terms(planted.framework));
        expect(before.findings).toEqual([]);
        planted.change?.(request);
        const sent = signed(request, seals[planted.seal ?? (seed % 2 === 0 ? 'rsa' : 'ec')]);
        planted.after?.(sent);
        const { findings } = await judge(sent, {
          ...terms(planted.framework),
          ...planted.terms,
          ...(planted.known && { known: planted.known }),
        });
        expect(findings.map(({ rule, pointer, code }) => ({ rule, pointer, code }))).toContainEqual({
          rule: planted.rule,
          pointer: planted.pointer,
          code: planted.code,
        });
        for (const { what, why, source } of findings) expect(what && why && source).toBeTruthy();
      }
    },
  );
});
