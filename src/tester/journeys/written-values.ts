import { exitCodes } from '../../base/errors.ts';
import type { Fault } from '../../settings/documents/document.ts';
import type { JourneyStep, Template } from './journey.ts';
import { namesIn, resolveText } from './references.ts';
import type { Scope } from './references.ts';
import { scopeOf } from './run-journey.ts';
import type { Passage } from './run-journey.ts';

/** Says why a command does not take a text as the value of a flag, or of its argument at a place. */
type WhyNot = (command: string, at: string | number, text: string) => Promise<string | undefined>;

/**
 * The values that are known before the first step runs and that their command would refuse: those that are written out, and those
 * of variables. A step that is about such a refusal has none.
 */
export async function refusedValues(passage: Passage, now: Date, whyNot: WhyNot): Promise<Fault[]> {
  const { steps, always } = passage.journey;
  const scope = scopeOf(passage, now);
  const faults: Fault[] = [];
  for (const step of [...steps, ...always].filter(({ expect }) => expect.exit !== exitCodes.usage))
    for (const { at, template } of valuesOf(step)) {
      const text = known(step, template, scope);
      const why = text === undefined ? undefined : await whyNot(step.command, at, text);
      if (why !== undefined) faults.push({ ...template, why });
    }
  return faults;
}

const valuesOf = ({ positionals, flags }: JourneyStep): { at: string | number; template: Template }[] => [
  ...positionals.map((template, at) => ({ at, template })),
  ...flags.flatMap(({ flag, values }) =>
    values === 'set' ? [] : values.map((template) => ({ at: flag, template })),
  ),
];

/** The text of a template, where that does not depend on a step. */
function known({ each }: JourneyStep, template: Template, scope: Scope): string | undefined {
  const names = namesIn(template.text);
  return names.every((name) => scope.has(name) && name !== each?.name)
    ? resolveText(template, scope)
    : undefined;
}
