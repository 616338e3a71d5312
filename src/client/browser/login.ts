import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { tenantKey, tenantPath } from '../../base/profile-name.ts';
import type { AccessToken, PendingLogin } from '../../settings/records/credentials.ts';
import type { Secret } from '../../base/secret.ts';
import { tryCall } from '../call/call.ts';
import { liveUrl } from '../exchange/addresses.ts';
import type { Target } from '../exchange/target.ts';
import { scopesOfLogin } from '../oauth/auth-mode.ts';
import { makeRequest, readServer } from '../oauth/oauth-grants.ts';
import { metadataOf, serverUnknown } from '../oauth/own-issuer.ts';
import type { OauthPurpose, OauthServer } from '../oauth/oauth-grants.ts';
import { redeem } from '../oauth/redeem.ts';
import { loginCommand } from '../oauth/refresh.ts';
import { keepToken } from '../oauth/tokens.ts';
import { firstOf, openWaysBack, showLink } from './browser-return.ts';
import type { Browsing } from './browser-return.ts';
import { newRedirect } from './return-address.ts';
import { returnQuestion } from './return-question.ts';
import { judgeReturn } from './return-url.ts';
import type { PsuReturn, ExpectedReturn } from './return-url.ts';

/** How a login is led in this run. */
export interface LoginOptions {
  /** Wait for the browser even without a terminal. */
  wait: boolean;
  timeoutMs: number;
  browser: Browsing;
  scope?: string;
}

/** The token of a login; or where the PSU must go, and whether that was waited for. */
export type LoggedIn = { token: AccessToken } | { url: string; timedOut: boolean };

/** Both services, and a refresh token where the server names it; what a scope is called is the bank's own business. */
function usualScope({ scopes }: OauthServer): string {
  return scopes.includes('offline_access') ? 'PIS AIS offline_access' : 'PIS AIS';
}

/**
 * Logs the PSU of this run in at the bank's OAuth server before any call (OAuth pre-step), and keeps the token for this
 * profile and PSU. A return that is handed over finishes the login that an earlier process has begun. Throws
 * RETURN_REFUSED, DECLINED, PROFILE_INVALID, LINK_REFUSED, AUTH_NEEDED.
 */
export async function logIn(target: Target, options: LoginOptions): Promise<LoggedIn> {
  needKeeping(target);
  if (target.ports.person.answered(returnQuestion)) return finishLogin(target);
  const pending = await beginLogin(target, options.scope);
  const url = pending.request.url;
  const { listener } = pending.redirect;
  if (!target.ports.person.present && (!options.wait || listener === undefined))
    return { url, timedOut: false };
  const came = await waitForReturn(target, pending, options);
  return came === undefined ? { url, timedOut: true } : { token: await arrive(target, pending, came) };
}

/** A token that may not be kept would be gone with the command that got it. */
function needKeeping({ profile, name }: Target): void {
  if (profile.auth?.store !== 'never') return;
  throw new ObkError({
    code: 'NOT_OFFERED',
    title: `No token of the bank of the profile ${name} is kept on this machine, so that a login would be lost.`,
    detail: 'auth.store is never; nothing was sent. A token that you have goes with a run as OBK_TOKEN.',
    hint: [line`obk config unset auth.store --profile ${name}   # if tokens may be kept`],
  });
}

/** The way on from a login whose code has not come. */
export function finishCommand(target: Target): string {
  return `${loginCommand(target, ownToken(target))} ${returnQuestion.flag} env:RETURN_URL`;
}

async function beginLogin(target: Target, scope: string | undefined): Promise<PendingLogin> {
  const { profile, name, psu } = target;
  const purpose = purposeOf(target);
  // The request of OAuth has a state of its own.
  const redirect = await newRedirect(target, { stated: false, coded: true });
  if (redirect === undefined) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: `The profile ${name} has no address to which the bank sends the PSU back.`,
      hint: [line`obk profile edit ${name} --redirect-uri URL`],
    });
  }
  const server = await readServer(target, await metadataUrl(target), purpose);
  const wanted = scope ?? profile.oauth?.preStepScope ?? scopesOfLogin(target) ?? usualScope(server);
  const { state, request } = await makeRequest(
    target,
    server,
    { scope: wanted, redirectUri: redirect.uri },
    purpose,
  );
  const pending: PendingLogin = {
    state,
    scope: wanted,
    request,
    redirect,
    ...defined({ psuId: psu.id }),
  };
  await keepLogin(target, pending);
  return pending;
}

/** The address of the metadata: the profile's, that of its issuer, or the one in the refusal of a call without a token. */
async function metadataUrl(target: Target): Promise<string> {
  const { metadata, issuer } = target.profile.oauth ?? {};
  const { tokenUrl } = target.profile.auth ?? {};
  if (tokenUrl !== undefined) return tokenUrl;
  if (metadata !== undefined) return metadata;
  if (issuer !== undefined) return metadataOf(issuer);
  const called = await tryCall(target, { operation: 'getAccountList', anonymous: true });
  const link = called.ok ? undefined : called.refusal?.links.known.scaOAuth;
  if (link !== undefined) return liveUrl(target, link);
  const { ownBank } = target;
  if (ownBank !== undefined) {
    const tenant = ownBank.tenantHeader?.value;
    return metadataOf(ownBank.baseUrl + (tenant === undefined ? '' : tenantPath(tenantKey(tenant))));
  }
  throw serverUnknown(
    target,
    called.ok
      ? 'The bank answers calls without a token.'
      : 'The bank refuses a call without a token, and its refusal has no link to the OAuth server.',
  );
}

async function finishLogin(target: Target): Promise<LoggedIn> {
  const { person, credentials } = target.ports;
  const { logins = [] } = await credentials.read(target.name);
  const pending = logins.find(({ psuId }) => psuId === target.psu.id);
  if (pending === undefined) throw refused(target, 'No login of this PSU is under way here.');
  const url = await person.askSecret({ ...returnQuestion, again: false });
  const back = judgeReturn(url, pending.redirect, expected(pending));
  if (back.outcome === 'foreign') throw refused(target, `Of what ${returnQuestion.flag} gives: ${back.why}.`);
  return { token: await arrive(target, pending, back) };
}

/** Whichever comes first, the return to our listener or a pasted address; undefined where the time was over. */
async function waitForReturn(
  target: Target,
  pending: PendingLogin,
  { timeoutMs, browser }: LoginOptions,
): Promise<PsuReturn | undefined> {
  const { clock, notices } = target.ports;
  const ways = await openWaysBack(target, pending.redirect, expected(pending));
  try {
    await showLink(target, pending.request.url, browser);
    const progress = notices.progress('Waiting for the PSU at the bank');
    try {
      return await firstOf<PsuReturn | undefined>(target, (signal) => [
        clock.sleep(timeoutMs, signal).then(() => undefined),
        ...ways.wait(signal),
      ]);
    } finally {
      progress.stop();
    }
  } finally {
    await ways.close();
  }
}

/** Uses the browser's return up, whatever the outcome: a failed login starts anew and is never repeated. */
async function arrive(target: Target, pending: PendingLogin, came: PsuReturn): Promise<AccessToken> {
  const { outcome, code, error } = came;
  if (outcome === 'nok') {
    await forgetLogin(target, pending);
    throw new ObkError({
      code: 'DECLINED',
      title: `The PSU is back without having logged in${error === undefined ? '' : ` (${error})`}.`,
      hint: purposeOf(target).again,
    });
  }
  if (code === undefined) throw refused(target, 'The address has no code.');
  return redeemLogin(target, pending, code);
}

async function redeemLogin(target: Target, pending: PendingLogin, code: Secret): Promise<AccessToken> {
  const { state, request, psuId, scope } = pending;
  const granted = await redeem(target, request, { state, code }, purposeOf(target));
  const token: AccessToken = { scope, ...granted, ...defined({ psuId }) };
  await keepToken(target, token);
  await forgetLogin(target, pending);
  return token;
}

/** One login per PSU: the page of an earlier one leads nowhere any more. */
async function keepLogin(target: Target, pending: PendingLogin): Promise<void> {
  await target.ports.credentials.update(target.name, ({ logins = [], verifiers, ...before }) => {
    const old = logins.find(({ psuId }) => psuId === pending.psuId);
    return {
      ...before,
      ...(verifiers && { verifiers: verifiers.filter(({ state }) => state !== old?.state) }),
      logins: [...logins.filter((one) => one !== old), pending],
    };
  });
}

async function forgetLogin(target: Target, pending: PendingLogin): Promise<void> {
  await target.ports.credentials.update(target.name, ({ logins = [], ...before }) => {
    const left = logins.filter(({ state }) => state !== pending.state);
    return { ...before, ...(left.length > 0 && { logins: left }) };
  });
}

function expected({ state, request }: PendingLogin): ExpectedReturn {
  return { returnState: state, oauth: request, standing: {} };
}

function ownToken({ psu }: Target): Pick<AccessToken, 'psuId' | 'resource' | 'noun'> {
  return psu.id === undefined ? {} : { psuId: psu.id };
}

function purposeOf(target: Target): OauthPurpose {
  return { about: {}, again: [loginCommand(target, ownToken(target))] };
}

function refused(target: Target, detail: string): ObkError {
  return new ObkError({
    code: 'RETURN_REFUSED',
    title: 'The redirected URL is not used, and nothing is sent with it.',
    detail,
    hint: purposeOf(target).again,
  });
}
