import { describe, expect, it } from 'vitest';
import { tree } from '../../../../../src/cli/commands/catalogue/tree.ts';
import { fieldWords } from '../../../../../src/cli/commands/help/field-words.ts';
import { program } from '../../../../helpers/program.ts';

describe('the words of the field', () => {
  it('are each explained by all their names, first of what is called so', async () => {
    for (const [term, names] of fieldWords) {
      for (const name of [term, ...names].flatMap((one) => [one, one.toLowerCase()])) {
        const { code, stdout } = await program(['explain', ...name.split(' '), '--json']);
        expect([name, code]).toEqual([name, 0]);
        const [first] = JSON.parse(stdout) as { term: string; kind: string }[];
        expect([name, first]).toEqual([name, expect.objectContaining({ term, kind: 'word' })]);
      }
    }
  });

  it('stand for one thing each', () => {
    const names = fieldWords.flatMap(([term, others]) => [term, ...others].map((name) => name.toLowerCase()));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('are told in sentences that name commands which exist', () => {
    const isCommand = (words: string) => tree.some(({ path }) => path === words);
    for (const [term, , meaning, , advice] of fieldWords) {
      expect([term, meaning, advice]).toEqual([
        term,
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\.$/),
      ]);
      for (const [, noun = '', verb = ''] of advice.matchAll(/\bobk ([a-z]+)(?: ([a-z]+))?/g))
        expect([term, noun, verb, isCommand(`${noun} ${verb}`) || isCommand(noun)]).toEqual([
          term,
          noun,
          verb,
          true,
        ]);
    }
  });

  it('are what is meant by a slip', async () => {
    expect((await program('explain ASPS')).stderr).toContain('obk explain ASPSP');
  });
});
