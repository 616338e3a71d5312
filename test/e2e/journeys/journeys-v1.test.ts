import { journeys } from './matrix.ts';

journeys('v1', 'inside');
