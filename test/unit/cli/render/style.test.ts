import { describe, expect, it } from 'vitest';
import { colourLevel, columnsOf, createStyle, isOn } from '../../../../src/cli/render/style.ts';

const facts = (
  env: Record<string, string> = {},
  isTTY = true,
  colour: 'auto' | 'always' | 'never' = 'auto',
) => ({
  isTTY,
  columns: undefined,
  env,
  colour,
});

describe('the colour of one stream', () => {
  it.each<[string, Record<string, string>, boolean, 'auto' | 'always' | 'never', number]>([
    ['a terminal', {}, true, 'auto', 1],
    ['a pipe', {}, false, 'auto', 0],
    ['--color never beats all', { FORCE_COLOR: '3' }, true, 'never', 0],
    ['--color always beats all', { NO_COLOR: '1', TERM: 'dumb' }, false, 'always', 1],
    ['NO_COLOR', { NO_COLOR: '1' }, true, 'auto', 0],
    ['an empty NO_COLOR says nothing', { NO_COLOR: '' }, true, 'auto', 1],
    ['NO_COLOR beats FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, 'auto', 0],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, 'auto', 0],
    ['FORCE_COLOR=false', { FORCE_COLOR: 'false' }, true, 'auto', 0],
    ['FORCE_COLOR=1 on a pipe', { FORCE_COLOR: '1' }, false, 'auto', 1],
    ['FORCE_COLOR=2', { FORCE_COLOR: '2' }, false, 'auto', 2],
    ['FORCE_COLOR=3', { FORCE_COLOR: '3' }, false, 'auto', 3],
    ['FORCE_COLOR=true', { FORCE_COLOR: 'true' }, false, 'auto', 1],
    ['an empty FORCE_COLOR', { FORCE_COLOR: '' }, false, 'auto', 1],
    ['FORCE_COLOR beats TERM=dumb', { FORCE_COLOR: '1', TERM: 'dumb' }, true, 'auto', 1],
    ['CLICOLOR_FORCE', { CLICOLOR_FORCE: '1' }, false, 'auto', 1],
    ['CLICOLOR_FORCE=0 says nothing', { CLICOLOR_FORCE: '0' }, false, 'auto', 0],
    ['TERM=dumb', { TERM: 'dumb' }, true, 'auto', 0],
    ['CLICOLOR=0', { CLICOLOR: '0' }, true, 'auto', 0],
    ['CI', { CI: 'true' }, true, 'auto', 0],
    ['CI at GitHub', { CI: 'true', GITHUB_ACTIONS: 'true' }, true, 'auto', 1],
    ['CI at GitLab', { CI: 'true', GITLAB_CI: 'true' }, true, 'auto', 1],
    ['CI at GitHub into a pipe', { CI: 'true', GITHUB_ACTIONS: 'true' }, false, 'auto', 0],
    ['OBK_FORCE_TTY on a pipe', { OBK_FORCE_TTY: '100' }, false, 'auto', 1],
  ])('%s', (_, env, isTTY, colour, level) => {
    expect(colourLevel(facts(env, isTTY, colour))).toBe(level);
  });

  it('off means not one escape', () => {
    const style = createStyle(facts({}, false));
    const looks = ['bold', 'dim', 'good', 'bad', 'warn', 'accent'] as const;
    expect(looks.map((look) => style[look]('x')).join('')).toBe('xxxxxx');
    expect(createStyle(facts()).bad('x')).toBe('\u001b[31mx\u001b[39m');
  });
});

describe('the width', () => {
  it.each<[Record<string, string>, number | undefined, number]>([
    [{}, undefined, 80],
    [{}, 120, 120],
    [{ COLUMNS: '20' }, undefined, 20],
    [{ COLUMNS: '20' }, 120, 120],
    [{ OBK_FORCE_TTY: '40', COLUMNS: '20' }, 120, 40],
    [{ COLUMNS: 'wide' }, undefined, 80],
    [{}, 0, 80],
  ])('%o with %s columns', (env, columns, width) => {
    expect(columnsOf({ ...facts(env), columns })).toBe(width);
  });
});

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['0', false],
  ['false', false],
  ['FALSE', false],
  ['1', true],
  ['true', true],
])('%s is on: %s', (value, on) => {
  expect(isOn(value)).toBe(on);
});
