import { defined } from '../../base/defined.ts';
import { lifeCycles } from '../books/life-cycle.ts';
import type { LifeCycle } from '../books/life-cycle.ts';
import type { Approach, Definition } from '../books/people.ts';
import { account } from './account-section.ts';
import type { AccountPlan } from './account-section.ts';
import { flag, listOf, mapOf, may, needed, oneOf, usual } from '../../settings/documents/shape.ts';
import type { Located, ValueOf } from '../../settings/documents/shape.ts';
import { integer, secret, text } from './values.ts';

const approaches = ['REDIRECT', 'OAUTH', 'EMBEDDED', 'DECOUPLED'] as const satisfies readonly Approach[];
const approach = oneOf(approaches);
const cycles = Object.keys(lifeCycles) as LifeCycle[];

const method = mapOf({
  id: needed('The authenticationMethodId.', text(35)),
  type: needed('The kind of method.', oneOf(['SMS_OTP', 'CHIP_OTP', 'PUSH_OTP', 'PHOTO_OTP', 'SMTP_OTP'])),
  name: may('The name that the PSU gave it; without it its id.', text(140)),
  explanation: may('What the PSU is told of it.', text(500)),
  pictureByLink: may('A picture comes as an address instead of its bytes.', flag),
  turns: may('Choosing it moves the authorisation to another approach.', oneOf(['DECOUPLED', 'REDIRECT'])),
  withdrawn: may('It is on offer, but unknown to the bank once it is chosen.', flag),
});

/** A customer. */
export const person = mapOf(
  {
    psuId: needed('The PSU-ID by which the customer is chosen.', text(140)),
    name: may('The name of the customer; without it the PSU-ID.', text(140)),
    description: may('What happens with this customer, for those who test.', text(500)),
    password: may(
      'The password; without it one is made, always the same (where the bank is open: password).',
      secret,
    ),
    additionalPassword: may('A second password, which is then asked for.', secret),
    otp: may(
      'The one-time password of every challenge; without it one is made, always the same (where the bank is open: 123456).',
      secret,
    ),
    approach: may('How the customer authenticates; EMBEDDED without it.', approach),
    approaches: may(
      'Several approaches; the first is taken unless the TPP prefers another.',
      listOf(approach, 1),
    ),
    start: may('Whether the bank starts the authorisation or the TPP does.', oneOf(['implicit', 'explicit'])),
    methods: may(
      'Methods of authentication; an empty list means that no second factor is due.',
      listOf(method),
    ),
    limits: may(
      'How many wrong secrets the customer may enter.',
      mapOf({
        attempts: may('So many wrong secrets end an authorisation; 5 without it.', integer(1, 99)),
        locks: may('They also lock the access of the customer.', flag),
      }),
    ),
    corporateId: may(
      'The company that the customer acts for: PSU-Corporate-ID must come with the PSU-ID.',
      text(140),
    ),
    reports: may(
      'The only forms in which the transactions come; text is MT940 and MT942.',
      listOf(oneOf(['json', 'camt.052', 'camt.053', 'text']), 1),
    ),
    authorisationMs: may(
      'After so many milliseconds an authorisation of the customer has failed.',
      integer(1, 86_400_000),
    ),
    blocked: may('The bank has blocked the service for the customer.', flag),
    locked: usual('The access is locked after too many wrong secrets.', flag, false),
    passwordless: may('The PSU-ID is enough; no password is asked for.', flag),
    encrypted: may('Passwords come encrypted.', flag),
    confirmation: may('The TPP has to confirm a redirect or OAuth authorisation (1.3.6).', flag),
    preStep: may('Every call carries the token of a login ahead (OAuth pre-step).', flag),
    phone: may(
      'What a decoupled customer decides without being asked.',
      mapOf({
        decision: needed('What the customer does.', oneOf(['approve', 'refuse'])),
        afterMs: needed('After so many milliseconds.', integer(0, 3_600_000)),
      }),
    ),
    authorisers: may(
      'The PSU-IDs who must all authorise what concerns these accounts.',
      listOf(text(140), 1),
    ),
    booking: usual('The life cycle of an authorised payment; at-once without it.', oneOf(cycles), 'at-once'),
    fees: may('When fees are told.', oneOf(['at-initiation', 'with-method', 'with-exchange'])),
    cancellation: may(
      'How an accepted payment is cancelled; with SCA without it.',
      oneOf(['free', 'impossible']),
    ),
    fundsConfirmation: may(
      'Whether the accounts are open for confirmations of funds; true without it.',
      flag,
    ),
    accounts: usual('The accounts of the customer.', listOf(account), []),
  },
  'A customer (PSU) of the bank.',
  (value, wrong) => {
    if (value.approach !== undefined && value.approaches !== undefined)
      wrong('approaches', 'there are approach and approaches; one of them is enough');
    const ids = (value.methods ?? []).map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) wrong('methods', `two methods have the id ${JSON.stringify(twice)}`);
  },
);

/** The section `people`. */
export const people = listOf(person);

type Person = ValueOf<typeof person>;

/** A customer as the ledger wants it, and where the file has it. */
export interface PersonPlan {
  definition: Definition;
  password: string | undefined;
  additionalPassword: string | undefined;
  otp: string | undefined;
  locked: boolean;
  accounts: readonly AccountPlan[];
  where: Located;
}

const ifTrue = (flag: boolean | undefined): true | undefined => (flag === true ? true : undefined);

/** Makes a customer of what the file says. */
export function planPerson(read: Person): PersonPlan {
  const [first, ...others] = read.approaches ?? [read.approach ?? 'EMBEDDED'];
  const main = first ?? 'EMBEDDED';
  const isRedirect = main === 'REDIRECT' || main === 'OAUTH';
  const { psuId, description, limits, phone, authorisers, fees, cancellation } = read;
  const sms = { id: 'sms', type: 'SMS_OTP', name: 'SMS' } as const;
  const methods = read.methods?.map(({ id, type, name, explanation, pictureByLink, turns, withdrawn }) => ({
    id,
    type,
    name: name ?? id,
    ...defined({ explanation, pictureByLink: ifTrue(pictureByLink), turns, withdrawn: ifTrue(withdrawn) }),
  }));
  const definition: Definition = {
    psuId,
    name: read.name ?? psuId,
    description: description ?? main.toLowerCase(),
    approaches: [main, ...others],
    start: read.start ?? (isRedirect ? 'implicit' : 'explicit'),
    methods: methods ?? (main === 'DECOUPLED' ? [] : [sms]),
    booking: read.booking,
    accounts: [],
    ...defined({
      preStep: ifTrue(read.preStep),
      corporateId: read.corporateId,
      reports: read.reports,
      authorisationMs: read.authorisationMs,
      blocked: ifTrue(read.blocked),
      passwordless: ifTrue(read.passwordless),
      encrypted: ifTrue(read.encrypted),
      additional: ifTrue(read.additionalPassword !== undefined),
      confirmation: ifTrue(read.confirmation),
      attempts: limits?.attempts,
      locks: ifTrue(limits?.locks),
      phone: phone && { decision: phone.decision, afterMs: phone.afterMs },
      authorisers,
      fees,
      cancellation,
      noFundsConfirmation: ifTrue(read.fundsConfirmation === false),
    }),
  };
  return {
    definition,
    password: read.password,
    additionalPassword: read.additionalPassword,
    otp: read.otp,
    locked: read.locked,
    accounts: read.accounts,
    where: read.where,
  };
}
