import { defined } from '../../base/defined.ts';
import { isDeepStrictEqual } from 'node:util';
import {
  balanceAccessForm,
  spelledBalanceAccess,
  splitBalanceAccess,
} from '../../standard/xs2a/balance-access.ts';
import { nextId } from '../books/made.ts';
import { checkIsoDate } from '../../standard/xs2a/check.ts';
import { consentStatus, isKnown } from '../../standard/xs2a/codes.ts';
import { JsonNumber, isJsonObject, wholeNumber } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { absence, wireNames } from '../../standard/xs2a/variants.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Links } from '../../standard/xs2a/wire.ts';
import type { AccountAccess } from '../../standard/xs2a/wire-accounts.ts';
import { accountsIn, isBankOffered, knowsOwners, readAccess, referencesOf } from '../stores/access.ts';
import { failOthers } from '../sca/authorisation-store.ts';
import type { Call, Handler, Reply, RunningBank } from '../trust/call.ts';
import { findConsent, insertConsent, setConsent, setDeleting } from '../stores/consent-store.ts';
import type { Consent } from '../stores/consent-store.ts';
import { isoDay } from '../books/life-cycle.ts';
import { approachFor, checkRedirectScheme, notOffered, startOrOffer } from './start-authorisation.ts';
import { authorisersOf, consentParent } from '../sca/authorised-things.ts';
import { checkToken, personOfCall, preferenceOf, unnamedPsu } from './permits.ts';
import { psuOf } from '../rules/psu.ts';
import { takeWish } from '../notifications/wishes.ts';
import { numberIn } from '../rules/open-values.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import { asLinks, pathOf } from '../sca/sca-reply.ts';
import type { Scenario } from '../rules/scenario.ts';
import { seenAccounts } from '../stores/seen-accounts.ts';
import { doDueWork } from '../sca/timers.ts';

const waitMs = 24 * 3_600_000;
const dayMs = 86_400_000;

/** POST consents. */
export const createConsent: Handler = (bank, call) => {
  const { main } = bank.ledger;
  doDueWork(main, call.now);
  checkRedirectScheme(call);
  const named = personOfCall(bank, call);
  const consent: Consent = {
    ...readTerms(call, call.json as JsonValue),
    consentId: nextId(main, 'consent'),
    tpp: call.tpp,
    access: readAccess(main, call.variant.framework, call.json as JsonValue),
    status: 'received',
    psuId: named?.psuId,
    redirectUri: call.headers.get('tpp-redirect-uri') ?? undefined,
    nokRedirectUri: call.headers.get('tpp-nok-redirect-uri') ?? undefined,
    redirectPreferred: preferenceOf(call, 'redirect'),
    decoupledPreferred: preferenceOf(call, 'decoupled'),
    explicitPreferred: preferenceOf(call, 'explicit'),
    lastActionDate: isoDay(call.now),
  };
  checkOwners(bank, consent);
  const person = named ?? unnamedPsu(bank, call, consentParent(main, consent).owner);
  consent.psuId = person?.psuId;
  insertConsent(main, consent, new Date(call.now.getTime() + waitMs).toISOString());
  const parent = consentParent(main, consent);
  const notifying = takeWish(bank, call, parent);
  if (isBankOffered(consent.access) && approachFor(call, parent, person) === 'EMBEDDED') throw notOffered();
  const { data, hrefs, headers } = startOrOffer(bank, call, parent);
  const self = pathOf(call.variant, parent);
  const { psuMessage, ...others } = data;
  return {
    status: 201,
    headers: { Location: self, ...headers, ...notifying },
    body: {
      consentStatus: findConsent(main, consent.consentId)?.status ?? consent.status,
      consentId: consent.consentId,
      ...others,
      ...defined({ [wireNames[call.variant.framework].consentMessage]: psuMessage }),
      _links: asLinks({ ...hrefs, self, status: `${self}/status` }),
    },
  };
};

type Terms = Pick<Consent, 'recurring' | 'frequencyPerDay' | 'validUntil' | 'combined'>;

function readTerms({ now, scenario }: Call, body: JsonValue): Terms {
  const fields: JsonObject = isJsonObject(body) ? body : {};
  const recurring = readFlag(fields, 'recurringIndicator');
  const combined = readFlag(fields, 'combinedServiceIndicator');
  if (combined && scenario.combinedService === 'reject')
    throw new Refusal(400, 'SESSIONS_NOT_SUPPORTED', 'The bank does not support combined sessions.', {
      path: 'combinedServiceIndicator',
    });
  const often = fields['frequencyPerDay'];
  const times = often instanceof JsonNumber ? wholeNumber(often) : undefined;
  if (times === undefined || times < 1)
    throw formatError('frequencyPerDay is not a whole number of at least 1.', 'frequencyPerDay');
  if (!recurring && times > 1 && scenario.oneOff === 'reject')
    throw formatError('A consent for one use must have the frequencyPerDay 1.', 'frequencyPerDay');
  const { validUntil } = fields;
  if (typeof validUntil !== 'string' || !checkIsoDate(validUntil).ok)
    throw formatError('validUntil is not an ISO date.', 'validUntil');
  if (validUntil < isoDay(now)) throw formatError('validUntil has passed.', 'validUntil');
  return {
    recurring,
    combined,
    frequencyPerDay: recurring ? lowered(times, scenario.frequencyPerDay) : 1,
    validUntil: shortened(validUntil, scenario.validUntil, now),
  };
}

function readFlag(fields: JsonObject, name: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') throw formatError(`${name} is neither true nor false.`, name);
  return value;
}

/** The reads per day without the PSU: four unless the bank agrees to more (RTS Art. 36). */
function lowered(asked: number, rule: Scenario['frequencyPerDay']): number {
  return rule === 'as-asked' ? Math.min(asked, Number.MAX_SAFE_INTEGER) : Math.min(asked, numberIn(rule));
}

/** SCA was valid for 90 days (RTS Art. 10), and is valid for 180 since July 2023. */
function shortened(asked: string, rule: Scenario['validUntil'], now: Date): string {
  if (rule === 'as-asked') return asked;
  const last = isoDay(new Date(now.getTime() + numberIn(rule) * dayMs));
  return asked < last ? asked : last;
}

/** Throws unless all accounts belong to one PSU, and to the PSU whom the TPP named. */
function checkOwners({ ledger: { main } }: RunningBank, { access, psuId }: Consent): void {
  const owners = new Set(
    accountsIn(main, referencesOf(access), psuId).flatMap((account) => account.psuId ?? []),
  );
  const [all, ...others] = [...owners].map((owner) => authorisersOf(psuOf(main, owner)));
  if (others.some((other) => !isDeepStrictEqual(other, all)))
    throw formatError('The accounts belong to different PSUs.', 'access');
  if (psuId !== undefined && all?.includes(psuId) === false)
    throw formatError('The accounts belong to another PSU.', 'access');
}

/** The consent of the path, if this TPP made it; throws CONSENT_UNKNOWN. */
export function requireConsent(bank: RunningBank, call: Call): Consent {
  const { main } = bank.ledger;
  doDueWork(main, call.now);
  const consent = findConsent(main, call.params.consentId ?? '');
  if (consent?.tpp !== call.tpp)
    throw new Refusal(403, 'CONSENT_UNKNOWN', 'There is no such consent of this TPP.');
  checkToken(bank, call, consentParent(main, consent));
  return consent;
}

/** The status in the framework of the call: partiallyAuthorised came later than the others. */
function statusIn({ framework }: Variant, { status }: Consent): string {
  return isKnown(framework, consentStatus(status)) ? status : 'received';
}

/** `access` as the framework spells it. */
function accessIn({ framework }: Variant, access: AccountAccess): object {
  const { withBalances, rest } = splitBalanceAccess(access);
  const { additionalInformation, restrictedTo, ...others } = rest;
  const kinds = hasMember(framework, 'access of a consent', 'restrictedTo') ? restrictedTo : undefined;
  const form = balanceAccessForm(framework);
  return {
    ...others,
    ...(withBalances !== undefined && spelledBalanceAccess(form, withBalances)),
    ...(additionalInformation && knowsOwners(framework) && { additionalInformation }),
    ...(kinds && { restrictedTo: kinds }),
  };
}

/** GET consent. */
export const getConsent: Handler = (bank, call) => {
  const consent = requireConsent(bank, call);
  const links = consent.status === 'valid' ? listLinks(bank, call.variant, consent) : {};
  return {
    status: 200,
    body: {
      access: accessIn(call.variant, consent.access),
      recurringIndicator: consent.recurring,
      validUntil: consent.validUntil,
      frequencyPerDay: consent.frequencyPerDay,
      lastActionDate: consent.lastActionDate,
      consentStatus: statusIn(call.variant, consent),
      ...(Object.keys(links).length > 0 && { _links: links }),
    },
  };
};

/** The links to the accounts and the card accounts of a consent. */
function listLinks({ ledger }: RunningBank, variant: Variant, consent: Consent): Links {
  const seen = seenAccounts(ledger, consent);
  const cards = seen.some(({ isCard }) => isCard) && absence(variant, 'getCardAccount') === undefined;
  return {
    ...(seen.some(({ isCard }) => !isCard) && { account: { href: `${variant.prefix}/accounts` } }),
    ...(cards && { cardAccount: { href: `${variant.prefix}/card-accounts` } }),
  };
}

/** GET consent status. */
export const getConsentStatus: Handler = (bank, call) => ({
  status: 200,
  body: { consentStatus: statusIn(call.variant, requireConsent(bank, call)) },
});

/** DELETE consent; an ended one stays as it is, so that a repeated DELETE succeeds. */
export const deleteConsent: Handler = (bank, call) => {
  const { main } = bank.ledger;
  const consent = requireConsent(bank, call);
  if (consent.status === 'valid' && bank.dialect?.settings.consent?.deleteNeedsSca === true)
    return askForDeletion(bank, call, consent);
  if (['received', 'partiallyAuthorised', 'valid'].includes(consent.status)) {
    setConsent(main, consent, 'terminatedByTpp', call.now);
    failOthers(main, { parentKind: 'consent', parentId: consent.consentId }, call.now);
  }
  return { status: 204 };
};

/** The consent stays valid until its PSU has agreed; a repeated DELETE finds the same authorisation. */
function askForDeletion(bank: RunningBank, call: Call, consent: Consent): Reply {
  const { main } = bank.ledger;
  if (consent.deletingSince === undefined) setDeleting(main, consent, call.now.toISOString());
  const parent = consentParent(main, consent);
  const { hrefs, headers, data } = startOrOffer(bank, call, parent);
  const self = pathOf(call.variant, parent);
  return {
    status: 202,
    headers,
    body: { ...data, _links: asLinks({ ...hrefs, self, status: `${self}/status` }) },
  };
}
