import { Chalk } from 'chalk';
import type { ColorSupportLevel } from 'chalk';

type Env = Readonly<Record<string, string | undefined>>;

/** The value of `--color`. */
export type ColourChoice = 'auto' | 'always' | 'never';

/** The facts about a stream and its surroundings. */
export interface StreamFacts {
  isTTY: boolean;
  columns: number | undefined;
  env: Env;
  colour: ColourChoice;
}

/** The style of one stream: colours (or none), width in columns, and whether it is a terminal. */
export interface Style {
  readonly level: ColorSupportLevel;
  readonly width: number;
  readonly tty: boolean;
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  accent(text: string): string;
}

/** True if a variable such as CI or OBK_NO_INPUT is switched on. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}

/** The colour level of one stream; the first rule that applies decides. */
export function colourLevel({ isTTY, env, colour }: StreamFacts): ColorSupportLevel {
  if (colour !== 'auto') return colour === 'never' ? 0 : 1;
  const wished = wishedLevel(env);
  if (wished !== undefined) return wished;
  const isTerminal = isTTY || isOn(env['OBK_FORCE_TTY']);
  if (env['TERM'] === 'dumb' || !isTerminal || env['CLICOLOR'] === '0') return 0;
  return isOn(env['CI']) && !isOn(env['GITHUB_ACTIONS']) && !isOn(env['GITLAB_CI']) ? 0 : 1;
}

/** What the variables say that hold whatever the stream is. */
function wishedLevel(env: Env): ColorSupportLevel | undefined {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return 0;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forcedLevels[forced] ?? 1;
  return env['CLICOLOR_FORCE'] !== undefined && env['CLICOLOR_FORCE'] !== '0' ? 1 : undefined;
}

const forcedLevels: Readonly<Record<string, ColorSupportLevel>> = { '0': 0, false: 0, '2': 2, '3': 3 };

function positive(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** The columns of one stream. */
export function columnsOf({ columns, env }: StreamFacts): number {
  return (
    positive(env['OBK_FORCE_TTY']) ??
    (columns !== undefined && columns > 0 ? columns : undefined) ??
    positive(env['COLUMNS']) ??
    80
  );
}

export function createStyle(facts: StreamFacts): Style {
  const level = colourLevel(facts);
  const chalk = new Chalk({ level });
  return {
    level,
    width: columnsOf(facts),
    tty: facts.isTTY || isOn(facts.env['OBK_FORCE_TTY']),
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    good: (text) => chalk.green(text),
    bad: (text) => chalk.red(text),
    warn: (text) => chalk.yellow(text),
    accent: (text) => chalk.cyan(text),
  };
}

/** Plain text in 80 columns, for output that is not a terminal. */
export const plainStyle: Style = createStyle({ isTTY: false, columns: 80, env: {}, colour: 'never' });
