import { cleanLine } from '../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../command.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { wholeIdIn } from '../../client/evidence/journal-runs.ts';
import { failedLater, ticketOf, savedFor } from '../../client/evidence/ticket.ts';
import { ticketPage } from '../render/ticket.ts';
import { foldFor } from '../render/wrap.ts';
import type { Context } from '../context.ts';
import { forbidden } from '../../client/profile/policy.ts';
import type { Environment } from '../../settings/records/profile.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { demand } from './flags/flag-values.ts';
import { confirmOptions, confirmShowing } from './flags/sca-options.ts';
import type { ConfirmOptions } from './flags/sca-options.ts';
import { chosenProfile } from './run/with-target.ts';

const flags = (command: Flags) =>
  confirmOptions(
    command
      .argument(
        '[id]',
        'of a payment, consent or basket, its first 6 or more characters, @last; or a run, such as @failed',
        '@failed',
      )
      .optionsGroup('REPORT FLAGS')
      .option('--output <FILE.html>', 'where to write it, mode 0600')
      .addOption(command.createOption('-o <FILE.html>', 'the old name of --output').hideHelp())
      .option('--force', 'replace the file')
      .option('--unmasked', 'keep account numbers, so that the bank can verify digest and signature'),
  );

/** `-o` is deprecated: elsewhere it is the format. */
type Options = OptionsOf<typeof flags> & { o?: string };

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Write one HTML file with all that was sent and answered, for the ticket at a bank',
      usage: '--output FILE.html',
      examples: [
        'obk report --output failed.html',
        'obk report @last --output ticket.html',
        'obk report ID --output ticket.html --force',
        'obk report @failed --unmasked --output for-the-bank.html',
      ],
      exits: [3],
      more: ['obk help log har', 'obk help log show'],
    },
    run,
  );

const run: Run<Options> = async (context, { id: typed, o, output = o, force = false, ...options }) => {
  demand([output === undefined && '--output FILE.html'], line`obk report ${typed} --output ticket.html`);
  const { journal, files, clock, notices } = context.ports;
  if (o !== undefined)
    notices.warn('-o is where to write here, and the format elsewhere; --output is for this.');
  const { name } = await chosenProfile(context);
  const { id, saved } = await meant(context, name, { typed, output: output ?? '' });
  const mayUnmask = (environment: Environment | null, profile: string | null) =>
    unmasking(context, { environment: environment ?? 'production', name: profile ?? name }, options);
  const ticket = await ticketOf(
    journal,
    saved?.id ?? (id.startsWith('@') ? id : await wholeIdIn(journal, id)),
    {
      saved,
      mayUnmask: options.unmasked === true ? mayUnmask : undefined,
      profile: context.globals.profile,
    },
  );
  if (ticket.exchanges.length === 0) {
    throw new ObkError({
      code: 'RESOURCE_NOT_SAVED',
      title: `No call was made about ${id}.`,
      hint: ['obk log list'],
    });
  }
  const page = ticketPage(ticket, { at: clock.now().toISOString(), version: context.process.version });
  const path = files.absolute(output ?? '');
  await files.write(path, Buffer.from(page, 'utf8'), { force });
  const { exchanges, steps: _steps, ...facts } = ticket;
  return {
    kind: 'data',
    data: { file: path, ...facts, exchanges: exchanges.map(({ requestId }) => requestId) },
    text: (style) =>
      foldFor(style, [
        ...(ticket.verdict === null ? [] : [cleanLine(`Verdict: ${ticket.verdict}`)]),
        `${path}: ${String(exchanges.length)} exchange${exchanges.length === 1 ? '' : 's'}, secrets cut out${ticket.unmasked ? ', with account numbers' : ''}.`,
      ]).join('\n'),
    name: path,
  };
};

/**
 * What the report is about. After a run that failed, `@last` may be the newest resource or that run: a person is asked, and a script
 * has to say. Throws ID_AMBIGUOUS.
 */
async function meant(
  { ports: { journal, resources, person } }: Context,
  profile: string,
  { typed, output }: { typed: string; output: string },
): Promise<{ id: string; saved: SavedResource | undefined }> {
  const saved = await savedFor(resources, profile, typed);
  if (saved === undefined || !typed.startsWith('@last') || !(await failedLater(journal, saved)))
    return { id: typed, saved };
  const what = `${saved.noun} ${cleanLine(saved.id)}`;
  if (!person.present)
    throw new ObkError({
      code: 'ID_AMBIGUOUS',
      title: `${typed} may be the ${what} or the later run that failed.`,
      hint: [
        line`obk report ${saved.id} --output ${output}   # the ${saved.noun}`,
        line`obk report @failed --profile ${saved.profile} --output ${output}   # the run that failed`,
      ],
    });
  const chosen = await person.choose({
    ...{ id: 'report-of', flag: '@failed', env: '', text: `What is the report about?`, again: true },
    options: [
      { value: '@failed', name: 'the run that failed' },
      { value: saved.id, name: `the ${what}` },
    ],
  });
  return chosen === '@failed' ? { id: chosen, saved: undefined } : { id: chosen, saved };
}

/** Throws unless account numbers of this environment may stand in a document: POLICY, NOT_CONFIRMED. */
async function unmasking(
  context: Context,
  of: { environment: Environment; name: string },
  options: ConfirmOptions,
): Promise<void> {
  const policy = context.policy();
  if (policy?.unmasked === false)
    throw forbidden(policy, 'Account numbers are masked on this machine; --unmasked is not allowed.');
  if (of.environment === 'sandbox') return;
  await confirmShowing(context, of, 'A report with account numbers', options);
}
