import { frameworkNames } from '../../standard/xs2a/origin.ts';
import { authRow } from './bank-auth.ts';
import { metaRows } from './bank-meta.ts';
import { requestRows } from './bank-requests.ts';
import { resourceRows } from './bank-resources.ts';
import { addressTemplate, clientName, hostName, keyPin, parameterValue } from './bank-texts.ts';
import { weakWords } from './ciphers.ts';
import {
  choice,
  duration,
  forBank,
  forTpp,
  group,
  list,
  ownRule,
  said,
  text,
  unaskedReference,
  url,
} from './row.ts';
import { signing } from './signing.ts';
import { issuer, serviceAddress, versionPath, webAddress } from './texts.ts';

/** The rows for a bank's departures from the standard. */
export const descriptorRows = { ...metaRows, ...requestRows, ...resourceRows };

/** The settings that describe a bank; a bank file may hold them. */
export const bankRows = {
  ...descriptorRows,
  baseUrl: said(
    'The address of the bank, without the prefix; {name} stands for a variable (urls.vars).',
    forTpp(url(addressTemplate, { flag: '--base-url' })),
  ),
  framework: said('The framework that is spoken.', choice(frameworkNames, { flag: '--framework' })),
  prefix: said('The path of its version, such as /v1.', text({ wrong: versionPath, flag: '--prefix' })),
  surface: said(
    'Whether the operations of the service, or all of the framework, are offered.',
    choice(['service', 'framework'], { flag: '--surface' }),
  ),
  origins: said(
    'Further origins that links may name.',
    forTpp(list(url(serviceAddress), { flag: '--origin' })),
  ),
  auth: authRow,
  oauth: said(
    'The OAuth2 of the bank.',
    forTpp(
      group({
        clientId: said(
          'The client_id, where it is not that of the certificate.',
          text({ wrong: clientName, flag: '--oauth-client-id' }),
        ),
        // Read in a call, when there is nobody to ask; a file of a bank holds no reference.
        clientSecretFrom: ownRule(unaskedReference),
        scope: said(
          'The scope, where it is not that of the guidelines.',
          text({ wrong: parameterValue, flag: '--oauth-scope' }),
        ),
        metadata: said('The address of the metadata.', url(webAddress, { flag: '--oauth-metadata' })),
        issuer: said('The issuer.', url(issuer, { flag: '--oauth-issuer' })),
        preStepScope: said(
          'The scope of a pre-step.',
          text({ wrong: parameterValue, flag: '--oauth-pre-step-scope' }),
        ),
      }),
    ),
  ),
  tls: said(
    'The TLS of the bank.',
    forTpp(
      group({
        ciphers: said(
          'The ciphers, as OpenSSL writes them.',
          text({ wrong: weakWords, flag: '--tls-ciphers' }),
        ),
        serverName: said(
          'The name in its certificate, where it is not the host.',
          text({ wrong: hostName, flag: '--tls-server-name' }),
        ),
        minVersion: said('The lowest version of TLS that is spoken.', choice(['TLSv1.2', 'TLSv1.3'])),
        serverPins: said(
          'The public keys of the server, each as the SHA-256 of its SPKI in base64; no other is taken.',
          list(text({ wrong: keyPin })),
        ),
      }),
    ),
  ),
  signing: said('How requests are signed.', signing),
  requestIdSemantics: said(
    'What the bank does with an X-Request-ID that it has seen; obk believes the operator alone (config set).',
    forBank(choice(['unknown', 'none', 'replay', 'reject-duplicate'])),
  ),
  timeoutMs: said(
    'How long an answer is waited for.',
    forTpp(duration({ flag: '--timeout', otherwise: 60_000 })),
  ),
};
