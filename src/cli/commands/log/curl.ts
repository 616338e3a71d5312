import { clean } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { findExchanges } from '../../../client/evidence/journal-runs.ts';
import { curlOfView } from '../../../client/evidence/write-curl.ts';
import { isBuiltIn } from '../../../base/profile-name.ts';
import { profileNamed } from '../profile/profile-name.ts';
import { whichCalls } from './id.ts';

const flags = (command: Flags) => whichCalls(command);

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Print calls as curl commands; each secret is a variable such as $OBK_TOKEN',
      examples: ['obk log curl @last', 'obk log curl @last --fields operation,curl'],
      exits: [3],
      more: ['obk help log har'],
    },
    run,
  );

const run: Run<Options> = async (context, { id }) => {
  const { journal } = context.ports;
  const calls = await findExchanges(journal, id, context.globals);
  const saved = await context.ports.settings.read();
  const lines = calls.map(({ profile, insecure, view }) => {
    const settings =
      profile !== null && (isBuiltIn(profile) || Object.hasOwn(saved.profiles, profile))
        ? profileNamed(saved, profile)
        : undefined;
    const address = view.answer?.tls?.proxy;
    const tls = {
      ...(address === undefined ? {} : { proxy: { address, credentials: false } }),
      clientCertificate: settings?.tlsCertificate !== undefined,
      ...(insecure ? { insecure } : {}),
      caCertificates: settings?.caCertificates !== undefined,
    };
    const { at = null, operation, requestId } = view;
    return { at, operation, requestId, curl: curlOfView(view, tls) };
  });
  return {
    kind: 'data',
    data: lines,
    text: (style) =>
      lines
        .map(({ operation, curl }) => `${style.bold(`# ${clean(operation)}`)}\n${clean(curl)}`)
        .join('\n\n'),
    name: lines.map(({ requestId }) => requestId).join('\n'),
  };
};
