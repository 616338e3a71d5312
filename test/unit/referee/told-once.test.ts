import { expect, it } from 'vitest';
import { judge } from '../../../src/referee/judge.ts';
import { guidelineSigning } from '../../../src/referee/signing.ts';
import { frameworkNames, operationsOf } from '../../../src/standard/xs2a/variants.ts';

// A request with nothing but its path breaks many rules, and each is told once for each place.
it.each(
  frameworkNames.flatMap((framework) => (['v1', 'v136'] as const).map((name) => [framework, name] as const)),
)('the referee reports nothing twice of a bare request of %s (%s)', async (framework, name) => {
  const variant = { framework, prefix: `/${name}`, surface: 'framework' } as const;
  for (const { id, method, path } of operationsOf(variant)) {
    const target = `/${name}${path
      .replace('{payment-service}', 'payments')
      .replace('{payment-product}', 'sepa-credit-transfers')
      .replaceAll(/\{[^}]*\}/g, 'abcd1234')}`;
    const { findings, operation } = await judge(
      { method, target, headers: [], body: Buffer.alloc(0) },
      {
        variant,
        now: new Date('2026-06-10T10:00:00Z'),
        signing: { ...guidelineSigning, signature: 'optional' },
      },
    );
    expect(operation?.id).toBe(id);
    const told = findings.map(({ rule, pointer }) => `${rule} ${pointer}`);
    expect(
      told.filter((one, at) => told.indexOf(one) < at),
      id,
    ).toEqual([]);
  }
});
