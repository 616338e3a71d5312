import type { Operation } from '../../xs2a/operations.ts';
import { formatError, Refusal, unauthorised } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';

/** A fault of a signed request for which banks have different codes. */
export type SignatureFault = 'certificate-missing' | 'digest' | 'date-missing' | 'date-window' | 'role';

/** How the issuer and the serial number in keyId are compared. */
type KeyIdRule = 'parsed' | 'exact' | 'unencoded';

/** The bank's demands on a signature. */
export interface SignatureRules {
  /** Whether a request without any is taken, and whether spellings beside that of the guidelines are. */
  mode: Scenario['signature'];
  /** Date need not be there; must be there; or must be there and signed. */
  date: 'ignored' | 'sent' | 'signed';
  /** The text that is hashed if there is no body. */
  emptyBody: '' | '{}';
  keyId: KeyIdRule;
  /** TPP-Signature-Certificate as it must be; `any` also takes PEM in one line and URL-encoded PEM. */
  certificate: 'any' | 'bare' | 'pem-line';
  refuse: (fault: SignatureFault, text: string) => Refusal;
}

/** How one family of banks departs from the guidelines (their published servers). */
interface Family {
  date: 'by-switch' | 'signed' | 'sent-for-payments';
  emptyBody: '' | '{}';
  keyId: 'by-switch' | KeyIdRule;
  certificate: 'by-mode' | 'pem-line';
  codes: Readonly<Partial<Record<SignatureFault, 'FORMAT_ERROR' | 'CERTIFICATE_INVALID'>>>;
}

const families: Readonly<Record<Scenario['signatureProfile'], Family>> = {
  guidelines: { date: 'by-switch', emptyBody: '', keyId: 'by-switch', certificate: 'by-mode', codes: {} },
  adorsys: {
    date: 'signed',
    emptyBody: '',
    keyId: 'exact',
    certificate: 'pem-line',
    codes: { 'certificate-missing': 'FORMAT_ERROR', digest: 'FORMAT_ERROR' },
  },
  wso2: {
    date: 'sent-for-payments',
    emptyBody: '{}',
    keyId: 'unencoded',
    certificate: 'by-mode',
    codes: { 'date-window': 'FORMAT_ERROR', role: 'CERTIFICATE_INVALID' },
  },
};

const standardCodes: Readonly<Record<SignatureFault, string>> = {
  'certificate-missing': 'CERTIFICATE_MISSING',
  digest: 'SIGNATURE_INVALID',
  'date-missing': 'FORMAT_ERROR',
  'date-window': 'TIMESTAMP_INVALID',
  role: 'ROLE_INVALID',
};

/** The rules of a scenario for one operation. */
export function signatureRules(
  scenario: Pick<Scenario, 'signature' | 'signatureProfile' | 'keyId' | 'dateHeader'>,
  { role }: Pick<Operation, 'role'>,
): SignatureRules {
  const { signature: mode } = scenario;
  const family = families[scenario.signatureProfile];
  const dates = {
    // Date was to be signed until the errata of 1.3.
    'by-switch': scenario.dateHeader === 'required' ? 'signed' : 'ignored',
    signed: 'signed',
    'sent-for-payments': role === 'PSP_PI' ? 'sent' : 'ignored',
  } as const;
  return {
    mode,
    date: dates[family.date],
    emptyBody: family.emptyBody,
    keyId: family.keyId === 'by-switch' ? scenario.keyId : family.keyId,
    certificate: family.certificate === 'by-mode' ? (mode === 'strict' ? 'bare' : 'any') : family.certificate,
    refuse: (fault, text) => refusal(family.codes[fault] ?? standardCodes[fault], text),
  };
}

function refusal(code: string, text: string): Refusal {
  if (code === 'FORMAT_ERROR') return formatError(text);
  return code === 'TIMESTAMP_INVALID'
    ? new Refusal(400, code, text, { path: 'Date' })
    : unauthorised(code, text);
}
