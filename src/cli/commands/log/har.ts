import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { harOfViews } from '../../../client/evidence/har.ts';
import { findExchanges } from '../../../client/evidence/journal-runs.ts';
import { toJson } from '../../render/json.ts';
import { whichCalls } from './id.ts';
import { clean } from '../../../base/clean.ts';
import { curlOfView } from '../../../client/evidence/write-curl.ts';
import { isBuiltIn } from '../../../base/profile-name.ts';
import { profileNamed } from '../profile/profile-name.ts';

const harFlags = (command: Flags) => whichCalls(command);

type HarOptions = OptionsOf<typeof harFlags>;

const registerHar: Register = (command, start) =>
  start(
    harFlags(command),
    {
      about: 'Print the calls of a run, or all about a payment, as HAR 1.2; secrets are cut out',
      examples: ['obk log har @last --output calls.har', 'obk log har'],
      exits: [3],
      more: ['obk help report', 'obk help log curl'],
    },
    runHar,
  );

const runHar: Run<HarOptions> = async (context, { id }) => {
  const calls = await findExchanges(context.ports.journal, id, context.globals);
  const views = calls.map(({ view }) => view);
  const har = harOfViews(views, { name: 'obk', version: context.process.version });
  return {
    kind: 'data',
    data: har,
    text: () => toJson(har, { pretty: true }),
    name: views.map(({ requestId }) => requestId).join('\n'),
  };
};

const curlFlags = (command: Flags) => whichCalls(command);

type CurlOptions = OptionsOf<typeof curlFlags>;

const registerCurl: Register = (command, start) =>
  start(
    curlFlags(command),
    {
      about: 'Print calls as curl commands; each secret is a variable such as $OBK_TOKEN',
      examples: ['obk log curl @last', 'obk log curl @last --fields operation,curl'],
      exits: [3],
      more: ['obk help log har'],
    },
    runCurl,
  );

const runCurl: Run<CurlOptions> = async (context, { id }) => {
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

export const register = {
  har: registerHar,
  curl: registerCurl,
};
