import { afterAll } from 'vitest';
import { isWhole, ranTable } from '../../helpers/trials.ts';
import { severalPsus } from './several-psus.ts';

// By the built program in .ci/run; within this process the journeys are the same.
afterAll(() => {
  ranTable('payments of several PSUs by the built program');
});
severalPsus('v136', isWhole ? 'built' : 'inside');
