import { TransportFailure } from '../../../src/base/errors.ts';
import type { TransportReason } from '../../../src/base/errors.ts';
import { judgeAnswer, judgeFailure } from '../../../src/client/exchange/judge.ts';
import type { Judged } from '../../../src/client/exchange/judge.ts';
import { operation } from '../../../src/standard/xs2a/operations.ts';
import type { OperationId } from '../../../src/standard/xs2a/operations.ts';
import { presets } from '../../../src/standard/xs2a/variants.ts';
import type { Verdict } from '../../../src/client/exchange/verdict.ts';
import type { Header } from '../../../src/settings/records/wire.ts';

export const post = 'initiatePayment';
export const start = 'startPaymentAuthorisation';
export const put = 'updatePaymentPsuData';
export const remove = 'cancelPayment';
export const get = 'getPaymentInitiationStatus';

export function asked(id: OperationId): Judged {
  const op = operation(id);
  return {
    operation: op,
    path: '/v1/x',
    requestId: '11111111-1111-4111-8111-111111111111',
    write: op.method !== 'GET',
    intent: 'f'.repeat(64),
    resource: { paymentId: 'pay-1' },
  };
}

export function judge(
  id: OperationId,
  status: number,
  body: unknown = '',
  headers: readonly Header[] = [],
): Verdict {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type: Header[] =
    text.startsWith('{') || text.startsWith('[') ? [['Content-Type', 'application/json']] : [];
  return judgeAnswer(
    asked(id),
    { status, headers: [...type, ...headers], body: Buffer.from(text) },
    presets.v1,
  );
}

export const location: Header = ['Location', '/v1/payments/p/42'];

export function lost(
  id: OperationId,
  reason: TransportReason,
  {
    sent = true,
    status = 0,
    headers = [] as readonly Header[],
    hint = [] as string[],
    streams = false,
    made = true,
  } = {},
): Verdict {
  const failure = new TransportFailure({
    ...{ sent, reason, message: 'the line broke' },
    ...(status === 0 ? {} : { partial: { status, headers } }),
    ...(hint.length === 0 ? {} : { hint }),
  });
  const { resource, ...rest } = asked(id);
  return judgeFailure({ ...rest, streams, ...(made ? { resource } : {}) }, failure);
}

export function told(verdict: Verdict): string {
  return verdict.outcome === 'DONE'
    ? 'DONE'
    : `${verdict.outcome} ${verdict.error.exit} ${verdict.error.code}`;
}

export const coded = (code: string, category = 'ERROR') => ({ tppMessages: [{ category, code }] });
export const created = { transactionStatus: 'RCVD', paymentId: 'p', _links: {} };
