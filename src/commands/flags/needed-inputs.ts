import type { Context } from '../../context.ts';
import { rulesOf } from '../../flows/call/bank-headers.ts';
import { psuIpHeader } from '../../flows/call/psu-headers.ts';
import type { Target } from '../../flows/exchange/target.ts';
import { scaQuestions } from '../../flows/sca/sca-questions.ts';
import { operations } from '../../xs2a/operations.ts';
import type { Operation } from '../../xs2a/operations.ts';
import type { WireOptions } from './global-options.ts';
import { prompts } from './prompts.ts';
import type { Prompt } from './prompts.ts';
import { isOfAnotherPsu } from './psu-variables.ts';

/** Commands that create something at the bank and send the address of the PSU's device. */
const creations = ['payment init', 'consent create', 'consent renew', 'basket create'];

/**
 * Finds what is missing before anything is asked or sent: PSU-IP-Address of a creation, and what the references of this run and
 * of the rules of its bank are read from. Throws USAGE, INPUT_INVALID, SECRET_REFERENCE.
 */
export async function checkInputs(context: Context, target: Target, wire: WireOptions): Promise<void> {
  const { command, ports } = context;
  const { env: variables } = context.process;
  const options = { ...wire } as Readonly<Record<string, unknown>>;
  // A read creates a consent only if told to, and needs the PSU only then.
  const reads = /^(accounts|transactions|cards) /.test(command);
  const leads = !reads || options['createConsent'] === true;
  if (leads && (reads || creations.includes(command))) psuIpHeader(target);
  const { keyPassphraseFrom, tlsKeyPassphraseFrom } = target.profile;
  for (const reference of [keyPassphraseFrom, tlsKeyPassphraseFrom])
    if (reference !== undefined) await ports.secrets.check(reference, 'the passphrase of the key');
  if (leads && leadsPsu(command))
    for (const { name, valueFrom } of rulesOfService(target, command))
      if (valueFrom !== undefined) await ports.secrets.check(valueFrom, `the header ${name}`);
  for (const { flag, env, id } of prompts.filter(({ commands }) => commands.includes(command))) {
    if (!flag.endsWith('-from')) continue;
    const typed = options[optionName(flag)];
    const named = leads && !isOfAnotherPsu(env, wire.psuId, variables) ? variables[env] : undefined;
    const reference = typeof typed === 'string' ? typed : named;
    if (reference !== undefined && reference !== '') await ports.secrets.check(reference, `${flag} (${id})`);
  }
}

/** True for a command that takes one or more steps of an authorisation. */
function leadsPsu(command: string): boolean {
  const asks = ({ id, commands }: Prompt) =>
    (id === scaQuestions.otp.id || id === scaQuestions.method.id) && commands.includes(command);
  return command === 'sca open' || prompts.some(asks);
}

/** A command that leads a PSU sends several requests, so the rules for all of them are checked before the first. */
function rulesOfService({ profile }: Target, command: string) {
  const parents = parentsOf[command.split(' ')[0] ?? ''] ?? parentsOf['sca'];
  const own = operations.filter(({ parent }) => parents?.includes(parent));
  return new Set(own.flatMap((op) => rulesOf(profile, op)));
}

const parentsOf: Readonly<Record<string, readonly Operation['parent'][]>> = {
  payment: ['payment', 'cancellation'],
  consent: ['consent'],
  basket: ['basket'],
  accounts: ['consent', 'account'],
  transactions: ['consent', 'account'],
  cards: ['consent', 'card-account'],
  sca: ['payment', 'cancellation', 'consent', 'basket'],
};

/** `--psu-password-from` is `psuPasswordFrom`. */
const optionName = (flag: string): string =>
  flag.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
