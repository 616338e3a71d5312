import type { BankDescriptor, PaymentFormat } from '../../settings/records/bank-descriptor.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { warning } from '../../settings/profile/finding.ts';
import type { SettingFinding } from '../../settings/profile/finding.ts';
import { operations } from '../../standard/xs2a/operations.ts';

/** A setting with why it says nothing, or the opposite of another one; what is not given is no finding. */
type Check = readonly [setting: string, given: unknown, isWrong: boolean, why: string];

/** Warns of settings that are ignored beside the others, and of those that contradict each other. */
export function lintContradictions(bank: Partial<Profile>): readonly SettingFinding[] {
  const all = [
    ...ofSca(bank),
    ...ofResources(bank),
    ...ofAuth(bank),
    ...ofRequests(bank),
    ...ofSigning(bank),
    ...ofOperations(bank),
    ...ofQueries(bank),
    ...ofPeople(bank),
  ];
  return all.flatMap(([setting, given, isWrong, why]) =>
    given !== undefined && isWrong ? [warning(setting, why)] : [],
  );
}

function ofSca({ sca = {} }: BankDescriptor): Check[] {
  const { approaches, preferred, passwordEncryption, redirectLifetimeS, poll, confirmationCode } = sca;
  const lacks = (...wanted: readonly string[]) =>
    approaches !== undefined && !approaches.some((one) => wanted.includes(one));
  const without = (what: string) => `It is not used: sca.approaches has no ${what}.`;
  const isEncrypted = sca.startMode === 'encrypted' || passwordEncryption !== undefined;
  return [
    [
      'sca.preferred',
      preferred,
      lacks(preferred ?? ''),
      'It contradicts sca.approaches, which does not have it.',
    ],
    ['sca.redirectLifetimeS', redirectLifetimeS, lacks('redirect', 'oauth'), without('redirect')],
    ['sca.confirmationCode', confirmationCode, lacks('redirect', 'oauth'), without('redirect')],
    ['sca.poll.timeoutS', poll?.timeoutS, lacks('decoupled'), without('decoupled')],
    ['sca.challengeData', sca.challengeData, lacks('embedded'), without('embedded')],
    [
      'sca.passwordEncryption',
      passwordEncryption,
      lacks('embedded', 'decoupled') && isEncrypted,
      without('embedded'),
    ],
  ];
}

function ofResources({ consent = {}, payments = {}, ais = {} }: BankDescriptor): Check[] {
  const { cancel = {}, matrix, pain } = payments;
  const { none, ...others } = consent;
  const forms: readonly PaymentFormat[] = Object.values(matrix ?? {}).flatMap((one) =>
    Object.values(one).flat(),
  );
  const { maxDays = Infinity, windowDays } = ais.history ?? {};
  return [
    ...Object.entries(others).map(([name, value]): Check => [
      `consent.${name}`,
      value,
      none === true,
      'It is not used: consent.none says that there are none.',
    ]),
    [
      'payments.cancel.needsSca',
      cancel.needsSca,
      cancel.allowed === false,
      'It is not used: payments.cancel.allowed is false.',
    ],
    [
      'payments.redirectOnCancel',
      payments.redirectOnCancel,
      cancel.allowed === false,
      'It is not used: payments.cancel.allowed is false.',
    ],
    [
      'payments.redirectOnCancel',
      payments.redirectOnCancel,
      payments.redirectOnCancel === true && cancel.needsSca === false,
      'It contradicts payments.cancel.needsSca: no PSU is sent away.',
    ],
    [
      'payments.pain',
      pain,
      matrix !== undefined && !forms.includes('xml') && !/pain\.001-/.test(JSON.stringify(matrix)),
      'It is not used: payments.matrix has no product in XML.',
    ],
    [
      'ais.history.windowDays',
      windowDays,
      (windowDays ?? 0) > maxDays,
      'It is more than ais.history.maxDays.',
    ],
  ];
}

function ofAuth({ auth = {}, oauth, signing }: Partial<Profile>): Check[] {
  const modes = [auth.mode, ...Object.values(auth.operations ?? {})];
  const { mode: _, operations: __, consent: ___, ...others } = auth;
  const isNone = auth.mode === 'none' && modes.every((mode) => mode === 'none');
  const kept = 'It is not used: auth.store keeps no token beyond its run.';
  return [
    ...Object.entries(others).map(([name, value]): Check => [
      `auth.${name}`,
      value,
      isNone,
      'It is not used: auth.mode is none.',
    ]),
    ['oauth.clientId', oauth?.clientId, auth.clientId === 'orgId', 'It is not used: auth.clientId is orgId.'],
    [
      'auth.scope.app',
      auth.scope?.app,
      !modes.includes('clientCredentials'),
      'It is not used: neither auth.mode nor auth.operations is clientCredentials.',
    ],
    [
      'auth.token.signed',
      auth.token?.signed,
      auth.token?.signed === true && signing?.mode === 'none',
      'It is not used: signing.mode is none.',
    ],
    ['auth.refresh', auth.refresh, auth.store === 'never', kept],
    ['auth.lifetimes.refreshS', auth.lifetimes?.refreshS, auth.store === 'never', kept],
    ['signing.jws', signing?.jws, signing?.mode === 'cavage', 'It is not used: signing.mode is cavage.'],
  ];
}

function ofRequests({ headers = {}, limits, registration = {}, spec, framework }: Partial<Profile>): Check[] {
  const { psuIdType = {} } = headers;
  const { default: usual, values } = psuIdType;
  const { kind, operation: first } = registration;
  const isRead = operations.some(({ id, method }) => id === first && method === 'GET');
  const firstAlone = 'It is not used: registration.kind is not firstCall.';
  return [
    [
      'headers.psuIdType.default',
      usual,
      values !== undefined && !values.includes(usual ?? ''),
      'It contradicts headers.psuIdType.values, which does not have it.',
    ],
    [
      'limits.header.format',
      limits?.header?.format,
      limits?.header?.name === undefined,
      'It is not used without limits.header.name.',
    ],
    [
      'registration.portal',
      registration.portal,
      kind !== 'portal',
      'It is only shown where obk doctor is refused: registration.kind is not portal.',
    ],
    ['registration.operation', first, kind !== 'firstCall', firstAlone],
    ['registration.successStatus', registration.successStatus, kind !== 'firstCall', firstAlone],
    [
      'registration.operation',
      first,
      kind === 'firstCall' && !isRead,
      'It is not used: obk makes no write for a registration.',
    ],
    [
      'spec.validateAgainst',
      spec?.validateAgainst,
      spec?.validateAgainst === framework,
      'It says nothing: it is the framework that is spoken.',
    ],
  ];
}

/** Names of headers in capitals: a signature has them in lower case (draft-cavage 2.1.6, ETSI TS 119 182-1 5.2.8.2). */
function ofSigning({ signing = {} }: Partial<Profile>): Check[] {
  const lists = [
    ['signing.headers', signing.headers],
    ['signing.jws.pars', signing.jws?.pars],
  ] as const;
  return lists.map(([setting, names]): Check => {
    const capital = names?.find((name) => name !== name.toLowerCase());
    const why = `${String(capital)} is signed, and named in the signature, as ${String(capital?.toLowerCase())}.`;
    return [setting, capital, true, why];
  });
}

function ofOperations({ spec, headers, limits, auth }: Partial<Profile>): Check[] {
  const gone = Object.entries(spec?.operations ?? {}).filter(([, own]) => own.supported === false);
  return gone.flatMap(([id, own]): Check[] => {
    const why = `It is not used: the bank does not have ${id} (spec.operations.${id}.supported).`;
    const of = (map: object | undefined): unknown => (map === undefined ? undefined : Reflect.get(map, id));
    return [
      [`spec.operations.${id}.path`, own.path, true, why],
      [`spec.operations.${id}.method`, own.method, true, why],
      [`headers.accept.${id}`, of(headers?.accept), true, why],
      [`headers.contentType.${id}`, of(headers?.contentType), true, why],
      [`limits.perOperation.${id}`, of(limits?.perOperation), true, why],
      [`auth.operations.${id}`, of(auth?.operations), true, why],
    ];
  });
}

function ofQueries({ ais = {} }: BankDescriptor): Check[] {
  return Object.entries(ais.params ?? {}).flatMap(([id, { allow, forbid = [], add = {} }]): Check[] => {
    const at = `ais.params.${id}`;
    const both = allow?.find((name) => forbid.includes(name));
    const sent = Object.keys(add).find((name) => forbid.includes(name));
    return [
      [`${at}.forbid`, both, true, `It contradicts allow: ${String(both)} is in both.`],
      [`${at}.add`, sent, true, `It contradicts forbid: ${String(sent)} is in both.`],
      [
        'ais.withBalance',
        ais.withBalance,
        ais.withBalance === true && forbid.includes('withBalance'),
        `It contradicts ${at}.forbid.`,
      ],
    ];
  });
}

/** What describes the test system for people, and changes nothing that obk does. */
function ofPeople({ sandbox = {} }: BankDescriptor): Check[] {
  return Object.entries(sandbox).map(([name, value]): Check => [
    `sandbox.${name}`,
    value,
    true,
    'It is for people: obk itself ignores it, and bank show prints it.',
  ]);
}
