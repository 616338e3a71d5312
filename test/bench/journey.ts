import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningBank } from '../helpers/standalone-bank.ts';
import { bareRequests } from './bare-request.ts';
import { absent, isThere } from './beside-jq.ts';
import { atBank } from './machine.ts';
import type { Machine } from './machine.ts';
import { pairedRatio, time } from './measure.ts';
import type { Timed } from './measure.ts';
import type { Figure } from './run.ts';
import { shellRequests } from './shell-request.ts';

const pairs = 5;
const psuId = 'embedded-one';
const secrets = { password: 'a password', otp: '123456' };

/**
 * P6: consent, embedded SCA, accounts and transactions in one command, beside the same six requests by bash, curl and openssl;
 * and what Node's own modules alone need for them, below which no tool in Node can come.
 */
export async function journey(machine: Machine): Promise<Figure[]> {
  const { bank } = machine;
  const lacking = ['curl', 'openssl'].find((program) => !isThere(program));
  if (lacking !== undefined) return [absent('P6', lacking)];
  bank.obk('sandbox', 'scenario', 'set', 'rateLimit', 'off', '--profile', 'sandbox');
  bank.setSecrets(psuId, secrets);
  const iban = bank.obk('sandbox', 'people', psuId, '--field', 'iban', '--profile', 'sandbox').trim();
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  const script = join(folder, 'journey.sh');
  writeFileSync(script, shellRequests(bank) + steps(bank.baseUrl, iban));
  const bareScript = join(folder, 'journey.cjs');
  writeFileSync(bareScript, bareRequests(bank) + bareSteps(bank.baseUrl, iban));
  const env = { ...machine.env, PSU_PASSWORD: secrets.password, PSU_OTP: secrets.otp };
  const secretFlags = ['--psu-password-from', 'env:PSU_PASSWORD', '--otp-from', 'env:PSU_OTP'];
  const read = [
    'transactions',
    'list',
    '--create-consent',
    '--iban',
    iban,
    '--psu-id',
    psuId,
    ...secretFlags,
  ];
  const obk = {
    ...machine.obk([...read, '--profile', atBank(bank, 'journey'), '--no-input', '--json']),
    env,
  };
  const bash: Timed = { argv: ['bash', script], env };
  const bare: Timed = { ...machine.node([bareScript]), env };
  try {
    const operations = await sameOperations(bank, obk, bash);
    await sameOperations(bank, bare, bash);
    const { ratio, itMs, baseMs } = await pairedRatio(obk, bash, pairs);
    const floor = await pairedRatio(bare, bash, pairs);
    return [
      {
        id: 'P6',
        what: 'transactions list --create-consent / bash, curl, openssl',
        ratio,
        goal: 0.55,
        note: `${String(operations.length)} requests each, ${itMs.toFixed(0)} and ${baseMs.toFixed(0)} ms; only obk sends redirect addresses, judges each answer, and keeps consent and journal`,
      },
      {
        id: 'P6',
        what: 'transactions list --create-consent / bare node:http and node:crypto',
        ratio: ratio / floor.ratio,
        goal: 2.5,
      },
      {
        id: 'P6',
        what: 'the same requests by bare node:http and node:crypto / bash, curl, openssl',
        ratio: floor.ratio,
        goal: Number.NaN,
        note: `${floor.itMs.toFixed(0)} ms: signs, sends and parses, no more`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs both sides once and gives the operations that the bank saw of them; throws where they differ. */
async function sameOperations(bank: RunningBank, one: Timed, other: Timed): Promise<string[]> {
  const [first, second] = [await operationsOf(bank, one), await operationsOf(bank, other)];
  if (first.length === 0 || first.join() !== second.join())
    throw new Error(`the sides differ: ${first.join(', ')} and ${second.join(', ')}`);
  return first;
}

async function operationsOf(bank: RunningBank, side: Timed): Promise<string[]> {
  const log = () =>
    JSON.parse(bank.obk('sandbox', 'log', '--limit', '100', '--profile', 'sandbox', '--json')) as Logged[];
  const before = log().at(-1)?.number ?? 0;
  await time(side);
  return log()
    .filter(({ number }) => number > before)
    .map(({ operation, status }) => `${operation} ${String(status)}`);
}

interface Logged {
  number: number;
  operation: string;
  status: number;
}

const steps = (base: string, iban: string): string => `
member() { [[ "$2" =~ \\"$1\\":\\"([^\\"]*)\\" ]] && printf '%s' "\${BASH_REMATCH[1]}"; }
account='[{"iban":"${iban}"}]'
access="{\\"accounts\\":$account,\\"balances\\":$account,\\"transactions\\":$account}"
until="$(date -u -d '+89 days' '+%Y-%m-%d')"
from="$(date -u -d '-30 days' '+%Y-%m-%d')"
consent="$(member consentId "$(call POST '${base}/v1/consents' \\
  "{\\"access\\":$access,\\"recurringIndicator\\":false,\\"validUntil\\":\\"$until\\",\\"frequencyPerDay\\":1,\\"combinedServiceIndicator\\":false}" \\
  psu-id=${psuId} psu-ip-address=127.0.0.1)")"
url="${base}/v1/consents/$consent"
authorisation="$(member authorisationId "$(call POST "$url/authorisations" "{\\"psuData\\":{\\"password\\":\\"$PSU_PASSWORD\\"}}" psu-id=${psuId})")"
[ "$(member scaStatus "$(call PUT "$url/authorisations/$authorisation" "{\\"scaAuthenticationData\\":\\"$PSU_OTP\\"}")")" = finalised ]
[ "$(member consentStatus "$(call GET "$url" '')")" = valid ]
resource="$(member resourceId "$(call GET '${base}/v1/accounts' '' "consent-id=$consent")")"
call GET "${base}/v1/accounts/$resource/transactions?dateFrom=$from&bookingStatus=booked" '' "consent-id=$consent"
`;

const bareSteps = (base: string, iban: string): string => `
const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const account = [{ iban: '${iban}' }], psu = { 'psu-id': '${psuId}' };
const json = JSON.stringify;
(async () => {
  const access = { accounts: account, balances: account, transactions: account };
  const terms = { access, recurringIndicator: false, validUntil: day(89), frequencyPerDay: 1, combinedServiceIndicator: false };
  const { consentId } = await call('POST', '${base}/v1/consents', json(terms), { ...psu, 'psu-ip-address': '127.0.0.1' });
  const url = '${base}/v1/consents/' + consentId, consent = { 'consent-id': consentId };
  const password = json({ psuData: { password: process.env.PSU_PASSWORD } });
  const { authorisationId } = await call('POST', url + '/authorisations', password, psu);
  const otp = json({ scaAuthenticationData: process.env.PSU_OTP });
  if ((await call('PUT', url + '/authorisations/' + authorisationId, otp)).scaStatus !== 'finalised') throw new Error('not finalised');
  if ((await call('GET', url)).consentStatus !== 'valid') throw new Error('not valid');
  const { accounts } = await call('GET', '${base}/v1/accounts', '', consent);
  const path = '/v1/accounts/' + accounts[0].resourceId + '/transactions?dateFrom=' + day(-30) + '&bookingStatus=booked';
  process.stdout.write(json(await call('GET', '${base}' + path, '', consent)) + '\\n', () => process.exit());
})();
`;
