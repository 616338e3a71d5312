import { each, list, map, number, object, orNull, text, textOrNull, truth } from './schema.ts';
import type { Outputs } from './schema.ts';

const choices = orNull(list(text));
const flags = list(
  object({
    name: text,
    short: textOrNull,
    value: textOrNull,
    valueRequired: truth,
    choices,
    repeatable: truth,
    description: text,
  }),
);
const argument = object({ name: text, required: truth, repeatable: truth, choices, description: text });
const exitCodes = list(object({ code: number, name: text, meaning: text }));
const topic = object({ text });

export const help = {
  schemas: {
    commands: object({
      version: text,
      nouns: list(object({ noun: text, summary: text, verb: textOrNull })),
      commands: list(
        object({
          ...each(text, 'command summary about'),
          arguments: list(argument),
          flags,
          exitCodes: list(number),
          examples: list(text),
          questions: list(object(each(text, 'id flag variable'))),
          output: textOrNull,
        }),
      ),
      globalFlags: flags,
      exitCodes,
      schemas: map({ type: 'object' }),
    }),
    version: object({ version: text }),
    page: object({ command: text, text }),
    exitCodes,
    errorCodes: list(object({ code: text, exit: number, meaning: text })),
    flags: list(object(each(text, 'flags meaning'))),
    environment: list(object(each(text, 'name meaning'))),
    references: list(object(each(text, 'form meaning'))),
    topic,
  },
  outputs: {
    commands: 'commands',
    version: 'version',
    help: 'page',
    'help exit-codes': 'exitCodes',
    'help errors': 'errorCodes',
    'help flags': 'flags',
    'help environment': 'environment',
    'help json': 'topic',
    'help scripting': 'topic',
    'help references': 'references',
  },
} as const satisfies Outputs;
