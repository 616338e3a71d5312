import { codesAt } from '../../standard/xs2a/message-places.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';

/** A fault of a signed request for which banks have different codes. */
type SignatureFault =
  'certificate-missing' | 'digest' | 'date-missing' | 'date-window' | 'key-id-missing' | 'role';

/** How the issuer and the serial number in keyId are compared. */
type KeyIdRule = 'parsed' | 'exact' | 'unencoded';

/** The settings of a bank that decide what it wants of a signature. */
export interface SignatureSwitches {
  signature: 'required' | 'optional' | 'strict' | 'off';
  signatureProfile: 'guidelines' | 'adorsys' | 'wso2';
  keyId: 'parsed' | 'exact';
  dateHeader: 'ignored' | 'required';
  /** What the description of one bank says of its own. */
  described?: DescribedSignature | undefined;
}

/** keyId as one bank wants it written: its form with {serial} and {issuer}, and the spelling of both. */
export interface DescribedKeyId {
  readonly template: string;
  readonly serial: string;
  readonly issuer: string;
}

/** Demands of one bank that every family leaves open. */
interface OwnDemands {
  /** The names that must be signed in place of the usual ones; those with ? if they were sent. */
  names?: readonly string[];
  /** Whether the names stand in that order, or in that of the alphabet; any order where it is not said. */
  order?: 'listed' | 'sorted';
  /** The one algorithm of Digest. */
  digest?: 'SHA-256' | 'SHA-512';
  /** The one hash of the signature. */
  hash?: 'SHA-256' | 'SHA-512';
  /** The word for the algorithm, in place of rsa-sha256 and the like. */
  label?: string;
  /** The one form of an ECDSA signature. */
  encoding?: 'der' | 'ieee-p1363';
  /** The name of a TPP as client, which is the keyId of a call with a token. */
  clientIdOf?: (tpp: string) => string;
}

/** What the description of one bank says beyond its family. */
export interface DescribedSignature extends OwnDemands {
  /** The text that is hashed if there is no body; `omit` where there is no Digest then. */
  emptyBody?: SignatureRules['emptyBody'];
  keyId?: DescribedKeyId;
  certificate?: Exclude<SignatureRules['certificate'], 'any'>;
  /** The operations that are signed; the others may be. */
  requiredFor?: readonly string[];
}

/** The bank's demands on a signature. */
export interface SignatureRules extends OwnDemands {
  /** Whether a request without any is taken, and whether spellings beside that of the guidelines are. */
  mode: SignatureSwitches['signature'];
  /** Date need not be there; must be there; or must be there and signed. */
  date: 'ignored' | 'sent' | 'signed';
  /** The text that is hashed if there is no body. */
  emptyBody: '' | '{}' | 'omit';
  keyId: KeyIdRule | DescribedKeyId;
  /** True where that name is the keyId although the request has no token: it asks for one. */
  isNamed?: boolean;
  /**
   * TPP-Signature-Certificate as it must be; `any` also takes PEM in one line, URL-encoded PEM and base64 of PEM. With `none` it is not sent:
   * keyId names one that the TPP has registered.
   */
  certificate: 'any' | 'bare' | 'pem-line' | 'pem-url' | 'pem-base64' | 'none';
  /** The tppMessage code for each fault. */
  codes: Readonly<Record<SignatureFault, string>>;
}

/** How one family of banks departs from the guidelines (their published servers). */
interface Family {
  date: 'by-switch' | 'signed' | 'sent-for-payments';
  emptyBody: '' | '{}';
  keyId: 'by-switch' | KeyIdRule;
  certificate: 'by-mode' | 'pem-line';
  codes: Readonly<Partial<Record<SignatureFault, 'FORMAT_ERROR' | 'CERTIFICATE_INVALID'>>>;
}

const families: Readonly<Record<SignatureSwitches['signatureProfile'], Family>> = {
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
  'key-id-missing': 'SIGNATURE_INVALID',
  role: 'ROLE_INVALID',
};

/** A bank asks for its rules several times a call, with the same switches as long as nobody changes them. */
const known = new WeakMap<SignatureSwitches, Map<string, SignatureRules>>();

/** The rules of a bank for one operation. */
export function signatureRules(
  switches: SignatureSwitches,
  operation: Pick<Operation, 'role' | 'service' | 'id'>,
  framework: Framework,
): SignatureRules {
  const ofSwitches = known.get(switches) ?? new Map<string, SignatureRules>();
  known.set(switches, ofSwitches);
  const key = `${operation.id} ${framework}`;
  const rules = ofSwitches.get(key) ?? rulesOf(switches, operation, framework);
  ofSwitches.set(key, rules);
  return rules;
}

function rulesOf(
  switches: SignatureSwitches,
  operation: Pick<Operation, 'role' | 'service' | 'id'>,
  framework: Framework,
): SignatureRules {
  const { role } = operation;
  const { keyId, certificate, emptyBody, requiredFor, ...own } = switches.described ?? {};
  const mode =
    switches.signature === 'required' && requiredFor?.includes(operation.id) === false
      ? 'optional'
      : switches.signature;
  const family = families[switches.signatureProfile];
  const dates = {
    // Date was to be signed until the errata of 1.3.
    'by-switch': switches.dateHeader === 'required' ? 'signed' : 'ignored',
    signed: 'signed',
    'sent-for-payments': role === 'PSP_PI' ? 'sent' : 'ignored',
  } as const;
  const ofFamily =
    family.certificate === 'by-mode' ? (mode === 'strict' ? 'bare' : 'any') : family.certificate;
  return {
    ...own,
    mode,
    date: dateIn(own.names, dates[family.date]),
    emptyBody: emptyBody ?? family.emptyBody,
    keyId: keyId ?? (family.keyId === 'by-switch' ? switches.keyId : family.keyId),
    certificate: certificate ?? ofFamily,
    codes: { ...standardCodes, ...kidMissing(operation, framework), ...family.codes },
  };
}

/** A list of names decides on Date too, where the family only wants it signed. */
function dateIn(
  names: readonly string[] | undefined,
  ofFamily: SignatureRules['date'],
): SignatureRules['date'] {
  if (names === undefined) return ofFamily;
  if (names.includes('date')) return 'signed';
  return ofFamily === 'signed' ? 'ignored' : ofFamily;
}

/** Payments have a code of their own for a signature without keyId, whose name changed with the files of 1.3.11. */
function kidMissing(
  operation: Pick<Operation, 'service' | 'id'>,
  framework: Framework,
): { 'key-id-missing'?: string } {
  const code = codesAt(framework, operation, 401).find((one) => one.endsWith('KID_MISSING'));
  return code === undefined ? {} : { 'key-id-missing': code };
}

/** 400 for the codes of a form, 401 for those of a certificate or a signature. */
export function statusOf(code: string): 400 | 401 {
  return code === 'FORMAT_ERROR' || code === 'TIMESTAMP_INVALID' ? 400 : 401;
}
