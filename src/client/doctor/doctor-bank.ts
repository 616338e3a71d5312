import { defined } from '../../base/defined.ts';
import { isLoopback } from '../../base/url.ts';
import { line } from '../../base/command-line.ts';
import { BankRefusal, exitCodes, TransportFailure } from '../../base/errors.ts';
import type { TransportReason } from '../../base/errors.ts';
import type { HttpConnection } from '../ports/http.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { tryCall } from '../call/call.ts';
import type { Called } from '../call/call.ts';
import { basesOf } from '../exchange/addresses.ts';
import { aheadOf } from '../exchange/bank-time.ts';
import type { Target } from '../exchange/target.ts';
import { tokenFor } from '../oauth/tokens.ts';
import { fail, failOf, ok, warn } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';
import { anotherAddress, misplaced } from './right-address.ts';
import type { Psd2Role } from '../certificates/certificate-lint.ts';

const steps: Partial<Record<TransportReason, string>> = {
  dns: 'dns',
  proxy: 'proxy',
  tls: 'tls',
  connect: 'tcp',
  timeout: 'tcp',
};
const skewMs = { warn: 30_000, fail: 5 * 60_000 };
/** Acceptable refusals for an id that the bank never issued. */
const unknownId = new Set(['CONSENT_UNKNOWN', 'RESOURCE_UNKNOWN']);

/** Connects as a call does, with and without the client certificate, and hangs up before the first byte. */
export async function checkConnection(target: Target): Promise<{ findings: Finding[]; reached: boolean }> {
  const { protocol, hostname, host } = new URL(target.links.base);
  let connection: HttpConnection;
  try {
    connection = await target.connection();
  } catch (error) {
    return { findings: [failOf('tls', error)], reached: false };
  }
  const failure = await handshake(target, connection, target.links.base);
  if (failure !== undefined) return { findings: [failed(failure, target)], reached: false };
  if (protocol === 'http:') {
    const here = isLoopback(hostname);
    const text = `${host} is reached, over plain http${here ? ' on this machine' : ''}`;
    const open = warn('tcp', `${text}: no client certificate, and anybody can read.`);
    const services = await checkServices(target, connection);
    return { findings: [here ? ok('tcp', text) : open, ...services], reached: true };
  }
  const findings = [ok('tls', `${host} is reached, and its certificate is trusted`)];
  const { certificate, key: _key, passphrase: _passphrase, ...bare } = connection;
  if (certificate === undefined) {
    findings.push(
      warn(
        'tls',
        'The profile has no client certificate; banks want one with every connection (QWAC).',
        line`obk profile edit ${target.name} --tls-certificate FILE --tls-key FILE`,
      ),
    );
  } else {
    const without = await handshake(target, bare, target.links.base);
    findings.push(
      ok(
        'tls',
        without === undefined
          ? 'the client certificate was offered; the handshake succeeds without it, too (a call may still be refused)'
          : 'the client certificate is accepted, and wanted',
      ),
    );
  }
  return { findings: [...findings, ...(await checkServices(target, connection))], reached: true };
}

/** The addresses of single services, which fail for themselves. */
async function checkServices(target: Target, connection: HttpConnection): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const base of basesOf(target).slice(1)) {
    const failure = await handshake(target, connection, base);
    const step = base.startsWith('https:') ? 'tls' : 'tcp';
    found.push(
      failure === undefined ? ok(step, `${new URL(base).host} is reached`) : failed(failure, target),
    );
  }
  return found;
}

function failed({ reason, message, hint = [] }: TransportFailure, { name, profile }: Target): Finding {
  const ways = hint.filter((way) => way.startsWith('obk '));
  const mends = ways.find((way) => /^obk profile edit\b/.test(way)) ?? ways[0];
  const address = anotherAddress({ name, profile }, 'host and port');
  return fail(
    steps[reason] ?? 'tcp',
    `${message}.`,
    mends
      ?.replace(/^obk profile edit NAME --base-url URL .*/, address)
      .replace(/(?<=^obk profile edit )NAME\b/, name) ?? address,
  );
}

async function handshake(
  target: Target,
  connection: HttpConnection,
  base: string,
): Promise<TransportFailure | undefined> {
  const hangUp = new Error('nothing is to be sent');
  try {
    await target.ports.http.send(
      { method: 'GET', url: `${base}/`, headers: [], body: new Uint8Array() },
      {
        ...{ limits: target.limits, connection, fresh: true },
        onSending: () => Promise.reject(hangUp),
        ...defined({ signal: target.run.signal }),
      },
    );
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    target.run.signal?.throwIfAborted();
    return error.reason === 'journal' && error.cause === hangUp ? undefined : error;
  }
  throw new Error('a request that nobody let go');
}

/** One signed read of a consent that cannot exist: the answer tells whether certificate and signature are taken. */
export async function checkBank(target: Target, { mayCall }: DoctorOptions): Promise<Finding[]> {
  if (!(await mayCall())) {
    return [
      warn(
        'call',
        'No call was made: at some banks the first one registers the TPP.',
        line`obk doctor --profile ${target.name} --yes`,
      ),
    ];
  }
  let date: string | undefined;
  const watched: Target = {
    ...target,
    run: {
      ...target.run,
      onExchange: (seen) => {
        date = headerOf(seen.answer?.headers ?? [], 'date');
        target.run.onExchange?.(seen);
      },
    },
  };
  try {
    const id = target.ports.ids.uuid();
    const params = { consentId: id, 'account-id': id, paymentId: id };
    const read = { operation: firstOperation(target), params } as const;
    // Whoever has not logged in yet wants to know all the rest.
    const anonymous = (await tokenFor(target, read)) === undefined ? { anonymous: true as const } : {};
    const called = await tryCall(watched, { ...read, ...anonymous });
    const at = date;
    const wrong = isFromElsewhere(called) ? (await misplaced(target))?.finding : undefined;
    const found = wrong ?? judged(called, target);
    // A server that did not even answer has no clock to compare.
    if (at === undefined && found.check === 'tcp') return [found];
    const bank = [found, clock(aheadOf(at, target.ports.clock.now()))];
    return [...bank, ...(await checkOauth(target))];
  } catch (error) {
    return [failOf('call', error)];
  }
}

/** The read by which a TPP makes itself known, where the bank says one; a write is never made for that. */
function firstOperation({ profile }: Target): OperationId {
  const { kind, operation: id = 'getConsentStatus' } = profile.registration ?? {};
  return kind === 'firstCall' && operation(id).method === 'GET' ? id : 'getConsentStatus';
}

/** Whether an answer, or the loss of one, may come of an address or prefix that is wrong. */
function isFromElsewhere(called: Called): boolean {
  if (called.ok) return false;
  const { error } = called;
  return !(error instanceof BankRefusal) || error.httpStatus === 404 || error.bankCode === undefined;
}

function judged(called: Called, { name, profile }: Target): Finding {
  const check = 'call';
  const { kind, successStatus = [], portal } = profile.registration ?? {};
  if (called.ok && kind === 'firstCall')
    return ok(check, 'the bank answered the first call, and so knows the TPP now');
  if (called.ok) return warn(check, 'The bank knows a consent by an id that was made up just now.');
  const { error } = called;
  if (!(error instanceof BankRefusal)) return failOf(check, error);
  const code = error.bankCode ?? 'no code';
  const said = `the bank answered ${String(error.httpStatus)} ${code} to a signed read`;
  if (kind === 'firstCall' && successStatus.includes(error.httpStatus))
    return ok(check, `${said}: by that it knows the TPP now, as it should (registration)`);
  if (
    unknownId.has(code) ||
    error.httpStatus === 404 ||
    (error.httpStatus === 403 && error.bankCode === undefined)
  ) {
    return ok(check, `${said} of a consent that does not exist, as it should`);
  }
  if (error.exit === exitCodes.throttled) return warn(check, `${said}: too many calls for now.`);
  if (/^TOKEN_/.test(code)) return warn(check, `${said}: it wants an access token (OAuth2) first.`);
  if (/^CONSENT_/.test(code)) return ok(check, `${said}: certificate and signature are taken`);
  const told = `${said}: ${error.detail ?? error.title}`;
  return portal !== undefined && /^CERTIFICATE_|^ROLE_|^no code$/.test(code)
    ? fail(check, `${told} The bank registers TPPs at ${portal}.`, hintOf(error.bankCode, name))
    : fail(check, told, hintOf(error.bankCode, name));
}

function hintOf(bankCode: string | undefined, name: string): string {
  if (/^SIGNATURE_/.test(bankCode ?? '')) return 'obk sign explain @last';
  if (/^CERTIFICATE_|^ROLE_/.test(bankCode ?? '')) return line`obk cert lint ${name}`;
  if (bankCode === 'TIMESTAMP_INVALID') return 'Set the clock of this machine.';
  return bankCode === undefined ? 'obk log show @last -vvv' : line`obk explain ${bankCode}`;
}

/** Reads the metadata of the OAuth server, where the profile says where they are. */
export async function checkOauth(target: Target): Promise<Finding[]> {
  const { metadata, issuer } = target.profile.oauth ?? {};
  if (metadata === undefined && issuer === undefined) return [];
  const { readServer } = await import('../oauth/oauth-grants.ts');
  const { metadataOf } = await import('../oauth/own-issuer.ts');
  try {
    const url = metadata ?? metadataOf(issuer ?? '');
    const server = await readServer(target, url, { about: {}, again: [] });
    return [ok('oauth', `the OAuth server ${server.issuer} gives tokens at ${server.tokenEndpoint}`)];
  } catch (error) {
    return [failOf('oauth', error)];
  }
}

function clock(ahead: number | undefined): Finding {
  if (ahead === undefined) return warn('clock', 'The bank does not tell its time (no Date header).');
  const seconds = Math.round(Math.abs(ahead) / 1000);
  const text = `the clock of the bank is ${String(seconds)} s ${ahead < 0 ? 'behind' : 'ahead of'} ours`;
  if (seconds * 1000 < skewMs.warn) return ok('clock', text);
  const judge = seconds * 1000 < skewMs.fail ? warn : fail;
  return judge(
    'clock',
    `${text}; requests may be refused for their Date.`,
    'Set the clock of this machine (NTP).',
  );
}

/** The checks to run. */
export interface DoctorOptions {
  /** Nothing but what is on this machine. */
  offline: boolean;
  /** Roles that the certificates must have. */
  needs: readonly Psd2Role[];
  env: Readonly<Record<string, string | undefined>>;
  /** Whether the bank may be called: a first call registers the TPP at some. */
  mayCall: () => Promise<boolean>;
}
