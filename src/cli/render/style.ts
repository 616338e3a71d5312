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
  if (colour === 'never') return 0;
  if (colour === 'always') return 1;
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return 0;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) {
    if (forced === '0' || forced === 'false') return 0;
    return forced === '2' ? 2 : forced === '3' ? 3 : 1;
  }
  if (env['CLICOLOR_FORCE'] !== undefined && env['CLICOLOR_FORCE'] !== '0') return 1;
  if (env['TERM'] === 'dumb') return 0;
  if (!isTTY && !isOn(env['OBK_FORCE_TTY'])) return 0;
  if (env['CLICOLOR'] === '0') return 0;
  if (isOn(env['CI'])) return isOn(env['GITHUB_ACTIONS']) || isOn(env['GITLAB_CI']) ? 1 : 0;
  return 1;
}

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
