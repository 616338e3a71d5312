import { definitions } from '../render/wrap.ts';
import { exitMeanings } from './help/exit-codes.ts';
import { prompts } from './prompts.ts';
import type { Register, Run } from './register.ts';
import { outputs, schemas } from './schemas.ts';

/** A flag as the parser knows it. */
export interface FlagDescription {
  name: string;
  short: string | null;
  /** The name of its value; null where it takes none. */
  value: string | null;
  valueRequired: boolean;
  choices: readonly string[] | null;
  repeatable: boolean;
  description: string;
}

/** A command as the parser knows it. */
export interface CommandDescription {
  command: string;
  summary: string;
  about: string;
  arguments: readonly {
    name: string;
    required: boolean;
    repeatable: boolean;
    choices: readonly string[] | null;
    description: string;
  }[];
  flags: readonly FlagDescription[];
  exitCodes: readonly number[];
  examples: readonly string[];
}

/** Everything that can be typed. */
export interface CommandTree {
  nouns: readonly { noun: string; summary: string; verb: string | null }[];
  commands: readonly CommandDescription[];
  globalFlags: readonly FlagDescription[];
}

export const register: Register = (parent, start) =>
  start<object>(
    parent.command('commands'),
    {
      about: 'List every command; with --json all flags, questions, exit codes and JSON Schemas',
      examples: [
        'obk commands',
        'obk commands --jq \'.commands[] | select(.command == "payment init") | .flags[].name\'',
        'obk commands --jq .schemas.error',
      ],
      more: ['obk help json', 'obk help scripting'],
    },
    run,
  );

export const run: Run<object> = async (context) => {
  const { nouns, commands, globalFlags } = await context.commandTree();
  return {
    kind: 'data',
    data: {
      version: context.process.version,
      nouns,
      commands: commands.map((one) => ({
        ...one,
        questions: prompts
          .filter((prompt) => prompt.commands.includes(one.command))
          .map(({ id, flag, env }) => ({ id, flag, variable: env })),
        output: outputs[one.command] ?? null,
      })),
      globalFlags,
      exitCodes: exitMeanings.map(({ code, name, long }) => ({ code, name, meaning: long })),
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, { $schema: dialect, ...schema }]),
      ),
    },
    text: (style) =>
      definitions(
        commands.map(({ command, summary }) => [command, summary] as const),
        { indent: 0, width: Math.max(style.width, 40), column: 26 },
      ).join('\n'),
    name: commands.map(({ command }) => command).join('\n'),
  };
};

const dialect = 'https://json-schema.org/draft/2020-12/schema';
