import { severalPsus } from './several-psus.ts';

severalPsus('v136', 'built');
