import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { rulesOf } from '../../../client/call/bank-headers.ts';
import { psuIpHeader } from '../../../client/call/psu-headers.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { scaQuestions } from '../../../client/sca/sca-questions.ts';
import { checkPsuIp } from '../../../standard/xs2a/ip-address.ts';
import { operations } from '../../../standard/xs2a/operations.ts';
import type { Operation } from '../../../standard/xs2a/operations.ts';
import type { WireOptions } from './global-options.ts';
import { creations, prompts, question } from './prompts.ts';
import type { Prompt } from './prompts.ts';
import { isOfAnotherPsu } from './psu-variables.ts';

/**
 * The target with the PSU-IP-Address that a creation needs; a person is asked for a missing one before anything else. Throws
 * USAGE where nobody can be asked, and INPUT_INVALID.
 */
export async function withPsuIp(context: Context, target: Target, wire: WireOptions): Promise<Target> {
  if (!createsSomething(context.command, wire)) return target;
  const { person, notices } = target.ports;
  if (person.present && target.environment !== 'sandbox' && target.psu.ipAddress === undefined) {
    const text = "PSU-IP-Address (the IP address of the PSU's device)";
    const ipAddress = await person.ask({ ...question('psuIp', text), check: whyNoPsuIp });
    const keeps = line`obk profile edit ${target.name} --psu-ip ${ipAddress}`;
    notices.say(`To keep it for all payments and consents: ${keeps}`);
    const given = { psu: { ...target.psu, ipAddress }, run: { ...target.run.psu, ipAddress } };
    return { ...target, psu: given.psu, run: { ...target.run, psu: given.run } };
  }
  psuIpHeader(target);
  return target;
}

function whyNoPsuIp(answer: string): string | undefined {
  const checked = checkPsuIp(answer);
  return checked.ok ? undefined : checked.why;
}

/** A read creates a consent only if told to, and needs the PSU only then. */
function createsSomething(command: string, wire: object): boolean {
  return readsData(command) ? wantsConsent(wire) : creations.includes(command);
}

const readsData = (command: string) => /^(accounts|transactions|cards) /.test(command);
const wantsConsent = (wire: object) => 'createConsent' in wire && wire.createConsent === true;

/**
 * Finds what is missing before anything is sent: what the references of this run and of the rules of its bank are read from.
 * Throws SECRET_REFERENCE.
 */
export async function checkInputs(context: Context, target: Target, wire: WireOptions): Promise<void> {
  const { command, ports } = context;
  const { env: variables } = context.process;
  const options = { ...wire } as Readonly<Record<string, unknown>>;
  const leads = !readsData(command) || wantsConsent(wire);
  const { keyPassphraseFrom, tlsKeyPassphraseFrom } = target.profile;
  // The doctor tells of each key by itself, and goes on.
  const references = command === 'doctor' ? [] : [keyPassphraseFrom, tlsKeyPassphraseFrom];
  for (const reference of references)
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
