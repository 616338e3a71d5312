import type { SavedResource } from '../ports.ts';
import type { Answer } from '../xs2a/answer.ts';
import { isFinalConsent, isUsableConsent } from '../xs2a/codes.ts';
import { readParentStatus } from './parent-status.ts';
import { readConsent } from './read-consent.ts';
import { parentOf, saveStatus } from './saved-resource.ts';
import type { Target } from './target.ts';

/** A consentStatus as it was read. */
export interface ConsentReading {
  answer: Answer;
  resource: SavedResource;
}

/** Reads the status of a consent and saves it; one that has just become valid is read whole, for what the bank made of it. */
export async function readConsentState(target: Target, consent: SavedResource): Promise<ConsentReading> {
  const { answer, status } = await readParentStatus(target, parentOf(consent));
  const news = isUsableConsent(status ?? '') && status !== consent.status;
  const resource = news
    ? (await readConsent(target, consent)).resource
    : await saveStatus(target, consent, status);
  return { answer, resource };
}

/** Reads the status again and again; tells whether what was waited for came, or can no longer come. */
export async function watchConsent(
  target: Target,
  consent: SavedResource,
  how: { until?: string; intervalMs: number; timeoutMs: number; seen: (reading: ConsentReading) => void },
): Promise<ConsentReading & { end: 'reached' | 'missed' | 'timeout' }> {
  const { clock } = target.ports;
  const deadline = clock.monotonic() + how.timeoutMs;
  for (let last = consent; ;) {
    const reading = await readConsentState(target, last);
    last = reading.resource;
    how.seen(reading);
    const status = last.status ?? '';
    if (how.until === undefined ? isFinalConsent(status) || isUsableConsent(status) : status === how.until)
      return { ...reading, end: 'reached' };
    if (isFinalConsent(status)) return { ...reading, end: 'missed' };
    const left = deadline - clock.monotonic();
    if (left <= 0) return { ...reading, end: 'timeout' };
    await clock.sleep(Math.min(how.intervalMs, left), target.run.signal);
  }
}
