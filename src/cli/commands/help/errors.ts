import type { Register, Run } from '../../command.ts';
import { errorExits } from '../../../base/errors.ts';
import type { ErrorCode } from '../../../base/errors.ts';
import { definitions } from '../../render/wrap.ts';

/** The meaning of each error code; a missing one does not compile. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  USAGE: 'A wrong or missing flag, word or value.',
  INPUT_INVALID: 'What was given to be sent cannot be read, or breaks a rule of the interface.',
  INTERACTION_NEEDED: 'A question is open and nobody is there to answer it; the flags are named.',
  NOT_CONFIRMED: 'A change needs a yes, or --confirm in production, and got none.',
  DUPLICATE_PAYMENT: 'The same payment was started a short time ago; --allow-duplicate starts another.',
  INTENT_KEY_REUSED: 'The --intent-key belongs to another payment.',
  NOT_OFFERED: 'The interface of this profile has no such operation.',
  RESOURCE_NOT_SAVED: 'The id or run is not known on this machine.',
  ID_AMBIGUOUS: 'Several ids, accounts or consents fit; the error names them.',
  ACCOUNT_UNKNOWN: 'The consent shows no such account.',
  SECRET_REFUSED_BEFORE: 'This very entry was sent to the bank before; it is not sent again.',
  RETURN_REFUSED: 'The address that the browser ended at is not of this conversation, or was used before.',
  SECRET_FORM: 'A secret does not have the form that the bank asked for; it was not sent.',
  STEP_NOT_ALLOWED: 'The authorisation does not take this step now, or was not begun on this machine.',
  PROFILE_UNKNOWN: 'There is no such profile, or none is chosen.',
  PROFILE_INVALID: 'The profile lacks a setting, or one does not fit the others.',
  ENVIRONMENT_REQUIRED: 'The profile is not of the required environment.',
  CONFIG_UNREADABLE: 'A settings file cannot be read, or is not trusted.',
  CONFIG_NOT_WRITTEN: 'A settings file could not be written; the old one is still there.',
  STATE_UNREADABLE:
    'A file of the journal or of a payment, consent or basket is damaged, or a shared state has another key.',
  STATE_NOT_WRITTEN:
    'The state cannot be written: nothing was sent that changes anything, or, with exit 12, the answer to it is not kept.',
  STATE_NEWER: 'A newer obk has written this file.',
  STATE_UNREACHABLE:
    'The database with the state cannot be reached, or there is no SQLite for it; without it nothing is sent that changes anything.',
  LOCK_BUSY: 'Another process has held the state or a file for as long as this run waits.',
  KEY_FILE: 'A private key cannot be read or used.',
  KEY_PASSPHRASE: 'The passphrase of a key or PKCS#12 file is missing or wrong.',
  KEY_MISMATCH: 'The private key does not belong to the certificate.',
  CERTIFICATE_FILE: 'A certificate cannot be read.',
  CERTIFICATE_EXPIRED: 'The certificate of the profile is not valid today.',
  CERTIFICATE_WEAK: 'The key of the signing certificate is too weak.',
  JOURNEY_UNTRUSTED: 'A journey does what only a file that was trusted may do.',
  SIGNING_FAILED: 'The request could not be signed.',
  SECRET_REFERENCE: 'A reference leads to no secret, or to none that can be used.',
  TOKEN_STORE: 'The keyring cannot be read or written.',
  PROXY_INVALID: 'A variable such as HTTPS_PROXY names no proxy that can be used.',
  POLICY: 'The administrator of this machine does not allow it (/etc/obk/policy.json).',
  CONNECTION_INSECURE: 'The connection is not safe enough for this profile or for a secret.',
  CREDENTIALS_ELSEWHERE: 'A token, a consent or a password would go to another origin than it belongs to.',
  LISTENER_FAILED: 'The port for the return of the browser, or for notifications, cannot be listened to.',
  SANDBOX_UNAVAILABLE: 'The bank inside cannot run here.',
  NOT_SENT: 'The request did not leave this machine: it is safe to run the command again.',
  OUTCOME_UNKNOWN: 'A change was sent and its outcome is unknown: do not run the command again.',
  INTENT_IN_PROGRESS: 'Another process is carrying out this very payment.',
  SCA_IN_PROGRESS: 'Another process leads this very authorisation; this one sent nothing.',
  ANSWER_UNREADABLE: 'The answer cannot be read.',
  ANSWER_TOO_LARGE: 'The answer is longer than obk takes.',
  ANSWER_LOST: 'The request left and its answer was lost on the way; the error says how to go on.',
  REPORT_ENDLESS: 'The pages of a report lead back to each other.',
  REDIRECTED: 'The bank answers with a redirection, which is never followed.',
  BANK_FAILED: 'The bank failed (5xx).',
  REFUSED: 'The bank refused the call; its own code says why.',
  AUTH_NEEDED: 'The bank wants another consent or token, or a login.',
  CONSENT_NEEDED: 'There is no consent to read accounts with.',
  BANK_CONFIG: 'The bank refuses certificate, signature or role.',
  THROTTLED: 'Too many calls for the bank.',
  ACCESS_BUDGET: 'The accesses that the consent allows are used up; nothing was sent.',
  WAIT_OVER: 'What is left of --timeout is shorter than the wait that is due; the call was not sent.',
  DECLINED: 'The PSU or the bank said no.',
  FEES_TOO_HIGH: 'The bank asks more than --max-fees, or in another currency; nothing was confirmed.',
  LINK_REFUSED: 'A link of the bank leads where the profile does not allow it.',
  CONVERSATION_STUCK: 'The bank asks for something that obk cannot give.',
  INTERRUPTED: 'Stopped by Ctrl-C, or a question was left unanswered.',
  TERMINATED: 'Stopped by SIGTERM.',
  OUTPUT_LOST: 'The output could not be written, or --jq does not fit it; what was asked for is done.',
  INTERNAL: 'A bug of obk; --debug shows where.',
};

/** Every error code with its usual exit code, in the order of exit codes. */
export const errorMeanings = (Object.keys(meanings) as ErrorCode[])
  .map((code) => ({ code, exit: errorExits[code], meaning: meanings[code] }))
  .sort((a, b) => a.exit - b.exit);

const text = [
  'What each error code of obk means; they do not change between releases.',
  '',
  'EXIT  CODE',
  ...definitions(
    errorMeanings.map(
      ({ code, exit, meaning }) => [`${String(exit).padStart(4)}  ${code}`, meaning] as const,
    ),
    { indent: 0, width: 80, column: 30 },
  ),
  '',
  'The code is in the member error.code with --json; tppMessages has those of the',
  'bank. Where a bank refuses, its own code may decide on another exit.',
  '',
  'LEARN MORE',
  '  obk explain CODE',
  '  obk help exit-codes',
  '',
].join('\n');

export const register: Register = (command, start) => start(command, { examples: [], text }, run);

const run: Run<object> = () => Promise.resolve({ kind: 'data', data: errorMeanings, text: () => text });
