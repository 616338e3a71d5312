import { line } from '../../../base/command-line.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Found } from '../../../client/authorisations/find-authorisation.ts';
import { findAuthorisation } from '../../../client/authorisations/find-authorisation.ts';
import { isUnknown } from '../../../client/resources/parent-status.ts';
import { dueStep, onlyStep } from '../../../client/sca/one-step.ts';
import type { StepVerb } from '../../../client/sca/one-step.ts';
import { ObkError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import type { Outcome, Column, DataOutcome } from '../../outcome.ts';
import { lead } from '../run/lead.ts';
import { requireBaskets } from '../run/require-offered.ts';
import type { ScaOptions } from '../flags/sca-options.ts';
import { withTarget, chosenProfile } from '../run/with-target.ts';
import { wireOptions } from '../flags/global-options.ts';
import { returnOption, waitOptions, methodOption, feesOption, secretOptions } from '../flags/sca-options.ts';
import { defined } from '../../../base/defined.ts';
import { cleanLine } from '../../../base/clean.ts';
import { readAuthorisations, watchAuthorisations } from '../../../client/authorisations/sca-status.ts';
import type { AuthorisationState, AuthorisationWatch } from '../../../client/authorisations/sca-status.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { WatchEnd } from '../../../client/resources/watch.ts';
import { scaStatuses } from '../../../standard/xs2a/codes.ts';
import { oneOf } from '../flags/flag-values.ts';
import { ago } from '../output/for-person.ts';
import { exitOfWatch, watchOf, watchOptions, watchOutcome } from '../flags/watch-options.ts';
import { scaQuestions } from '../../../client/sca/sca-questions.ts';

/** Which authorisation a command is about. */
type ScaId = OptionsOf<typeof scaId>;

/** Adds the id of whatever is authorised, or of the authorisation itself. */
const scaId = <Own>(command: Flags<Own>) =>
  command.argument(
    '[id]',
    'id of a payment, consent, basket or authorisation, its first 6 or more characters, or @last; the newest open authorisation if not given',
  );

/** Takes exactly the one step of a verb, and says where the authorisation stands then. */
function takeStep(
  context: Context,
  options: ScaId & ScaOptions,
  verb: StepVerb,
  given?: readonly string[],
): Promise<Outcome> {
  return withTarget(context, options, async (opened) => {
    const found = await findAuthorisation(opened, options.id, opened.run.psu?.id);
    const { resource, conversation } = found;
    if (conversation === undefined) throw neverStarted(found);
    const target = resource.noun === 'basket' ? await requireBaskets(opened) : opened;
    const only = onlyStep(verb, given);
    return lead(
      context,
      target,
      { resource, conversation, resumed: true, leader: 'step', created: false, only },
      options,
    );
  });
}

function neverStarted({ resource: { noun, id } }: Found): ObkError {
  return new ObkError({
    code: 'STEP_NOT_ALLOWED',
    title: `No authorisation of the ${noun} ${id} was begun from here.`,
    hint: [line`obk ${noun} authorise ${id}`],
  });
}

/** The command that does what is due, if anything is known of the authorisation. */
function nextOf({ resource, conversation }: Found): string[] {
  if (isUnknown(resource)) return [line`obk ${resource.noun} get ${resource.id}`];
  return conversation === undefined ? [] : [dueStep(conversation).command];
}

const methodsFlags = (command: Flags) => scaId(command);

type MethodsOptions = OptionsOf<typeof methodsFlags>;

const registerMethods: Register = (command, start) =>
  start(
    methodsFlags(command),
    {
      about: 'List the SCA methods that the bank has offered; asks nobody',
      examples: ['obk sca methods @last', 'obk sca methods -o name'],
      more: ['obk help sca select'],
    },
    runMethods,
  );

const runMethods: Run<MethodsOptions> = async (context, { id }) => {
  const { name } = await chosenProfile(context);
  const found = await findAuthorisation({ name, ports: context.ports }, id);
  const { scaMethods = [], chosenScaMethod } = found.conversation ?? {};
  const chosenId = chosenScaMethod?.authenticationMethodId;
  const rows = scaMethods.map((method) => ({
    authenticationMethodId: method.authenticationMethodId,
    authenticationType: method.authenticationType,
    name: method.name ?? null,
    explanation: method.explanation ?? null,
    chosen: method.authenticationMethodId === chosenId,
  }));
  const only = chosenScaMethod === undefined ? [] : [{ ...chosenScaMethod, chosen: true }];
  return {
    kind: 'rows',
    columns: [
      { key: 'authenticationMethodId', title: 'METHOD' },
      { key: 'authenticationType', title: 'TYPE' },
      { key: 'name', title: 'NAME' },
      { key: 'chosen', title: 'CHOSEN' },
      { key: 'explanation', title: 'EXPLANATION', wide: true },
    ],
    rows: rows.length > 0 ? rows : only,
    nameKey: 'authenticationMethodId',
    empty: `The bank has offered no method for the ${found.resource.noun} ${found.resource.id}.`,
    next: nextOf(found),
  };
};

const openFlags = (command: Flags) => wireOptions(returnOption(waitOptions(scaId(command))));

type OpenOptions = OptionsOf<typeof openFlags>;

const registerOpen: Register = (command, start) =>
  start(
    openFlags(command),
    {
      about:
        "Open or print the link to the bank's page again; --wait (or a person) stays until the PSU is back",
      examples: ['obk sca open @last', 'obk sca open --wait --timeout 2m'],
      exits: [8, 9, 5],
      more: ['obk help sca status'],
    },
    runOpen,
  );

const runOpen: Run<OpenOptions> = (context, options) => takeStep(context, options, 'open');

const selectFlags = (command: Flags) => wireOptions(methodOption(scaId(command)));

type SelectOptions = OptionsOf<typeof selectFlags>;

const registerSelect: Register = (command, start) =>
  start(
    selectFlags(command),
    {
      about: 'Choose the SCA method of an authorisation, and do nothing more',
      examples: ['obk sca select @last --sca-method sms', 'obk sca select --sca-method CHIP_OTP --json'],
      exits: [5, 9, 12],
      more: ['obk help sca methods', 'obk help sca submit'],
    },
    runSelect,
  );

const runSelect: Run<SelectOptions> = (context, options) => takeStep(context, options, 'select');

const statusFlags = (command: Flags) =>
  wireOptions(
    watchOptions(scaId(command), 'every authorisation is over', {
      text: 'read again until every one has this status, such as finalised',
      read: oneOf(
        '--until',
        scaStatuses.map(({ code }) => code),
      ),
    }),
  );

type StatusOptions = OptionsOf<typeof statusFlags>;

const registerStatus: Register = (command, start) =>
  start(
    statusFlags(command),
    {
      about: 'Show every authorisation of a resource, each with its scaStatus; of one, if its id is given',
      examples: [
        'obk sca status @last',
        'obk sca status --json',
        'obk sca status @last --watch --timeout 5m',
        'obk sca status @last --until finalised --timeout 5m',
      ],
      exits: [8, 9, 4, 5],
      more: ['obk help sca submit', 'obk help payment status'],
    },
    runStatus,
  );

const columnsOf = ({ ports }: Context): readonly Column[] => [
  { key: 'of', title: 'OF' },
  { key: 'authorisationId', title: 'AUTHORISATION' },
  { key: 'scaStatus', title: 'STATUS', whole: true },
  { key: 'psuId', title: 'PSU' },
  { key: 'changedAt', title: 'SINCE', spare: 1, forPerson: ago(ports) },
  { key: 'approach', title: 'APPROACH', wide: true },
];

const runStatus: Run<StatusOptions> = (context, options) => {
  const { watch, wire } = watchOf(options);
  return withTarget(context, wire, async (opened) => {
    const found = await findAuthorisation(opened, options.id, opened.run.psu?.id);
    const { noun, id } = found.resource;
    const target = noun === 'basket' ? await requireBaskets(opened) : opened;
    if (watch !== undefined && options.watch === true) return watchOutcome(changes(target, found, watch));
    const { rows, exit } =
      watch === undefined
        ? { rows: await readAuthorisations(target, found), exit: undefined }
        : await waited(target, found, watch);
    return {
      kind: 'rows',
      columns: columnsOf(context),
      nameKey: 'authorisationId',
      empty: noneOf(noun, id),
      rows,
      next: nextOf(found),
      ...defined({ exit }),
    };
  });
};

/** All of them at the end, and the changes before it on stderr. */
async function waited(target: Target, found: Found, pace: AuthorisationWatch) {
  const states = watchAuthorisations(target, found, pace);
  for (;;) {
    const { done, value } = await states.next();
    if (done === true) return { rows: value.last, exit: exitOfWatch[value.end] };
    target.ports.notices.say(lineOf(value));
  }
}

async function* changes(
  target: Target,
  found: Found,
  pace: AuthorisationWatch,
): AsyncGenerator<DataOutcome, WatchEnd> {
  const { noun, id } = found.resource;
  const states = watchAuthorisations(target, found, pace);
  for (let count = 0; ; count += 1) {
    const { done, value } = await states.next();
    if (done === true) {
      if (count === 0) target.ports.notices.say(noneOf(noun, id));
      return value.end;
    }
    yield { kind: 'data', data: value, text: () => lineOf(value), name: value.authorisationId };
  }
}

function noneOf(noun: string, id: string): string {
  return `No authorisation of the ${noun} ${cleanLine(id)} is known.`;
}

function lineOf({ authorisationId, scaStatus, psuId }: AuthorisationState): string {
  const of = psuId === null ? '' : ` of ${psuId}`;
  return cleanLine(`Authorisation ${authorisationId}${of}: ${scaStatus ?? 'no status'}`);
}

const submitFlags = (command: Flags) => wireOptions(feesOption(secretOptions(scaId(command))));

type SubmitOptions = OptionsOf<typeof submitFlags>;

const registerSubmit: Register = (command, start) =>
  start(
    submitFlags(command),
    {
      about: 'Send the one thing that the bank waits for: a password, a one-time password, the PSU-ID',
      examples: [
        'obk sca submit @last --psu-password-from env:PSU_PASSWORD',
        'obk sca submit --otp-from env:PSU_OTP --json',
      ],
      exits: [9, 5, 12],
      more: ['obk help sca status', 'obk help references'],
    },
    runSubmit,
  );

const runSubmit: Run<SubmitOptions> = (context, options) => {
  const { password, additionalPassword, encryptedPassword, additionalEncryptedPassword, otp } = scaQuestions;
  const secrets: readonly [string, string | undefined][] = [
    [password.flag, options.psuPasswordFrom],
    [additionalPassword.flag, options.psuAdditionalPasswordFrom],
    [encryptedPassword.flag, options.psuEncryptedPasswordFrom],
    [additionalEncryptedPassword.flag, options.psuAdditionalEncryptedPasswordFrom],
    [otp.flag, options.otpFrom],
  ];
  const given = secrets.filter(([, value]) => value !== undefined).map(([flag]) => flag);
  return takeStep(context, options, 'submit', given);
};

export const register = {
  methods: registerMethods,
  open: registerOpen,
  select: registerSelect,
  status: registerStatus,
  submit: registerSubmit,
};
