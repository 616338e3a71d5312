/** The kinds of faults that strike a request or its answer. */
const answerFaults = [
  'drop-before',
  'drop-after-commit',
  'status',
  'delay',
  'html',
  'truncate',
  'drip',
  'escape',
  'redirect',
  'edit',
] as const;

/** The kinds of faults that strike a notification of a resource which the operation made. */
const pushFaults = ['push-lost', 'push-twice', 'push-out-of-order', 'push-foreign-certificate'] as const;

/** Every kind of fault that the bank inside has. */
export const faultKinds = [...answerFaults, ...pushFaults] as const;

/** A kind of fault. */
export type FaultKind = (typeof faultKinds)[number];

/** The least and the most of each number of a fault, wherever one is asked for. */
export const faultBounds = { status: [200, 599], delayMs: [0, 600_000], count: [1, 1_000_000] } as const;

/** The kinds to which the details of a fault belong. */
export const detailKinds: Readonly<Record<'status' | 'delayMs' | 'raw' | 'edit', readonly FaultKind[]>> = {
  status: ['status', 'html'],
  delayMs: ['delay', 'drip'],
  raw: ['status'],
  edit: ['edit'],
};
