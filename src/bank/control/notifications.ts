import { noPush, steerAny } from '../steering/steering.ts';
import { act } from './control-call.ts';
import { notThere } from './problem.ts';
import { anyObject, integer, list, named, object, orNull, text, textUpTo } from '../openapi/schema.ts';
import { afterNumber, exampleIds } from '../openapi/operation.ts';
import type { Operations } from './control-call.ts';

const Notification = named(
  'Notification',
  object({
    number: integer('Counts up with every push.'),
    at: text(),
    resourceId: text('The payment, consent or basket.'),
    uri: text(),
    requestId: text(),
    body: orNull(anyObject('As sent; null where the wish was declined.')),
    status: orNull(integer('Of the answer of the TPP.')),
    failure: orNull(text('Why there was no answer.')),
    fault: orNull(text()),
    resendOf: orNull(integer('The number of the push that this one says again.')),
  }),
);

const Resend = named(
  'Resend',
  object({
    of: textUpTo(
      200,
      'The number of a notification, or the id of the payment, consent or basket whose last one it is.',
    ),
  }),
);

/** What was pushed to TPPs. */
export const notifications = {
  listNotifications: {
    at: 'GET /notifications',
    summary: 'What was pushed to TPPs',
    about: 'Also the wishes for notifications that the bank declined.',
    parameters: [afterNumber],
    gives: {
      status: 200,
      about: 'The notifications, oldest first.',
      schema: object({ notifications: list(Notification) }),
      example: {
        notifications: [
          {
            number: 1,
            at: '2026-11-23T10:00:00.000Z',
            resourceId: exampleIds.payment,
            uri: 'http://127.0.0.1:9000/push',
            requestId: exampleIds.request,
            body: { transactionStatus: 'ACSC' },
            status: 204,
            failure: null,
            fault: null,
            resendOf: null,
          },
        ],
      },
    },
    async run(call) {
      const after = Number(call.given['after'] ?? 0);
      return { status: 200, body: { notifications: await act(call, { do: 'pushes', after }) } };
    },
  },
  resendNotification: {
    at: 'POST /notifications',
    summary: 'Push a notification again',
    about: 'The bank itself pushes each one once.',
    takes: { schema: Resend, example: { of: exampleIds.payment } },
    gives: {
      status: 201,
      about: 'The number of the one that is pushed again.',
      schema: object({ resent: integer() }),
      example: { resent: 1 },
    },
    also: [404],
    async run(call) {
      const { of } = call.body as { of: string };
      const { ledger, wallClock } = call.bank;
      const answer = await steerAny({ ledger, clock: wallClock }, { do: 'resend', of });
      if ('refused' in answer) throw notThere('notification', of, 'notifications', noPush);
      return { status: 201, body: answer.result as object };
    },
  },
} as const satisfies Operations;
