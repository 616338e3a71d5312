import { describe, expect, it } from 'vitest';
import { readNotification } from '../../../../src/standard/xs2a/read-notification.ts';

const read = (text: string) => readNotification(Buffer.from(text));

describe('the body of a notification', () => {
  it.each([
    [
      '{"paymentId":"p1","transactionStatus":"ACSC"}',
      { noun: 'payment', id: 'p1', transactionStatus: 'ACSC' },
    ],
    [
      '{"payment-ID":"p1","transactionStatus":"ACSC"}',
      { noun: 'payment', id: 'p1', transactionStatus: 'ACSC' },
    ],
    ['{"consentId":"c1","consentStatus":"valid"}', { noun: 'consent', id: 'c1', consentStatus: 'valid' }],
    ['{"basketId":"b1"}', { noun: 'basket', id: 'b1' }],
    [
      '{"paymentId":"p1","authorisationId":"a1","scaStatus":"started"}',
      { noun: 'payment', id: 'p1', authorisationId: 'a1', scaStatus: 'started' },
    ],
    [
      '{"paymentId":"p1","cancellationId":"a2","scaStatus":"failed"}',
      { noun: 'payment', id: 'p1', authorisationId: 'a2', cancels: true, scaStatus: 'failed' },
    ],
    [
      '{"consentId":"c1","_links":{"status":{"href":"https://evil.example/"}}}',
      { noun: 'consent', id: 'c1' },
    ],
    ['{"paymentId":"p1","transactionStatus":"\\u001b[2J"}', { noun: 'payment', id: 'p1' }],
    ['{"paymentId":"p1","transactionStatus":7}', { noun: 'payment', id: 'p1' }],
  ])('is read: %s', (text, told) => {
    expect(read(text)).toEqual(told);
  });

  it.each([
    '',
    'garbage',
    '[]',
    'null',
    '7',
    '{}',
    '{"paymentId":7}',
    '{"paymentId":""}',
    '{"paymentId":".."}',
    '{"paymentId":"%2e%2e"}',
    '{"paymentId":"a\\nb"}',
    '{"paymentId":"p1","consentId":"c1"}',
    '{"paymentId":"p1","authorisationId":".."}',
    '{"paymentId":"p1"',
    '['.repeat(5000),
    '\ufffe',
  ])('is not one: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });
});
