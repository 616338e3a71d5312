import type { Deviation, SceneName } from './planted-deviations.ts';

const entry = '/transactions/booked/0';
const balance = '/accounts/0/balances/0';
const cancelled = '/_links/startAuthorisationWithPsuAuthentication';

/** Deviations in cancellations, baskets, bulk and periodic payments, cards, pages, refusals, and names of members. */
export const laterDeviations: readonly Deviation[] = [
  // cancellations
  ['cancelling', '/transactionStatus', 'answer-member-missing', '/transactionStatus'],
  ['cancelling', '/_links={}', 'answer-link-missing', '/_links'],
  ['cancelling', 'status=200', 'answer-status', ''],
  [
    'cancelling',
    `${cancelled}/href="/v136/payments/sepa-credit-transfers/1/authorisations"`,
    'answer-link-target',
    cancelled,
  ],
  [
    'cancelling',
    '/chosenScaMethod={"authenticationMethodId":"sms"}',
    'answer-member-missing',
    '/chosenScaMethod/authenticationType',
  ],
  ['cancel start', '/scaStatus="psuIdentifed"', 'answer-code', '/scaStatus'],
  ['cancel start', '/authorisationId', 'answer-member-missing', '/authorisationId'],
  ['cancel start', 'ASPSP-SCA-Approach:=Embedded', 'answer-approach', 'ASPSP-SCA-Approach'],
  ['cancellations', '/authorisationIds=[]', 'answer-order-authorisations', '/authorisationIds'],
  ['cancellations', '/authorisationIds', 'answer-member-missing', '/authorisationIds'],
  ['cancel status', '/scaStatus', 'answer-member-missing', '/scaStatus'],
  ['cancel status', '/scaStatus="finalized"', 'answer-code', '/scaStatus'],
  // other authorisations
  ['decoupled', 'ASPSP-SCA-Approach:', 'answer-approach', 'ASPSP-SCA-Approach'],
  [
    'decoupled',
    '/_links/scaRedirect={"href":"https://bank.example/"}',
    'answer-link-approach',
    '/_links/scaRedirect',
  ],
  ['decoupled', '/_links={}', 'answer-link-missing', '/_links'],
  ['decoupled', 'ASPSP-SCA-Approach:=Decoupled', 'answer-approach', 'ASPSP-SCA-Approach'],
  [
    'consent start',
    '/_links/scaStatus/href="/v136/payments/sepa-credit-transfers/1/authorisations/2"',
    'answer-link-target',
    '/_links/scaStatus',
  ],
  ['consent start', '/authorisationId=1', 'answer-member-type', '/authorisationId'],
  ['consent sca status', '/scaStatus="FINALISED"', 'answer-code', '/scaStatus'],
  ['consent sca status', 'body="finalised"', 'answer-member-type', ''],
  ['basket start', '/scaStatus=null', 'answer-member-missing', '/scaStatus'],
  ['basket start', 'ASPSP-SCA-Approach:', 'answer-approach', 'ASPSP-SCA-Approach'],
  ['authorised', '/scaStatus="started"', 'answer-order-sca', '/scaStatus'],
  ['consent deleted', '/consentStatus="valid"', 'answer-order-deleted', '/consentStatus'],
  ['consent deleted', '/consentStatus="revokedByPsu"', 'answer-order-deleted', '/consentStatus'],
  ['settled', '/transactionStatus="ACTC"', 'answer-order-payment', '/transactionStatus'],
  // bulk, periodic, baskets
  ['bulk', '/paymentId=["1"]', 'answer-member-type', '/paymentId'],
  ['bulk', 'Location:', 'answer-location', 'Location'],
  ['bulk read', '/payments', 'answer-member-missing', '/payments'],
  ['bulk read', '/payments={}', 'answer-member-type', '/payments'],
  [
    'bulk read',
    '/payments/0/instructedAmount/amount="1,50"',
    'answer-amount',
    '/payments/0/instructedAmount/amount',
  ],
  [
    'bulk read',
    '/payments/1/instructedAmount/amount="9.99"',
    'answer-order-payment-changed',
    '/payments/1/instructedAmount/amount',
  ],
  [
    'bulk read',
    '/payments/0/creditorAccount/iban="DE89370400440532013000"',
    'answer-order-payment-changed',
    '/payments/0/creditorAccount/iban',
  ],
  [
    'bulk read',
    '/payments/1/creditorName="Other"',
    'answer-order-payment-changed',
    '/payments/1/creditorName',
  ],
  ['bulk read', '/payments/0/creditorAccount={}', 'answer-account-reference', '/payments/0/creditorAccount'],
  ['bulk read', '/payments/1', 'answer-order-payment-changed', '/payments'],
  ['periodic read', '/frequency="monthly"', 'answer-code', '/frequency'],
  ['periodic read', '/startDate="2027-02-30"', 'answer-date', '/startDate'],
  ['periodic read', '/dayOfExecution="32"', 'answer-code', '/dayOfExecution'],
  ['periodic read', '/dayOfExecution=1', 'answer-member-type', '/dayOfExecution'],
  ['periodic read', '/startDate', 'answer-member-missing', '/startDate'],
  ['periodic read', '/frequency="Weekly"', 'answer-order-payment-changed', '/frequency'],
  ['basket read', '/transactionStatus="valid"', 'answer-code', '/transactionStatus'],
  ['basket read', '/payments="1"', 'answer-member-type', '/payments'],
  // accounts
  ['accounts with balances', `${balance}/balanceType`, 'answer-member-missing', `${balance}/balanceType`],
  [
    'accounts with balances',
    `${balance}/balanceAmount/amount="1.234,50"`,
    'answer-amount',
    `${balance}/balanceAmount/amount`,
  ],
  ['accounts with balances', '/accounts/0/balances={}', 'answer-member-type', '/accounts/0/balances'],
  [
    'accounts with balances',
    `${balance}/balanceType="ClosingBooked"`,
    'answer-code',
    `${balance}/balanceType`,
  ],
  ['accounts', '/accounts/0/iban="de02120300000000202051"', 'answer-pattern', '/accounts/0/iban'],
  ['accounts', '/accounts/0/currency="EUR "', 'answer-pattern', '/accounts/0/currency'],
  ['accounts', '/accounts/0/currency="978"', 'answer-pattern', '/accounts/0/currency'],
  [
    'balances',
    '/balances/0/balanceAmount/amount=" 1.00"',
    'answer-amount',
    '/balances/0/balanceAmount/amount',
  ],
  [
    'balances',
    '/balances/0/balanceAmount/amount="1.00 EUR"',
    'answer-amount',
    '/balances/0/balanceAmount/amount',
  ],
  [
    'balances',
    '/balances/0/balanceAmount/amount="−1.00"',
    'answer-amount',
    '/balances/0/balanceAmount/amount',
  ],
  ['balances', '/balances/0/balanceAmount/amount="1."', 'answer-amount', '/balances/0/balanceAmount/amount'],
  [
    'balances',
    '/balances/0/lastChangeDateTime="1732271400"',
    'answer-date',
    '/balances/0/lastChangeDateTime',
  ],
  ['consent read', '/lastActionDate="2026-11-22T00:00:00Z"', 'answer-date', '/lastActionDate'],
  ['consent read', '/recurringIndicator=1', 'answer-member-type', '/recurringIndicator'],
  // reports
  ['transactions', `${entry}/bookingDate="2026-11-1"`, 'answer-date', `${entry}/bookingDate`],
  ['transactions', `${entry}/valueDate=""`, 'answer-date', `${entry}/valueDate`],
  [
    'transactions',
    '/transactions/_links/next={"href":"/v136/accounts"}',
    'answer-link-target',
    '/transactions/_links/next',
  ],
  [
    'transactions',
    '/transactions/_links/next={"href":"/v136/accounts/other/transactions?page=2"}',
    'answer-link-target',
    '/transactions/_links/next',
  ],
  [
    'transactions',
    '/transactions/_links/next={"href":"/v136/consents/1"}',
    'answer-link-target',
    '/transactions/_links/next',
  ],
  [
    'transactions',
    '/transactions/_links/next={"href":"javascript:alert(1)"}',
    'answer-link-form',
    '/transactions/_links/next',
  ],
  ['card', 'body={"maskedPan":"540905******0001","currency":"EUR"}', 'answer-wrapper', '/cardAccount'],
  ['card', '/cardAccount/currency="euro"', 'answer-pattern', '/cardAccount/currency'],
  ['card', '/cardAccount/resourceId="other"', 'answer-report-account', '/cardAccount/resourceId'],
  ['card transactions', '/cardTransactions=[]', 'answer-member-type', '/cardTransactions'],
  [
    'card transactions',
    '/cardTransactions/pending=[{"transactionAmount":{"currency":"EUR","amount":"1.00"}}]',
    'answer-report-booking',
    '/cardTransactions/pending',
  ],
  // names
  ['pay status', 'body={"TransactionStatus":"RCVD"}', 'answer-member-name', '/TransactionStatus'],
  ['consent status', 'body={"consentstatus":"valid"}', 'answer-member-name', '/consentstatus'],
  ['funds', 'body={"fundsAvailible":true}', 'answer-member-name', '/fundsAvailible'],
  ['sca status', 'body={"sca_status":"started"}', 'answer-member-name', '/sca_status'],
  ['consent', '/_links/self/href="/v136/consents/other"', 'answer-link-target', '/_links/self'],
  // JSON and its media
  ['accounts', 'Content-Type:=application/json; charset=utf-16', 'answer-media', 'Content-Type'],
  ['funds', 'body=\ufeff{"fundsAvailable":true}', 'answer-json', ''],
  ['pay status', "body={'transactionStatus':'RCVD'}", 'answer-json', ''],
  ['pay status', 'body="RCVD"', 'answer-member-type', ''],
  ['consent status', 'body={"consentStatus":NaN}', 'answer-json', ''],
  ['pay', 'Content-Type:=application/hal+json', 'answer-media', 'Content-Type'],
  // refusals
  ['read refused', 'Content-Type:=text/plain', 'answer-media', 'Content-Type'],
  ['read refused', 'body=<html><h1>Forbidden</h1></html>', 'answer-json', ''],
  ['read refused', '/tppMessages/0/code="PRODUCT_INVALID"', 'answer-message-place', '/tppMessages/0/code'],
  ['read refused', '/tppMessages/0/code=403', 'answer-member-type', '/tppMessages/0/code'],
  ['read refused', '/tppMessages/0/category="error"', 'answer-code', '/tppMessages/0/category'],
  ['read refused', 'body={"error":"invalid_consent"}', 'answer-message-missing', ''],
  ['status refused', '/tppMessages/0/code="CONSENT_UNKNOWN"', 'answer-message-place', '/tppMessages/0/code'],
  ['status refused', 'body={"tppMessages":{}}', 'answer-member-type', '/tppMessages'],
  ['status refused', 'X-Request-ID:', 'answer-request-id', 'X-Request-ID'],
];

const inBulk = (amount: string) =>
  `{"instructedAmount":{"currency":"EUR","amount":"${amount}"},"creditorName":"SHOP","creditorAccount":{"iban":"DE02120300000000202051"},"endToEndIdentification":"E2E-1","remittanceInformationUnstructured":"Order 1"}`;

/** What banks may do in these calls. */
export const laterLawful: readonly (readonly [scene: SceneName, edit: string])[] = [
  ['bulk read', `/payments=[${inBulk('2.0')},${inBulk('12.50')}]`],
  ['periodic read', '/startDate="2031-01-02"'],
  ['transactions', '/transactions/_links/next={"href":"/v136/pages/7"}'],
  ['transactions', '/transactions/_links/next={"href":"https://bank.example/pages?next=7"}'],
  ['cancelling', '/tppMessages=[{"category":"WARNING","code":"WARNING"}]'],
  ['decoupled', '/psuMessage="Look at your phone."'],
  ['consent sca status', '/psuMessage="Enter the code."'],
  ['accounts', '/accounts/0/nickName="Mine"'],
  ['accounts', '/accounts/0/type="giro"'],
  ['read refused', '/tppMessages/0/path="Consent-ID"'],
  ['status refused', 'Content-Type:=application/json;charset=utf8'],
];
