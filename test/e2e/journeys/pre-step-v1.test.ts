import { preStepJourneys } from './pre-step.ts';

preStepJourneys('v1');
