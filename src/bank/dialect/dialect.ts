import type { DescribedSignature } from '../../referee/signature/signature-rules.ts';
import type { BankSettings } from '../../settings/records/profile.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import { withoutNotes } from '../../settings/profile/notes.ts';
import { bankRow } from '../../settings/profile/table.ts';
import { presets, variantOf } from '../../standard/xs2a/variants.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Everybody } from '../books/ledger-doors.ts';
import type { Scenario } from '../rules/scenario.ts';
import { isInterface } from './own-places.ts';
import { everybodyIn, pinsOf } from './pins.ts';
import { signatureIn } from './signature.ts';

/**
 * A bank that departs from the standard as its description says. The rules of the bank inside know nothing of it: a request is
 * put into the standard before they see it, and their answer into the words of the bank afterwards.
 */
export interface Dialect {
  settings: BankSettings;
  /** The one interface that the bank serves. */
  variant: Variant;
  /** The switches that the description holds for as long as the bank runs. */
  pins: Partial<Scenario>;
  /** What holds for every PSU. */
  everybody: Everybody;
  /** What it wants of a signature beyond its family of banks. */
  signature: DescribedSignature;
  /** The operations that the bank does not have. */
  without: readonly OperationId[];
  /** Whether a path is one of the interface of the bank; here, so that a bank of the standard starts without what tells it. */
  isInterface: (path: string) => boolean;
}

/** The framework of a description that names none. */
const usualVersion = presets.v1.framework;

/** The bank of a description. */
export function dialectOf(described: BankSettings, framework = described.framework ?? usualVersion): Dialect {
  const settings = withoutNotes(bankRow, described);
  const usual = variantOf(framework);
  const variant = { ...usual, prefix: (settings.prefix ?? usual.prefix).replace(/\/$/, '') };
  return {
    settings,
    variant,
    pins: pinsOf(settings),
    everybody: everybodyIn(settings),
    signature: signatureIn(settings),
    without: withoutIn(settings),
    isInterface: (path) => isInterface({ settings, variant }, path),
  };
}

function withoutIn({ spec, payments, ais, consent, sca }: BankSettings): OperationId[] {
  const unsupported = Object.entries(spec?.operations ?? {}).flatMap(([id, one]) =>
    one.supported === false ? [id as OperationId] : [],
  );
  const starting = (operation: (typeof operations)[number], parent: string) => operation.parent === parent;
  const also = operations.filter(
    (operation) =>
      (payments?.cancel?.allowed === false &&
        (operation.id === 'cancelPayment' || starting(operation, 'cancellation'))) ||
      (ais?.cardAccounts === false && starting(operation, 'card-account')) ||
      (consent?.none === true && starting(operation, 'consent')) ||
      (sca?.statusFrom === 'resource' && /ScaStatus$/.test(operation.id)) ||
      (sca?.startMode === 'skip' && /^start\w+Authorisation$/.test(operation.id)),
  );
  return [...unsupported, ...also.map(({ id }) => id)];
}
