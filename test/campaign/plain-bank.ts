import type { Socket } from 'node:net';
import { rawServer, wire } from '../helpers/raw-server.ts';
import type { Arrival, RawServer } from '../helpers/raw-server.ts';

/** What was asked of the bank. */
export interface Asked {
  method: string;
  path: string;
  /** `POST payment`, `PUT authorisation`: the method, and what the path leads to. */
  what: string;
  head: string;
  body: string;
}

/** What a test does instead of the usual answer; `usual` are the bytes of that. */
export type Surprise = (socket: Socket, usual: Buffer, asked: Asked) => void;

/** A bank typed by hand: one payment, one consent, Embedded with a password and one code; unsigned. */
export interface PlainBank {
  baseUrl: string;
  asked: readonly Asked[];
  /** How often something was asked. */
  count(what: string): number;
  /** The next time that this is asked, something else happens (`always`: each time). */
  surprise(what: string, how: Surprise, always?: boolean): void;
  /** What the status of payment, authorisation and consent is from now on. */
  now: { transactionStatus: string; scaStatus: string; consentStatus: string };
  /** Forgets what was asked, and all surprises; everything is as at the start. */
  afresh(): void;
  close(): Promise<void>;
}

const payment = '/payments/sepa-credit-transfers/p-1';
const places: readonly (readonly [RegExp, string])[] = [
  [/\/authorisations\/[^/]+$/, 'authorisation'],
  [/\/(cancellation-)?authorisations$/, 'authorisations'],
  [/\/status$/, 'status'],
  [/\/payments\/[^/]+$/, 'payments'],
  [/\/payments\/[^/]+\/[^/]+$/, 'payment'],
  [/\/consents$/, 'consents'],
  [/\/consents\/[^/]+$/, 'consent'],
  [/\/token$/, 'token'],
  [/\/transactions/, 'transactions'],
  [/\/balances/, 'balances'],
  [/\/accounts$/, 'accounts'],
];

/** Starts it on a free port of this machine. */
export async function startPlainBank(prefix = '/v1'): Promise<PlainBank> {
  const atStart = { transactionStatus: 'RCVD', scaStatus: 'scaMethodSelected', consentStatus: 'received' };
  const asked: Asked[] = [];
  const surprises = new Map<string, { how: Surprise; always: boolean }>();
  const server: RawServer = await rawServer((socket, arrival) => {
    const one = read(arrival);
    asked.push(one);
    const usual = answer(one);
    const surprise = surprises.get(one.what);
    if (surprise?.always === false) surprises.delete(one.what);
    if (surprise === undefined) socket.write(usual);
    else surprise.how(socket, usual, one);
  });
  const bank: PlainBank = {
    baseUrl: `http://127.0.0.1:${String(server.port)}`,
    asked,
    count: (what) => asked.filter((one) => one.what === what).length,
    surprise: (what, how, always = false) => void surprises.set(what, { how, always }),
    now: { ...atStart },
    afresh() {
      asked.length = 0;
      surprises.clear();
      Object.assign(bank.now, atStart);
    },
    close: () => server.close(),
  };
  return bank;

  function answer({ what, method, path, head }: Asked): Buffer {
    const id = /^x-request-id: (.*)$/im.exec(head)?.[1] ?? '';
    const say = (status: string, body?: object) =>
      wire(status, body === undefined ? '' : JSON.stringify(body), [
        ...(body === undefined ? [] : ['Content-Type: application/json']),
        `X-Request-ID: ${id}`,
      ]);
    const start = (of: string) => ({
      startAuthorisationWithPsuAuthentication: { href: `${prefix}${of}/authorisations` },
      self: { href: `${prefix}${of}` },
      status: { href: `${prefix}${of}/status` },
    });
    const { transactionStatus, scaStatus, consentStatus } = bank.now;
    switch (what) {
      case 'POST payments':
        return say('201 Created', { transactionStatus: 'RCVD', paymentId: 'p-1', _links: start(payment) });
      case 'POST consents':
        return say('201 Created', {
          consentStatus: 'received',
          consentId: 'c-1',
          _links: start('/consents/c-1'),
        });
      case 'POST authorisations':
        return say('201 Created', {
          scaStatus: 'scaMethodSelected',
          authorisationId: 'a-1',
          chosenScaMethod: { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms' },
          challengeData: { otpMaxLength: 6 },
          _links: {
            authoriseTransaction: { href: `${path}/a-1` },
            scaStatus: { href: `${path}/a-1` },
          },
        });
      case 'PUT authorisation':
        Object.assign(bank.now, {
          transactionStatus: 'ACSC',
          scaStatus: 'finalised',
          consentStatus: 'valid',
        });
        return say('200 OK', { scaStatus: 'finalised' });
      case 'GET authorisation':
        return say('200 OK', { scaStatus });
      case 'GET authorisations':
        return say('200 OK', { authorisationIds: ['a-1'] });
      case 'GET status':
        return say('200 OK', path.includes('/consents/') ? { consentStatus } : { transactionStatus });
      case 'DELETE payment':
        bank.now.transactionStatus = 'CANC';
        return say('204 No Content');
      case 'DELETE consent':
        bank.now.consentStatus = 'terminatedByTpp';
        return say('204 No Content');
      case 'GET consent':
        return say('200 OK', {
          access: { accounts: [{ iban: 'DE89370400440532013000' }] },
          ...{ recurringIndicator: true, validUntil: '2099-01-01', frequencyPerDay: 4, consentStatus },
        });
      case 'GET accounts':
        return say('200 OK', {
          accounts: [{ resourceId: 'acc-1', iban: 'DE89370400440532013000', currency: 'EUR' }],
        });
      default:
        return say(method === 'GET' ? '200 OK' : '404 Not Found', {});
    }
  }

  function read({ head, body }: Arrival): Asked {
    const [line = ''] = head.split('\r\n');
    const [method = '', target = ''] = line.split(' ');
    const [path = ''] = target.split('?');
    const place = places.find(([pattern]) => pattern.test(path))?.[1] ?? 'nothing';
    return { method, path, what: `${method} ${place}`, head, body: body.toString() };
  }
}
