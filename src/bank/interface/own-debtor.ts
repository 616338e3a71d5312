import { nameFromHeader } from '../../standard/xs2a/psu-names.ts';
import { isJsonObject, readJson, writeJson } from '../../standard/xs2a/json.ts';
import { jsonIn } from '../dialect/requests.ts';
import { accountsOf, referenceOf } from '../books/accounts.ts';
import type { Call, RunningBank } from '../trust/call.ts';

/**
 * The body of a payment in JSON with the account that it is paid from: a bank that does not ask for it takes the first one of
 * the PSU. Where nobody knows the PSU either, the body stays as it is.
 */
export function withDebtor({ dialect, ledger }: RunningBank, call: Call, body: Uint8Array): Uint8Array {
  if (dialect?.settings.payments?.debtorAccount !== 'optional') return body;
  const psuId = call.token?.psuId ?? nameFromHeader(call.headers.get('psu-id') ?? '');
  const [account] = psuId === '' ? [] : accountsOf(ledger.main, psuId);
  const json = account === undefined ? undefined : jsonIn(body);
  if (account === undefined || json === undefined || !isJsonObject(json) || 'debtorAccount' in json)
    return body;
  const debtorAccount = readJson(Buffer.from(JSON.stringify(referenceOf(account))));
  return Buffer.from(writeJson({ ...json, debtorAccount }));
}
