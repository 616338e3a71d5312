import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { OperationId } from '../../../standard/xs2a/operations.ts';
import { absence } from '../../../standard/xs2a/variants.ts';

/**
 * Throws NOT_OFFERED if the profile's interface lacks the operation, before anything is asked or looked up; `what`
 * names the missing things in plural. The sandbox profile has it as soon as the sandbox does.
 */
export async function requireOffered(target: Target, operation: OperationId, what: string): Promise<Target> {
  const { variant, name, ownBank, ports } = target;
  const why = absence(variant, operation);
  if (why === undefined) return target;
  if (ownBank === undefined) {
    throw new ObkError({
      code: 'NOT_OFFERED',
      title: `The profile ${name} has no ${what}: ${why}.`,
      detail: 'They belong to the framework, and only some banks offer them.',
      hint: [line`obk profile edit ${name} --surface framework   # where the bank offers them`],
    });
  }
  const { switches } = await ports.bank.control('getScenario');
  const offered = switches.find((one) => one.name === 'surface')?.value;
  if (offered !== 'framework') {
    throw new ObkError({
      code: 'NOT_OFFERED',
      title: `The bank inside has no ${what} as it is set: ${why}.`,
      hint: ['obk sandbox scenario set surface framework'],
    });
  }
  return { ...target, variant: { ...variant, surface: 'framework' } };
}

/** The same of signing baskets. */
export const requireBaskets = (target: Target): Promise<Target> =>
  requireOffered(target, 'createSigningBasket', 'signing baskets');
