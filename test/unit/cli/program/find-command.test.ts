import { describe, expect, it } from 'vitest';
import { findCommand, namesBelow } from '../../../../src/cli/program/find-command.ts';

const valued = new Set(['--profile', '-o', '--as']);
const find = (line: string) => findCommand(line.split(' ').filter(Boolean), () => valued);

describe('the command in a line', () => {
  it.each<[string, string, string]>([
    ['payment get id', 'payment get', 'id'],
    ['--profile payment payment get id', 'payment get', '--profile payment id'],
    ['--profile=x payment get id', 'payment get', '--profile=x id'],
    ['payment --json get id', 'payment get', '--json id'],
    ['payment -o json get id', 'payment get', '-o json id'],
    ['payment -qo json get id', 'payment get', '-qo json id'],
    ['payment -ojson get id', 'payment get', '-ojson id'],
    ['payment init --creditor-name -q --amount -5', 'payment init', '--creditor-name -q --amount -5'],
    ['payment get payment', 'payment get', 'payment'],
    ['payment get -- --help', 'payment get', '-- --help'],
    ['sandbox psu approve x --as y', 'sandbox psu approve', 'x --as y'],
    ['help payment init', 'help', 'payment init'],
    ['help exit-codes', 'help exit-codes', ''],
    ['api GET -', 'api', 'GET -'],
    ['accounts', 'accounts list', ''],
    ['accounts --json', 'accounts list', '--json'],
    ['transactions --account X --all', 'transactions list', '--account X --all'],
    ['transactions get X', 'transactions get', 'X'],
    ['', '', ''],
  ])('%s', (line, path, rest) => {
    const found = find(line);
    expect([found.path.join(' '), found.rest.join(' '), found.help, found.unknown]).toEqual([
      path,
      rest,
      false,
      undefined,
    ]);
  });

  it.each<[string, string]>([
    ['payment init --no-such -h', 'payment init'],
    ['payment --help init', 'payment init'],
    ['payment help init', 'payment init'],
    ['accounts --help', 'accounts'],
    ['--help', ''],
  ])('%s asks for help', (line, path) => {
    expect(find(line)).toMatchObject({ path: path.split(' ').filter(Boolean), help: true });
  });

  it.each<[string, string, string]>([
    ['payment init --help sca', 'payment init', 'sca'],
    ['payment init --no-such -h all', 'payment init', 'all'],
    ['transactions --help report', 'transactions list', 'report'],
  ])('%s asks for a part of the help of %s', (line, path, part) => {
    expect(find(line)).toMatchObject({ path: path.split(' '), help: true, part });
  });

  it.each<[string, string, string]>([
    ['paymnt get', '', 'paymnt'],
    ['payment gett id', 'payment', 'gett'],
    ['accounts lst', 'accounts', 'lst'],
    ['toString', '', 'toString'],
  ])('%s', (line, path, unknown) => {
    expect(find(line)).toMatchObject({ path: path.split(' ').filter(Boolean), unknown });
  });
});

it('names below a path are its children only', () => {
  expect(namesBelow(['sandbox', 'fault'])).toEqual(['add', 'list', 'clear']);
  expect(namesBelow(['sandbox', 'psu'])).toEqual(['approve', 'refuse', 'revoke']);
  expect(namesBelow(['version'])).toEqual([]);
});
