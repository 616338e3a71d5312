import { expect, it } from 'vitest';
import { variables } from '../../../../../src/cli/commands/help/environment.ts';
import { prompts } from '../../../../../src/cli/commands/flags/prompts.ts';
import { helpTexts } from '../../../../../src/cli/program/pages.ts';

const pages = await helpTexts();

it.each(
  prompts.flatMap(({ id, flag, env, commands }) => commands.map((command) => ({ id, flag, env, command }))),
)('$command answers $id by $flag and $env', ({ flag, env, command }) => {
  expect(pages[command]!.text).toMatch(new RegExp(`(^|[ ,])${flag}( |$)`, 'm'));
  expect(
    variables
      .map(([names]) => names)
      .join(', ')
      .split(', '),
  ).toContain(env);
});
