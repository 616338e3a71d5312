import { frameworkNames } from '../../standard/xs2a/origin.ts';
import { authRow } from './bank-auth.ts';
import { metaRows } from './bank-meta.ts';
import { requestRows } from './bank-requests.ts';
import { resourceRows } from './bank-resources.ts';
import { addressTemplate, clientName, keyPin, parameterValue } from './bank-texts.ts';
import { weakWords } from './ciphers.ts';
import {
  by,
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
    by('--base-url <URL>', 'address of the bank, without the version prefix', forTpp(url(addressTemplate))),
  ),
  framework: said(
    'The framework that is spoken.',
    by('--framework <F>', frameworkNames.join(' or '), choice(frameworkNames)),
  ),
  prefix: said(
    'The path of its version, such as /v1.',
    by(
      '--prefix <PATH>',
      'path of the version: /v1; / where the bank has none',
      text({ wrong: versionPath }),
    ),
  ),
  surface: said(
    'Whether the operations of the service, or all of the framework, are offered.',
    by('--surface <S>', 'service, or framework where the bank offers more', choice(['service', 'framework'])),
  ),
  origins: said(
    'Further origins that links may name.',
    by(
      '--origin <URL>',
      'further address that links may point to (several)',
      forTpp(list(url(serviceAddress))),
    ),
  ),
  auth: authRow,
  oauth: said(
    'The OAuth2 of the bank.',
    forTpp(
      group({
        clientId: said(
          'The client_id, where it is not that of the certificate.',
          by(
            '--oauth-client-id <ID>',
            'client_id, if not the organizationIdentifier of the certificate',
            text({ wrong: clientName }),
          ),
        ),
        // Read in a call, when there is nobody to ask; a file of a bank holds no reference.
        clientSecretFrom: ownRule(unaskedReference),
        scope: said(
          'The scope, where it is not that of the guidelines.',
          by(
            '--oauth-scope <SCOPE>',
            'scope of OAuth2 as SCA, such as "AIS:{consentId} offline_access"',
            text({ wrong: parameterValue }),
          ),
        ),
        metadata: said(
          'The address of the metadata.',
          by('--oauth-metadata <URL>', 'metadata of the OAuth server, for obk auth login', url(webAddress)),
        ),
        issuer: said(
          'The issuer.',
          by('--oauth-issuer <URL>', 'or its issuer, from which the address follows', url(issuer)),
        ),
        preStepScope: said(
          'The scope of a pre-step.',
          by(
            '--oauth-pre-step-scope <SCOPE>',
            'scope of obk auth login (PIS AIS)',
            text({ wrong: parameterValue }),
          ),
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
          by(
            '--tls-ciphers <LIST>',
            'ciphers as OpenSSL names them, where a bank needs others',
            text({ wrong: weakWords }),
          ),
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
    by('--timeout <DURATION>', 'longest time of a call', forTpp(duration({ otherwise: 60_000 }))),
  ),
};
