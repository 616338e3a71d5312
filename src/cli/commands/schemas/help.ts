import { each, list, map, number, object, orNull, text, textOrNull, truth } from '../../../base/schema.ts';
import { printedBy } from './schema.ts';
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
  commands: printedBy(
    'commands',
    object({
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
  ),
  version: printedBy('version', object({ version: text })),
  page: printedBy('help', object({ command: text, text })),
  exitCodes: printedBy('help exit-codes', exitCodes),
  errorCodes: printedBy('help errors', list(object({ code: text, exit: number, meaning: text }))),
  flags: printedBy('help flags', list(object(each(text, 'flags meaning')))),
  environment: printedBy('help environment', list(object(each(text, 'name meaning')))),
  references: printedBy('help references', list(object(each(text, 'form meaning')))),
  topic: printedBy(['help json', 'help scripting'], topic),
} as const satisfies Outputs;
