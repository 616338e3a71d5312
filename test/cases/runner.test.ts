import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openCases } from '../helpers/cases/run.ts';
import { transcript } from '../helpers/cases/lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-runner-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a file of one world and these lines; returns what came of each case, and the file as it stands afterwards. */
async function run(lines: string, update = false) {
  const path = join(folder, 'some.txt');
  writeFileSync(path, `world home\n\n${lines}`);
  const { cases, close } = openCases(path, update);
  const outcomes = [];
  for (const one of cases) outcomes.push(await one.run());
  await close();
  return {
    outcomes,
    fits: outcomes.every(({ seen, wanted }) => seen === wanted),
    text: readFileSync(path, 'utf8'),
  };
}

const right = `An unknown profile is refused, and the list of profiles is shown.
  $ obk profile use acme
  ! ✗ There is no profile "acme".
  !   Known profiles: sandbox.
  !   Try:  obk profile list
  [exit 3]
  $ obk profile list --json --fields name
  [{"name":"sandbox"}]
`;

const list = '  [{"name":"sandbox"}]\n';

describe('the runner of text cases', () => {
  it('accepts what the commands print', async () => {
    expect(await run(right)).toMatchObject({ fits: true, outcomes: [{ seen: '[{"name":"sandbox"}]' }] });
  });

  it.each([
    ['another line of stdout', list, list.replace('sandbox', 'sandbux')],
    ['a missing line of stdout', list, `${list}  acme\n`],
    ['a further line of stdout', list, ''],
    ['another exit code', '[exit 3]', '[exit 2]'],
    ['an exit code in place of success', '  [exit 3]\n', ''],
    ['success in place of an exit code', list, `${list}  [exit 1]\n`],
    ['a further line of stderr', '  !   Known profiles: sandbox.\n', ''],
    ['a missing line of stderr', list, `${list}  ! done\n`],
    ['stderr in place of stdout', list, list.replace('  ', '  ! ')],
    [
      'another order',
      '  !   Known profiles: sandbox.\n  !   Try:  obk profile list\n',
      '  !   Try:  obk profile list\n  !   Known profiles: sandbox.\n',
    ],
  ])('fails on %s', async (_, now, before) => {
    expect(right).toContain(now);
    const { fits, outcomes } = await run(right.replace(now, before));
    expect(fits).toBe(false);
    expect(outcomes[0]?.at).toMatch(/^line (4|9): \$ obk profile /);
  });

  it('shows only the lines that differ as different', async () => {
    const { outcomes } = await run(right.replace('Known profiles: sandbox.', 'Known profiles: none.'));
    const [{ seen, wanted } = { seen: '', wanted: '' }] = outcomes;
    const apart = seen.split('\n').filter((line, at) => line !== wanted.split('\n')[at]);
    expect(apart).toEqual(['!   Known profiles: sandbox.']);
  });

  it('writes what is printed into the file where it is told to, and leaves lines that fit', async () => {
    const wrong = right.replace('! ✗ There is no profile "acme".', '! ✗ There is no profile "{{word}}".');
    const { text } = await run(wrong.replace(list, '  another\n'), true);
    expect(text).toBe(`world home\n\n${wrong}`);
  });

  it('keeps what a placeholder matched, and expects it again', async () => {
    const made = `A profile is created.
  $ obk profile create acme --base-url https://a.example --environment test --signing none --no-check --json --fields name
  {"name":"{{name: word}}"}
  $ obk profile show {{name}} --json --fields baseUrl
  {"baseUrl":"https://a.example"}
  $ obk profile list --json --fields name
  [{"name":"{{name}}"},{"name":"sandbox"}]
`;
    expect(await run(made)).toMatchObject({ fits: true });
    expect(await run(made.replace('{{name: word}}', '{{name: number}}'))).toMatchObject({ fits: false });
    expect(await run(made.replace('[{"name":"{{name}}"}', '[{"name":"other"}'))).toMatchObject({
      fits: false,
    });
  });

  it('gives each case of the world home a home of its own, files on stdin, and shows files', async () => {
    const cases = `A file is read from stdin.
  file note.txt
  | one
  |
  | two
  $ cat note.txt
  one

  two
  $ obk check request - < note.txt
  ! x

Another case does not see the file.
  $ obk check request note.txt
  ! x
`;
    const { outcomes } = await run(cases);
    expect(outcomes.map(({ seen }) => seen.includes('does not exist'))).toEqual([false, true]);
  });

  it('runs what stands before each case, and fails where that fails', async () => {
    const one = `One setting is there.\n  $ obk config get debtor --profile a --json --fields value\n  {"value":null}\n`;
    const made =
      'obk profile create a --base-url https://a.example --environment test --signing none --no-check';
    expect(await run(`before ${made}\n\n${one}`)).toMatchObject({ fits: true });
    await expect(run(`before ${made} --debtor x\n\n${one}`)).rejects.toThrow('--debtor');
  });

  it.each([
    ['A case.\n  nothing before it\n', 'line 4 is the output of no command'],
    ['  $ obk\n', 'line 3 stands below no title'],
    ['A case.\n $ obk\n', 'line 4 is indented by less than two spaces'],
    ['A case.\n', 'a case without a command: A case.'],
    ['A case.\n  $ obk\n\nA case.\n  $ obk\n', 'two cases have one title: A case.'],
  ])('refuses %j', async (lines, why) => {
    await expect(run(lines)).rejects.toThrow(why);
  });

  it.each([
    ['A case.\n  $ ls\n', 'a case runs obk or cat, not ls'],
    ['A case.\n  $ obk payment get {{payment}}\n', 'nothing has the name {{payment}} yet'],
    ['A case.\n  $ obk profile list\n  {{colour}}\n', 'nothing is known as {{colour}}'],
  ])('fails on %j', async (lines, why) => {
    await expect(run(lines)).rejects.toThrow(why);
  });
});

describe('the transcript of a run', () => {
  it.each<[string, string, string[]]>([
    ['has a line for each line', 'one\n\ntwo\n', ['one', '', 'two']],
    ['says where the last line does not end', 'one', ['one', '(no end of line)']],
    ['ends visibly behind an empty line', 'one\n\n', ['one', '', '[exit 0]']],
    [
      'marks what looks like something else',
      '! one\n$ two\n[exit 2]\n',
      ['\\! one', '\\$ two', '\\[exit 2]'],
    ],
    [
      'lays out long JSON',
      `${JSON.stringify({ a: 'x'.repeat(90), b: [1] })}\n`,
      ['{', `  "a": "${'x'.repeat(90)}",`, '  "b": [1]', '}'],
    ],
    ['shows control characters', 'a\r\nb\u001b[1m\n', ['a\\r', 'b\\u001b[1m']],
    ['leaves short JSON', '{"a":1}\n', ['{"a":1}']],
    [
      'leaves JSON that is not as JSON.stringify writes it',
      `{ "a": "${'x'.repeat(99)}" }\n`,
      [`{ "a": "${'x'.repeat(99)}" }`],
    ],
  ])('%s', (_, stdout, lines) => {
    expect(transcript({ code: 0, stdout, stderr: '' })).toEqual(lines);
  });

  it('is laid out alike wherever the folders are', () => {
    const folders = ['/tmp/a', `/tmp/${'b'.repeat(90)}`].map((folder) => {
      const stdout = `${JSON.stringify({ file: `${folder}/x`, more: 'y'.repeat(60) })}\n`;
      return transcript({ code: 0, stdout, stderr: '' }, new Map([['home', folder]])).length;
    });
    expect(folders).toEqual([1, 1]);
  });

  it('has stderr behind stdout, and the exit code last', () => {
    expect(transcript({ code: 9, stdout: 'one\n', stderr: 'two\n\n' })).toEqual([
      'one',
      '! two',
      '!',
      '[exit 9]',
    ]);
  });
});
