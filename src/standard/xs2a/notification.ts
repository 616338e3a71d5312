/** The Resource Status Notification Service (lean push): what a bank tells a TPP by itself, as facts. */

/** The kinds of changes a TPP may ask for: of an authorisation, of the resource, or only the last one of the resource. Source: guide 1.0, 5.1. */
export type NotificationContent = 'SCA' | 'PROCESS' | 'LAST';

/** The body of a push. Source: guide 1.0, 6.1.1; lean push 1.0.0, `pushNotification`. */
export interface NotificationBody {
  paymentId?: string;
  consentId?: string;
  basketId?: string;
  /** The authorisation whose scaStatus is told. */
  authorisationId?: string;
  /** The authorisation of a cancellation whose scaStatus is told. */
  cancellationId?: string;
  transactionStatus?: string;
  consentStatus?: string;
  scaStatus?: string;
  /** Where a status is read that the push does not tell. */
  _links?: { status?: { href: string }; scaStatus?: { href: string } };
}

/** Returns the kinds of changes in the value of a header such as `status=SCA, LAST`; empty where it names none. */
export function notificationContents(value: string | null): readonly NotificationContent[] {
  const names = /^status=(.*)$/.exec(value ?? '')?.[1]?.split(',') ?? [];
  return contents.filter((content) => names.some((name) => name.trim() === content));
}

const contents = ['SCA', 'PROCESS', 'LAST'] as const satisfies readonly NotificationContent[];

/** The statuses that a push may tell; any other is told by a link. Source: lean push 1.0.0, the three enums. */
export const toldStatuses = {
  transactionStatus: [
    'ACCC',
    'ACCP',
    'ACSC',
    'ACSP',
    'ACTC',
    'ACWC',
    'ACWP',
    'RCVD',
    'PDNG',
    'RJCT',
    'CANC',
    'ACFC',
    'PATC',
    'PART',
  ],
  consentStatus: ['received', 'rejected', 'valid', 'revokedByPsu', 'expired', 'terminatedByTpp'],
  scaStatus: [
    'received',
    'psuIdentified',
    'psuAuthenticated',
    'scaMethodSelected',
    'started',
    'finalised',
    'failed',
    'exempted',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
