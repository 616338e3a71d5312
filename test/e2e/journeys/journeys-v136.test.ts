import { journeys } from './matrix.ts';

journeys('v136', 'built');
