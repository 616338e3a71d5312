import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { exitCodes, ObkError } from '../../../base/errors.ts';
import { finishCommand, logIn } from '../../../client/browser/login.ts';
import { usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { authoriseOptions, returnOption, waitOptions } from '../flags/sca-options.ts';
import { withTarget, chosenProfile } from '../run/with-target.ts';
import type { Context } from '../../context.ts';
import { logOut } from '../../../client/oauth/logout.ts';
import type { Outcome } from '../../outcome.ts';
import { loginCommand, refresh, fingerprint } from '../../../client/oauth/refresh.ts';
import { loginOf } from '../../../client/oauth/tokens.ts';
import type { AccessToken } from '../../../settings/records/credentials.ts';
import { ago } from '../output/for-person.ts';
import type { CredentialStore } from '../../../client/ports/credentials.ts';

const loginFlags = (command: Flags) =>
  wireOptions(
    returnOption(
      waitOptions(
        command
          .optionsGroup('LOGIN FLAGS')
          .option('--scope <SCOPE>', 'what the bank is asked for (PIS AIS, or that of the profile)'),
      ),
    ),
  );

type LoginOptions = OptionsOf<typeof loginFlags>;

const registerLogin: Register = (command, start) =>
  start(
    loginFlags(command),
    {
      about:
        'Log a PSU in at the OAuth server of the bank before any call; without a terminal it prints the link, and a second call finishes with the address that the browser ended at',
      usage: '[--psu-id ID]',
      examples: ['obk auth login --psu-id oauth-prestep --json   # prints where the PSU goes'],
      exits: [2, 4, 8, 9],
      more: ['obk help auth status', 'obk help references'],
    },
    runLogin,
  );

const runLogin: Run<LoginOptions> = (context, options) =>
  withTarget(context, options, async (target) => {
    if (options.dryRun === true)
      throw usageError('obk auth login has no --dry-run: it asks the OAuth server.');
    const { scope } = options;
    const { wait, timeoutMs, browser } = authoriseOptions(context, options, false);
    const ended = await logIn(target, { wait, timeoutMs, browser, ...defined({ scope }) });
    const head = { profile: target.name, environment: target.environment };
    if ('token' in ended) {
      const document = await newTokenDocument(context, target.name, ended.token);
      const whose = document.psuId === null ? '' : `${document.psuId} `;
      const until = document.expiresAt === null ? '' : `, until ${document.expiresAt}`;
      return {
        kind: 'data',
        data: { ...head, ...document },
        text: (style) =>
          style.good(`${whose}logged in at ${target.name} (${document.scope ?? 'no scope'}${until})`),
      };
    }
    const next = finishCommand(target);
    return {
      kind: 'data',
      data: { ...head, psuId: target.psu.id ?? null, url: ended.url, next },
      text: () => ended.url,
      next: [next],
      exit: ended.timedOut ? exitCodes.pending : exitCodes.ok,
    };
  });

const logoutFlags = (command: Flags) =>
  wireOptions(
    command
      .optionsGroup('LOGOUT FLAGS')
      .option('--all', 'every PSU, and the tokens of payments and consents too'),
  );

type LogoutOptions = OptionsOf<typeof logoutFlags>;

const registerLogout: Register = (command, start) =>
  start(
    logoutFlags(command),
    {
      about: 'Take the login of a PSU back at the bank where it can, and erase its tokens here in any case',
      usage: '[--psu-id ID]',
      examples: ['obk auth logout --psu-id oauth-prestep', 'obk auth logout --all'],
      exits: [3],
      more: ['obk help auth status'],
    },
    runLogout,
  );

const runLogout: Run<LogoutOptions> = async (context, options) => {
  if (options.dryRun === true)
    throw usageError('obk auth logout has no --dry-run: it asks the OAuth server.');
  const all = options.all === true;
  try {
    return await withTarget(context, options, async (target) => {
      const { erased, revoked } = await logOut(target, all);
      return {
        kind: 'data',
        data: { profile: target.name, environment: target.environment, erased, revoked },
        text: () => `${String(erased)} erased here, ${String(revoked)} taken back at the bank`,
      };
    });
  } catch (error) {
    if (!all || !(error instanceof ObkError) || error.code !== 'TOKEN_STORE') throw error;
    return forget(context, error);
  }
};

/** Forgets tokens whose values are lost: the references to them go, and the bank is not told. */
async function forget(context: Context, { title, detail }: ObkError): Promise<Outcome> {
  const { name, profile } = await chosenProfile(context);
  context.ports.notices.warn(`${title} ${detail ?? ''}`.trim());
  await context.ports.credentials.forget(name);
  return {
    kind: 'data',
    data: { profile: name, environment: profile.environment, erased: null, revoked: 0 },
    text: () => 'forgotten here, nothing taken back at the bank',
  };
}

const refreshFlags = (command: Flags) => wireOptions(command);

type RefreshOptions = OptionsOf<typeof refreshFlags>;

const registerRefresh: Register = (command, start) =>
  start(
    refreshFlags(command),
    {
      about: 'Get a new access token for the login of a PSU now; calls do so by themselves when it is due',
      usage: '[--psu-id ID]',
      examples: ['obk auth refresh --psu-id oauth-prestep'],
      exits: [4, 6, 7],
      more: ['obk help auth status', 'obk help auth login'],
    },
    runRefresh,
  );

const runRefresh: Run<RefreshOptions> = (context, options) =>
  withTarget(context, options, async (target) => {
    if (options.dryRun === true)
      throw usageError('obk auth refresh has no --dry-run: it asks the OAuth server.');
    const login = loginOf(target.logins, target.psu.id);
    if (login === undefined) {
      throw new ObkError({
        code: 'AUTH_NEEDED',
        title: 'This PSU has not logged in with this profile.',
        hint: [loginCommand(target, target.psu.id === undefined ? {} : { psuId: target.psu.id })],
      });
    }
    const refreshed = await refresh(target, login);
    if ('why' in refreshed) throw refreshed.why;
    const document = await newTokenDocument(context, target.name, refreshed.token);
    return {
      kind: 'data',
      data: { profile: target.name, environment: target.environment, ...document },
      text: (style) =>
        style.good(`refreshed${document.expiresAt === null ? '' : `, until ${document.expiresAt}`}`),
    };
  });

const registerStatus: Register = (command, start) =>
  start(
    command,
    {
      about: 'List the access tokens kept for a profile, never the tokens themselves; no bank is asked',
      examples: ['obk auth status', 'obk auth status --json'],
      exits: [3],
      more: ['obk help auth login', 'obk help auth refresh'],
    },
    runStatus,
  );

const runStatus: Run<object> = async (context) => {
  const { name } = await chosenProfile(context);
  const { tokens = [] } = await context.ports.credentials.read(name);
  const store = await context.ports.credentials.tokenStore(name);
  // In a keyring or a file is each token where it was kept, whatever the setting says of the next one.
  const placeOf = ({ inKeyring }: AccessToken) =>
    store === 'database' ? store : inKeyring === true ? 'keyring' : 'file';
  const now = context.ports.clock.now().toISOString();
  return {
    kind: 'rows',
    columns: [
      { key: 'kind', title: 'KIND' },
      { key: 'psuId', title: 'PSU' },
      { key: 'resource', title: 'FOR' },
      { key: 'scope', title: 'SCOPE' },
      { key: 'expiresAt', title: 'UNTIL', forPerson: ago(context.ports) },
      { key: 'state', title: 'STATE' },
      { key: 'sha256', title: 'SHA-256', spare: 2 },
      { key: 'stored', title: 'STORED', spare: 1 },
    ],
    rows: tokens.map((token) => {
      const document = tokenDocument(context, token, placeOf(token));
      const over = document.expiresAt !== null && document.expiresAt <= now;
      const state = !over ? 'good' : document.refreshable ? 'to be refreshed' : 'over';
      return { ...document, state, profile: name };
    }),
    nameKey: 'sha256',
    empty: `No access token is kept for the profile ${name}.`,
    next: tokens.length === 0 ? ['obk auth login'] : [],
  };
};

/** Where a token is: in credentials.json, in the keyring, or in the database with the state. */
type TokenPlace = Awaited<ReturnType<CredentialStore['tokenStore']>>;

/** A token as it is shown: what it is for and where it is, never itself. */
function tokenDocument({ directories }: Context, token: AccessToken, store: TokenPlace) {
  const { resource, noun, authorisationId, psuId, scope, expiresAt, refreshToken, refreshSentAt } = token;
  return {
    kind: resource === undefined ? 'pre-step' : (noun ?? 'resource'),
    resource: resource ?? null,
    authorisationId: authorisationId ?? null,
    psuId: psuId ?? null,
    scope: scope ?? null,
    expiresAt: expiresAt ?? null,
    refreshable: refreshToken !== undefined && refreshSentAt === undefined,
    sha256: fingerprint(token),
    stored: store === 'file' ? directories.credentials : store,
  };
}

/** A token that this run has got. */
async function newTokenDocument(context: Context, profile: string, token: AccessToken) {
  return tokenDocument(context, token, await context.ports.credentials.tokenStore(profile));
}

export const register = {
  login: registerLogin,
  logout: registerLogout,
  refresh: registerRefresh,
  status: registerStatus,
};
