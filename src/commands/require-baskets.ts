import { ObkError } from '../errors.ts';
import type { Target } from '../flows/target.ts';
import { absence } from '../xs2a/variants.ts';

/**
 * Throws NOT_OFFERED where the profile's interface has no signing baskets, before anything is asked or looked for. The
 * profile of the bank inside has them as soon as that bank does.
 */
export async function requireBaskets(target: Target): Promise<void> {
  const { variant, name, inside, ports } = target;
  const why = absence(variant, 'createSigningBasket');
  if (why === undefined) return;
  if (inside === undefined) {
    throw new ObkError({
      code: 'NOT_OFFERED',
      title: `The profile ${name} has no signing baskets: ${why}.`,
      detail: 'They belong to the framework, and only some banks offer them.',
      hint: [`obk profile edit ${name} --surface framework   # where the bank offers them`],
    });
  }
  const offered = (await ports.bank.scenarios()).find((one) => one.name === 'surface')?.value;
  if (offered !== 'framework') {
    throw new ObkError({
      code: 'NOT_OFFERED',
      title: `The bank inside has no signing baskets as it is set: ${why}.`,
      hint: ['obk sandbox scenario set surface framework'],
    });
  }
  target.variant = { ...variant, surface: 'framework' };
}
