import { defined } from '../../base/defined.ts';
import type { Stage } from '../../adapters/terminal/terminal-notices.ts';
import type { Process, Expected, Globals } from '../context.ts';
import type { ObkError } from '../../base/errors.ts';
import type { Sought } from './known-fields.ts';
import { parseFields } from '../render/fields.ts';
import { formats } from '../render/format.ts';
import type { Format } from '../render/format.ts';
import { createStyle, isOn } from '../render/style.ts';
import type { Style } from '../render/style.ts';

/** How this run prints, decided once for both streams. */
export interface OutputChoice {
  format: Format | 'auto';
  fields?: readonly string[];
  /** Those of them that are looked for in what comes. */
  sought?: Sought | undefined;
  /** A jq expression over the JSON. */
  jq?: string;
  expect: readonly Expected[];
  /** Errors are one JSON object. */
  machine: boolean;
  quiet: number;
  debug: boolean;
  stdout: Style;
  stderr: Style;
  /** Whether a line of stdout may be drawn again and again. */
  redraws: boolean;
  stage: Stage;
  /** The results of this run besides its exit code, for --report-junit. */
  record: { error?: ObkError; expected: readonly (Expected & { is: string })[] };
}

/** Whether what a person sees at a terminal may move. */
export function isAnimated(tty: boolean, env: Process['env']): boolean {
  return tty && !isOn(env['CI']) && !isAccessible(env) && env['TERM'] !== 'dumb';
}

/** Whether text is to stay where it was written, for a screen reader. */
export function isAccessible(env: Process['env']): boolean {
  return isOn(env['OBK_ACCESSIBLE']) || isOn(env['ACCESSIBLE']);
}

/** Decides from flags and environment how to print. */
export function outputChoice(host: Process, globals: Globals): OutputChoice {
  const { env } = host;
  const facts = (stream: Process['stdout']) => {
    const { isTTY = false, columns } = stream;
    const style = createStyle({ isTTY, columns, env, colour: globals.color ?? 'auto' });
    return globals.plain === true ? { ...style, width: Infinity } : style;
  };
  const json = globals.json === true || globals.fields !== undefined || globals.jq !== undefined;
  const named = globals.format ?? formats.find((known) => known === globals.as);
  const stdout = facts(host.stdout);
  const format = named ?? (json ? 'json' : 'auto');
  return {
    format,
    ...(globals.fields === undefined ? {} : { fields: parseFields(globals.fields) }),
    ...defined({ jq: globals.jq }),
    expect: globals.expect ?? [],
    machine: json || format === 'json' || format === 'ndjson',
    quiet: globals.quiet ?? 0,
    debug: globals.debug === true || isOn(env['OBK_DEBUG']),
    stdout,
    stderr: facts(host.stderr),
    redraws: isAnimated(stdout.tty, env),
    stage: { asking: false, unfinished: false },
    record: { expected: [] },
  };
}

/** The output flags that can be found when the command line cannot be parsed. */
export function guessGlobals(argv: readonly string[]): Globals {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const format = words
    .map((word, at) =>
      /^(?:--as=|-o=?)(.*)$/.exec(word === '-o' || word === '--as' ? `-o${words[at + 1] ?? ''}` : word),
    )
    .find((match) => match !== null)?.[1];
  const json =
    format === 'json' || format === 'ndjson' || words.some((word) => /^--(json|fields|jq)(=|$)/.test(word));
  const colour = words
    .map((word, at) => (word === '--color' ? `--color=${words[at + 1] ?? ''}` : word))
    .map((word) => /^--color=(always|never)$/.exec(word)?.[1])
    .find((it) => it !== undefined);
  return {
    json,
    quiet: words.reduce(
      (sum, word) => sum + (word === '--quiet' ? 1 : (/^-(q+)$/.exec(word)?.[1]?.length ?? 0)),
      0,
    ),
    debug: words.includes('--debug'),
    noPager: words.includes('--no-pager'),
    ...(colour === undefined ? {} : { color: colour as 'always' | 'never' }),
  };
}
