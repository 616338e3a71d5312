import { severalPsus } from './several-psus.ts';

severalPsus('v1', 'inside');
