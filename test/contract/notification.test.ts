import { describe, expect, it } from 'vitest';
import { notificationContents, toldStatuses } from '../../src/standard/xs2a/notification.ts';
import { readNotification } from '../../src/standard/xs2a/read-notification.ts';
import { notificationDocument } from '../helpers/official.ts';

const official = notificationDocument();

describe('the facts of notifications', () => {
  it('are three kinds of content, in any order and spacing', () => {
    expect(notificationContents('status=LAST, SCA')).toEqual(['SCA', 'LAST']);
    expect(notificationContents('status=PROCESS')).toEqual(['PROCESS']);
    for (const none of [null, '', 'SCA', 'status=', 'status=all'])
      expect(notificationContents(none)).toEqual([]);
  });

  it('have 14, 6 and 8 statuses', () => {
    expect(Object.values(toldStatuses).map(({ length }) => length)).toEqual([14, 6, 8]);
  });

  it.skipIf(official === undefined)('are those of the official file (lean-push-1.0.yaml)', () => {
    const { schemas } = official!.components;
    for (const [name, statuses] of Object.entries(toldStatuses))
      expect([...statuses].sort(), name).toEqual([...(schemas[name] as { enum: string[] }).enum].sort());
    const members = Object.keys((schemas['pushNotification'] as { properties: object }).properties);
    expect(members.sort()).toEqual(
      [
        ...['paymentId', 'consentId', 'basketId', 'authorisationId', 'cancellationId'],
        ...Object.keys(toldStatuses),
        '_links',
      ].sort(),
    );
    // Each id of the file is read by its name there.
    for (const [member, noun] of [
      ['paymentId', 'payment'],
      ['consentId', 'consent'],
      ['basketId', 'basket'],
    ] as const)
      expect(readNotification(Buffer.from(JSON.stringify({ [member]: 'one' })))).toEqual({ noun, id: 'one' });
  });

  it.skipIf(official === undefined)('are answered as the official file permits (lean-push-1.0.yaml)', () => {
    const [path] = Object.values(official!.paths);
    const permitted = Object.keys(path?.['post']?.responses ?? {}).map(Number);
    expect(permitted).toEqual([200, 400, 401, 403, 404, 405, 408, 415, 500, 503]);
  });
});
