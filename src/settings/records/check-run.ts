/**
 * How a case of a check ended. `inconclusive`: it was tried, and what came says nothing of the rules; `not tested`: something is
 * missing that it needs; `not applicable`: the bank does not offer it.
 */
export type CaseVerdict = 'pass' | 'fail' | 'waived' | 'not applicable' | 'not tested' | 'inconclusive';

/** One thing that is wrong with a call, and why it is taken, where it is. */
export interface CaseFinding {
  side: 'request' | 'answer';
  rule: string;
  level: 'must' | 'should' | 'may';
  place: string;
  pointer: string;
  what: string;
  why: string;
  source: string;
  waived?: string;
}

/** A call of a case, without secrets. */
export interface CaseCall {
  method: string;
  url: string;
  operation: string;
  status: number | null;
  requestId: string;
  /** The whole exchange; not where the check is kept, since the journal has it. */
  facts?: object;
}

/** A case of the suite as it ended. */
export interface CaseResult {
  case: string;
  about: string;
  area: string;
  operation: string;
  verdict: CaseVerdict;
  why?: string;
  findings: readonly CaseFinding[];
  calls: readonly CaseCall[];
}

/** What became of a waiver of the bank's description. */
export interface WaiverResult {
  rule: string;
  operation?: string;
  pointer?: string;
  /** The only HTTP status of which it is. */
  status?: number;
  reason: string;
  since?: string;
  until?: string;
  issue?: string;
  owner?: string;
  verdict: 'used' | 'obsolete' | 'expired' | 'not tested';
}

/** A check of a bank, whole or as far as it came. */
export interface CheckRun {
  run: string;
  profile: string;
  environment: string;
  framework: string;
  /** ISO 8601, UTC. */
  at: string;
  complete: boolean;
  verdict: 'pass' | 'fail' | 'inconclusive';
  warnings: readonly string[];
  areas: readonly { area: string; verdict: CaseVerdict; findings: number }[];
  cases: readonly CaseResult[];
  waivers: readonly WaiverResult[];
}
