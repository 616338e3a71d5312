import type { Prepared } from '../flows/call.ts';
import type { Outcome } from '../outcome.ts';
import { shownRequest } from './observe.ts';

/** The exact signed request in place of its answer; secrets in it are cut out. */
export function dryRunOutcome(prepared: Prepared): Outcome {
  const shown = shownRequest(prepared);
  const { signed } = prepared;
  const data = {
    sent: false,
    operation: prepared.operation.id,
    method: shown.method,
    url: shown.url,
    headers: shown.headers.map(([name, value]) => ({ name, value })),
    body: shown.body,
    requestId: prepared.requestId,
    digest: signed?.digest ?? null,
    signingString: signed?.signingString ?? null,
    keyId: signed?.keyId ?? null,
    algorithm: signed?.algorithm ?? null,
    signature: signed?.signature ?? null,
  };
  return {
    kind: 'data',
    data,
    text: (style) =>
      [
        style.bold(`${shown.method} ${shown.url}`),
        ...shown.headers.map(([name, value]) => `${name}: ${value}`),
        '',
        ...(shown.body === '' ? [] : [shown.body, '']),
        ...(signed === undefined
          ? []
          : ['Signing string:', ...signed.signingString.split('\n').map((line) => `  ${line}`), '']),
        'Dry run: nothing was sent.',
      ].join('\n'),
    name: prepared.requestId,
  };
}
