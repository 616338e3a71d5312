import { sha256Hex } from '../../signing/digest.ts';
import {
  loginAddress,
  parameterName,
  parameterValue,
  plainName,
  renamedParameter,
  renamesAnother,
  word,
} from './bank-texts.ts';
import { error } from './finding.ts';
import type { SettingFinding } from './finding.ts';
import { by, choice, count, forTpp, group, list, map, said, text, url, yesNo } from './row.ts';
import type { ValueOf } from './row.ts';
import { byOperation } from './operation-rows.ts';
import { tokenHeader } from './texts.ts';

const modes = ['none', 'preStep', 'integrated', 'clientCredentials'] as const;

const parameters = {
  rename: said(
    'Parameters by their usual name, each with the one of the bank.',
    map(renamedParameter, text({ wrong: renamedParameter })),
  ),
  add: said('Parameters that the bank wants besides.', map(parameterName, text({ wrong: parameterValue }))),
};

const oauthParameters = group(parameters, [], { together: apart });

/** No parameter takes the place of another, so that nothing of a file goes out as what obk makes itself. */
function apart(given: Readonly<Record<string, unknown>>, at: string): readonly SettingFinding[] {
  const { rename = {}, add = {} } = given as ValueOf<typeof oauthParameters>;
  const own = Object.entries(rename);
  return own.flatMap(([usual, name], index) => {
    const isTaken =
      Object.hasOwn(add, name) || own.some(([, other], before) => before < index && other === name);
    const why = renamesAnother(usual, name) ?? (isTaken ? `There is another parameter ${name}.` : undefined);
    return why === undefined ? [] : [error(`${at}.rename.${usual}`, why)];
  });
}

/** How many of these hundred have to be left, so that a random one is found soon and stays as hard to guess. */
const leastStates = 25;

/** A state is random: what forbids nearly all of them, such as many single letters, leaves none that could be sent. */
function leavesStates(given: Readonly<Record<string, unknown>>, at: string): readonly SettingFinding[] {
  const { maxLength = 32, forbid = [] } = given as { maxLength?: number; forbid?: readonly string[] };
  const words = forbid.map((one) => one.toLowerCase());
  // The same hundred each time: a file is right or wrong, and not by chance.
  const states = Array.from({ length: 100 }, (_, index) =>
    Buffer.from(sha256Hex(`state ${String(index)}`), 'hex')
      .toString('base64url')
      .slice(0, Math.min(maxLength, 32))
      .toLowerCase(),
  );
  const left = states.filter((state) => !words.some((one) => state.includes(one))).length;
  if (left >= leastStates) return [];
  const why = `Of a hundred random states ${String(left)} are free of these, and a login needs one that is.`;
  return [error(`${at}.forbid`, `${why} Forbid whole words, or fewer characters.`)];
}

const seconds = (most: number) => count(1, most, 'seconds');
const scope = text({ wrong: parameterValue });

/** The row for tokens. */
export const authRow = said(
  'How tokens are got and shown.',
  group({
    consent: said(
      'Where the bank reads the consent of account calls.',
      by(
        '--auth-consent <WHERE>',
        'header, token or both (if not given): where account calls name the consent',
        choice(['header', 'token', 'both'], { otherwise: 'both' }),
      ),
    ),
    mode: said(
      'When a token is got: never, before all else, within an authorisation, or for the TPP before a creation.',
      choice(modes),
    ),
    operations: said('The same for single operations.', byOperation(choice(modes))),
    authorizeUrl: said(
      'Where the PSU logs in, where no metadata says so; {name} stands for a variable (urls.vars).',
      forTpp(url(loginAddress)),
    ),
    tokenUrl: said(
      'Where tokens are got, where no metadata says so; {name} stands for a variable (urls.vars).',
      forTpp(url(loginAddress)),
    ),
    clientId: said(
      'The client_id: that of the certificate, that of oauth.clientId, or the one in the reply of a token.',
      choice(['orgId', 'config', 'tokenReply']),
    ),
    scope: said(
      'The scope by service; {consentId} and {paymentId} stand for the resource.',
      group({
        pis: said('For payments and signing baskets.', scope),
        ais: said('For account data.', scope),
        piis: said('For funds confirmations.', scope),
        app: said('For the TPP alone (client credentials).', scope),
      }),
    ),
    authorize: said('What differs in the parameters of the login.', oauthParameters),
    token: said(
      'What differs in the parameters for a token.',
      group(
        {
          ...parameters,
          placement: said('Where they stand: in the form, or in the query.', choice(['body', 'query'])),
          signed: said('True where requests for tokens are signed as calls are (signing).', yesNo()),
        },
        [],
        { together: apart },
      ),
    ),
    responseType: said('The word for response_type, where it is not code.', choice(['code', 'CODE', 'Code'])),
    pkce: said(
      'The proof of the login.',
      group({
        verifierOctets: said('How many random octets make the verifier.', count(32, 96, 'octets')),
      }),
    ),
    state: said(
      'What the bank takes as state.',
      group(
        {
          maxLength: said('Its length at most.', count(22, 500, 'characters')),
          forbid: said('Texts that it must not hold.', list(text({ wrong: word }))),
        },
        [],
        { together: leavesStates },
      ),
    ),
    tokenHeader: said(
      'The header that carries the token, where it is not Authorization.',
      text({ wrong: tokenHeader }),
    ),
    lifetimes: said(
      'How long tokens hold where the bank does not say it.',
      group({
        accessS: said('An access token.', seconds(31_536_000)),
        refreshS: said('A refresh token.', seconds(315_360_000)),
      }),
    ),
    refresh: said(
      'How tokens are refreshed.',
      group({
        rotates: said('True where each refresh token works once.', yesNo()),
        chainDays: said('After how many days the PSU must log in anew.', count(1, 3650, 'days')),
      }),
    ),
    store: said(
      'Whether tokens of the bank may be kept on this machine.',
      forTpp(choice(['allow', 'never'])),
    ),
    psuIdFrom: said('The claim of the access token (JWT) that is the PSU-ID.', text({ wrong: plainName })),
  }),
);
