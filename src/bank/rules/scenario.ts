import { ObkError } from '../../base/errors.ts';
import type { Database } from '../books/database.ts';
import { ledgerDoors } from '../books/ledger-doors.ts';
import { lifeCycles } from '../books/life-cycle.ts';
import type { LifeCycle } from '../books/life-cycle.ts';
import { counted, isOpenValue } from './open-values.ts';
import { policy } from './policy.ts';
import type { Switch } from './policy.ts';

/** Every switch with what its values mean. */
export const switches = {
  ...policy,
  requestId: {
    about: 'A POST with an X-Request-ID that was answered 201 before',
    values: {
      none: 'is a new request',
      replay: 'gets the same answer again; FORMAT_ERROR with another body',
      'reject-duplicate': 'is FORMAT_ERROR',
    },
  },
  lifeCycle: {
    about: 'An authorised payment is',
    values: {
      'by-person': 'as the PSU and the product have it (instant ones: instant)',
      ...(Object.fromEntries(Object.entries(lifeCycles).map(([name, { about }]) => [name, about])) as {
        [Name in LifeCycle]: string;
      }),
    },
  },
  bulk: {
    about: 'Of a bulk payment',
    values: { whole: 'every entry is booked', partial: 'the last entry is rejected: PART' },
  },
  otherFields: {
    about: 'Fields that are outside a core product (such as requestedExecutionDate or purposeCode)',
    values: { accept: 'are taken', reject: 'are FORMAT_ERROR' },
  },
  conditionalFields: {
    about: 'Fields that a bank may demand (cross-border: creditorAgent, creditorAddress, chargeBearer)',
    values: { optional: 'may be left out', required: 'must be there' },
  },
  statusFormat: {
    about: 'The status of a pain.001 payment comes as',
    values: { 'by-accept': 'Accept says', json: 'JSON always', xml: 'pain.002 always' },
  },
  fees: {
    about: 'What a payment costs (1.50 EUR; told, never booked)',
    values: {
      'by-person': 'is told as the PSU has it (fees)',
      none: 'is nothing, and not told',
      'at-initiation': 'is told with the answer to the payment',
      'with-method':
        'is told with the answers to the PSU; v1, or without a choice of methods: with the answer to the payment',
      'with-exchange':
        'is told in both, with 0.40 EUR for the exchange of currencies in it; v1: without that',
    },
  },
  cancellationRefusal: {
    about: 'CANCELLATION_INVALID comes with',
    values: { 'http-405': 'HTTP status 405', 'http-400': 'HTTP status 400' },
  },
  afterCancellation: {
    about: 'A cancelled payment',
    values: {
      status: 'has the status CANC',
      'http-404': 'is gone: 404 RESOURCE_UNKNOWN',
      'http-403': 'is gone: 403 RESOURCE_EXPIRED',
    },
  },
  oauthToken: {
    about: 'After an OAuth authorisation the calls on its payment',
    values: { optional: 'may carry the token', required: 'must carry the token' },
  },
  oauthPreStep: {
    about: 'A login of the PSU before any call (OAuth pre-step)',
    values: {
      optional: 'may be made; its token then stands for the first factor',
      required: 'must be made: TOKEN_UNKNOWN and a link scaOAuth without its token',
    },
  },
  hrefs: {
    about: 'Links to the interface are',
    values: {
      relative: 'paths: /v1/payments/...',
      absolute: 'whole addresses: http://127.0.0.1:PORT/v1/payments/...',
      'without-slash': 'paths without a slash in front: v1/payments/...',
      'without-product': 'paths without the product, as in the official samples; such paths lead nowhere',
      foreign: 'addresses of a host that nobody knows',
    },
  },
  links: {
    about: 'The names of links are',
    values: {
      standard: 'those of the guidelines',
      service: 'spelled as the service has them: ...PsuIdentfication, ...AuthentciationMethodSelection',
      misspelt: 'misspelt as the service, the official files and the guidelines have them somewhere',
      unknown: 'those of the guidelines, and one that nobody knows',
      'no-sca-status': 'without scaStatus',
      none: 'not there: no _links',
    },
  },
  statuses: {
    about: 'Statuses that are not final are',
    values: {
      standard: 'those of the guidelines',
      unknown: 'codes that nobody knows (ACXX, somewhereBetween, underReview)',
    },
  },
  errors: {
    about: 'An error is told',
    values: {
      'tpp-messages': 'as tppMessages in application/json',
      problem: 'as a problem of RFC 7807 in application/problem+json',
    },
  },
  combinedService: {
    about: 'A consent with combinedServiceIndicator true',
    values: { accept: 'is taken', reject: 'is refused: SESSIONS_NOT_SUPPORTED' },
  },
  pageNumbers: {
    about: 'pageIndex and itemsPerPage (adorsys dialect, v136)',
    values: { reject: 'are PARAMETER_NOT_SUPPORTED', accept: 'are taken' },
  },
  deltas: {
    about: 'deltaList and entryReferenceFrom',
    values: { accept: 'are taken', reject: 'are PARAMETER_NOT_SUPPORTED' },
  },
  history: {
    about: 'Transactions can be read',
    values: { whole: 'as far back as there are any', '90-days': 'for 90 days back; else PERIOD_INVALID' },
  },
  listBalances: {
    about: 'A list of transactions has balances',
    values: { 'on-request': 'with withBalance=true', always: 'always' },
  },
  report: {
    about: 'A list of transactions comes',
    values: { inline: 'in the answer', download: 'through a link: the answer has _links.download alone' },
  },
  rateLimit: {
    about: 'Calls of a TPP to one operation are answered',
    values: {
      'per-minute': '100 times in a minute, then with 429 and Retry-After',
      'per-6-seconds': '100 times in six seconds, then with 429 and Retry-After',
      off: 'as often as they come',
    },
    open: counted(
      'N-per-minute',
      [1, 999_999],
      (count) => `${String(count)} times in a minute, then with 429 and Retry-After`,
    ),
  },
  surface: {
    about: 'The bank offers',
    values: {
      service: 'what the service has',
      framework: 'signing baskets and all of card accounts as well, and confirmations of funds in v136, too',
    },
  },
  signature: {
    about: 'A signature (Digest, Signature, TPP-Signature-Certificate)',
    values: {
      required: 'must be there',
      optional:
        'may be left out by who shows a client certificate (if that is off: by all); else must be right',
      strict: 'must be there to the letter: QSealC in bare base64, ECDSA in DER, SHA- in capitals',
      off: 'is not looked at',
    },
  },
  signatureProfile: {
    about: 'A signature is as',
    values: {
      guidelines: 'the guidelines want it',
      adorsys: 'servers of adorsys want it: Date signed, PEM in one line, keyId as with exact',
      wso2: 'servers of WSO2 want it: Digest of {} without a body, blanks in keyId, Date at payments',
    },
  },
  keyId: {
    about: 'The keyId of a signature',
    values: {
      parsed: 'names serial and issuer in any spelling',
      exact: 'is SN=lower-case hex,CA=RFC 2253 with %20 for blanks',
    },
  },
  dateHeader: {
    about: 'The header Date',
    values: {
      ignored: 'is ignored, and may not be signed',
      required: 'must be there and signed, as before the errata of 1.3, at most 5 minutes off',
    },
  },
  tokenLifetime: {
    about: 'An access token is good for',
    values: { '1-hour': 'an hour', '1-minute': 'a minute' },
  },
  clientCertificate: {
    about: 'A client certificate (QWAC) on https',
    values: {
      requested: 'may be shown; a QSealC in its place is CERTIFICATE_INVALID',
      required: 'must be shown: CERTIFICATE_MISSING without one, and on http always',
      off: 'is not looked at',
    },
  },
  notifications: {
    about: 'A TPP-Notification-URI with a new payment, consent or basket',
    values: {
      offered: 'is answered ASPSP-Notification-Support: true where the bank may push there, else false',
      declined: 'is answered ASPSP-Notification-Support: false',
      none: 'is ignored: the bank pushes nothing',
    },
  },
  findings: {
    about: 'A call that the referee finds a mistake in (obk sandbox log --findings)',
    values: {
      kept: 'is answered all the same',
      refused: 'is refused with the code of the first error',
    },
  },
} satisfies Readonly<Record<string, Switch>>;

type Switches = typeof switches;

/** How the bank differs from its standard, within what real banks do: of each switch one of its values, or a text of its own form. */
export type Scenario = {
  [Name in keyof Switches]: Switches[Name] extends { open: object } ? string : keyof Switches[Name]['values'];
};

const names = Object.keys(switches) as (keyof Scenario)[];
export const standardScenario = Object.fromEntries(
  names.map((name) => [name, Object.keys(switches[name].values)[0]]),
) as unknown as Scenario;

/** The switches of this ledger that somebody has set. */
export function chosenSwitches(database: Database): Readonly<Record<string, string>> {
  const rows = database.all<{ key: string; value: string }>('SELECT key, value FROM scenario ORDER BY key');
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** The scenario of this ledger. */
export function scenarioOf(database: Database): Scenario {
  return database.madeOf('scenario', () => {
    // A door that was set at the start of the bank goes before the switch.
    const { pinned } = ledgerDoors(database);
    return { ...standardScenario, ...chosenSwitches(database), ...pinned };
  });
}

/** Whether a call need not show who makes it, neither by a signature nor by a certificate. */
export function mayBeAnyone({
  signature,
  clientCertificate,
}: Pick<Scenario, 'signature' | 'clientCertificate'>): boolean {
  if (clientCertificate === 'required') return false;
  return signature === 'off' || (signature === 'optional' && clientCertificate === 'off');
}

/** Changes the members that are given; throws USAGE for one that is not there, and for a value that it has not. */
export function setScenario(database: Database, scenario: Readonly<Record<string, string>>): void {
  database.atomically(() => {
    for (const [key, value] of Object.entries(scenario)) {
      checkSwitch(key, value);
      database.run('INSERT OR REPLACE INTO scenario (key, value) VALUES (?, ?)', key, value);
    }
  });
}

/** The values of a switch with what they mean; the current one is among them if it has a number or a list in it. */
export function meanings({ values, open }: Switch, current: string): Readonly<Record<string, string>> {
  if (open === undefined || Object.hasOwn(values, current)) return values;
  return { ...values, [current]: open.meaning(current) };
}

/** Throws USAGE for a switch that a door holds, which was set when the bank started. */
export function needUnpinned(database: Database, scenario: Readonly<Record<string, string>>): void {
  const { pinned } = ledgerDoors(database);
  const held = Object.keys(scenario).find((name) => Object.hasOwn(pinned, name));
  if (held === undefined) return;
  throw new ObkError({
    code: 'USAGE',
    title: `The switch ${held} is ${pinned[held] ?? ''} for as long as this bank runs.`,
    detail:
      'It was set when the bank started; a bank that starts without that setting leaves it to the scenario.',
  });
}

/** Whether a switch takes this value, one of its fixed ones or one of its form. */
export function takes({ values, open }: Switch, value: string): boolean {
  return Object.hasOwn(values, value) || isOpenValue(open, value);
}

/** What a switch takes, in words. */
export function takenBy({ values, open }: Switch): string {
  return [...Object.keys(values), ...(open === undefined ? [] : [open.takes])].join(', ');
}

/** The switch of this name. */
export function switchOf(name: string): Switch | undefined {
  return Object.hasOwn(switches, name) ? switches[name as keyof Scenario] : undefined;
}

function checkSwitch(key: string, value: string): void {
  const known = switchOf(key);
  if (known === undefined) {
    const detail = `The switches are ${names.join(', ')}.`;
    throw new ObkError({ code: 'USAGE', title: `The bank inside has no switch ${key}.`, detail });
  }
  if (takes(known, value)) return;
  const detail = `It takes ${takenBy(known)}.`;
  throw new ObkError({ code: 'USAGE', title: `The switch ${key} does not take ${value}.`, detail });
}
