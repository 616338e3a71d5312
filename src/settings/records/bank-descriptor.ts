import type { authRow } from '../profile/bank-auth.ts';
import type { descriptorRows } from '../profile/bank.ts';
import type { headerRule } from '../profile/header-rule.ts';
import type { GroupOf, ValueOf } from '../profile/row.ts';

/**
 * Where a bank departs from the standard, as data beside the other settings of a profile; without any of it the bank is a
 * standard one. The rows of `src/settings/profile/bank.ts` say what each setting means and what it may be.
 */
export type BankDescriptor = GroupOf<typeof descriptorRows>;

/** The members of one setting of a bank. */
type Part<Key extends keyof BankDescriptor> = NonNullable<BankDescriptor[Key]>;

/** One bank's departure from the standard for a header; it holds for all operations where `operations` is absent. */
export type BankHeaderRule = ValueOf<typeof headerRule>;

/** The effect of a rule on a header: required, left out, filled in, left out where blank, or sent even without a value. */
export type HeaderAction = BankHeaderRule['action'];

/** The oauth settings of a bank beyond those of the standard. */
export type AuthOfBank = ValueOf<typeof authRow>;

/** How a token for an operation is got: not at all, before all else, within an authorisation, or for the TPP alone. */
export type AuthMode = NonNullable<AuthOfBank['mode']>;

/** Parameters of OAuth2 that the bank calls otherwise, wants besides, or refuses. */
export type OauthParameters = NonNullable<AuthOfBank['authorize']>;

/** A finding about answers that is known and taken: the rule, where it is found, and why. */
export type Waiver = Part<'waivers'>[number];

/** The form in which a payment is sent. */
export type PaymentFormat = 'json' | 'xml' | 'text';

/** The access that a consent may ask for. */
export type ConsentType = NonNullable<Part<'consent'>['types']>[number];
