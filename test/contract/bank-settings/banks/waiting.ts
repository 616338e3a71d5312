import { pathOf, refused, timeHere } from '../../../helpers/bank-settings.ts';
import type { Oddity } from '../../../helpers/bank-settings.ts';
import type { TypedBank } from '../../../helpers/typed-bank.ts';

const authorisation = '/v1/consents/c-1/authorisations/x';
const wait = ['consent', 'create', '--all-psd2', '--psu-id', 'anna', '--wait', '--timeout', '40s'];
const flags = ['--environment', 'sandbox'];

/** A bank whose PSU agrees after half a minute, and that gives up where it is asked for the status too soon after the last time. */
function impatient(ms: number): TypedBank {
  let [begun, last] = [0, 0];
  return (asked) => {
    const now = timeHere();
    if (asked.method === 'POST') {
      [begun, last] = [now, now];
      const _links = { scaStatus: { href: authorisation } };
      const body = { consentStatus: 'received', consentId: 'c-1', authorisationId: 'x', _links };
      return [201, body, { 'ASPSP-SCA-Approach': 'DECOUPLED' }];
    }
    const isOver = now - begun > 30_000;
    if (pathOf(asked) !== authorisation) return [200, { consentStatus: isOver ? 'valid' : 'received' }];
    const isSoon = now - last < ms;
    last = now;
    return isSoon
      ? refused(400, 'FORMAT_ERROR', 'too soon')
      : [200, { scaStatus: isOver ? 'finalised' : 'started' }];
  };
}

/** Banks that want to be asked seldom. */
export const waiting: readonly Oddity[] = [
  {
    bank: { fresh: () => impatient(9_000) },
    settings: { sca: { poll: { minIntervalMs: 9_000 } } },
    flags,
    run: [wait],
    without: 5,
  },
  {
    bank: { fresh: () => impatient(1_000) },
    settings: { sca: { poll: { maxPerSecond: 1 } } },
    flags,
    run: [wait],
    without: 5,
  },
];
