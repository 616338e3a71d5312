// What obk knows of answers, against the official files: every object and text, in every framework.
import { describe, expect, it } from 'vitest';
import { answerObjects } from '../../src/standard/xs2a/answer-objects.ts';
import { answerBounds, answerMembers, isAnswerObject } from '../../src/standard/xs2a/answer-shapes.ts';
import { guidelineMembers } from '../../src/standard/xs2a/answer-objects.ts';
import { frameworkNames } from '../../src/standard/xs2a/variants.ts';
import { answerSchemas } from '../helpers/answer-schemas.ts';
import { hasOfficialFiles } from '../helpers/official.ts';

describe.runIf(hasOfficialFiles())('the objects of answers, by the official files', () => {
  it.each(frameworkNames)('agree with those of %s', (framework) => {
    const { objects, values } = answerSchemas(framework);
    const ours = Object.fromEntries(
      Object.keys(answerObjects).flatMap((object) => {
        const rows = [...answerMembers(framework, object)]
          .filter(
            ([name]) =>
              !Object.hasOwn(guidelineMembers[object] ?? {}, name) || objects[object]?.[name] !== undefined,
          )
          .map(([name, { type, required }]) => [name, required ? `${type}*` : type]);
        return rows.length === 0 ? [] : [[object, Object.fromEntries(rows) as Record<string, string>]];
      }),
    );
    expect(ours).toEqual(objects);
    for (const [name, bounds] of Object.entries(values))
      expect([name, answerBounds(framework, name)]).toEqual([name, bounds]);
  });
});

it.each(frameworkNames)('a type of %s is always a known one', (framework) => {
  const plain = /^(boolean|integer|links( \S+)*|text(:\d+)?|date|date-time|one of .+|pattern .+)$/;
  for (const object of [...Object.keys(answerObjects), ...Object.keys(guidelineMembers)])
    for (const [name, { type }] of answerMembers(framework, object)) {
      const one = type.replace(/^\[(.*)\]$/, '$1');
      expect(
        isAnswerObject(one) || plain.test(answerBounds(framework, one)),
        `${object}.${name}: ${type}`,
      ).toBe(true);
    }
});
