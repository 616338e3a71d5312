/** One thing that a bank writes otherwise in an answer, the rule that it breaks, and where. */
export type Deviation = readonly [scene: SceneName, edit: string, rule: string, pointer: string];

/** The calls in whose answers deviations are planted; `test/helpers/deviation-scenes.ts` makes them. */
export type SceneName =
  | 'pay'
  | 'pay status'
  | 'pay read'
  | 'pay refused'
  | 'settled'
  | 'cancelled'
  | 'start'
  | 'password'
  | 'method'
  | 'otp'
  | 'sca status'
  | 'authorisations'
  | 'consent'
  | 'consent read'
  | 'consent status'
  | 'consent delete'
  | 'accounts'
  | 'account'
  | 'balances'
  | 'transactions'
  | 'transaction'
  | 'cards'
  | 'funds'
  | 'basket'
  | 'basket status'
  | 'redirect'
  | 'authorised'
  | 'cancelling'
  | 'cancel start'
  | 'cancellations'
  | 'cancel status'
  | 'decoupled'
  | 'decoupled implicit'
  | 'consent start'
  | 'consent sca status'
  | 'consent deleted'
  | 'bulk'
  | 'bulk read'
  | 'periodic read'
  | 'accounts with balances'
  | 'basket read'
  | 'basket start'
  | 'card'
  | 'card transactions'
  | 'read refused'
  | 'status refused';

const entry = '/transactions/booked/0';
const long = (length: number) => 'x'.repeat(length);

export const deviations: readonly Deviation[] = [
  // transport
  ['pay', 'status=200', 'answer-status', ''],
  ['consent', 'status=200', 'answer-status', ''],
  ['accounts', 'status=206', 'answer-status', ''],
  ['pay status', 'status=302', 'answer-status', ''],
  ['consent delete', 'status=202', 'answer-status', ''],
  ['funds', 'status=201', 'answer-status', ''],
  ['pay', 'Content-Type:=text/html', 'answer-media', 'Content-Type'],
  ['accounts', 'Content-Type:', 'answer-media', 'Content-Type'],
  ['balances', 'Content-Type:=application/xml', 'answer-media', 'Content-Type'],
  ['sca status', 'Content-Type:=application/json; charset=iso-8859-1', 'answer-media', 'Content-Type'],
  ['pay', 'body=', 'answer-body-missing', ''],
  ['consent status', 'body=', 'answer-body-missing', ''],
  ['pay status', 'body={"transactionStatus":"RCVD",}', 'answer-json', ''],
  ['consent status', 'body={"consentStatus":"valid","consentStatus":"valid"}', 'answer-json', ''],
  ['funds', 'body={"fundsAvailable":tru', 'answer-json', ''],
  ['accounts', 'body=[]', 'answer-member-type', ''],
  // headers
  ['pay', 'X-Request-ID:', 'answer-request-id', 'X-Request-ID'],
  ['accounts', 'X-Request-ID:', 'answer-request-id', 'X-Request-ID'],
  ['pay refused', 'X-Request-ID:', 'answer-request-id', 'X-Request-ID'],
  ['consent delete', 'X-Request-ID:', 'answer-request-id', 'X-Request-ID'],
  ['transactions', 'X-Request-ID:=99391c7e-ad88-49ec-a2ad-99ddcb1f7721', 'answer-request-id', 'X-Request-ID'],
  ['consent', 'X-Request-ID:=1', 'answer-request-id', 'X-Request-ID'],
  ['pay', 'Location:', 'answer-location', 'Location'],
  ['consent', 'Location:', 'answer-location', 'Location'],
  ['basket', 'Location:', 'answer-location', 'Location'],
  ['pay', 'Location:=/v136/payments/sepa-credit-transfers/other', 'answer-location', 'Location'],
  ['start', 'ASPSP-SCA-Approach:', 'answer-approach', 'ASPSP-SCA-Approach'],
  ['redirect', 'ASPSP-SCA-Approach:', 'answer-approach', 'ASPSP-SCA-Approach'],
  ['start', 'ASPSP-SCA-Approach:=OAUTH', 'answer-approach', 'ASPSP-SCA-Approach'],
  ['redirect', 'ASPSP-SCA-Approach:=redirect', 'answer-approach', 'ASPSP-SCA-Approach'],
  ['pay', 'ASPSP-Notification-Support:=yes', 'answer-notification', 'ASPSP-Notification-Support'],
  ['consent', 'ASPSP-Notification-Support:=true', 'answer-notification', 'ASPSP-Notification-Content'],
  ['pay', 'ASPSP-Notification-Content:=ALL', 'answer-notification', 'ASPSP-Notification-Content'],
  ['pay refused', 'Retry-After:=soon', 'answer-retry-after', 'Retry-After'],
  // members: missing
  ['pay', '/paymentId', 'answer-member-missing', '/paymentId'],
  ['pay', '/transactionStatus', 'answer-member-missing', '/transactionStatus'],
  ['pay', '/_links', 'answer-member-missing', '/_links'],
  ['pay status', '/transactionStatus', 'answer-member-missing', '/transactionStatus'],
  ['pay read', '/creditorName', 'answer-member-missing', '/creditorName'],
  ['pay read', '/instructedAmount', 'answer-member-missing', '/instructedAmount'],
  ['pay read', '/instructedAmount/currency', 'answer-member-missing', '/instructedAmount/currency'],
  ['start', '/scaStatus', 'answer-member-missing', '/scaStatus'],
  ['start', '/authorisationId', 'answer-member-missing', '/authorisationId'],
  ['method', '/scaStatus', 'answer-member-missing', '/scaStatus'],
  [
    'password',
    '/scaMethods/0/authenticationMethodId',
    'answer-member-missing',
    '/scaMethods/0/authenticationMethodId',
  ],
  [
    'password',
    '/scaMethods/1/authenticationType',
    'answer-member-missing',
    '/scaMethods/1/authenticationType',
  ],
  ['authorisations', '/authorisationIds', 'answer-member-missing', '/authorisationIds'],
  ['consent', '/consentId', 'answer-member-missing', '/consentId'],
  ['consent', '/consentStatus', 'answer-member-missing', '/consentStatus'],
  ['consent read', '/validUntil', 'answer-member-missing', '/validUntil'],
  ['consent read', '/lastActionDate', 'answer-member-missing', '/lastActionDate'],
  ['consent read', '/access', 'answer-member-missing', '/access'],
  ['consent status', '/consentStatus', 'answer-member-missing', '/consentStatus'],
  ['accounts', '/accounts', 'answer-member-missing', '/accounts'],
  ['accounts', '/accounts/0/currency', 'answer-member-missing', '/accounts/0/currency'],
  ['balances', '/balances', 'answer-member-missing', '/balances'],
  ['balances', '/balances/0/balanceType', 'answer-member-missing', '/balances/0/balanceType'],
  ['transactions', `${entry}/transactionAmount`, 'answer-member-missing', `${entry}/transactionAmount`],
  ['transactions', '/transactions/_links', 'answer-member-missing', '/transactions/_links'],
  ['cards', '/cardAccounts/0/maskedPan', 'answer-member-missing', '/cardAccounts/0/maskedPan'],
  ['funds', '/fundsAvailable', 'answer-member-missing', '/fundsAvailable'],
  ['basket', '/basketId', 'answer-member-missing', '/basketId'],
  ['basket status', '/transactionStatus', 'answer-member-missing', '/transactionStatus'],
  // members: types
  ['pay', '/paymentId=7', 'answer-member-type', '/paymentId'],
  ['pay', '/transactionFeeIndicator="false"', 'answer-member-type', '/transactionFeeIndicator'],
  ['pay', '/_links=[]', 'answer-member-type', '/_links'],
  ['password', '/scaMethods={}', 'answer-member-type', '/scaMethods'],
  ['method', '/challengeData/otpMaxLength="6"', 'answer-member-type', '/challengeData/otpMaxLength'],
  ['method', '/challengeData/data="123"', 'answer-member-type', '/challengeData/data'],
  ['consent read', '/recurringIndicator="true"', 'answer-member-type', '/recurringIndicator'],
  ['consent read', '/frequencyPerDay="4"', 'answer-member-type', '/frequencyPerDay'],
  ['consent read', '/frequencyPerDay=1.5', 'answer-member-type', '/frequencyPerDay'],
  ['consent read', '/access/accounts=[]x', 'answer-member-type', '/access/accounts'],
  ['accounts', '/accounts={}', 'answer-member-type', '/accounts'],
  ['accounts', '/accounts/0="DE"', 'answer-member-type', '/accounts/0'],
  ['balances', '/balances/0/balanceAmount="1.00"', 'answer-member-type', '/balances/0/balanceAmount'],
  ['funds', '/fundsAvailable="true"', 'answer-member-type', '/fundsAvailable'],
  ['transactions', '/transactions="none"', 'answer-member-type', '/transactions'],
  // members: null, names, wrapper
  ['pay status', '/psuMessage=null', 'answer-member-null', '/psuMessage'],
  ['accounts', '/accounts/0/product=null', 'answer-member-null', '/accounts/0/product'],
  ['pay', '/psuMesage="x"', 'answer-member-name', '/psuMesage'],
  ['accounts', '/accounts/0/linkedAcounts="x"', 'answer-member-name', '/accounts/0/linkedAcounts'],
  ['transactions', `${entry}/mandateID="x"`, 'answer-member-name', `${entry}/mandateID`],
  ['account', 'body={"iban":"DE02120300000000202051","currency":"EUR"}', 'answer-wrapper', '/account'],
  [
    'transaction',
    'body={"transactionAmount":{"currency":"EUR","amount":"1.00"}}',
    'answer-wrapper',
    '/transactionsDetails',
  ],
  // members: codes
  ['pay', '/transactionStatus="OKAY"', 'answer-code', '/transactionStatus'],
  ['pay status', '/transactionStatus="rcvd"', 'answer-code', '/transactionStatus'],
  ['sca status', '/scaStatus="done"', 'answer-code', '/scaStatus'],
  ['start', '/scaStatus="RECEIVED"', 'answer-code', '/scaStatus'],
  ['consent status', '/consentStatus="active"', 'answer-code', '/consentStatus'],
  ['consent read', '/consentStatus="VALID"', 'answer-code', '/consentStatus'],
  ['password', '/scaMethods/0/authenticationType="SMS"', 'answer-code', '/scaMethods/0/authenticationType'],
  ['balances', '/balances/0/balanceType="authorised"', 'answer-code', '/balances/0/balanceType'],
  ['accounts', '/accounts/0/usage="PRIVATE"', 'answer-code', '/accounts/0/usage'],
  ['accounts', '/accounts/0/status="open"', 'answer-code', '/accounts/0/status'],
  ['basket status', '/transactionStatus="ACSP"', 'answer-code', '/transactionStatus'],
  // members: patterns, lengths, dates
  [
    'pay read',
    '/creditorAccount/iban="DE02 1203 0000 0000 2020 51"',
    'answer-pattern',
    '/creditorAccount/iban',
  ],
  ['accounts', '/accounts/0/currency="eur"', 'answer-pattern', '/accounts/0/currency'],
  ['accounts', '/accounts/0/bic="DEUT"', 'answer-pattern', '/accounts/0/bic'],
  [
    'balances',
    '/balances/0/balanceAmount/currency="EURO"',
    'answer-pattern',
    '/balances/0/balanceAmount/currency',
  ],
  ['pay status', `/psuMessage="${long(501)}"`, 'answer-length', '/psuMessage'],
  ['pay read', `/creditorName="${long(71)}"`, 'answer-length', '/creditorName'],
  ['accounts', `/accounts/0/name="${long(71)}"`, 'answer-length', '/accounts/0/name'],
  ['transactions', `${entry}/endToEndId="${long(36)}"`, 'answer-length', `${entry}/endToEndId`],
  ['consent read', '/validUntil="31.12.2026"', 'answer-date', '/validUntil'],
  ['consent read', '/lastActionDate="2026-02-30"', 'answer-date', '/lastActionDate'],
  ['transactions', `${entry}/valueDate="2026-11-01T00:00:00Z"`, 'answer-date', `${entry}/valueDate`],
  [
    'balances',
    '/balances/0/lastChangeDateTime="2026-11-01 10:00"',
    'answer-date',
    '/balances/0/lastChangeDateTime',
  ],
  // amounts, accounts, ids
  [
    'balances',
    '/balances/0/balanceAmount/amount="1,50"',
    'answer-amount',
    '/balances/0/balanceAmount/amount',
  ],
  ['balances', '/balances/0/balanceAmount/amount=1.5', 'answer-amount', '/balances/0/balanceAmount/amount'],
  [
    'balances',
    '/balances/0/balanceAmount/amount="1.505"',
    'answer-amount',
    '/balances/0/balanceAmount/amount',
  ],
  [
    'transactions',
    `${entry}/transactionAmount/amount="+5.00"`,
    'answer-amount',
    `${entry}/transactionAmount/amount`,
  ],
  ['pay read', '/instructedAmount/amount="1e2"', 'answer-amount', '/instructedAmount/amount'],
  ['accounts', '/accounts/0/iban="DE00370400440532013000"', 'answer-iban', '/accounts/0/iban'],
  ['pay read', '/debtorAccount/iban="DE0237040044"', 'answer-iban', '/debtorAccount/iban'],
  ['pay read', '/creditorAccount/bban="123"', 'answer-account-reference', '/creditorAccount'],
  ['balances', '/account={}', 'answer-account-reference', '/account'],
  ['cards', '/cardAccounts/0/maskedPan="5409050000000000"', 'answer-pan', '/cardAccounts/0/maskedPan'],
  ['pay', '/paymentId=" "', 'answer-id', '/paymentId'],
  ['accounts', '/accounts/0/resourceId=".."', 'answer-id', '/accounts/0/resourceId'],
  // links
  ['pay', '/_links/self="/v136/x"', 'answer-link-form', '/_links/self'],
  ['consent', '/_links/scaStatus={}', 'answer-link-form', '/_links/scaStatus'],
  ['redirect', '/_links/scaRedirect/href="javascript:alert(1)"', 'answer-link-form', '/_links/scaRedirect'],
  [
    'pay',
    '/_links/startAuthorisationWithPsuIdentfication={"href":"/v136/x/authorisations"}',
    'answer-link-name',
    '/_links/startAuthorisationWithPsuIdentfication',
  ],
  ['start', '/_links/updatePsuAuthentication', 'answer-link-missing', '/_links'],
  ['redirect', '/_links/scaRedirect', 'answer-link-missing', '/_links'],
  ['transactions', '/transactions/_links/account', 'answer-link-missing', '/transactions/_links/account'],
  [
    'pay',
    '/_links/status/href="/v136/payments/sepa-credit-transfers/other/status"',
    'answer-link-target',
    '/_links/status',
  ],
  ['consent', '/_links/status/href="/v136/consents"', 'answer-link-target', '/_links/status'],
  [
    'accounts',
    '/accounts/0/_links/balances/href="/v136/accounts"',
    'answer-link-target',
    '/accounts/0/_links/balances',
  ],
  [
    'start',
    '/_links/scaRedirect={"href":"https://bank.example/"}',
    'answer-link-approach',
    '/_links/scaRedirect',
  ],
  ['redirect', 'ASPSP-SCA-Approach:=EMBEDDED', 'answer-link-approach', '/_links/scaRedirect'],
  [
    'otp',
    '/_links={"authoriseTransaction":{"href":"{path}"}}',
    'answer-link-end',
    '/_links/authoriseTransaction',
  ],
  // messages
  ['pay refused', 'body=', 'answer-message-missing', ''],
  ['pay refused', 'body={}', 'answer-message-missing', ''],
  ['pay refused', '/tppMessages=[]', 'answer-message-missing', '/tppMessages'],
  ['pay refused', '/tppMessages/0/code="NO_SUCH"', 'answer-message-code', '/tppMessages/0/code'],
  ['pay refused', '/tppMessages/0/code="FORBIDDEN"', 'answer-message-code', '/tppMessages/0/code'],
  ['pay refused', '/tppMessages/0/code="ACCESS_EXCEEDED"', 'answer-message-place', '/tppMessages/0/code'],
  ['pay refused', '/tppMessages/0/code="CONSENT_EXPIRED"', 'answer-message-place', '/tppMessages/0/code'],
  ['pay refused', '/tppMessages/0/category', 'answer-member-missing', '/tppMessages/0/category'],
  ['pay refused', '/tppMessages/0/code', 'answer-member-missing', '/tppMessages/0/code'],
  ['pay refused', '/tppMessages/0/category="WARNING"', 'answer-message-category', '/tppMessages/0/category'],
  [
    'pay',
    '/tppMessages=[{"category":"ERROR","code":"WARNING"}]',
    'answer-message-category',
    '/tppMessages/0/category',
  ],
  // reports
  [
    'transactions',
    '/transactions/pending=[{"transactionAmount":{"currency":"EUR","amount":"1.00"}}]',
    'answer-report-booking',
    '/transactions/pending',
  ],
  ['transactions', `${entry}/bookingDate="2001-01-01"`, 'answer-report-dates', `${entry}/bookingDate`],
  ['transactions', `${entry}/bookingDate="2099-01-01"`, 'answer-report-dates', `${entry}/bookingDate`],
  ['account', '/account/resourceId="other"', 'answer-report-account', '/account/resourceId'],
  ['funds', '/availableAmount="1.00"', 'answer-funds', '/availableAmount'],
  // authorisation
  [
    'method',
    '/chosenScaMethod/authenticationMethodId="other"',
    'answer-sca-method',
    '/chosenScaMethod/authenticationMethodId',
  ],
  ['otp', '/challengeData={"otpFormat":"integer"}', 'answer-sca-end', '/challengeData'],
  // order
  ['settled', '/transactionStatus="RCVD"', 'answer-order-payment', '/transactionStatus'],
  ['cancelled', '/transactionStatus="RCVD"', 'answer-order-deleted', '/transactionStatus'],
  ['sca status', '/scaStatus="received"', 'answer-order-sca', '/scaStatus'],
  ['consent status', '/consentStatus="received"', 'answer-order-consent', '/consentStatus'],
  [
    'pay read',
    '/instructedAmount/amount="99.00"',
    'answer-order-payment-changed',
    '/instructedAmount/amount',
  ],
  [
    'pay read',
    '/creditorAccount/iban="DE89370400440532013000"',
    'answer-order-payment-changed',
    '/creditorAccount/iban',
  ],
  ['consent read', '/frequencyPerDay=100', 'answer-order-consent-wider', '/frequencyPerDay'],
  ['consent read', '/validUntil="2999-12-31"', 'answer-order-consent-wider', '/validUntil'],
  // answers that contradict the calls before them, or themselves
  ['consent read', '/validUntil="2026-13-01"', 'answer-date', '/validUntil'],
  ['consent read', '/frequencyPerDay=0', 'answer-member-type', '/frequencyPerDay'],
  ['pay read', '/creditorName="Other"', 'answer-order-payment-changed', '/creditorName'],
  ['pay read', '/endToEndIdentification="OTHER"', 'answer-order-payment-changed', '/endToEndIdentification'],
  [
    'pay read',
    '/remittanceInformationUnstructured="Other"',
    'answer-order-payment-changed',
    '/remittanceInformationUnstructured',
  ],
  ['pay', '/transactionStatus="RJCT"', 'answer-link-end', '/_links/startAuthorisationWithPsuAuthentication'],
  [
    'consent',
    '/consentStatus="expired"',
    'answer-link-end',
    '/_links/startAuthorisationWithPsuAuthentication',
  ],
  ['start', '/authorisationId="other"', 'answer-id', '/authorisationId'],
  ['otp', '/authorisationId="other"', 'answer-id', '/authorisationId'],
  ['password', '/scaMethods=[]', 'answer-sca-method', '/scaMethods'],
  [
    'password',
    '/chosenScaMethod={"authenticationType":"SMS_OTP","authenticationMethodId":"other"}',
    'answer-sca-method',
    '/chosenScaMethod/authenticationMethodId',
  ],
  ['transactions', '/transactions/booked', 'answer-report-booking', '/transactions/booked'],
  [
    'transactions',
    '/transactions/_links/account/href="/v136/accounts/other"',
    'answer-link-target',
    '/transactions/_links/account',
  ],
  [
    'accounts',
    '/accounts/0/_links/balances/href="/v136/accounts/other/balances"',
    'answer-link-target',
    '/accounts/0/_links/balances',
  ],
  ['balances', '/account/iban="DE89370400440532013000"', 'answer-report-account', '/account/iban'],
  ['transactions', '/account/iban="DE89370400440532013000"', 'answer-report-account', '/account/iban'],
  ['account', '/account/iban="DE89370400440532013000"', 'answer-report-account', '/account/iban'],
];
