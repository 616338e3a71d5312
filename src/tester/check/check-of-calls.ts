import type { CaseResult, CheckRun, WaiverResult } from '../../settings/records/check-run.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import type { CapturedRequest } from '../../client/evidence/captured-request.ts';
import { redactHeaders, redactText, redactUrl } from '../../client/redaction/redact.ts';
import { areaOf, areasOf, kindsOfRules } from './areas.ts';
import type { CheckedExchange } from './exchanges.ts';
import { isOldWaiver } from './waivers.ts';

/** What calls were judged as. */
interface About {
  run: string;
  /** The name of the profile, or of the file. */
  name: string;
  profile: Profile | undefined;
  at: string;
  warnings: readonly string[];
  waivers: readonly WaiverResult[];
}

/** Calls that were made as a check whose cases they are, without any secret, for its reports. */
export function checkOfCalls(
  captures: readonly CapturedRequest[],
  exchanges: readonly CheckedExchange[],
  { run, name, profile, at, warnings, waivers }: About,
): CheckRun {
  const cases = exchanges.map((one, index) => caseOf(one, captures[index]));
  const isBad = cases.some(({ verdict }) => verdict === 'fail') || waivers.some(isOldWaiver);
  const isJudged = cases.some(({ verdict }) => verdict === 'pass' || verdict === 'waived');
  return {
    ...{ run, at, warnings, waivers, cases },
    profile: name,
    environment: profile?.environment ?? '',
    framework: [...new Set(exchanges.map(({ framework }) => framework))].join(', '),
    complete: true,
    verdict: isBad ? 'fail' : isJudged ? 'pass' : 'inconclusive',
    areas: areasOf(cases, kindsOfRules),
  };
}

function caseOf(checked: CheckedExchange, captured: CapturedRequest | undefined): CaseResult {
  const { entry, method, operation, status, findings, notTested, notes } = checked;
  const target = redactUrl(checked.target);
  const open = findings.filter(({ level, waived }) => level !== 'may' && waived === undefined);
  const verdict =
    open.length > 0
      ? 'fail'
      : findings.some(({ waived }) => waived !== undefined)
        ? 'waived'
        : operation === null || status === null
          ? 'not tested'
          : 'pass';
  return {
    case: `${String(entry)} ${method} ${target}`,
    about: notes.join(' '),
    area: operation === null ? 'other calls' : areaOf(operation),
    operation: operation ?? '',
    verdict,
    ...(notTested.length > 0 && { why: `not tested: ${notTested.join('; ')}` }),
    findings,
    calls: captured === undefined ? [] : [callOf(captured, operation ?? '', target)],
  };
}

function callOf({ method, headers, body, answer }: CapturedRequest, operation: string, url: string) {
  const named = (all: readonly (readonly [string, string])[]) =>
    redactHeaders(all).map(([name, value]) => ({ name, value }));
  const text = (bytes: Uint8Array) => redactText(Buffer.from(bytes).toString('utf8'));
  return {
    ...{ method, url, operation },
    requestId: headerOf(headers, 'x-request-id') ?? '',
    status: answer?.status ?? null,
    facts: {
      request: { headers: named(headers), body: text(body) },
      ...(answer && {
        answer: {
          status: answer.status,
          headers: named(answer.headers),
          body: answer.body === undefined ? null : text(answer.body),
        },
      }),
    },
  };
}
