import { defined } from '../../base/defined.ts';
import { InteractionNeeded, ObkError } from '../../base/errors.ts';
import type { OtherEntry, Question, SecretQuestion } from '../ports/person.ts';
import type { Conversation, Need } from '../../standard/sca/state.ts';
import type { Secret } from '../../base/secret.ts';
import { returnQuestion } from '../browser/return-question.ts';
import { confirmsText } from '../resources/subject.ts';
import type { Target } from '../exchange/target.ts';
import { methodName, otpForm, showChallenge } from './challenge.ts';
import { scaQuestions } from './sca-questions.ts';
import { psuIdOf } from './sca-send.ts';
import type { Underway } from './sca-send.ts';
import { encryptPassword, readPasswordKey } from '../../signing/jwe.ts';
import type { PasswordKey } from '../../signing/jwe.ts';
import { readProfileFile } from '../profile/profile-file.ts';
import { callOauth, linkRefused } from '../oauth/oauth-transport.ts';

/** The answer to one question of a conversation. */
export interface Answered {
  /** The value to send: a secret, the id of a method, the PSU-ID, or nothing. */
  value: string | Secret | undefined;
  /** The plain secret, to recognise one the bank has refused before (its encrypted form differs every time). */
  known?: Secret;
}

/** The questions that may answer a need; the first is the one to name. */
export function questionsOf(need: Need): readonly [Question, ...Question[]] {
  const { password, encryptedPassword, additionalPassword, additionalEncryptedPassword } = scaQuestions;
  switch (need) {
    case 'psuData.encryptedPassword':
      return [password, encryptedPassword];
    case 'psuData.additionalPassword':
      return [additionalPassword];
    case 'psuData.additionalEncryptedPassword':
      return [additionalPassword, additionalEncryptedPassword];
    case 'scaAuthenticationData':
      return [scaQuestions.otp];
    case 'authenticationMethodId':
      return [scaQuestions.method];
    case 'identification':
      return [scaQuestions.psuId];
    case 'confirmationCode':
      return [returnQuestion];
    default:
      return [password];
  }
}

/** Who can answer a need once more after an entry that did not lead on; undefined where no other entry can come. */
export async function anotherFor(
  target: Target,
  conversation: Conversation,
  need: Need,
): Promise<OtherEntry | undefined> {
  // The only method is chosen by nobody.
  if (need === 'authenticationMethodId' && (conversation.scaMethods ?? []).length < 2) return undefined;
  for (const question of questionsOf(need)) {
    const from = await target.ports.person.another(withProfile(target, question));
    // Only a human can lead a browser once more.
    if (from === 'human' || (from !== undefined && need !== 'confirmationCode')) return from;
  }
  return undefined;
}

/** Whether a flag, a variable or the profile answers a need. */
export function isGiven(target: Target, need: Need): boolean {
  return questionsOf(need).some((question) => target.ports.person.answered(withProfile(target, question)));
}

/** Gets what a step needs, of the PSU or of what stands for the PSU. `again`: the first answer did not lead on. */
export async function answerNeed(
  target: Target,
  authorisation: Underway,
  need: Need,
  again: boolean,
): Promise<Answered> {
  const { conversation } = authorisation;
  const { person } = target.ports;
  switch (need) {
    case 'none':
      return { value: undefined };
    case 'identification': {
      const known = again ? undefined : psuIdOf(target, conversation);
      return {
        value:
          known ??
          (await person.ask({
            ...scaQuestions.psuId,
            again,
            check: (text) => (text.trim() === '' ? 'it is empty' : undefined),
          })),
      };
    }
    case 'authenticationMethodId':
      return { value: await chooseMethod(target, conversation, again) };
    case 'psuData.password':
      return plain(target, passwordQuestion(target, authorisation, again));
    case 'psuData.additionalPassword':
      return plain(target, { ...secretOf(target, authorisation, scaQuestions.additionalPassword), again });
    case 'psuData.encryptedPassword':
      return encryptedAnswer(
        target,
        passwordQuestion(target, authorisation, again),
        scaQuestions.encryptedPassword,
        conversation.certificateLink,
      );
    case 'psuData.additionalEncryptedPassword':
      return encryptedAnswer(
        target,
        { ...secretOf(target, authorisation, scaQuestions.additionalPassword), again },
        scaQuestions.additionalEncryptedPassword,
        conversation.certificateLink,
      );
    case 'scaAuthenticationData':
      showChallenge(target, conversation);
      return plain(target, {
        ...secretOf(target, authorisation, withProfile(target, scaQuestions.otp)),
        again,
        trim: true,
        ...otpForm(conversation.challengeData),
      });
    default:
      throw new ObkError({
        code: 'CONVERSATION_STUCK',
        title: `The bank asks for ${need}, which obk cannot provide yet.`,
        detail: 'Its answer offers no other way to go on.',
      });
  }
}

async function plain({ ports }: Target, question: SecretQuestion): Promise<Answered> {
  const secret = await ports.person.askSecret(question);
  return { value: secret, known: secret };
}

/** A ready-made value goes before; else the password is asked for and encrypted for the bank's key. */
async function encryptedAnswer(
  target: Target,
  question: SecretQuestion,
  readyMade: Question,
  link: string | undefined,
): Promise<Answered> {
  const { person } = target.ports;
  const isTyped = question.again && (await person.another(question)) === 'human';
  const given = person.answered(readyMade) && !isTyped;
  const key = given ? undefined : await passwordKey(target, link);
  if (key === undefined) {
    const { again, confirms } = question;
    return plain(target, { ...readyMade, again, ...defined({ confirms }) });
  }
  const password = await person.askSecret(question);
  return { value: encrypted(target, password, key), known: password };
}

function passwordQuestion(target: Target, authorisation: Underway, again: boolean): SecretQuestion {
  return { ...secretOf(target, authorisation, withProfile(target, scaQuestions.password)), again };
}

/** The question with the PSU whom it concerns and with what it confirms, so that nobody types the secret of another one, or for another end. */
function secretOf<Q extends Question>(
  target: Target,
  { resource, conversation }: Underway,
  question: Q,
): Q & { confirms: string } {
  const confirms = confirmsText(target.name, resource, conversation.parent.kind);
  const psuId = psuIdOf(target, conversation);
  if (psuId === undefined) return { ...question, confirms };
  const text = question.text.replace(/ of the PSU$/, '');
  return { ...question, text: `${text} of the PSU ${psuId}`, confirms };
}

async function chooseMethod(target: Target, conversation: Conversation, again: boolean): Promise<string> {
  const methods = conversation.scaMethods ?? [];
  const [only] = methods;
  if (only === undefined) {
    throw new ObkError({
      code: 'CONVERSATION_STUCK',
      title: 'The bank asks to choose an SCA method, and no answer that obk can read names one.',
      hint: ['obk log show @last -vvv'],
    });
  }
  if (methods.length === 1) {
    if (again) throw new InteractionNeeded([scaQuestions.method.flag]);
    target.ports.notices.say(`SCA method: ${methodName(only)} (the only one).`);
    return only.authenticationMethodId;
  }
  return target.ports.person.choose({
    ...withProfile(target, scaQuestions.method),
    again,
    options: methods.map((method) => ({
      value: method.authenticationMethodId,
      name: methodName(method),
      ...defined({ description: method.explanation }),
      aliases: [
        method.authenticationType,
        method.authenticationType.replace(/_OTP$/i, ''),
        ...(method.name === undefined ? [] : [method.name]),
      ],
    })),
  });
}

/** The question with the answer of the profile, where it has one. */
function withProfile<Q extends Question>({ psu }: Target, question: Q): Q {
  const { passwordFrom, scaMethod, otpFrom } = psu;
  const answers: Readonly<Record<string, string | undefined>> = {
    [scaQuestions.password.id]: passwordFrom,
    [scaQuestions.method.id]: scaMethod,
    [scaQuestions.otp.id]: otpFrom,
  };
  const fallback = answers[question.id];
  return fallback === undefined ? question : { ...question, fallback };
}

/**
 * The bank's key for the passwords of its PSUs: from the profile, from where a link of the bank leads or its
 * description says, or from the sandbox. Throws
 * KEY_FILE, LINK_REFUSED.
 */
async function passwordKey(target: Target, link?: string): Promise<PasswordKey | undefined> {
  const { ports, profile, ownBank } = target;
  const setting = profile.passwordEncryption;
  const place = link ?? profile.sca?.passwordEncryption?.certificatePath;
  if (setting === undefined && place !== undefined) return linkedKey(target, place);
  if (setting === undefined) {
    return ownBank === undefined
      ? undefined
      : readPasswordKey(await ports.bank.passwordKey(), 'the bank inside');
  }
  const text = await readProfileFile(ports, setting.key, 'KEY_FILE', 'password key');
  return readPasswordKey(text, setting.key, setting.algorithm ?? profile.sca?.passwordEncryption?.kind);
}

/** The key that the bank itself gives, from no other address than its own. */
async function linkedKey(target: Target, link: string): Promise<PasswordKey> {
  const { links, ownOrigins = [], profile } = target;
  const url = new URL(link, links.base);
  if (url.origin !== new URL(links.base).origin && !ownOrigins.includes(url.origin))
    throw linkRefused(url.href, 'the certificate for passwords comes from the bank alone', {});
  const response = await callOauth(
    target,
    { id: 'bankCertificate', method: 'GET', url: url.href, headers: { accept: '*/*' } },
    {},
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  const isDer = bytes[0] === 0x30;
  const pem = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return readPasswordKey(
    isDer ? pem : bytes.toString('utf8'),
    url.href,
    profile.sca?.passwordEncryption?.kind,
  );
}

/** The password as the bank takes it: a JWE for its key. */
function encrypted({ ports }: Target, password: Secret, key: PasswordKey): Secret {
  return encryptPassword(password, key, (bytes) => Buffer.from(ports.ids.token(bytes), 'base64url'));
}
