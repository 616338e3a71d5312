import { severalPsus } from './several-psus.ts';

severalPsus('v1');
