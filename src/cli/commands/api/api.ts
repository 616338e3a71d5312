import { defined } from '../../../base/defined.ts';
import { clean, cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { BankRefusal, exitCodes } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import { breakages, breakRequest } from '../../../tester/check/break-request.ts';
import type { Breakage } from '../../../tester/check/break-request.ts';
import { callByHand, refuseRepeated } from '../../../client/by-hand/call-by-hand.ts';
import { expiredMaterial } from '../../../client/evidence/expired-certificate.ts';
import { usualHeaders } from '../../../client/call/psu-headers.ts';
import { opened } from '../../../client/call/operation-of-bank.ts';
import type { CallInput } from '../../../client/exchange/prepared.ts';
import { isSecretHeader } from '../../../client/redaction/redact.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { EndedExchange } from '../../../client/exchange/verdict.ts';
import type { Header } from '../../../settings/records/wire.ts';
import { toJson } from '../../render/json.ts';
import { headerOf } from '../../../standard/xs2a/answer.ts';
import type { Answer } from '../../../standard/xs2a/answer.ts';
import { inUtf8 } from '../../../standard/xs2a/json-charset.ts';
import { isMadeWithRequest } from '../../../standard/xs2a/headers.ts';
import type { Operation } from '../../../standard/xs2a/operations.ts';
import { tryJson } from '../../../standard/xs2a/tpp-messages.ts';
import {
  presetNames,
  absence,
  operationsOf,
  pathTemplate,
  presets,
} from '../../../standard/xs2a/variants.ts';
import { bodyFlags, bodyOf, refuseSecrets } from './body.ts';
import { findCall } from './find-call.ts';
import { fillPlaceholders } from './placeholders.ts';
import { demand, oneOf, severalOf, usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { confirmMoney, confirmOptions } from '../flags/sca-options.ts';
import { withTarget } from '../run/with-target.ts';
import type { RowsOutcome } from '../../outcome.ts';
import { operations, operation } from '../../../standard/xs2a/operations.ts';
import type { PresetName } from '../../../standard/xs2a/variants.ts';
import { linksOf } from '../../../client/exchange/addresses.ts';
import { call } from '../../../client/call/call.ts';
import { needSameCall, sameAccountOnPages } from '../../../client/accounts/page-guard.ts';
import { pageGuard } from '../../../client/accounts/page-guard.ts';
import { isJsonObject, member } from '../../../standard/xs2a/json.ts';

const flags = (command: Flags) =>
  wireOptions(
    confirmOptions(
      bodyFlags(
        command
          .argument('[what]', 'GET, POST, PUT or DELETE, or the name of an operation')
          .argument(
            '[path]',
            'below the base address, no leading slash needed; takes {paymentId}, {consentId}, {accountId}, {basketId}',
          )
          .option('--list', 'print the table of operations, and send nothing')
          .option(
            '--variant <NAME>',
            `--list those of ${presetNames.join(' or ')} only`,
            oneOf('--variant', presetNames),
          ),
      )
        .option(
          '-H, --header <NAME:VALUE>',
          'further header, with the same placeholders (several)',
          severalOf(parseHeader),
        )
        .option('--psu-present', 'the PSU asks for account data now: PSU-IP-Address is sent')
        .option('--accept <MEDIA>', 'what to ask the bank for')
        .option('--paginate', 'of a GET: all pages; with --json one array of them')
        .option('-i, --include', 'show status and headers as well')
        .option('--raw', 'the exact bytes of the bank')
        .option(
          '--break <WAY>',
          `send it wrong on purpose: ${breakages.join(', ')}, header:NAME (several)`,
          severalOf(breakage),
        )
        .option(
          '--allow-duplicate',
          'send although the outcome of the very same payment or basket is unknown',
        ),
    ),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Send any request of the interface, signed with the profile',
      usual: 'list field typed-field input header accept paginate include break yes dry-run psu-id',
      examples: [
        'obk api GET v1/payments/sepa-credit-transfers/{paymentId}/status',
        'obk api getPaymentInitiationStatus -f paymentId=@last -i',
        "obk api GET v1/accounts -H 'Consent-ID: {consentId}' --paginate",
        'obk api POST v1/payments/sepa-credit-transfers --input payment.json --dry-run',
        'obk api GET v1/consents/none/status --break digest --dry-run',
        'obk api --list --variant v136',
      ],
      exits: [4, 5, 6, 7, 12],
      more: ['obk help payment get', 'obk log show @last -vvv'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { what, list, variant } = options;
  if (list === true) {
    if (what !== undefined) throw usageError('--list sends nothing, so it takes no operation.');
    return operationTable(variant);
  }
  if (variant !== undefined)
    throw usageError('--variant goes with --list.', line`obk api --list --variant ${variant}`);
  demand([what === undefined && 'WHAT'], 'obk api --list', 'obk api --help');
  refuseSecrets(options, options.path);
  return send(context, { ...options, what: what ?? '' });
};

const send: Run<Options & { what: string }> = (context, options) =>
  withTarget(context, options, async (sound) => {
    const target = options.break === undefined ? sound : await brokenOnPurpose(sound, options.break);
    const consent = context.process.env['OBK_CONSENT_ID'] || undefined;
    const found = await findCall(target, options.what, options.path, { ...options, consent });
    if (options.paginate === true) checkPaginate(found.operation.method, options);
    const body = await bodyOf(context, found, options, target);
    const headers = await Promise.all(
      (options.header ?? []).map((text) => fillPlaceholders(target, text, { consent, write: (id) => id })),
    );
    const sent = replaced(
      usualHeaders(target, opened(target, found.operation), options.psuPresent === true),
      headers.map(parseHeader),
    );
    const input: CallInput = {
      operation: found.operation.id,
      params: found.params,
      query: found.query,
      headers: sent,
      ...defined({ body, accept: options.accept }),
      ...(found.params.paymentId === undefined ? {} : { resource: { paymentId: found.params.paymentId } }),
    };
    const shown = (answer: Shown) => shownAnswer(context, answer, options);
    if (options.paginate === true) {
      const pages: ReturnType<typeof shown>[] = [];
      for await (const answer of pagesOf(target, input)) pages.push(shown(answer));
      target.ports.notices.say(pages.length === 1 ? '1 call' : `${String(pages.length)} calls`);
      return {
        kind: 'data',
        data: pages.map(({ data }) => data),
        text: () => pages.map(({ text }) => text()).join('\n'),
      };
    }
    if (target.environment === 'production' && isConfirmed(found.operation))
      await confirmMoney(context, target, `${found.operation.method} ${found.operation.path}`, options);
    if (options.allowDuplicate !== true) await refuseRepeated(target, input);
    const { answer, refusal } = await answerTo(target, input, options);
    const { data, text } = shown(answer);
    return {
      kind: 'data',
      data,
      text,
      ...(options.raw === true ? { raw: answer.body } : {}),
      ...defined({ name: found.params.paymentId, after: refusal }),
    };
  });

/** What is shown of an answer. */
type Shown = Pick<Answer, 'status' | 'json' | 'body'>;

/** The answer of the bank; with --include also that of a refusal, whose error then follows what is printed. */
async function answerTo(
  target: Target,
  input: CallInput,
  { include }: Options,
): Promise<{ answer: Shown; refusal?: Promise<never> }> {
  let last: EndedExchange | undefined;
  const onExchange = (seen: EndedExchange) => {
    last = seen;
    target.run.onExchange?.(seen);
  };
  try {
    return { answer: await callByHand({ ...target, run: { ...target.run, onExchange } }, input) };
  } catch (error) {
    const refused = include === true && error instanceof BankRefusal && error.exit !== exitCodes.declined;
    if (!refused || last?.answer === undefined) throw error;
    const { status, body, headers } = last.answer;
    const json = tryJson(inUtf8(body, headerOf(headers, 'content-type')));
    const refusal = Promise.reject(error);
    refusal.catch(() => undefined);
    return { answer: { status, body, ...defined({ json }) }, refusal };
  }
}

/** Whether the name of the profile is repeated in production: of every write but the funds check, those of an authorisation too. */
const isConfirmed = ({ method, parent }: Operation): boolean => method !== 'GET' && parent !== 'funds';

/** Headers given with -H replace those of the profile. */
function replaced(usual: readonly Header[], given: readonly Header[]): Header[] {
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  return [...usual.filter(([name]) => !names.has(name.toLowerCase())), ...given];
}

function checkPaginate(method: string, { raw }: Options): void {
  if (method !== 'GET') throw usageError(`--paginate reads, and ${method} does not.`);
  if (raw === true) throw usageError('--raw is for one answer, and --paginate reads several.');
}

/** An answer as JSON (or text), and as a person reads it. */
function shownAnswer({ seen }: Context, { status, json, body }: Shown, { include }: Options) {
  const said = json === undefined ? Buffer.from(body).toString('utf8') : '';
  const headers = seen?.headers ?? [];
  const text = () => {
    const head = [`HTTP ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
    return [
      ...(include === true ? [...head.map((line) => cleanLine(line)), ''] : []),
      json === undefined ? clean(said) : toJson(json, { pretty: true }),
    ].join('\n');
  };
  return { data: json ?? (said === '' ? null : said), text };
}

async function brokenOnPurpose(target: Target, texts: readonly string[]): Promise<Target> {
  const ways = texts.map(breakage);
  if (target.environment === 'production') {
    throw usageError(`--break is not for profiles of production, and ${target.name} is one.`);
  }
  const expired = ways.includes('expired-cert') ? await expiredMaterial(target) : undefined;
  target.ports.notices.warn(`This request is wrong on purpose (--break ${texts.join(', ')}).`);
  return {
    ...target,
    run: { ...target.run, spoil: (request) => breakRequest(request, ways) },
    ...(expired === undefined ? {} : { material: () => Promise.resolve(expired) }),
  };
}

function breakage(text: string): Breakage {
  const known = breakages.find((way) => way === text);
  const [, without] = /^header:([!#$%&'*+.^_`|~0-9A-Za-z-]+)$/.exec(text) ?? [];
  if (known !== undefined) return known;
  if (without !== undefined) return { without };
  throw usageError(`--break takes ${breakages.join(', ')} or header:NAME; not ${JSON.stringify(text)}.`);
}

function parseHeader(text: string): Header {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw usageError(`-H takes NAME:VALUE; not ${JSON.stringify(text)}.`);
  }
  if (isMadeWithRequest(name)) {
    throw usageError(
      `${name} is made by obk and cannot be given with -H.`,
      '--request-id UUID sets X-Request-ID',
    );
  }
  if (isSecretHeader(name)) {
    throw usageError(
      `-H does not take ${name}: a secret is never the value of a flag.`,
      line`obk profile edit NAME --header-rule ${`default ${name} from REFERENCE`}`,
    );
  }
  return [name, value];
}

/** The table of operations; of one variant with its paths. */
function operationTable(name: PresetName | undefined): RowsOutcome {
  const variant = name && presets[name];
  const found = variant === undefined ? operations : operationsOf(variant);
  return {
    kind: 'rows',
    columns: [
      { key: 'operation', title: 'OPERATION' },
      { key: 'method', title: 'METHOD' },
      { key: 'path', title: 'PATH' },
      { key: 'service', title: 'SERVICE' },
      { key: 'role', title: 'ROLE', wide: true },
      { key: 'variants', title: 'VARIANTS' },
    ],
    rows: found.map((op) => ({
      operation: op.id,
      method: op.method,
      path: variant === undefined ? op.path : pathTemplate(variant, op),
      service: op.service,
      role: op.role,
      variants: presetNames.filter((one) => absence(presets[one], op.id) === undefined),
    })),
    nameKey: 'operation',
    empty: 'There is no operation.',
    next: found.slice(0, 1).map(({ id }) => line`obk explain ${id}`),
  };
}

/**
 * A call and all pages after it: each next link as the bank wrote it, with the headers of the first call. Throws LINK_REFUSED
 * or ANSWER_UNREADABLE where one is not of what was asked for.
 */
async function* pagesOf(target: Target, input: CallInput): AsyncGenerator<Answer> {
  const { params = {}, query: _, ...same } = input;
  const guard = pageGuard();
  const sameAccount = sameAccountOnPages();
  const asked = operation(input.operation);
  const paged = { variant: target.variant, operation: asked, params, links: linksOf(target, asked) };
  for (let answer = await callByHand(target, input); ;) {
    sameAccount(answer);
    yield answer;
    const href = nextIn(answer);
    if (href === undefined) return;
    needSameCall(href, paged);
    guard(href);
    answer = await call(target, { ...same, href });
  }
}

/** The link next of an answer, or of the report in it. */
function nextIn({ json }: Answer): string | undefined {
  const reports = isJsonObject(json) ? Object.values(json).filter(isJsonObject) : [];
  return [json, ...reports]
    .map((part) => member(member(member(part, '_links'), 'next'), 'href'))
    .find((href) => typeof href === 'string');
}
