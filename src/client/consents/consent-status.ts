import type { SavedResource } from '../../settings/records/resources.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isFinalConsent, isUsableConsent } from '../../standard/xs2a/codes.ts';
import { readParentStatus } from '../resources/parent-status.ts';
import { readConsent } from '../resources/read-consent.ts';
import { parentOf, saveStatus } from '../resources/saved-resource.ts';
import type { Target } from '../exchange/target.ts';
import { watch } from '../resources/watch.ts';
import type { Pace, WatchEnd } from '../resources/watch.ts';

/** A consentStatus as it was read. */
export interface ConsentReading {
  answer: Answer;
  resource: SavedResource;
}

/** Reads the status of a consent and saves it; one that was not read whole since it is valid is, for what the bank made of it. */
export async function readConsentState(target: Target, consent: SavedResource): Promise<ConsentReading> {
  const { answer, status } = await readParentStatus(target, parentOf(consent));
  const news =
    isUsableConsent(status ?? '') && (status !== consent.status || consent.usableSince === undefined);
  const resource = news
    ? (await readConsent(target, consent)).resource
    : await saveStatus(target, consent, status);
  return { answer, resource };
}

/** Reads the status again and again; tells whether what was waited for came, or can no longer come. */
export function watchConsent(
  target: Target,
  consent: SavedResource,
  { until, ...pace }: Pace & { until?: string },
): AsyncGenerator<ConsentReading, { end: WatchEnd; last: ConsentReading }> {
  let last = consent;
  const read = async () => {
    const reading = await readConsentState(target, last);
    last = reading.resource;
    return reading;
  };
  const judge = ({ resource: { status = '' } }: ConsentReading) => {
    const over = isFinalConsent(status);
    if (until === undefined ? over || isUsableConsent(status) : status === until) return 'reached';
    return over ? 'missed' : undefined;
  };
  return watch(target, { id: consent.id, read, judge }, pace);
}
