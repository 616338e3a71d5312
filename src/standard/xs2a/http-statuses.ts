/** The HTTP statuses that a bank or its gateway answers with, in a sentence each. */
import type { Advice } from './advice.ts';
import { messageCodes } from './message-codes.ts';

/** One HTTP status. `codes` are the tppMessage codes that the interface gives it, in their order; often a gateway sends none. */
export interface HttpStatusFact extends Advice {
  readonly status: number;
  readonly meaning: string;
  readonly codes: readonly string[];
}

const status = (code: number, meaning: string, who: Advice['who'], advice: string): HttpStatusFact => ({
  status: code,
  meaning,
  who,
  advice,
  codes: messageCodes.filter(({ http }) => http.includes(code)).map((fact) => fact.code),
});

const sent = 'A write that was sent may have acted all the same: obk pending list shows it.';

/** The statuses that the interface declares, and those of the gateways before it. Source: guidelines 4.12 and 14.11; RFC 9110. */
export const httpStatuses: readonly HttpStatusFact[] = [
  status(
    200,
    'OK: the answer has what was asked for.',
    'nobody',
    'The status in the body says where the resource stands.',
  ),
  status(
    201,
    'Created: the resource is there, its id in the body and in Location.',
    'nobody',
    'Follow its links: obk payment status, obk consent status.',
  ),
  status(
    202,
    'Accepted: a cancellation that must be authorised first.',
    'PSU',
    'Authorise the cancellation: obk payment cancel does so.',
  ),
  status(204, 'No content: done, and there is nothing to say of it.', 'nobody', 'Nothing is left to do.'),
  status(
    301,
    'Moved: a redirect is never followed, since that would send a signed request elsewhere.',
    'TPP',
    'Correct the address of the profile: obk profile edit NAME --base-url URL.',
  ),
  status(
    302,
    'Found: mostly the login page of a gateway in place of the interface.',
    'TPP',
    'Check the address and the client certificate: obk doctor.',
  ),
  status(
    303,
    'See other: sent to browsers, not to a TPP.',
    'TPP',
    'Check the address of the profile: obk doctor.',
  ),
  status(
    307,
    'Temporary redirect: it is never followed, since that would send a signed request elsewhere.',
    'TPP',
    'Correct the address of the profile: obk profile edit NAME --base-url URL.',
  ),
  status(
    308,
    'Permanent redirect: it is never followed, since that would send a signed request elsewhere.',
    'TPP',
    'Correct the address of the profile: obk profile edit NAME --base-url URL.',
  ),
  status(
    400,
    'Bad request: a header, the query or the body is not what this operation takes.',
    'TPP',
    'Correct what path and text name; obk log show @last -vvv shows the call.',
  ),
  status(
    401,
    'Unauthorized: the certificate, the signature, the token or the consent is not taken.',
    'TPP',
    'The code says which of them; obk doctor checks certificate and signature.',
  ),
  status(
    403,
    'Forbidden: the TPP may not do this, or the resource is not its own.',
    'TPP',
    'Check the roles of the certificate (obk cert lint), and whose id it is.',
  ),
  status(
    404,
    'Not found: no such resource or product here, or the address or the prefix is wrong.',
    'TPP',
    'Check id and product; where everything is 404, the base URL: obk doctor.',
  ),
  status(
    405,
    'Method not allowed: the bank does not offer this operation.',
    'TPP',
    'obk api --list shows what the framework has; ask the bank what it offers.',
  ),
  status(
    406,
    'Not acceptable: the bank does not write the format that Accept asks for.',
    'TPP',
    'Ask for another format: --accept json where a command takes it, or headers.accept of the bank.',
  ),
  status(408, 'Request timeout: the bank did not get the whole request in time.', 'TPP', sent),
  status(
    409,
    'Conflict: the resource does not stand as this call needs it.',
    'TPP',
    'Read where it stands first: obk payment status, obk consent status.',
  ),
  status(413, 'Content too large: a gateway takes shorter bodies only.', 'TPP', 'Split the bulk payment.'),
  status(
    415,
    'Unsupported media type: the bank does not take this form of body.',
    'TPP',
    'Send the other form: a pain.001 product takes XML, the others JSON.',
  ),
  status(
    429,
    'Too many requests: more accesses a day than the consent allows, or a gateway counts calls.',
    'TPP',
    'With ACCESS_EXCEEDED wait for the next day or send PSU-IP-Address with a PSU present; else wait as Retry-After says (--rate).',
  ),
  status(
    431,
    'Request header fields too large: a gateway takes shorter headers only.',
    'TPP',
    'Send fewer or shorter headers; a certificate chain in a header is long.',
  ),
  status(
    495,
    'Certificate error: the gateway does not take the client certificate.',
    'TPP',
    'Check the TLS certificate of the profile: obk doctor, obk cert lint.',
  ),
  status(
    496,
    'Certificate required: no client certificate came.',
    'TPP',
    'Give the profile one: obk profile edit NAME --tls-certificate FILE --tls-key FILE.',
  ),
  status(500, 'Internal server error: the bank failed.', 'ASPSP', `Try a read again later; ${sent}`),
  status(
    501,
    'Not implemented: the bank does not have this operation.',
    'ASPSP',
    'Ask the bank what it offers.',
  ),
  status(
    502,
    'Bad gateway: the gateway got no usable answer of the bank behind it.',
    'ASPSP',
    `Try a read again later; ${sent}`,
  ),
  status(
    503,
    'Service unavailable: the bank is down for a while.',
    'ASPSP',
    `Wait as long as Retry-After says; ${sent}`,
  ),
  status(
    504,
    'Gateway timeout: the bank behind the gateway was too slow.',
    'ASPSP',
    `Try a read again later; ${sent}`,
  ),
];
