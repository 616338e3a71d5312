import type { Context } from '../../context.ts';
import { returnQuestion } from '../../../client/browser/return-question.ts';
import { scaQuestions } from '../../../client/sca/sca-questions.ts';
import type { Question } from '../../../client/ports/person.ts';

/** A question as it is known to scripts: every one can be answered by a flag and by a variable. */
export interface Prompt extends Pick<Question, 'id' | 'flag' | 'env'> {
  /** The commands that may ask it. */
  commands: readonly string[];
}

const init = ['payment init'];
const sca = [
  'payment init',
  'payment authorise',
  'payment cancel',
  'consent create',
  'consent renew',
  'consent authorise',
  'consent delete',
  'basket create',
  'basket authorise',
  'pending resume',
];

const goesOn = sca.filter((command) => / (authorise|resume)$/.test(command));

/** Commands that read account data, and may ask for a consent first. */
const reads = [
  'accounts list',
  'accounts get',
  'accounts balances',
  'transactions list',
  'transactions get',
  'cards list',
  'cards get',
  'cards balances',
  'cards transactions',
];

/** Commands that create something at the bank and send the address of the PSU's device. */
export const creations = ['payment init', 'consent create', 'consent renew', 'basket create'];

const confirmed = [
  'payment init',
  'payment cancel',
  'consent create',
  'consent renew',
  'consent delete',
  'basket create',
  'basket delete',
  'api',
  'report',
];

const own = {
  product: { id: 'product', flag: '--product', env: 'OBK_PRODUCT', commands: init },
  debtor: { id: 'debtor', flag: '--debtor', env: 'OBK_DEBTOR', commands: init },
  debtorName: { id: 'debtor-name', flag: '--debtor-name', env: 'OBK_DEBTOR_NAME', commands: init },
  initiatingParty: {
    id: 'initiating-party',
    flag: '--initiating-party',
    env: 'OBK_INITIATING_PARTY',
    commands: init,
  },
  creditorName: { id: 'creditor-name', flag: '--creditor-name', env: 'OBK_CREDITOR_NAME', commands: init },
  creditorAccount: {
    id: 'creditor-account',
    flag: '--creditor-account',
    env: 'OBK_CREDITOR_ACCOUNT',
    commands: init,
  },
  creditorAgent: {
    id: 'creditor-agent',
    flag: '--creditor-agent',
    env: 'OBK_CREDITOR_AGENT',
    commands: init,
  },
  creditorAddress: {
    id: 'creditor-address',
    flag: '--creditor-address',
    env: 'OBK_CREDITOR_ADDRESS',
    commands: init,
  },
  chargeBearer: { id: 'charge-bearer', flag: '--charge-bearer', env: 'OBK_CHARGE_BEARER', commands: init },
  startDate: { id: 'start-date', flag: '--start-date', env: 'OBK_START_DATE', commands: init },
  frequency: { id: 'frequency', flag: '--frequency', env: 'OBK_FREQUENCY', commands: init },
  amount: { id: 'amount', flag: '--amount', env: 'OBK_AMOUNT', commands: init },
  remittance: { id: 'remittance', flag: '--remittance', env: 'OBK_REMITTANCE', commands: init },
  iban: { id: 'iban', flag: '--iban', env: 'OBK_IBAN', commands: ['consent create', ...reads] },
  recurring: { id: 'recurring', flag: '--recurring', env: 'OBK_RECURRING', commands: ['consent create'] },
  overBudget: { id: 'over-budget', flag: '--over-budget', env: 'OBK_OVER_BUDGET', commands: reads },
  psuIp: { id: 'psu-ip', flag: '--psu-ip', env: 'OBK_PSU_IP', commands: [...creations, ...reads] },
  yes: {
    id: 'yes',
    flag: '--yes',
    env: 'OBK_YES',
    commands: [...confirmed, 'profile delete', 'sandbox reset', 'doctor'],
  },
  confirm: {
    id: 'confirm',
    flag: '--confirm',
    env: 'OBK_CONFIRM',
    commands: confirmed,
  },
  trustBank: {
    id: 'trust-bank',
    flag: '--trust-bank',
    env: 'OBK_TRUST_BANK',
    commands: ['profile create', 'profile edit'],
  },
  trustReferences: {
    id: 'trust-references',
    flag: '--trust-references',
    env: 'OBK_TRUST_REFERENCES',
    commands: ['profile import'],
  },
  environment: {
    id: 'environment',
    flag: '--environment',
    env: 'OBK_ENVIRONMENT',
    commands: ['profile create', 'profile edit', 'profile import'],
  },
  baseUrl: { id: 'base-url', flag: '--base-url', env: 'OBK_BASE_URL', commands: ['profile create'] },
  certificate: { id: 'certificate', flag: '--certificate', env: 'OBK_CERT', commands: ['profile create'] },
  key: { id: 'key', flag: '--key', env: 'OBK_KEY', commands: ['profile create'] },
  passphrase: {
    id: 'passphrase',
    flag: '--passphrase-from',
    env: 'OBK_PASSPHRASE_FROM',
    commands: ['cert inspect', 'cert lint', 'cert import'],
  },
} as const satisfies Record<string, Prompt>;

/** Every question of obk; a test holds each against its command. */
export const prompts: readonly Prompt[] = [
  ...Object.values(own),
  {
    id: returnQuestion.id,
    flag: returnQuestion.flag,
    env: returnQuestion.env,
    commands: [...goesOn, 'sca open', 'auth login'],
  },
  ...Object.values(scaQuestions).map(({ id, flag, env }) => ({
    id,
    flag,
    env,
    commands: [...sca, ...reads, id === scaQuestions.method.id ? 'sca select' : 'sca submit'],
  })),
];

/** A question of the registry with its text. */
export function question(name: keyof typeof own, text: string): Question {
  const { id, flag, env } = own[name];
  return { id, flag, env, text };
}

/** The answer to a question from its flag, or else from its variable. */
export function givenFor(
  context: Context,
  name: keyof typeof own,
  typed: string | undefined,
): string | undefined {
  const value = typed ?? context.process.env[own[name].env];
  return value === '' && typed === undefined ? undefined : value;
}
