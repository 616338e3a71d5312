import { Command } from 'commander';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Flags, OptionsOf } from '../../../../src/cli/command.ts';
import { several } from '../../../../src/cli/commands/flags/flag-values.ts';
import { scaOptions } from '../../../../src/cli/commands/flags/sca-options.ts';
import { parse } from '../../../../src/cli/program/parse.ts';

const flags = (command: Flags) =>
  command
    .argument('<id>', 'a text')
    .argument('[other]', 'one with a value where it is not given', '@last')
    .argument('[more...]', 'a list')
    .option('-y, --yes', 'a flag')
    .option('--psu-id <ID>', 'a text')
    .option('--page [NUMBER]', 'a text, or nothing')
    .option('--no-check', 'a flag that takes something away')
    .option('--service <S>', 'one that is always there', 'payments')
    .option('--limit <N>', 'a number', Number)
    .option('--repeat <N>', 'a number that is always there', Number, 1)
    .option('--tag <TAG>', 'several', several);

type Options = OptionsOf<typeof flags>;

/** The options that the parser makes of these words. */
function parsed(...words: string[]): unknown {
  const command = new Command();
  flags(command);
  const entry = { path: 'trial', summary: '' };
  return parse(
    {
      command,
      entry,
      page: { examples: [] },
      run: () => Promise.reject(new Error()),
      ownsOutput: false,
      ownsFindings: false,
    },
    words,
  );
}

describe('the options of a command', () => {
  it('have the names and types that its flags say, and the values that the parser gives', () => {
    const all: Required<Options> = {
      id: 'a',
      other: 'b',
      more: ['c', 'd'],
      yes: true,
      psuId: 'psu',
      page: true,
      check: false,
      service: 'bulk-payments',
      limit: 3,
      repeat: 2,
      tag: ['x', 'y'],
    };
    const given =
      '-y --psu-id psu --page --no-check --service bulk-payments --limit 3 --repeat 2 --tag x --tag y';
    expect(parsed('a', 'b', 'c', 'd', ...given.split(' '))).toEqual(all);
  });

  it('are there without their flag only where the flag has a value for that', () => {
    const least: Options = { id: 'a', other: '@last', more: [], service: 'payments', repeat: 1 };
    // A flag that takes something away is on until it is given.
    expect(parsed('a')).toEqual({ ...least, check: true });
  });

  it('are no others', () => {
    expectTypeOf<keyof Options>().toEqualTypeOf<
      'id' | 'other' | 'more' | 'yes' | 'psuId' | 'page' | 'check' | 'service' | 'limit' | 'repeat' | 'tag'
    >();
    expectTypeOf<Options['page']>().toEqualTypeOf<string | true | undefined>();
    expectTypeOf<Options['limit']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Options['tag']>().toEqualTypeOf<readonly string[] | undefined>();
  });

  it('are added to by functions that several commands share', () => {
    const further = (command: Flags) => scaOptions(command.option('--new', ''));
    expectTypeOf<OptionsOf<typeof further>>().toExtend<{
      new?: boolean;
      waitMs?: number;
      otpFrom?: unknown;
    }>();
    const command = new Command();
    further(command);
    expect(command.options.map((option) => option.attributeName())).toEqual(
      expect.arrayContaining(['new', 'waitMs', 'otpFrom', 'wait']),
    );
  });
});
