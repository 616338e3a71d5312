import { line } from '../../../base/command-line.ts';
import { withheldBy } from '../../../client/call/operation-of-bank.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import { operation } from '../../../standard/xs2a/operations.ts';
import type { OperationId } from '../../../standard/xs2a/operations.ts';

const creation: Readonly<Record<Noun, OperationId>> = {
  payment: 'initiatePayment',
  consent: 'createConsent',
  basket: 'createSigningBasket',
};

const usual = { service: 'payments', product: 'sepa-credit-transfers' } as const;

/** A product that the bank has: the usual one, or the first of its own matrix (payments.matrix). */
function usualProduct({ payments }: Pick<Profile, 'payments'>): { service: string; product: string } {
  const all = Object.entries(payments?.matrix ?? {}).flatMap(([service, products]) =>
    Object.keys(products).map((product) => ({ service, product })),
  );
  const isUsual = (one: typeof usual | (typeof all)[number]) =>
    one.service === usual.service && one.product === usual.product;
  return all.find(isUsual) ?? all[0] ?? usual;
}

/** The flags that place a payment from elsewhere, with a product that the bank has. */
export function placeFlags(profile: Profile): string {
  const { service, product } = usualProduct(profile);
  return line`--service ${service} --product ${product}`;
}

/** The command that starts a payment, consent or basket at this bank; none where the bank does not have them. */
export function starting(profile: Profile, noun: Noun): readonly string[] {
  if (withheldBy(profile, operation(creation[noun])) !== undefined) return [];
  if (noun === 'consent') return [line`obk consent create --iban ${profile.debtor ?? 'IBAN'}`];
  if (noun === 'basket') return ['obk basket create --payment ID --payment ID'];
  const { service, product } = usualProduct(profile);
  const place = service === usual.service ? [] : ['--service', service];
  return [line`obk payment init --product ${product}${place}`];
}
