import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import { doorsFromEnvironment, doorsFromFlags } from '../../../settings/doors/read-doors.ts';
import { ExchangeJudge } from '../../../tester/check/exchanges.ts';
import { relayedExchange } from '../../../tester/check/relayed-exchange.ts';
import type { RelayTarget } from '../../../tester/check/relayed-exchange.ts';
import { readConnection } from '../../../client/exchange/connection.ts';
import type { RelayAddress } from '../../../bank/door.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import { isLoopback, parseUrl } from '../../../base/url.ts';
import { demand } from '../flags/flag-values.ts';
import { chosenProfile } from '../run/with-target.ts';
import { doorFlags } from './serving.ts';

const doorsOfRecord = ['port', 'httpsPort', 'clientCertificate', 'host', 'trust'] as const;

const flags = (command: Flags) =>
  doorFlags(
    command
      .argument('[file]', 'HAR file to be written')
      .option('--to <URL>', 'the address of the bank; of another machine with a profile that has it'),
    doorsOfRecord,
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Stand between another client and a bank, write HAR with findings of both sides, until Ctrl-C',
      usage: '--to URL',
      examples: ['obk sandbox record seen.har --to http://127.0.0.1:8080 --port 0'],
      exits: [2, 3],
      more: ['obk help sandbox replay', 'obk help check'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { file, to } = options;
  const { files, bank, notices } = context.ports;
  demand(
    [file === undefined && 'FILE', to === undefined && '--to'],
    'obk sandbox record seen.har --to http://127.0.0.1:8080',
  );
  const address = parseUrl(to ?? '');
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw new ObkError({
      code: 'USAGE',
      title: `--to takes an address such as https://bank.example, not ${to ?? ''}.`,
    });
  const profile = await profileFor(address, context);
  const target: RelayTarget = {
    to: address.origin + address.pathname.replace(/\/$/, ''),
    connection: profile === undefined ? {} : await readConnection(context.ports, profile, { dryRun: false }),
    judge: new ExchangeJudge(context.ports.clock, profile === undefined ? {} : { profile }),
    creator: { name: 'obk', version: context.process.version },
  };
  const absolute = (path: string) => files.absolute(path);
  let served: Promise<void> | undefined;
  const ready = new Promise<RelayAddress>((resolve, reject) => {
    served = bank.relay(
      {
        doors: [doorsFromFlags(options, absolute), doorsFromEnvironment(context.process.env, absolute)],
        file: absolute(file ?? ''),
        version: context.process.version,
        force: context.globals.force === true,
        forward: (request, own) => relayedExchange(context.ports, target, request, own),
        failed: (why) => {
          notices.warn(why);
        },
      },
      resolve,
      context.signal,
    );
    served.catch(reject);
  });
  const { baseUrl, httpsBaseUrl, caPath } = await ready;
  const data = { baseUrl, httpsBaseUrl: httpsBaseUrl ?? null, to: target.to, file: file ?? '' };
  const lines = [
    `Calls to ${baseUrl} go to ${target.to}, and into ${file ?? ''}.`,
    ...(httpsBaseUrl === undefined ? [] : [`and at ${httpsBaseUrl} (CA: ${caPath ?? ''})`]),
    'Ctrl-C ends it.',
  ];
  return {
    kind: 'data',
    data,
    text: () => lines.join('\n'),
    name: baseUrl,
    ...defined({ after: served }),
  };
};

/** The profile that says what a bank is. Throws ENVIRONMENT_REQUIRED for production, and for a bank elsewhere of which none says it. */
async function profileFor(address: URL, context: Parameters<Run<Options>>[0]): Promise<Profile | undefined> {
  const { globals } = context;
  const isHere = isLoopback(address.hostname);
  if (isHere && globals.profile === undefined) return undefined;
  const chosen = await chosenProfile(context);
  const { name, profile, builtIn } = chosen;
  const isOf = !builtIn && parseUrl(profile.baseUrl ?? '')?.origin === address.origin;
  if (profile.environment === 'production')
    throw refused(`The profile ${name} is one of production, and nothing of it is recorded.`);
  if (!isHere && !isOf)
    throw refused(
      `No profile says what ${address.origin} is.`,
      line`obk profile create bank --base-url ${address.origin} --environment sandbox`,
    );
  return builtIn ? undefined : profile;
}

const refused = (detail: string, ...hint: string[]) =>
  new ObkError({ code: 'ENVIRONMENT_REQUIRED', title: 'This bank cannot be recorded.', detail, hint });
