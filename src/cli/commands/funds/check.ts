import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { exitCodes } from '../../../base/errors.ts';
import { buildFunds, checkFunds } from '../../../client/accounts/funds.ts';
import { demand } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { findResource } from '../run/find-resource.ts';
import { requireOffered } from '../run/require-offered.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) =>
  wireOptions(
    command
      .optionsGroup('FUNDS FLAGS')
      .option('--account <IBAN>', 'account to ask for; IBAN:EUR for one currency')
      .option('--amount <AMOUNT>', 'with a dot: 12.50')
      .option('--currency <CODE>', 'EUR if not given')
      .option('--payee <NAME>', 'who would be paid')
      .option('--card <NUMBER>', 'the card that is used')
      .option('--consent <ID>', 'where the bank wants one: its id, first 6 or more characters, @last')
      .option('--exit-status', 'exit 0 for yes, 9 for no')
      .option('--raw', 'the exact bytes of the bank'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Ask whether an amount is on an account: yes or no, exit 0 for both',
      usage: '--account IBAN --amount 12.50',
      examples: [
        'obk funds check --account DE65990010000000002443 --amount 12.50',
        'obk funds check --account DE65990010000000002443 --amount 12.50 --exit-status --json',
      ],
      exits: [4, 5, 7, 9],
      more: ['obk help accounts balances'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (opened) => {
    const target = await requireOffered(opened, 'checkAvailabilityOfFunds', 'funds checks');
    const { account = '', amount = '', consent } = options;
    demand([account === '' && '--account', amount === '' && '--amount'], 'obk funds check --help');
    const body = buildFunds({ ...options, account, amount });
    const { answer, fundsAvailable } = await checkFunds(
      target,
      body,
      consent === undefined ? undefined : (await findResource(target, 'consent', { id: consent })).id,
    );
    const { instructedAmount } = body;
    return {
      kind: 'data',
      data: answer.json,
      text: (style) => {
        const { amount: asked, currency } = instructedAmount;
        const said = fundsAvailable ? 'are available' : 'are not available';
        const answered = fundsAvailable ? style.good('yes') : style.bad('no');
        return `${answered} · ${cleanLine(`${asked} ${currency} ${said} on ${account}`)}`;
      },
      exit: fundsAvailable || options.exitStatus !== true ? exitCodes.ok : exitCodes.declined,
      name: fundsAvailable ? 'yes' : 'no',
      ...(options.raw === true && { raw: answer.body }),
    };
  });
