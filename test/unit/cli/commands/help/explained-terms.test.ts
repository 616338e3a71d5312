// What TAB offers after `obk explain` is explained.
import { expect, it } from 'vitest';
import { explainedTerms } from '../../../../../src/cli/commands/explain.ts';
import { program } from '../../../../helpers/program.ts';

it('offers words of every kind', () => {
  expect(explainedTerms).toEqual(
    expect.arrayContaining(['RJCT', 'CONSENT_INVALID', 'scaRedirect', 'PSU', '12', 'DUPLICATE_PAYMENT']),
  );
});

it('explains each word that is offered', async () => {
  const refused: string[] = [];
  for (const term of explainedTerms) if ((await program(['explain', term])).code !== 0) refused.push(term);
  expect(refused).toEqual([]);
}, 60_000);
