import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { explainOperation } from '../../../client/doctor/bank-explain.ts';
import type { ExplainedHeader, ExplainedOperation } from '../../../client/doctor/bank-explain.ts';
import type { Style } from '../../render/style.ts';
import { definitions } from '../../render/wrap.ts';
import { operation, operations } from '../../../standard/xs2a/operations.ts';
import { oneOf } from '../flags/flag-values.ts';
import { headerRuleText } from '../flags/header-rule.ts';
import { withTarget } from '../run/with-target.ts';

const ids = operations.map(({ id }) => id);

const flags = (command: Flags) =>
  command.argument('<operation>', 'its name, such as initiatePayment', oneOf('OPERATION', ids));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show the request that an operation makes of the standard, the profile and what its bank wants',
      examples: [
        'obk bank explain initiatePayment',
        'obk bank explain getTransactionList --json',
        'obk bank explain createConsent --profile sandbox',
      ],
      exits: [3],
      more: ['obk help bank lint', 'obk help api', 'obk help sign explain'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, { dryRun: true }, (target) => {
    const explained = explainOperation(target, operation(options.operation));
    return Promise.resolve({
      kind: 'data',
      data: { profile: target.name, environment: target.environment, ...explained },
      text: (style) => explanationText(explained, style),
      name: explained.operation,
    });
  });

function explanationText(explained: ExplainedOperation, style: Style): string {
  const { method, url, query, body, forms, headers, signing, links, rate, requestIdSemantics } = explained;
  const asked = query.length === 0 ? '' : `?${query.map(({ name }) => name).join('&')}`;
  const block = (title: string, state: ExplainedHeader['state']) => {
    const rows = headers.filter((header) => header.state === state);
    return rows.length === 0 ? [] : ['', style.bold(title), ...rows.map((row) => headerLine(row, style))];
  };
  const limit = rate === 'off' ? 'off' : `${String(rate.calls)} calls in ${String(rate.windowMs / 1000)} s`;
  const aliases = Object.entries(links.aliases).map(([name, meant]) => `${name} is ${meant}`);
  const facts = [
    ['Body', body],
    ...forms.map(({ setting, value }) => [setting, value] as const),
    ['Signed', signing.mode === 'none' ? 'no' : signing.headers.join(' ')],
    ['Links', [`below ${links.base}${links.prefix}`, ...links.origins, `host ${links.host}`].join(', ')],
    ...(aliases.length === 0 ? [] : [['Link names', aliases.join(', ')] as const]),
    ['Rate', limit],
    ['X-Request-ID', requestIdSemantics],
  ] as const;
  return [
    style.bold(`${method} ${cleanLine(url)}${asked}`),
    ...block('Sent', 'sent'),
    ...block('Missing: not sent without', 'missing'),
    ...block('Left out', 'dropped'),
    ...block('Not sent unless the call gives it', 'absent'),
    '',
    definitions(facts, { indent: 0, width: Math.max(style.width, 40) }),
  ]
    .flat()
    .join('\n');
}

function headerLine({ name, value, origin, need, signed, rule }: ExplainedHeader, style: Style): string {
  const why = [
    rule === null
      ? origin
      : `${origin ?? ''}: ${headerRuleText(rule)}${rule.why === undefined ? '' : ` (${rule.why})`}`,
    need,
    signed ? 'signed' : null,
  ].filter((word) => word !== null && word !== '');
  const shown = value === null ? name : `${name}: ${value}`;
  return `  ${cleanLine(shown)}  ${style.dim(cleanLine(why.join(', ')))}`;
}
