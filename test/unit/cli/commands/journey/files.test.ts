// The files of journeys and the runs that are kept of them, as a job of a CI finds them.
import { describe, expect, it } from 'vitest';
import { memoryFiles } from '../../../../helpers/fakes/index.ts';
import { program } from '../../../../helpers/program.ts';

const journey = 'journey: A Read\ntags: [read]\nsteps: [{ accounts list: { consent: c } }]\n';
const result = '{"run":"1","journeys":[]}';

const run = async (words: string, contents: Record<string, string>) => {
  const { code, stderr, stdout, notices } = await program(words, { ports: { files: memoryFiles(contents) } });
  return { code, stderr, stdout, said: notices.said };
};

describe('a folder of journeys', () => {
  const plan = 'journey run j --plan --profile sandbox';

  it('may hold other files, such as the result of the run before', async () => {
    const { code, stdout, said } = await run(plan, { 'j/a.yaml': journey, 'j/result.json': result });
    expect([code, said]).toEqual([0, ['j/result.json is left out: it has neither journey nor steps.']]);
    expect(stdout).toContain('A Read');
  });

  it.each([
    ['a file that is named', 'journey run j/result.json --plan', 'journey is missing'],
    ['a folder without any', plan, 'There is no journey in j.\n  Try:  obk journey list\n'],
    ['a journey with a mistake', plan.replace('j ', 'k '), 'k/b.yaml:1:1: jurney: there is no such key'],
  ])('takes nothing away from %s', async (_, words, wanted) => {
    const files = { 'j/result.json': result, 'k/b.yaml': journey.replace('journey', 'jurney') };
    expect(await run(words, files)).toMatchObject({ code: 2, stderr: expect.stringContaining(wanted) });
  });

  it.each([
    ['--only READ', 0, ''],
    ['--only b', 2, 'Try:  obk journey list j\n'],
    ['--tag write', 2, 'Try:  obk journey list j\n'],
  ])('is chosen from by %s', async (flags, code, wanted) => {
    const found = await run(`${plan} ${flags}`, { 'j/a.yaml': journey });
    expect(found).toMatchObject({ code, stderr: expect.stringContaining(wanted) });
  });
});

describe.each([
  ['journey diff', 'journeys', 'obk journey run FILE', '{"run":"a","journeys":[]}'],
  ['check diff', 'checks', 'obk check --profile NAME', '{"run":"a","cases":[]}'],
])('a run that is not kept, of %s', (command, folder, first, kept) => {
  it('has the way to the first one', async () => {
    const { code, stderr } = await run(`${command} @last`, {});
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Try:  ${first}\n`)]);
  });

  it.each(['@last-4', '@lastly', '@last-', 'b', '../a'])(
    'has lines that run for those that are kept: %s',
    async (wish) => {
      const files = memoryFiles();
      files.listing = (path) =>
        Promise.resolve(
          path.endsWith(`/${folder}`) ? ['a1.json', 'a2.json', 'a3.json', 'a4.json', 'x.tmp'] : undefined,
        );
      files.read = () => Promise.resolve(Buffer.from(kept));
      const { code, stderr } = await program(`${command} ${wish}`, { ports: { files } });
      expect(code).toBe(2);
      expect(stderr).toContain(
        ['Try:  ', '      ', '      ']
          .map((at, index) => `  ${at}obk ${command} a${String(4 - index)}\n`)
          .join(''),
      );
    },
  );
});

describe('a step in which obk goes wrong', () => {
  const steps = `steps: [{ payment lint: bad.xml }, { profile list: {} }]\nalways: [{ name: tidied, profile list: {} }]\n`;

  it('ends the run with 1, and the report and what cleans up are there all the same', async () => {
    const files = memoryFiles({ 'j.yaml': `journey: Wrong\n${steps}` });
    const read = files.read.bind(files);
    files.read = (path) => (path.endsWith('bad.xml') ? Promise.reject(new Error('a bug')) : read(path));
    const { code, stdout } = await program('journey run j.yaml --profile sandbox --junit out.xml', {
      ports: { files },
    });
    expect([code, stdout]).toEqual([1, expect.stringContaining('INTERNAL: ')]);
    const report = Buffer.from(await read('out.xml')).toString();
    expect(report).toContain('<failure message="exit: expected ok, but it is internal; INTERNAL: ');
    expect(report).toContain('name="tidied"');
    expect(report).toContain('tests="2" failures="1"');
  });
});
