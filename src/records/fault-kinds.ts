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
] as const;

/** The kinds of faults that strike a notification of a resource which the operation made. */
const pushFaults = ['push-lost', 'push-twice', 'push-out-of-order', 'push-foreign-certificate'] as const;

/** Every kind of fault that the bank inside has. */
export const faultKinds = [...answerFaults, ...pushFaults] as const;

/** A kind of fault. */
export type FaultKind = (typeof faultKinds)[number];
