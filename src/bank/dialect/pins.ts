import { defined } from '../../base/defined.ts';
import type { BankSettings } from '../../settings/records/profile.ts';
import type { Everybody } from '../books/ledger-doors.ts';
import type { Scenario } from '../rules/scenario.ts';

type Pins = Partial<Scenario>;

/** What holds for every PSU of such a bank. */
export function everybodyIn({ sca }: BankSettings): Everybody {
  const isEncrypted = sca?.startMode === 'encrypted' || sca?.passwordEncryption !== undefined;
  return {
    ...(isEncrypted && { encrypted: true }),
    ...(sca?.startMode === 'encrypted' && { start: 'encrypted' }),
    ...(sca?.startMode === 'withPsuAuthentication' && { start: 'plain' }),
    ...(sca?.confirmationCode === true && { confirmation: true }),
  };
}

/** The switches of the bank inside that say what a description says: its rules know these departures already. */
export function pinsOf(settings: BankSettings): Pins {
  return {
    ...signing(settings),
    ...authentication(settings),
    ...access(settings.limits),
    ...resources(settings),
    ...reports(settings),
    ...(settings.errors?.shapes?.[0] === 'problem' && { errors: 'problem' }),
    ...defined({ surface: settings.surface }),
    ...(settings.requestIdSemantics !== undefined &&
      settings.requestIdSemantics !== 'unknown' && { requestId: settings.requestIdSemantics }),
  };
}

function signing({ signing: wanted }: BankSettings): Pins {
  if (wanted === undefined) return {};
  const { mode, preset, date } = wanted;
  // A detached JWS is no matter of the rules: the dialect verifies it.
  if (mode === 'none' || mode === 'jws') return { signature: 'off' };
  return {
    signature: 'required',
    ...((preset === 'adorsys' || preset === 'wso2') && { signatureProfile: preset }),
    ...(preset === undefined && date?.sign === true && { dateHeader: 'required' }),
  };
}

function authentication({ sca, auth }: BankSettings): Pins {
  const [only, ...others] = sca?.approaches ?? [];
  const integrated = auth?.mode === 'integrated' && only === undefined ? 'oauth' : undefined;
  const approach = sca?.preferred ?? (others.length === 0 ? only : undefined) ?? integrated;
  const { startMode, redirectLifetimeS } = sca ?? {};
  return {
    ...defined({ approach }),
    ...(auth?.mode === 'preStep' && { oauthPreStep: 'required' }),
    ...(auth?.mode === 'integrated' && { oauthToken: 'required' }),
    ...((startMode === 'implicit' || startMode === 'skip') && { explicitPreferred: 'ignored' }),
    ...(redirectLifetimeS !== undefined && { redirectLink: `${String(redirectLifetimeS)}-seconds` }),
  };
}

function resources({ consent, payments }: BankSettings): Pins {
  const { validDays, maxFrequency } = consent ?? {};
  const { needsSca, allowed } = payments?.cancel ?? {};
  return {
    ...(validDays !== undefined && { validUntil: `${String(validDays)}-days` }),
    ...(maxFrequency !== undefined && { frequencyPerDay: `up-to-${String(maxFrequency)}` }),
    ...(payments?.statusFormat === 'pain.002' && { statusFormat: 'xml' }),
    ...(payments?.statusFormat === 'json' && { statusFormat: 'json' }),
    ...(allowed !== false &&
      needsSca !== undefined && { cancellation: needsSca ? 'always-sca' : 'never-sca' }),
  };
}

const formats: Readonly<Record<string, string>> = { mt940: 'text', 'camt.054': 'camt.052' };

function reports({ ais, reports: pages }: BankSettings): Pins {
  const known = [...new Set((ais?.transactionFormats ?? []).map((format) => formats[format] ?? format))];
  const statuses = (ais?.bookingStatus ?? []).filter((status) => status !== 'all');
  return {
    ...(known.length > 0 && { reportFormats: known.join(',') }),
    ...(statuses.length > 0 && { bookingStatuses: statuses.join(',') }),
    ...(pages?.paging === 'index' && { pageNumbers: 'accept' }),
  };
}

/** A day is counted under each consent. A rate by the minute is told by the switch too; all others the dialect alone knows. */
function access({ perDayPerAccess, rate }: NonNullable<BankSettings['limits']> = {}): Pins {
  const isByMinute = rate !== undefined && /^[1-9]\d{0,5}$/.test(rate);
  return {
    ...(perDayPerAccess !== undefined && { frequencyPerDay: `up-to-${String(perDayPerAccess)}` }),
    ...(rate === 'off' && { rateLimit: rate }),
    ...(isByMinute && { rateLimit: `${Number(rate)}-per-minute` }),
  };
}
