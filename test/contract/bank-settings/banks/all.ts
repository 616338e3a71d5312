import type { Oddity } from '../../../helpers/bank-settings.ts';
import { addresses } from './addresses.ts';
import { answers } from './answers.ts';
import { calls } from './calls.ts';
import { documented } from './documented.ts';
import { journeys } from './journeys.ts';
import { login } from './login.ts';
import { loginPages } from './login-pages.ts';
import { orders } from './orders.ts';
import { pain } from './pain.ts';
import { places } from './places.ts';
import { resources } from './resources.ts';
import { shapes } from './shapes.ts';
import { signing } from './signing.ts';
import { signedTokens } from './signed-tokens.ts';
import { tokens } from './tokens.ts';
import { transport } from './transport.ts';
import { waiting } from './waiting.ts';

/** The banks of one oddity each, by what is odd. */
export const oddBanks: Readonly<Record<string, readonly Oddity[]>> = {
  'writes answers otherwise': answers,
  'wants calls otherwise': calls,
  'leads journeys otherwise': journeys,
  'wants tokens otherwise': login,
  'names its clients and scopes otherwise': tokens,
  'wants pain.001 otherwise': pain,
  'has its services and parts elsewhere': places,
  'has payments, consents and account data of its own': resources,
  'gives answers another shape': shapes,
  'wants signatures otherwise': signing,
  'has another address or framework': addresses,
  'leads logins otherwise': loginPages,
  'wants to be asked seldom': waiting,
  'has orders and reports of its own': orders,
  'gives tokens for signed requests': signedTokens,
  'has a TLS of its own': transport,
  'is as public documentation describes it': documented,
};
