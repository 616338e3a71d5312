import { noPush, steerAny } from '../steering/steering.ts';
import { act } from './control-call.ts';
import type { ControlHandler } from './control-call.ts';
import { notThere } from './problem.ts';

/** What was pushed to TPPs. */
export const notifications = {
  async listNotifications(call) {
    const after = Number(call.given['after'] ?? 0);
    return { status: 200, body: { notifications: await act(call, { do: 'pushes', after }) } };
  },
  async resendNotification(call) {
    const { of } = call.body as { of: string };
    const { ledger, wallClock } = call.bank;
    const answer = await steerAny({ ledger, clock: wallClock }, { do: 'resend', of });
    if ('refused' in answer) throw notThere('notification', of, 'notifications', noPush);
    return { status: 201, body: answer.result as object };
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;
