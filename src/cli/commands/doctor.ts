import type { Flags, OptionsOf, Register, Run } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../../base/errors.ts';
import { examine } from '../../client/doctor/doctor.ts';
import { fail, ok } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';
import type { Target } from '../../client/exchange/target.ts';
import { WrongSettings } from '../../client/profile/check-settings.ts';
import type { Outcome } from '../outcome.ts';
import type { Environment } from '../../settings/records/profile.ts';
import { findingsText } from '../render/findings.ts';
import { allProfiles } from './doctor-all.ts';
import { rolesOf } from './cert/lint.ts';
import { wireOptions } from './flags/global-options.ts';
import { question } from './flags/prompts.ts';
import { withTarget } from './run/with-target.ts';

const flags = (command: Flags) =>
  wireOptions(
    command
      .optionsGroup('DOCTOR FLAGS')
      .option('--offline', 'look at files and certificates only')
      .option('--all', 'one line for each profile, from what is known here; no bank is asked')
      .option('--needs <ROLES>', 'roles that the certificates must have: PI,AI,IC', rolesOf('--needs'))
      .option('--yes', 'call the bank unasked (OBK_YES)'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Check a profile step by step, up to one signed read; no money moves',
      examples: [
        'obk doctor',
        'obk doctor --offline --json',
        'obk doctor --all',
        'obk doctor --profile sandbox --needs PI,AI',
      ],
      exits: [10, 3],
      more: ['obk help cert lint', 'obk help sign explain', 'obk whoami'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  if (options.all === true) return allProfiles(context);
  try {
    return await examineTarget(context, options);
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const name = context.inUse?.name ?? '';
    const findings = error.findings.map(({ place, text, mend }) =>
      fail('settings', `${place}: ${text}`, mend),
    );
    return outcomeOf({ name, environment: error.environment }, findings);
  }
};

const examineTarget: Run<Options> = (context, options) => {
  const offline = options.offline === true || options.dryRun === true;
  return withTarget(context, { ...options, dryRun: offline }, async (target) => {
    const findings = await examine(target, {
      offline,
      needs: options.needs ?? [],
      env: context.process.env,
      mayCall: () => mayCall(context, target, options),
    });
    return outcomeOf(target, [...(await stateFindings(context, offline)), ...findings]);
  });
};

/** Where the state is, and what is wrong with it. */
async function stateFindings({ ports }: Context, offline: boolean): Promise<Finding[]> {
  const { stateStore } = ports;
  const { store, place, schema } = await stateStore.site();
  const checks = offline && store === 'postgres' ? [] : await stateStore.examine();
  const wrong = checks.filter(({ state }) => state !== 'ok');
  return [
    ok('state', store === 'files' ? place : `PostgreSQL ${place}, schema ${schema ?? ''}`),
    ...wrong.map(({ check, text, ...rest }) => ({ ...rest, check: 'state', text: `${check}: ${text}` })),
  ];
}

function outcomeOf(
  { name, environment }: { name: string; environment: Environment },
  findings: readonly Finding[],
): Outcome {
  const failed = findings.some(({ state }) => state === 'fail');
  return {
    kind: 'data',
    data: { profile: name, environment, ok: !failed, findings },
    text: (style) => findingsText(findings, style),
    exit: failed ? exitCodes.expectation : exitCodes.ok,
  };
}

/** A call to a sandbox needs no agreement; without a person only production demands --yes. */
async function mayCall(
  { ports }: Context,
  { name, environment }: Target,
  { yes }: Options,
): Promise<boolean> {
  const asked = question('yes', `At some banks the first call registers the TPP. Call the bank of ${name}?`);
  if (yes === true || environment === 'sandbox') return true;
  if (!ports.person.present && !ports.person.answered(asked)) return environment !== 'production';
  return ports.person.confirm(asked);
}
