/** The headers of the interface: how each is written, what it means, what a person can do about it, and the sets of them. */
import type { Advice } from './advice.ts';

/** How a header, query parameter or field is demanded: mandatory, optional or conditional. */
export type Need = 'm' | 'o' | 'c';

/** How the value of a header is written. */
export type HeaderFormat =
  | 'uuid'
  | 'http-date'
  | 'text'
  | 'boolean'
  | 'uri'
  | 'ip'
  | 'http-method'
  | 'geo'
  | 'digest'
  | 'base64'
  | 'bearer'
  | 'notification'
  | 'approach';

interface HeaderRow {
  readonly format: HeaderFormat;
  readonly means: string;
  readonly advice: Advice;
}

const tpp = (advice: string): Advice => ({ who: 'TPP', advice });
const nobody = (advice: string): Advice => ({ who: 'nobody', advice });

const made = nobody('It is made for each call; obk log show @last -vvv shows it.');
const signed = tpp('It is made where the profile signs; obk sign explain shows how.');
const psuId = tpp('Give it by its flag (obk payment init --help) or keep it in the profile.');
const context = tpp('Give it by --psu-context NAME=VALUE, where the bank wants to know more of the device.');
const redirect = tpp(
  'obk profile edit NAME --redirect-uri URL; without it the browser returns to this machine.',
);
const notice = tpp(
  'obk payment init --notification-uri URL --notification-content status=SCA; obk listen receives what comes.',
);
const told = nobody('It is read from the answer; obk log show @last -vv shows it.');

/** Every header by its canonical spelling. Source: official files; guidelines 4 to 6 for the meaning. */
export const headerRows = {
  'X-Request-ID': {
    format: 'uuid',
    means: 'A UUID for each call; the bank echoes it, and both sides find the call by it.',
    advice: tpp('One is made for each call; name it to the bank when you ask about a call.'),
  },
  Date: {
    format: 'http-date',
    means: 'When the request was made. Early frameworks signed it; since 1.3.2 it is not signed.',
    advice: tpp('Set the clock of this machine right where the bank refuses it.'),
  },
  'Content-Type': {
    format: 'text',
    means: 'The form of the body: JSON, XML, or multipart for a periodic pain.001.',
    advice: made,
  },
  Accept: {
    format: 'text',
    means: 'The forms of answer that the TPP takes; defined for payment status and transaction lists only.',
    advice: tpp('Choose another one by --accept, such as obk transactions list --accept camt.053.'),
  },
  Authorization: {
    format: 'bearer',
    means: 'Bearer and the OAuth2 access token, where an OAuth2 flow gave one.',
    advice: tpp('Get a token by obk auth login, or give one by OBK_TOKEN.'),
  },
  Digest: {
    format: 'digest',
    means: 'The hash of the exact bytes of the body (also of an empty one); sent along with Signature.',
    advice: signed,
  },
  Signature: {
    format: 'text',
    means: 'keyId, algorithm, the list of signed headers, and the signature over them.',
    advice: signed,
  },
  'TPP-Signature-Certificate': {
    format: 'base64',
    means: 'The certificate (QSealC) whose key signed, base64 of the DER form in one line.',
    advice: tpp('Put the QSealC into the profile; obk cert inspect shows what it says.'),
  },
  'PSU-ID': {
    format: 'text',
    means: 'The login name of the customer at the bank; identification travels here, not in a body.',
    advice: psuId,
  },
  'PSU-ID-Type': { format: 'text', means: 'The kind of PSU-ID, where a bank has several.', advice: psuId },
  'PSU-Corporate-ID': { format: 'text', means: 'The company that the PSU acts for.', advice: psuId },
  'PSU-Corporate-ID-Type': { format: 'text', means: 'The kind of PSU-Corporate-ID.', advice: psuId },
  'Consent-ID': {
    format: 'text',
    means: 'The consent under which accounts are read; on a payment, that of the same session.',
    advice: tpp('Choose a consent by --consent ID or obk consent use ID; obk consent list shows them.'),
  },
  'PSU-IP-Address': {
    format: 'ip',
    means: 'The address of the PSU. On reads it says that the PSU is present, so send it only if so.',
    advice: tpp('Give it by --psu-ip; on reads only with --psu-present.'),
  },
  'PSU-IP-Port': { format: 'text', means: 'The port of the device of the PSU.', advice: context },
  'PSU-Accept': { format: 'text', means: 'The Accept header of the browser of the PSU.', advice: context },
  'PSU-Accept-Charset': {
    format: 'text',
    means: 'The Accept-Charset header of the browser of the PSU.',
    advice: context,
  },
  'PSU-Accept-Encoding': {
    format: 'text',
    means: 'The Accept-Encoding header of the browser of the PSU.',
    advice: context,
  },
  'PSU-Accept-Language': {
    format: 'text',
    means: 'The Accept-Language header of the browser of the PSU.',
    advice: context,
  },
  'PSU-User-Agent': { format: 'text', means: 'The browser or app of the PSU.', advice: context },
  'PSU-Http-Method': {
    format: 'http-method',
    means: 'The method of the call that the PSU made to the TPP.',
    advice: context,
  },
  'PSU-Device-ID': {
    format: 'uuid',
    means: 'A UUID of the device of the PSU; stays the same for an installation.',
    advice: context,
  },
  'PSU-Geo-Location': {
    format: 'geo',
    means: 'GEO:latitude;longitude with six decimals each.',
    advice: context,
  },
  'TPP-Redirect-Preferred': {
    format: 'boolean',
    means: 'true asks for a redirect, false excludes it, absence leaves it to the bank.',
    advice: tpp('Give --redirect yes or no; without it the bank chooses.'),
  },
  'TPP-Redirect-URI': {
    format: 'uri',
    means: 'Where the browser of the PSU returns to; the same for all authorisations of a resource.',
    advice: redirect,
  },
  'TPP-Nok-Redirect-URI': {
    format: 'uri',
    means: 'Where the browser returns to when the PSU has refused or failed.',
    advice: redirect,
  },
  'TPP-Explicit-Authorisation-Preferred': {
    format: 'boolean',
    means: 'true asks that the TPP starts the authorisation itself.',
    advice: tpp('Give --explicit yes, for baskets and several PSUs.'),
  },
  'TPP-Decoupled-Preferred': {
    format: 'boolean',
    means: 'true asks for the decoupled approach, false excludes it, absence leaves it to the bank.',
    advice: tpp('Give --decoupled yes or no; without it the bank chooses.'),
  },
  'TPP-Rejection-NoFunds-Preferred': {
    format: 'boolean',
    means: 'true asks the bank to reject a payment without funds at once.',
    advice: tpp('Give --reject-no-funds yes to obk payment init.'),
  },
  'TPP-Notification-URI': {
    format: 'uri',
    means: 'Where the bank may push changes of status; in the domain of the QWAC.',
    advice: notice,
  },
  'TPP-Notification-Content-Preferred': {
    format: 'notification',
    means: 'Which changes are wanted: status= and SCA, PROCESS or LAST.',
    advice: notice,
  },
  'TPP-Brand-Logging-Information': {
    format: 'text',
    means: 'The brand under which the TPP acts, for the log of the bank.',
    advice: tpp('Keep it in the profile: obk profile edit NAME --brand-logging TEXT.'),
  },
  Location: { format: 'text', means: 'The address of the resource that was created.', advice: told },
  'ASPSP-SCA-Approach': {
    format: 'approach',
    means: 'EMBEDDED, DECOUPLED or REDIRECT once it is fixed; OAuth2 counts as REDIRECT.',
    advice: told,
  },
  'ASPSP-Notification-Support': {
    format: 'boolean',
    means: 'Whether the bank will push changes of status.',
    advice: told,
  },
  'ASPSP-Notification-Content': {
    format: 'notification',
    means: 'Which changes the bank will push.',
    advice: told,
  },
  'ASPSP-Multiple-Consent-Support': {
    format: 'boolean',
    means: 'Whether the bank keeps several consents of a PSU side by side.',
    advice: told,
  },
} as const satisfies Readonly<Record<string, HeaderRow>>;

/** The canonical spelling of each header of the interface. */
export type HeaderName = keyof typeof headerRows;

/** A header and how it is demanded. */
export interface HeaderRule {
  readonly name: HeaderName;
  readonly need: Need;
}

/** A header of an operation or an answer. */
export const rule = (name: HeaderName, need: Need): HeaderRule => ({ name, need });
const optional = (...names: HeaderName[]): readonly HeaderRule[] => names.map((name) => rule(name, 'o'));
const psu = ['PSU-ID', 'PSU-ID-Type', 'PSU-Corporate-ID', 'PSU-Corporate-ID-Type'] as const;

/**
 * The named sets of headers in operations. S: request id and signing; CTX: nine PSU context headers; PSU4: PSU identification;
 * RED: redirect; NOT: notification; IP: PSU-IP-Address; CID: Consent-ID; TOKEN: Authorization. A trailing m, o or c is the need.
 */
export const headerSets = {
  S: [
    rule('X-Request-ID', 'm'),
    rule('Digest', 'c'),
    rule('Signature', 'c'),
    rule('TPP-Signature-Certificate', 'c'),
  ],
  CTX: optional(
    'PSU-IP-Port',
    'PSU-Accept',
    'PSU-Accept-Charset',
    'PSU-Accept-Encoding',
    'PSU-Accept-Language',
    'PSU-User-Agent',
    'PSU-Http-Method',
    'PSU-Device-ID',
    'PSU-Geo-Location',
  ),
  PSU4o: psu.map((name) => rule(name, 'o')),
  PSU4c: psu.map((name) => rule(name, 'c')),
  RED: [
    rule('TPP-Redirect-Preferred', 'o'),
    rule('TPP-Redirect-URI', 'c'),
    rule('TPP-Nok-Redirect-URI', 'o'),
  ],
  NOT: optional('TPP-Notification-URI', 'TPP-Notification-Content-Preferred'),
  IPm: [rule('PSU-IP-Address', 'm')],
  IPo: [rule('PSU-IP-Address', 'o')],
  IPc: [rule('PSU-IP-Address', 'c')],
  CIDm: [rule('Consent-ID', 'm')],
  CIDo: [rule('Consent-ID', 'o')],
  CIDc: [rule('Consent-ID', 'c')],
  TOKEN: optional('Authorization'),
  DECOUPLED: optional('TPP-Decoupled-Preferred'),
  EXPLICIT: optional('TPP-Explicit-Authorisation-Preferred'),
  NOFUNDS: optional('TPP-Rejection-NoFunds-Preferred'),
  BRAND: optional('TPP-Brand-Logging-Information'),
  ACCEPT: optional('Accept'),
} satisfies Readonly<Record<string, readonly HeaderRule[]>>;

/** A named set of request headers. */
export type HeaderSet = keyof typeof headerSets;
