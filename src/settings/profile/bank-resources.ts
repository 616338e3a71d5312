import { consentStatuses, transactionStatuses } from '../../standard/xs2a/codes.ts';
import { paymentMembers, paymentServices } from '../../standard/xs2a/products.ts';
import {
  oneLine,
  orderName,
  orderPointer,
  ownName,
  parameterValue,
  plainName,
  pointer,
  productName,
  timeZone,
  word,
  xmlUri,
} from './bank-texts.ts';
import { choice, count, forTpp, group, list, map, said, text, yesNo } from './row.ts';
import { byEveryOperation, byOperation } from './operation-rows.ts';
import { sentinelDay } from './texts.ts';

const ownWord = text({ wrong: word });
const oneOf = (words: readonly string[]) => (given: string) =>
  words.includes(given) ? undefined : `It must be one of: ${words.join(', ')}.`;
const partName = text({ wrong: plainName });
const parameter = text({ wrong: plainName });

/** The rows for consents, payments, account data, and how answers are read. */
export const resourceRows = {
  consent: said(
    'The consents that the bank takes.',
    group({
      withBalances: said(
        'How 1.3.2 asks for all accounts with balances.',
        choice(['file', 'plural', 'singular']),
      ),
      // From one day to the days of a leap year.
      validDays: said(
        'How many days a consent lasts at most, its first one included.',
        count(1, 366, 'days'),
      ),
      types: said(
        'The kinds of access that may be asked for.',
        list(
          choice(['detailed', 'global', 'availableAccounts', 'availableAccountsWithBalance', 'bankOffered']),
        ),
      ),
      recurringOnly: said('True where a consent for one access is refused.', yesNo()),
      maxFrequency: said('The accesses a day that a consent may ask for at most.', count(1, 1000)),
      deleteStatus: said('The statuses that say that a consent is deleted.', list(count(200, 299))),
      deleteNeedsSca: said('True where the PSU must agree to the deletion.', yesNo()),
      none: said('True where the bank has no consents: a token is all.', yesNo()),
      statusAliases: said(
        'The words of the bank for consentStatus, each with the code that it means.',
        map(ownName, text({ wrong: oneOf(consentStatuses.map(({ code }) => code)) })),
      ),
    }),
  ),
  payments: said(
    'The payments that the bank takes.',
    group({
      matrix: said(
        'The products by service, own ones too, each with the forms that it may be sent in.',
        map(oneOf(paymentServices), map(productName, list(choice(['json', 'xml', 'text']))), paymentServices),
      ),
      members: said(
        'Members of a payment in JSON that the bank takes beside those of its products; the bank inside takes all.',
        forTpp(list(choice(paymentMembers))),
      ),
      requiredFields: said(
        'Members that the bank demands, and what fills them in.',
        list(
          group(
            {
              field: said('A JSON pointer such as /creditorAddress/country.', text({ wrong: orderPointer })),
              default: said('What is sent where nothing is given.', forTpp(text({ wrong: oneLine }))),
              products: said(
                'The products that it holds for; all if not given.',
                list(text({ wrong: productName })),
              ),
            },
            ['field'],
          ),
        ),
      ),
      rename: said(
        'Members by JSON pointer that the bank calls otherwise, each with its name there.',
        map(orderPointer, text({ wrong: orderName })),
      ),
      enums: said(
        'Members by JSON pointer whose values the bank calls otherwise, each with the words of the bank.',
        map(orderPointer, map(ownName, ownWord)),
      ),
      limits: said(
        'The bounds of texts.',
        group({
          remittance: said(
            'The characters of remittance information at most.',
            count(1, 10_000, 'characters'),
          ),
          charset: said('The characters that are taken: those of SEPA, or any.', choice(['sepa', 'any'])),
        }),
      ),
      remittanceStructured: said(
        'How structured remittance information is written.',
        choice(['object', 'string']),
      ),
      redirectOnCancel: said(
        'Whether a cancellation of 1.3.2 always, or never, tells where the PSU returns to.',
        yesNo(),
      ),
      plainText: said(
        'True where payments of own products may be text/plain; the bank inside keeps them as JSON or XML.',
        forTpp(yesNo()),
      ),
      pain: said(
        'How pain.001 is written.',
        group({
          version: said('Its version, such as pain.001.001.09.', text({ wrong: painVersion })),
          namespace: said('The namespace in place of the usual one.', text({ wrong: xmlUri })),
          schemaLocation: said('The value of xsi:schemaLocation.', text({ wrong: xmlUri })),
          execDateSentinel: said('The day that stands for "at once".', text({ wrong: sentinelDay })),
          bulkInSct: said('True where the product of single payments takes several.', yesNo()),
        }),
      ),
      multipartParts: said(
        'The names of the parts of a standing order as pain.001.',
        group({
          xml: said('The part with the payment.', partName),
          json: said('The part with the order.', partName),
        }),
      ),
      statusFormat: said('The form in which the status is read.', choice(['json', 'pain.002'])),
      statusAliases: said(
        'The words of the bank for transactionStatus, each with the code that it means.',
        map(ownName, text({ wrong: oneOf(transactionStatuses.map(({ code }) => code)) })),
      ),
      debtorAccount: said(
        'Whether the account of the debtor must be given.',
        choice(['required', 'optional']),
      ),
      duplicateWindowMin: said(
        'The minutes in which the bank refuses an equal payment.',
        count(1, 100_000, 'minutes'),
      ),
      cancel: said(
        'Whether payments can be cancelled.',
        group({
          allowed: said('False where they cannot.', yesNo()),
          needsSca: said('Whether the PSU must agree.', yesNo()),
        }),
      ),
    }),
  ),
  reports: said(
    'The pages of transactions.',
    group({
      paging: said(
        'Whether pages can be asked for by number and size, or links alone lead to them.',
        choice(['links', 'index']),
      ),
    }),
  ),
  ais: said(
    'The account data that the bank gives.',
    group({
      transactionFormats: said(
        'The forms of transaction reports, the preferred one first.',
        list(choice(['json', 'camt.052', 'camt.053', 'camt.054', 'mt940'])),
      ),
      bookingStatus: said(
        'The words that bookingStatus may be.',
        list(choice(['booked', 'pending', 'both', 'information', 'all'])),
      ),
      params: said(
        'Query parameters by operation, or of all (`*`), that the bank takes, refuses or wants besides.',
        byEveryOperation(
          group({
            allow: said('All that it takes.', list(parameter)),
            forbid: said('Those that it refuses.', list(parameter)),
            add: said('Those that are always sent.', map(plainName, text({ wrong: parameterValue }))),
          }),
        ),
      ),
      withBalance: said('False where withBalance is refused.', yesNo()),
      history: said(
        'How far back transactions go.',
        group({
          maxDays: said('How many days back.', count(1, 36_500, 'days')),
          windowDays: said('How many days a call may ask for.', count(1, 3660, 'days')),
          freshMinutes: said(
            'How many minutes after SCA all of it is given; afterwards 90 days.',
            count(1, 1440, 'minutes'),
          ),
        }),
      ),
      paging: said(
        'How the next page is got.',
        group({
          params: said(
            'Whether the link stands as it is, or the parameters of the first call go with it.',
            choice(['link', 'same']),
          ),
          expiresS: said('How long the link of a page holds.', count(1, 86_400, 'seconds')),
        }),
      ),
      wrappers: said(
        'JSON pointers to what stands within something else, by operation.',
        byOperation(text({ wrong: pointer })),
      ),
      cardAccounts: said('False where the bank has no card accounts.', yesNo()),
    }),
  ),
  decode: said(
    'How answers depart from the standard in their values.',
    group({
      numberAmounts: said('True where amounts are JSON numbers; their digits are kept.', yesNo()),
      naiveZone: said('The time zone of times without one.', text({ wrong: timeZone })),
      nulls: said('True where absent members are null.', yesNo()),
      remittanceObject: said('True where texts of remittance information are objects.', yesNo()),
      otpAsString: said('True where numbers about an OTP are texts.', yesNo()),
      ids: said(
        'Whether a transaction has the same transactionId each time.',
        choice(['stable', 'unstable']),
      ),
    }),
  ),
};

function painVersion(given: string): string | undefined {
  return /^pain\.001\.001\.\d\d$/.test(given) ? undefined : 'It must be a version such as pain.001.001.09.';
}
