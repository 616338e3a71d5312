import type { RefereeFinding } from '../../referee/finding.ts';

/** The marks that obk, gateways and support staff put where a log may not show a value. */
const mark = /…|\*{3,}|[[<(]?\b(?:secret|redacted|masked|removed|hidden)\b[\])>]|^(?:redacted|masked)$/i;

/** Whether parts of a captured body were masked, so that it cannot be hashed. */
export const isMaskedBody = (body: Uint8Array): boolean => mark.test(Buffer.from(body).toString('utf8'));

/**
 * The findings that hold although values of the request or the answer were masked: nothing is known of those values, nor of the digest of
 * the body that they stood in. `notTested` names what was left out.
 */
export function withoutMasked<One extends Pick<RefereeFinding, 'pointer'> & { rule: string; place: string }>(
  captured: { headers: readonly (readonly [string, string])[]; body: Uint8Array },
  findings: readonly One[],
): { findings: readonly One[]; notTested: readonly string[] } {
  const text = Buffer.from(captured.body).toString('utf8');
  const isBodyMasked = isMaskedBody(captured.body);
  const left = findings.filter(({ rule, place, pointer }) => {
    if (rule === 'digest-wrong') return !isBodyMasked;
    if (place === 'body') return !isBodyMasked || !mark.test(valueAt(text, pointer));
    if (place !== 'header') return true;
    return !captured.headers.some(
      ([name, value]) => name.toLowerCase() === pointer.toLowerCase() && mark.test(value),
    );
  });
  return {
    findings: left,
    notTested:
      left.length === findings.length
        ? []
        : [isBodyMasked ? 'the digest, and the values that are masked' : 'the values that are masked'],
  };
}

/** The text at a JSON pointer; the whole body where it is no JSON or has nothing there. */
function valueAt(text: string, pointer: string): string {
  try {
    let value: unknown = JSON.parse(text);
    for (const step of pointer.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      value = (value as Record<string, unknown> | undefined)?.[name];
    }
    return typeof value === 'string' ? value : '';
  } catch {
    return text;
  }
}
