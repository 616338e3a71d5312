import { lintPain001 } from '../../standard/formats/payments/pain001-lint.ts';
import type { Pain001Finding } from '../../standard/formats/payments/pain001-lint.ts';
import { checkBic, checkIban, checkIsoDate } from '../../standard/xs2a/check.ts';
import type { Findings } from '../finding.ts';
import type { RuleId } from '../rules.ts';
import type { PaymentTerms } from './payment.ts';

const ruleNames: Readonly<Record<string, RuleId>> = {
  iban: 'body-iban',
  bic: 'body-bic',
  date: 'body-date',
  amount: 'body-amount',
  length: 'body-length',
  empty: 'body-length',
  value: 'body-code',
};

/** Judges a pain.001 by the errors of its reader; the pointer is the path of element names. */
export async function judgePain(found: Findings, { service }: PaymentTerms, xml: Uint8Array): Promise<void> {
  const { findings } = await lintPain001(xml, {
    checks: { iban: checkIban, bic: checkBic, date: checkIsoDate, charset: () => undefined },
    single: service !== 'bulk-payments',
    maxFindings: 20,
  });
  for (const one of findings.filter(({ severity }) => severity === 'error'))
    found
      .at('body', pointerOf(one))
      .add(ruleNames[one.rule] ?? 'body-unreadable', `${one.text}${placeOf(one)}.`);
}

const pointerOf = ({ path }: Pain001Finding): string => (path === '' ? '' : `/${path.replace(/^\//, '')}`);
const placeOf = ({ line, column }: Pain001Finding): string =>
  line === undefined ? '' : ` (line ${String(line)}, column ${String(column ?? 1)})`;
