/** The rules of the interface for answers: how binding each is, what it says in a sentence, where it is written, and an example. */

/** How binding a rule is, in the words of RFC 2119: a breach of `may` alone is no fault. */
export type Level = 'must' | 'should' | 'may';

/** What a verdict is given for: the areas of a report. */
type AnswerArea =
  'transport' | 'headers' | 'members' | 'links' | 'messages' | 'reports' | 'authorisation' | 'order';

/** A rule for answers. */
export interface AnswerRule {
  readonly area: AnswerArea;
  readonly level: Level;
  /** One sentence. */
  readonly says: string;
  /** Guidelines with their section, OpenAPI file, RFC or standard. */
  readonly source: string;
  /** An answer that breaks it. */
  readonly example: string;
}

const of =
  (area: AnswerArea) =>
  (level: Level, says: string, source: string, example: string): AnswerRule => ({
    area,
    level,
    says,
    source,
    example,
  });
const transport = of('transport');
const headers = of('headers');
const members = of('members');
const links = of('links');
const messages = of('messages');
const reports = of('reports');
const authorisation = of('authorisation');
const order = of('order');

const schema = 'file, schema of the answer; guidelines 14';
const messageText = 'guidelines 4.12 and 14.11';

/** The rules by name, in the order in which an answer is read. */
export const answerRules = {
  // transport
  'answer-status': transport(
    'must',
    'An answer has a status that the operation declares.',
    'file, responses of the operation; guidelines 4.12',
    '200 in place of 201 for POST /consents',
  ),
  'answer-media': transport(
    'must',
    'Content-Type names the format of the body, one of those that the operation declares.',
    'file, responses of the operation; RFC 9110 8.3',
    'Content-Type: text/html',
  ),
  'answer-body-missing': transport(
    'must',
    'A success that declares a body has one.',
    'file, responses of the operation',
    '200 without a body for GET /accounts',
  ),
  'answer-body-unexpected': transport(
    'must',
    'A status without a body has none.',
    'file, responses of the operation; RFC 9110 15.3.5',
    '204 with {} for DELETE /consents/{consentId}',
  ),
  'answer-json': transport(
    'must',
    'A body of JSON is valid JSON in UTF-8, without a byte order mark, in which no name comes twice.',
    'RFC 8259 and its 8.1; RFC 7493 2.3',
    '{"transactionStatus":"RCVD",}',
  ),
  // headers
  'answer-request-id': headers(
    'must',
    'Every answer has X-Request-ID with the value of the request.',
    'guidelines 5.2; file, responses of the operation',
    'X-Request-ID of another call',
  ),
  'answer-location': headers(
    'must',
    'The answer to a creation names the resource in Location.',
    'guidelines 5.3.1, 6.3.1 and 8.1',
    '201 for POST /consents without Location',
  ),
  'answer-approach': headers(
    'must',
    'ASPSP-SCA-Approach is there as soon as the approach is fixed, and is EMBEDDED, DECOUPLED or REDIRECT.',
    'guidelines 5.3.1 and 7.1',
    'ASPSP-SCA-Approach: OAUTH',
  ),
  'answer-notification': headers(
    'must',
    'ASPSP-Notification-Support is true or false, and where it is true, ASPSP-Notification-Content says of what.',
    'resource status notification service 1.0, 5.1',
    'ASPSP-Notification-Support: yes',
  ),
  'answer-retry-after': headers(
    'should',
    'Retry-After is a number of seconds or an HTTP date.',
    'RFC 9110 10.2.3',
    'Retry-After: soon',
  ),
  // members
  'answer-member-missing': members(
    'must',
    'A member that is required is there.',
    schema,
    'an answer to a payment without paymentId',
  ),
  'answer-member-type': members(
    'must',
    'A member has the type of its schema.',
    schema,
    '"fundsAvailable": "true"',
  ),
  'answer-member-null': members(
    'should',
    'A member without a value is left out.',
    schema,
    '"psuMessage": null',
  ),
  'answer-member-name': members('should', 'A member is spelt as in its schema.', schema, '"psuMesage": "…"'),
  'answer-wrapper': members(
    'must',
    'One account, card account or transaction stands below its name.',
    'guidelines 6.5.1, 6.5.5 and 6.6.1; file since 1.3.4',
    '{"iban": "…"} for GET /accounts/{account-id}',
  ),
  'answer-code': members(
    'must',
    'A member with a list of values has one of them, and one with a code of ISO 20022 its form.',
    schema,
    '"transactionStatus": "OKAY"',
  ),
  'answer-pattern': members(
    'must',
    'A text with a pattern follows it from its first to its last character.',
    schema,
    '"iban": "DE89 3704 0044"',
  ),
  'answer-length': members(
    'must',
    'A text is no longer than its schema allows.',
    schema,
    'a psuMessage of 600 characters',
  ),
  'answer-date': members(
    'must',
    'A date is YYYY-MM-DD and exists; a time follows ISO 8601.',
    `${schema}; RFC 3339 5.6`,
    '"validUntil": "31.12.2026"',
  ),
  'answer-amount': members(
    'must',
    'An amount is a text of digits with a dot before at most three decimals, and no more than its currency has.',
    'guidelines 14.1; file, amountValue; ISO 4217',
    '"amount": "1,50"',
  ),
  'answer-iban': members(
    'must',
    'The check digits and the length of an IBAN are right.',
    'ISO 13616',
    '"iban": "DE00370400440532013000"',
  ),
  'answer-account-reference': members(
    'must',
    'A reference to an account has exactly one of iban, bban, pan, maskedPan, msisdn and other.',
    'guidelines 14.3',
    '{"iban": "…", "bban": "…"}',
  ),
  'answer-pan': members(
    'must',
    'A masked card number hides the digits in its middle.',
    'guidelines 14.3; PCI DSS 3.4',
    '"maskedPan": "5409050000000000"',
  ),
  'answer-id': members(
    'must',
    'An id is a text that a path can name; that of an authorisation is the one in its path and its links.',
    'guidelines 4.4; RFC 3986 3.3',
    '"paymentId": " "',
  ),
  // links
  'answer-link-form': links(
    'must',
    'A link is an object with href, an address that can be followed.',
    'guidelines 4.15; file, hrefType',
    '"_links": {"self": "/v1/consents/1"}',
  ),
  'answer-link-name': links(
    'must',
    'A link of the interface is spelt as in the list of links.',
    'guidelines 4.15',
    'startAuthorisationWithPsuIdentfication',
  ),
  'answer-link-missing': links(
    'must',
    'What is not authorised yet leads on by a link, and a report leads to its account.',
    'guidelines 5.3.1, 6.3.1, 7.1, 7.2 and 14.23',
    'a payment in RCVD with the link self alone',
  ),
  'answer-link-target': links(
    'must',
    'A link leads to the place of its name, below the resource or to the account of the answer, at a server of the bank.',
    'guidelines 4.15',
    'scaStatus leads to another payment',
  ),
  'answer-link-approach': links(
    'must',
    'The links are those of the approach in ASPSP-SCA-Approach.',
    'guidelines 5.3.1 and 7.1',
    'ASPSP-SCA-Approach: EMBEDDED with scaRedirect',
  ),
  'answer-link-end': links(
    'must',
    'An authorisation that is over offers no further step, nor does what was created in a final status.',
    'guidelines 7.3 and 14.16',
    'finalised with authoriseTransaction',
  ),
  // messages
  'answer-message-missing': messages(
    'should',
    'A refusal says its code in tppMessages, or as a problem of RFC 7807.',
    messageText,
    '401 without a body',
  ),
  'answer-message-code': messages(
    'must',
    'The code of a message is one of the framework.',
    messageText,
    '401 with UNAUTHORIZED',
  ),
  'answer-message-place': messages(
    'must',
    'The code of a message comes with the status and the service that the framework gives it.',
    messageText,
    '400 with CONSENT_EXPIRED',
  ),
  'answer-message-category': messages(
    'must',
    'A refusal has an ERROR, and a success no more than a WARNING.',
    messageText,
    '201 with a message of the category ERROR',
  ),
  // reports
  'answer-report-booking': reports(
    'must',
    'A report has the lists that bookingStatus asks for, and no others.',
    'guidelines 6.5.4',
    'pending for bookingStatus=booked',
  ),
  'answer-report-dates': reports(
    'must',
    'A booked entry lies between dateFrom and dateTo.',
    'guidelines 6.5.4',
    'bookingDate before dateFrom',
  ),
  'answer-report-account': reports(
    'must',
    'An answer about one account or transaction is about the one that was asked for.',
    'guidelines 6.5',
    'the details of another resourceId',
  ),
  'answer-funds': reports(
    'must',
    'A funds confirmation says yes or no, and no amount.',
    'guidelines 10.2; Directive (EU) 2015/2366 65(3)',
    '{"fundsAvailable": true, "balance": "10.00"}',
  ),
  // authorisation
  'answer-sca-method': authorisation(
    'must',
    'There are methods to choose from, each with an id of its own, and the chosen one is that which was asked for, among those offered.',
    'guidelines 7.2.3 and 14.9',
    'chosenScaMethod of another id',
  ),
  'answer-sca-end': authorisation(
    'must',
    'A challenge or a choice of methods comes with an authorisation that is still open.',
    'guidelines 7.3 and 14.16',
    'finalised with challengeData',
  ),
  // order
  'answer-order-payment': order(
    'must',
    'transactionStatus goes forward and stays once it is final.',
    'guidelines 4.14; ISO 20022',
    'ACSC, then RCVD',
  ),
  'answer-order-sca': order(
    'must',
    'scaStatus goes forward and stays once it is final.',
    'guidelines 14.16',
    'finalised, then started',
  ),
  'answer-order-authorisations': order(
    'must',
    'The list of the authorisations has every one that was started.',
    'guidelines 7.4; file, authorisationsList',
    'authorisationIds without the id of the authorisation before',
  ),
  'answer-order-consent': order(
    'must',
    'consentStatus goes forward and stays once it is final.',
    'guidelines 14.15',
    'terminatedByTpp, then valid',
  ),
  'answer-order-deleted': order(
    'must',
    'What was deleted is deleted: a consent is terminatedByTpp, a payment CANC.',
    'guidelines 5.6 and 6.3.4',
    'valid after DELETE was answered 204',
  ),
  'answer-order-payment-changed': order(
    'must',
    'A payment is read as it was sent.',
    'guidelines 5.5',
    'another instructedAmount',
  ),
  'answer-order-consent-wider': order(
    'must',
    'A consent is for no more days, accesses and accounts than was asked for.',
    'guidelines 6.3.1 and 6.3.3',
    'frequencyPerDay 10 where 4 was asked for',
  ),
} as const satisfies Record<string, AnswerRule>;

/** The name of a rule for answers. */
export type AnswerRuleId = keyof typeof answerRules;
