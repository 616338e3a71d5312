import type { Node } from '../../settings/documents/document.ts';
import { checked, listOf } from '../../settings/documents/shape.ts';
import type { Report, Shape } from '../../settings/documents/shape.ts';
import { aboutOperator, operatorNames, wrongWanted } from './condition.ts';
import type { Condition, Operator } from './condition.ts';
import type { Expected, Template } from './journey.ts';
import { nearest } from '../../base/nearest.ts';
import { strayDollar } from './references.ts';
import { pointerParts } from './values.ts';

const scalar = { type: ['string', 'number', 'boolean'] };

/** A text in which `$name` may stand. */
export const template: Shape<Template> = {
  schema: scalar,
  read(node, report) {
    if (node.kind !== 'text') {
      report.add(node, 'one value is due here');
      return undefined;
    }
    if (strayDollar(node.text)) {
      report.add(node, 'a $ begins the name of something saved; a dollar itself is written $$');
      return undefined;
    }
    const { line, column, path, text } = node;
    return { line, column, path, text };
  },
};

/** One value or a list of them. */
export const templates: Shape<readonly Template[]> = {
  schema: { anyOf: [scalar, { type: 'array', items: scalar }] },
  read(node, report) {
    if (node.kind === 'list') return listOf(template).read(node, report);
    const one = template.read(node, report);
    return one === undefined ? undefined : [one];
  },
};

/** A map whose keys a check allows, each value of one shape, with the place of the key. */
export function namesTo<Value>(
  shape: Shape<Value>,
  nameRule: { pattern: RegExp; why: string },
): Shape<readonly { name: string; node: Node; value: Value }[]> {
  return {
    schema: {
      type: 'object',
      propertyNames: { pattern: nameRule.pattern.source },
      additionalProperties: shape.schema,
    },
    read(node, report) {
      if (node.kind !== 'map') {
        report.add(node, 'a map of names and values is due here');
        return undefined;
      }
      return [...node.members].flatMap(([name, { key, value: inside }]) => {
        if (!nameRule.pattern.test(name)) report.add(key, nameRule.why);
        const value = shape.read(inside, report);
        return value === undefined ? [] : [{ name, node: inside, value }];
      });
    },
  };
}

/** A name that `$name` can stand for. */
export const aName = {
  pattern: /^[A-Za-z_][\w-]*$/,
  why: 'a name is letters, digits, - and _, and begins with a letter',
};

/** A duration in milliseconds, such as `500ms`, `2s` or `1m`. */
export const milliseconds = checked<number>({}, (text) => {
  const [, digits = '', unit = ''] = /^([0-9]{1,6})(ms|s|m)$/.exec(text) ?? [];
  if (digits === '') return { ok: false, why: 'it is a time such as 500ms, 2s or 1m' };
  return { ok: true, value: Number(digits) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'] };
});

const operator = (name: string): name is Operator => (operatorNames as readonly string[]).includes(name);

function noOperator(name: string): string {
  const near = nearest(name, operatorNames);
  return near.length > 0
    ? `there is no such operator; did you mean ${near.join(' or ')}?`
    : `there is no such operator; there are ${operatorNames.join(', ')}`;
}

/** What must be true of a value: a text that it must be, or operators with theirs. */
export const condition: Shape<Condition> = {
  schema: {
    anyOf: [
      scalar,
      {
        type: 'object',
        properties: Object.fromEntries(
          operatorNames.map((name) => [
            name,
            {
              description: aboutOperator(name),
              ...(name === 'in' ? { type: 'array', items: scalar } : scalar),
            },
          ]),
        ),
        additionalProperties: false,
      },
    ],
  },
  read(node, report) {
    if (node.kind === 'text') {
      const is = template.read(node, report);
      return is === undefined ? undefined : [{ operator: 'is', wanted: [is.text] }];
    }
    if (node.kind === 'list') {
      report.add(node, 'a list is no condition; one of several values is { in: [A, B] }');
      return undefined;
    }
    return [...node.members].flatMap(([name, { key, value }]) => {
      if (!operator(name)) {
        report.add(key, noOperator(name));
        return [];
      }
      if (name !== 'in' && value.kind === 'list') {
        report.add(value, `${name} takes one value`);
        return [];
      }
      const wanted = templates.read(value, report) ?? [];
      for (const { text } of wanted) {
        const why = wrongWanted(name, text);
        if (why !== undefined) report.add(value, why);
      }
      return [{ operator: name, wanted: wanted.map(({ text }) => text) }];
    });
  },
};

/** Conditions by the pointers of what they are about. */
export const byPointer: Shape<readonly Expected[]> = conditions((name) =>
  pointerParts(name) === undefined || /^(?:\/|\$(?:[.[]|$))/.test(name)
    ? 'it is no pointer; one is accounts[0].iban, or *.currency for each element'
    : undefined,
);

/** Conditions by names that a check allows. */
export function conditions(
  wrong: (name: string) => string | undefined,
  of: Shape<Condition> = condition,
): Shape<readonly Expected[]> {
  return {
    schema: { type: 'object', additionalProperties: of.schema },
    read(node: Node, report: Report) {
      if (node.kind !== 'map') {
        report.add(node, 'a map of names and what is expected of them is due here');
        return undefined;
      }
      return [...node.members].flatMap(([pointer, { key, value }]) => {
        const why = wrong(pointer);
        if (why !== undefined) report.add(key, why);
        const read = of.read(value, report);
        return read === undefined ? [] : [{ pointer, condition: read, line: key.line, column: key.column }];
      });
    },
  };
}
