import type { Header } from '../../ports.ts';
import type { Style } from '../../render/style.ts';
import type { Register, Run } from '../register.ts';
import { findRun, outcomeOf, readRun } from './runs.ts';
import type { Exchange, RunRecord } from './runs.ts';

interface Options {
  run: string;
  verbose?: number;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('show').argument('[run]', 'a run, its beginning, @last or @last-1', '@last'),
    {
      about: 'Show the calls of one run; -vv headers, -vvv bodies and signing strings',
      examples: ['obk log show @last', 'obk log show @last -vvv'],
      exits: [3],
      more: ['obk log list', 'obk help pending'],
    },
    run,
  );

export const run: Run<Options> = async (context, options) => {
  const id = await findRun(context, options.run);
  const record = await readRun(context.ports.journal, id);
  return {
    kind: 'data',
    data: {
      run: id,
      command: record.head?.command ?? null,
      profile: record.head?.profile ?? null,
      environment: record.head?.environment ?? null,
      startedAt: record.head?.at ?? null,
      version: record.head?.version ?? null,
      exit: record.exit ?? null,
      calls: record.exchanges.map(callDocument),
    },
    text: (style) => runText(record, style, options.verbose ?? 0),
    name: id,
  };
};

function callDocument({ prepared, sending, end, resolved }: Exchange) {
  const { type: _, ...request } = prepared;
  return {
    ...request,
    left: sending || end?.type === 'answered',
    answer: end?.type === 'answered' ? end : null,
    failure: end?.type === 'failed' ? end : null,
    resolved: resolved ?? null,
  };
}

function runText(record: RunRecord, style: Style, level: number): string {
  const { run: id, head, exchanges, exit } = record;
  const facts = [head?.at, head?.command, head === undefined ? undefined : `profile ${head.profile}`];
  const ended = exit === undefined ? 'not ended' : `exit ${exit}`;
  const lines = [style.bold(`Run ${id}`), [...facts, ended].filter((fact) => fact !== undefined).join(' · ')];
  for (const exchange of exchanges) lines.push('', ...exchangeLines(exchange, style, level));
  if (exchanges.length === 0) lines.push('', 'No calls.');
  return lines.join('\n');
}

function exchangeLines(exchange: Exchange, style: Style, level: number): string[] {
  const { prepared, end, resolved } = exchange;
  const outcome = outcomeOf(exchange);
  const bad = outcome.startsWith('UNKNOWN') || /^[45]/.test(outcome);
  const time = end === undefined ? '' : ` in ${end.durationMs} ms`;
  return [
    `${prepared.method} ${prepared.url}`,
    `  ${prepared.operation} · ${bad ? style.bad(outcome) : outcome}${time} · request ${prepared.requestId}`,
    ...(end?.type === 'answered' ? (end.messages ?? []) : []).map(
      ({ category, code, text }) => `  ${category} ${code}${text === undefined ? '' : ` — "${text}"`}`,
    ),
    ...(resolved === undefined
      ? []
      : [
          `  resolved: ${resolved.resolution} (by the ${resolved.by}${resolved.reason === undefined ? '' : `: ${resolved.reason}`})`,
        ]),
    ...(level >= 2 ? headerLines('>', prepared.headers) : []),
    ...(level >= 3 && prepared.signingString !== undefined
      ? ['  Signing string:', ...indent(prepared.signingString)]
      : []),
    ...(level >= 3 && prepared.body !== '' ? ['  Body sent:', ...indent(prepared.body)] : []),
    ...(level >= 2 && end?.type === 'answered' ? headerLines('<', end.headers) : []),
    ...(level >= 3 && end?.type === 'answered' && end.tls !== undefined
      ? [`  TLS: ${end.tls.protocol} ${end.tls.cipher} ${end.tls.peer}`]
      : []),
    ...(level >= 3 && end?.type === 'answered' && end.body !== ''
      ? ['  Body received:', ...indent(end.body)]
      : []),
    ...(end?.type === 'failed' ? [`  ${end.detail}`] : []),
  ];
}

function headerLines(mark: string, headers: readonly Header[]): string[] {
  return headers.map(([name, value]) => `  ${mark} ${name}: ${value}`);
}

function indent(text: string): string[] {
  return text.split('\n').map((line) => `    ${line}`);
}
