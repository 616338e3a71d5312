import type { Register, Run } from '../command.ts';
import { definitions } from '../render/wrap.ts';
import { exitMeanings } from './output/exit-meanings.ts';
import { prompts } from './flags/prompts.ts';
import { documentOf, documents } from './schemas/schemas.ts';

export const register: Register = (command, start) =>
  start(
    command,
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

const run: Run<object> = async (context) => {
  const { nouns, commands: all, globalFlags } = await context.commandTree();
  const commands = all.map((one) => ({ ...one, prints: one.prints ?? documentOf(one.command) }));
  const schemas = [
    ...Object.entries(documents).map(([name, { schema }]) => ({ name, schema })),
    ...commands.flatMap(({ prints }) => prints ?? []),
  ];
  return {
    kind: 'data',
    data: {
      version: context.process.version,
      nouns,
      commands: commands.map(({ prints, ...one }) => ({
        ...one,
        questions: prompts
          .filter((prompt) => prompt.commands.includes(one.command))
          .map(({ id, flag, env }) => ({ id, flag, variable: env })),
        output: prints?.name ?? null,
      })),
      globalFlags,
      exitCodes: exitMeanings.map(({ code, name, long }) => ({ code, name, meaning: long })),
      schemas: Object.fromEntries(schemas.map(({ name, schema }) => [name, { $schema: dialect, ...schema }])),
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
