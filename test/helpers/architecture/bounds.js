import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { builtinRules } from 'eslint/use-at-your-own-risk';

/** The bounds of a function of src, by the rule of ESLint that measures them. */
const bounds = { 'max-lines-per-function': 80, complexity: 15, 'max-params': 4 };

/** The functions that are above a bound, a line each: file, function, rule. The list may only become shorter. */
const listed = readFileSync(join(import.meta.dirname, 'long-functions.txt'), 'utf8')
  .trimEnd()
  .split('\n');

/** The part of a configuration that holds functions to the bounds: the rules pass over the list and report what it has too much. */
export const rules = {
  plugins: {
    bounds: {
      rules: Object.fromEntries(
        Object.keys(bounds).map((rule) => [rule, bounded(rule, builtinRules.get(rule))]),
      ),
    },
  },
  rules: Object.fromEntries(
    Object.entries(bounds).map(([rule, most]) => [`bounds/${rule}`, ['error', most]]),
  ),
};

function bounded(rule, original) {
  return {
    meta: original.meta,
    create(context) {
      const file = relative(context.cwd, context.filename).split(sep).join('/');
      const ofFile = listed.filter((line) => line.startsWith(`${file} `) && line.endsWith(` ${rule}`));
      const passed = new Map(ofFile.map((line) => [line, false]));
      const report = (found) => {
        const line = `${file} ${nameOf(found.node)} ${rule}`;
        if (passed.has(line)) passed.set(line, true);
        else context.report({ ...found, data: { ...found.data, name: line.split(' ')[1] } });
      };
      const visitors = original.create(Object.create(context, { report: { value: report } }));
      return {
        ...visitors,
        'Program:exit'(node) {
          for (const [line, met] of passed)
            if (!met)
              context.report({
                node,
                message: `long-functions.txt: "${line}" is no longer needed; remove it`,
              });
        },
      };
    },
  };
}

/** The name of a function with those around it: `Class.method`, `outer.inner`; `()` is one that has no name. */
function nameOf(node) {
  const names = [];
  for (let at = node; at !== null; at = at.parent) {
    const name = ownName(at);
    if (name !== undefined) names.unshift(name);
  }
  return names.join('.');
}

function ownName(node) {
  const { type, parent } = node;
  if (type === 'ClassDeclaration' || type === 'FunctionDeclaration') return node.id?.name ?? 'default';
  if (type === 'MethodDefinition') return keyOf(node);
  if (type !== 'FunctionExpression' && type !== 'ArrowFunctionExpression') return undefined;
  if (parent.type === 'MethodDefinition') return undefined;
  if (parent.type === 'VariableDeclarator') return parent.id.name;
  return parent.type === 'Property' || parent.type === 'PropertyDefinition' ? keyOf(parent) : '()';
}

function keyOf({ key }) {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  return key.type === 'Identifier' ? key.name : String(key.value);
}
