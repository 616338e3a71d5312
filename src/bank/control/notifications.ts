import { pushesAfter, queueAgain } from '../notifications/pushes.ts';
import { notThere } from './problem.ts';
import { anyObject, integer, list, named, object, orNull, text, textUpTo } from '../openapi/schema.ts';
import { afterNumber, exampleIds } from '../openapi/operation.ts';
import type { ControlCall, Operations } from './control-call.ts';

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
    run({ books, given }) {
      const after = Number(given['after'] ?? 0);
      return { status: 200, body: { notifications: pushesAfter(books.ledger.log, after) } };
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
    // It is the bank that pushes.
    needsServer: true,
    run({ books, body: { of } }: ControlCall<{ of: string }>) {
      const resent = queueAgain(books.ledger, of);
      if (resent !== undefined) return { status: 201, body: { resent } };
      const why = 'It is unknown, the bank declined the wish for it, or a reset forgot it.';
      throw notThere('notification', of, 'notifications', why);
    },
  },
} as const satisfies Operations;
