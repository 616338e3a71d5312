import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { BankDescriptor, BankHeaderRule } from '../../settings/records/bank-descriptor.ts';
import { flaggedSettings } from '../../settings/profile/keys.ts';
import type { Secret } from '../../base/secret.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import { headerSets } from '../../standard/xs2a/header-rows.ts';
import { certificatePem, certificatesIn } from '../../signing/pem.ts';
import { readProfileFile } from '../profile/profile-file.ts';
import { contextHeaders, namedPsuIp } from './psu-headers.ts';
import { preferredValues } from './tpp-preferences.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';

/** The reason why a header is in a request. */
export type HeaderOrigin = 'standard' | 'call' | 'profile' | 'descriptor';

/** A header before it is sent, and what put it there. */
export interface OriginHeader {
  name: string;
  value: string;
  origin: HeaderOrigin;
  /** The rule that put it there. */
  rule?: BankHeaderRule;
}

/** The headers of one request after the rules of its bank; those with a secret value are never signed. */
export interface Composed {
  headers: readonly OriginHeader[];
  secrets: readonly { name: string; valueFrom: string; rule: BankHeaderRule }[];
  /** Headers that a standard bank would have received and this bank does not take. */
  dropped: readonly { name: string; rule: BankHeaderRule }[];
  /** Headers that the bank requires and that have no value. */
  missing: readonly BankHeaderRule[];
}

/** The headers that a request is made of before any rule: what it is called by, when, and with what body. */
export interface BareRequest {
  requestId: string;
  date: string;
  contentType: string | undefined;
  /** Whether an access token goes with it. */
  withToken?: boolean;
  /** The certificate of the TPP for the header that names it to a bank behind a proxy. */
  qwac?: string | undefined;
  input: Pick<CallInput, 'accept' | 'usualAccept' | 'headers' | 'psuId'>;
}

/** The header by which a proxy, else the TPP, hands its TLS certificate on to the bank. */
const qwacHeader = 'tpp-qwac-certificate';

/** Whether the bank requires the TLS certificate in a header of this operation. */
export const wantsQwac = ({ profile }: Target, op: Operation): boolean =>
  rulesOf(profile, op).some(({ name, action }) => action === 'require' && isNamed(qwacHeader)({ name }));

/** The TLS certificate of the profile (QWAC), else its signing certificate, as PEM on one line; undefined without either. */
export async function qwacOf({ ports, profile }: Target): Promise<string | undefined> {
  const path = profile.tlsCertificate ?? profile.certificate;
  if (path === undefined) return undefined;
  const [leaf] = certificatesIn(
    await readProfileFile(ports, path, 'CERTIFICATE_FILE', 'TLS certificate'),
    path,
  );
  return certificatePem(leaf).replaceAll('\n', '');
}

const isNamed = (name: string) => (header: { name: string }) =>
  header.name.toLowerCase() === name.toLowerCase();

/** Puts the headers of a request together and applies the rules of the bank to them, in the order of the rules. */
export function composeHeaders(target: Target, op: Operation, bare: BareRequest): Composed {
  const { accept, usualAccept, headers: given = [] } = bare.input;
  const own = target.profile.headers?.accept?.[op.id];
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  const standard: OriginHeader[] = [];
  // A header named by the call replaces the usual one.
  const add = (origin: HeaderOrigin, name: string, value: string) => {
    if (named.size === 0 || !named.has(name.toLowerCase())) standard.push({ name, value, origin });
  };
  add('standard', 'X-Request-ID', bare.requestId);
  add('standard', 'Date', bare.date);
  if (bare.contentType !== undefined) add('standard', 'Content-Type', bare.contentType);
  add(
    accept !== undefined ? 'call' : own !== undefined ? 'descriptor' : 'standard',
    'Accept',
    accept ?? own ?? usualAccept ?? 'application/json',
  );
  for (const [name, value] of given) standard.push({ name, value, origin: 'call' });
  for (const [name, value] of namedPsuIp(target, op)) add('call', name, value);
  for (const [name, value] of contextHeaders(target, op)) add('profile', name, value);
  const before: Composed = { headers: standard, secrets: [], dropped: [], missing: [] };
  const rules = rulesOf(target.profile, op, bare.withToken);
  const known = rules.length === 0 ? {} : knownValues(target, bare);
  const composed = rules.reduce((composed, rule) => ruled(known, composed, rule), before);
  return { ...composed, headers: psuAsWanted(target.profile, composed.headers) };
}

/** The rules that a bank has for an operation; without `withToken` those that hold for some call of it. */
export function rulesOf(
  { headers }: Pick<BankDescriptor, 'headers'>,
  op: Operation,
  withToken?: boolean,
): BankHeaderRule[] {
  return (headers?.rules ?? []).filter(
    ({ operations, when }) =>
      (operations?.includes(op.id) ?? true) &&
      (when === undefined || withToken === undefined || (when === 'withToken') === withToken),
  );
}

/** The headers with the PSU-ID cut and PSU-ID-Type filled in as the bank wants. Throws INPUT_INVALID for an unknown type. */
function psuAsWanted(
  { headers: own }: Pick<BankDescriptor, 'headers'>,
  headers: readonly OriginHeader[],
): readonly OriginHeader[] {
  if (own?.psuId === undefined && own?.psuIdType === undefined) return headers;
  const { first } = own.psuId ?? {};
  const { values, default: usual } = own.psuIdType ?? {};
  const type = headers.find(isNamed('PSU-ID-Type'));
  if (values !== undefined && type !== undefined && type.value !== '' && !values.includes(type.value)) {
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: `The bank does not know the PSU-ID-Type ${JSON.stringify(type.value)}.`,
      detail: `headers.psuIdType says that it knows ${values.join(', ')}; the request was not sent.`,
      hint: values.slice(0, 3).map((value) => line`--psu-id-type ${value}`),
    });
  }
  const cut = headers.map((header) => {
    if (!isNamed('PSU-ID')(header)) return header;
    return { ...header, value: [...header.value].slice(0, first).join('') };
  });
  const lacks = usual !== undefined && type === undefined && headers.some(isNamed('PSU-ID'));
  return lacks ? [...cut, { name: 'PSU-ID-Type', value: usual, origin: 'descriptor' }] : cut;
}

function ruled(known: Known, composed: Composed, rule: BankHeaderRule): Composed {
  const { name, action, value, valueFrom } = rule;
  const is = isNamed(name);
  const found = composed.headers.find(is);
  const without = () => ({
    ...composed,
    headers: composed.headers.filter((header) => !is(header)),
    dropped: [...composed.dropped, { name: found?.name ?? name, rule }],
  });
  const added = (more: OriginHeader): Composed => ({ ...composed, headers: [...composed.headers, more] });
  switch (action) {
    case 'forbid':
      return found === undefined ? composed : without();
    case 'keepEmpty':
      return found === undefined ? added({ name, value: '', origin: 'descriptor', rule }) : composed;
    case 'dropIfBlank':
      return found?.value.trim() === '' ? without() : composed;
    case 'default':
      if (found !== undefined || composed.secrets.some(is)) return composed;
      if (valueFrom !== undefined)
        return { ...composed, secrets: [...composed.secrets, { name, valueFrom, rule }] };
      return added({ name, value: value ?? '', origin: 'descriptor', rule });
    case 'require': {
      if (found !== undefined || composed.secrets.some(is)) return composed;
      const given = known[name.toLowerCase()];
      if (given !== undefined) return added({ name, value: given, origin: 'profile', rule });
      return { ...composed, missing: [...composed.missing, rule] };
    }
  }
}

type Known = Readonly<Record<string, string | undefined>>;

/** Values the run or profile can supply for a header, by lower-case name, for the PSU of this call. */
function knownValues(target: Target, { input, qwac }: BareRequest): Known {
  const { psu, profile } = target;
  return {
    'psu-id': input.psuId ?? psu.id,
    'psu-id-type': psu.idType,
    'psu-corporate-id': psu.corporateId,
    'psu-corporate-id-type': psu.corporateIdType,
    'psu-ip-address': psu.ipAddress,
    'tpp-redirect-uri': profile.redirectUri,
    'tpp-nok-redirect-uri': profile.nokRedirectUri,
    [qwacHeader]: qwac,
    ...preferredValues(target),
    ...Object.fromEntries(
      Object.entries(psu.context ?? {}).map(([context, value]) => [context.toLowerCase(), value]),
    ),
  };
}

/** Throws PROFILE_INVALID if a header that the bank requires has no value: the bank would only refuse the request. */
export function needAll({ name }: Target, op: Operation, { missing }: Composed, about: CallInput): void {
  const [first] = missing;
  if (first === undefined) return;
  const flag = flagOf.get(first.name.toLowerCase());
  const context = headerSets.CTX.find((header) => header.name.toLowerCase() === first.name.toLowerCase());
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: `The bank of the profile ${name} requires ${missing.map((rule) => rule.name).join(', ')} with ${op.id}.`,
    detail: `${first.why ?? 'A rule of the profile says so, and nothing gives a value'}; the request was not sent.`,
    hint: [
      ...(flag === undefined ? [] : [line`obk profile edit ${name} ${flag.split(' ')}`]),
      ...(context === undefined || flag !== undefined
        ? []
        : [line`obk config set ${`psu.context.${context.name}`} VALUE --profile ${name}`]),
      line`obk bank explain ${op.id} --profile ${name}`,
    ],
    ...defined({ resource: about.resource }),
  });
}

/** The flag that gives a header its value, by its name in small letters, with what it takes. */
const flagOf: ReadonlyMap<string, string> = new Map([
  ...flaggedSettings.flatMap(([, { kind, flag, takes, header }]) =>
    header === undefined
      ? []
      : [[header.toLowerCase(), `${flag} ${kind === 'yes-no' ? 'yes' : takes.slice(1, -1)}`] as const],
  ),
  [qwacHeader, '--tls-certificate FILE --tls-key FILE'],
]);

/** The secret headers of a request, read where their references say. */
export async function readSecretHeaders(
  ports: Ports,
  { secrets }: Composed,
): Promise<(readonly [name: string, value: Secret])[]> {
  const read: (readonly [string, Secret])[] = [];
  // One after the other: a reference may be a program that asks.
  for (const { name, valueFrom } of secrets)
    read.push([name, await ports.secrets.read(valueFrom, `the header ${name}`)]);
  return read;
}
