import { describe, expect, it } from 'vitest';
import { forward } from '../../../../src/client/notifications/forward.ts';
import { world } from '../../../helpers/world.ts';

const url = 'http://127.0.0.1:3000/notifications';
const received = {
  requestId: '2f77a125-aa7a-45c0-b414-cea25a116035',
  body: Buffer.from('{"paymentId":"pay-1"}'),
  certificate: undefined,
  answer: () => undefined,
};

describe('a forwarded notification', () => {
  it('is sent as it came, once, also where the answer leads elsewhere', async () => {
    const there = await world();
    there.http.expect('POST', '/notifications', { status: 307, headers: [['Location', '/elsewhere']] });
    const { signal } = new AbortController();
    expect(await forward(there.target.ports, url, received, signal)).toBe(307);
    expect(there.http.requests).toHaveLength(1);
    there.verify();
  });

  it.each([
    { sent: false, reason: 'connect' },
    { sent: true, reason: 'reset' },
    { sent: true, reason: 'timeout' },
  ] as const)('ends nothing where nobody answers ($reason), and this is reported', async (failure) => {
    const there = await world();
    there.http.expectFailure('POST', '/notifications', failure);
    const { signal } = new AbortController();
    expect(await forward(there.target.ports, url, received, signal)).toBe(null);
    expect(JSON.stringify(there.notices)).toContain('was not handed on');
    expect(there.http.requests).toHaveLength(1);
  });

  it('ends with Ctrl-C, which is not blamed on the receiver', async () => {
    const there = await world();
    there.http.expectFailure('POST', '/notifications', { sent: true, reason: 'aborted' });
    const reason = new Error('Ctrl-C');
    await expect(forward(there.target.ports, url, received, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(JSON.stringify(there.notices)).not.toContain('handed on');
  });
});
