import { defined } from '../../base/defined.ts';
import type { Node } from '../../settings/documents/document.ts';
import { checked, mapOf, may, needed, notOne, oneOf } from '../../settings/documents/shape.ts';
import type { Schema } from '../../base/schema.ts';
import type { Report, Shape, ValueOf } from '../../settings/documents/shape.ts';
import { nearest } from '../../base/nearest.ts';
import { onlyReads } from './commands.ts';
import { asApi, httpShape } from './http-step.ts';
import type { CommandFacts, Commands, FlagFacts } from './commands.ts';
import type { Condition } from './condition.ts';
import type { Expectation, PsuScript, JourneyStep, Template } from './journey.ts';
import { psuActions } from './journey.ts';
import { meantCommand, misplacedFlag, strangeKey, unknownFlag } from './step-words.ts';
import {
  aName,
  byPointer,
  condition,
  conditions,
  milliseconds,
  namesTo,
  template,
  templates,
} from './shapes.ts';

const saved = checked<string>({ pattern: aName.pattern.source }, (text) =>
  aName.pattern.test(text) ? { ok: true, value: text } : { ok: false, why: aName.why },
);

const secretName = checked<string>({ pattern: aName.pattern.source }, (text) => {
  const name = text.replace(/^\$/, '');
  return aName.pattern.test(name)
    ? { ok: true, value: name }
    : { ok: false, why: 'it is the name of one of the secrets of this journey' };
});

const psuMap = mapOf(
  {
    does: needed('What the PSU does where the bank asks.', oneOf(psuActions)),
    method: may('The SCA method that is chosen, by its id or name.', template),
    password: may('The secret with the password.', secretName),
    otp: may('The secret with the OTP.', secretName),
    browser: may('The secret with the program that drives a browser.', secretName),
  },
  'The PSU, and where the answers come from if neither the profile nor the bank inside has them.',
);

const psu: Shape<PsuScript> = {
  schema: { anyOf: [{ enum: psuActions }, psuMap.schema] },
  read(node, report) {
    if (node.kind === 'map') return psuMap.read(node, report);
    const does = oneOf(psuActions).read(node, report);
    return does === undefined ? undefined : { does };
  },
};

/** The words for exit codes, which `obk help exit-codes` lists. */
export type ExitNames = readonly { code: number; name: string }[];

/** A condition whose texts have a form of their own. */
const conditionOf = (form: RegExp, why: string): Shape<Condition> => ({
  schema: condition.schema,
  read(node, report) {
    const read = condition.read(node, report);
    for (const { operator, wanted } of read ?? [])
      for (const text of wanted)
        if (['is', 'not', 'in'].includes(operator) && !text.includes('$') && !form.test(text))
          report.add(node, why);
    return read;
  },
});
const httpStatus = conditionOf(/^[1-5][0-9]{2}$/, 'a status is a number such as 201');
const change = conditionOf(/^-?[0-9]+(\.[0-9]+)?$/, 'a change is an amount such as -12.50');

/** The members of a result look like keys of what is expected; they stand one level below. */
function expectation(exits: ExitNames) {
  const shape = expectedKeys(exits);
  const known = Object.keys((shape.schema as { properties: object }).properties);
  return {
    ...shape,
    read(node: Node, report: Report) {
      if (node.kind !== 'map') return shape.read(node, report);
      const isStrange = (name: string) => !known.includes(name) && nearest(name, known).length === 0;
      const members = [...node.members];
      for (const [name, { key }] of members.filter(([one]) => isStrange(one)))
        report.add(
          key,
          `there is no such key here; a member of the result stands under body: { ${name}: … }, the others are ${known.join(', ')}`,
        );
      return shape.read({ ...node, members: new Map(members.filter(([one]) => !isStrange(one))) }, report);
    },
  };
}

const expectedKeys = (exits: ExitNames) =>
  mapOf(
    {
      exit: may(
        'How the command ends; ok without it.',
        checked<number>({ enum: exits.flatMap(({ code, name }) => [name, code]) }, (text) => {
          const found = exits.find(({ code, name }) => name === text || String(code) === text);
          if (found !== undefined) return { ok: true, value: found.code };
          return {
            ok: false,
            why: notOne(
              text,
              exits.map(({ name }) => name),
            ),
          };
        }),
      ),
      status: may('The HTTP status of the last call.', httpStatus),
      body: may('Members of the result by their pointers, such as accounts[0].iban.', byPointer),
      headers: may(
        'Headers of the last answer.',
        conditions((name) => (/^[\w-]+$/.test(name) ? undefined : 'it is no name of a header')),
      ),
      findings: may('How many findings the referee has against the calls, both sides.', condition),
      within: may('The time that the step may take.', milliseconds),
      ledger: may(
        'By how much the balances of accounts of the bank inside change, by IBAN.',
        conditions(
          (name) => (/^[A-Z]{2}[0-9A-Z]+$/.test(name) ? undefined : 'it is no IBAN without blanks'),
          change,
        ),
      ),
    },
    'What the step must come to.',
  );

const retry = mapOf(
  {
    within: needed('The time after which it is given up.', milliseconds),
    every: may('The time between two tries; 1s without it.', milliseconds),
  },
  'A step that reads runs again until what is expected of it holds.',
);

const when: Shape<JourneyStep['when']> = {
  schema: { type: 'object', additionalProperties: condition.schema },
  read(node, report) {
    if (node.kind !== 'map') {
      report.add(node, 'a map such as { $payment.transactionStatus: RCVD } is due here');
      return undefined;
    }
    return [...node.members].flatMap(([text, { key, value }]) => {
      if (!text.startsWith('$')) report.add(key, 'it begins with $ and the name of something saved');
      const read = condition.read(value, report);
      const of: Template = { ...key, path: value.path, text };
      return read === undefined
        ? []
        : [{ of, pointer: '', condition: read, line: key.line, column: key.column }];
    });
  },
};

const each = namesTo(templates, aName);

/** What a step may have besides its command. */
const stepMembers = (exits: ExitNames) =>
  ({
    name: may(
      'A sentence for the report.',
      checked<string>({}, (text) => ({ ok: true, value: text })),
    ),
    profile: may('The profile of this step, if it is another one.', template),
    psu: may('What the PSU does.', psu),
    input: may('The text that the command gets on stdin.', template),
    expect: may('What the step must come to; that it succeeds, without this.', expectation(exits)),
    save: may('The name under which later steps find the result.', saved),
    'retry until': may('For a step that reads: until what is expected holds.', retry),
    'for each': may('The step runs once for each value of a list.', each),
    when: may('The step is left out unless this holds.', when),
  }) as const;

const restShape = (exits: ExitNames) => mapOf(stepMembers(exits));

/** The shape of a step among these commands. */
export function stepShape(commands: Commands, exits: ExitNames): Shape<JourneyStep> {
  const members = stepMembers(exits);
  const rest = restShape(exits);
  return {
    schema: stepSchema(commands, rest.schema),
    read(node, report) {
      if (node.kind !== 'map') {
        report.add(node, 'a step is a map with a command, such as { payment list: }');
        return undefined;
      }
      const own = [...node.members].filter(([key]) => !Object.hasOwn(members, key));
      const others = [...node.members].filter(([key]) => Object.hasOwn(members, key));
      const [called, ...further] = own;
      if (called === undefined) {
        report.add(node, 'the step has no command');
        return undefined;
      }
      const [words, { key, value }] = called;
      const place = { line: key.line, column: key.column, path: node.path };
      for (const [name, other] of further)
        report.add(
          other.key,
          misplacedFlag(name, words, value, commands.find(words)) ??
            strangeKey(name, words, Object.keys(members)),
        );
      if (words === 'http') {
        const asked = httpShape.read(value, report);
        const read = rest.read({ ...node, members: new Map(others) }, report);
        if (asked === undefined || read === undefined) return undefined;
        if (read.input !== undefined) report.add(place, 'an http step sends its body, and no input');
        return assemble(place, asApi(asked), read, report);
      }
      const facts = commands.find(words);
      if (facts === undefined) {
        report.add(key, `there is no such command of a step; ${meantCommand(words, commands)}`);
        return undefined;
      }
      const read = rest.read({ ...node, members: new Map(others) }, report);
      const given = readArguments(value, facts, report);
      if (read === undefined || given === undefined) return undefined;
      return assemble(place, { command: facts.command, ...given }, read, report);
    },
  };
}

type Rest = ValueOf<ReturnType<typeof restShape>>;

function assemble(
  place: Pick<JourneyStep, 'line' | 'column' | 'path'>,
  asked: Pick<JourneyStep, 'command' | 'positionals' | 'flags'> & Partial<JourneyStep>,
  rest: Rest,
  report: Report,
): JourneyStep | undefined {
  const { expect, psu: script, save, input, name, profile } = rest;
  const again = rest['retry until'];
  const [several, ...more] = rest['for each'] ?? [];
  if (more.length > 0 || (rest['for each'] !== undefined && several === undefined))
    report.add(rest.where.of('for each'), 'it names one list');
  if (again !== undefined) checkRetry(asked, rest, report);
  return {
    ...place,
    ...asked,
    expect: expectationOf(expect),
    ...defined({ name, profile, input, psu: script, save }),
    ...(again !== undefined && { retry: { withinMs: again.within, everyMs: again.every ?? 1000 } }),
    ...(several !== undefined && { each: { name: several.name, of: eachOf(several.node, several.value) } }),
    ...defined({ when: rest.when }),
  };
}

/** A step is tried again only where that changes nothing, and something is waited for. */
function checkRetry(
  { command, positionals }: Pick<JourneyStep, 'command' | 'positionals'>,
  { expect, where }: Rest,
  report: Report,
): void {
  const at = where.of('retry until');
  if (!onlyReads(command) && !(command === 'api' && /^get$/i.test(positionals[0]?.text ?? '')))
    report.add(at, `${command} changes something, and is never run twice; let a step that reads wait`);
  if (expect === undefined) report.add(at, 'the step expects nothing to wait for');
}

/** A text stands for a list that was saved. */
const eachOf = (node: Node, value: readonly Template[]): Template | readonly Template[] =>
  node.kind === 'text' ? (value[0] ?? []) : value;

function expectationOf(read: ValueOf<ReturnType<typeof expectation>> | undefined): Expectation {
  if (read === undefined) return {};
  const { where: _, within, ...rest } = read;
  return { ...rest, ...defined({ withinMs: within }) };
}

type Arguments = Pick<JourneyStep, 'positionals' | 'flags'>;

/** The arguments of a command: a text for the one without a flag, or a map of flags and arguments by their names. */
function readArguments(node: Node, facts: CommandFacts, report: Report): Arguments | undefined {
  const [first] = facts.arguments;
  if (node.kind === 'list' || (node.kind === 'text' && node.text !== '')) {
    const values = templates.read(node, report);
    if (values === undefined) return undefined;
    if (first === undefined) {
      report.add(node, `${facts.command} takes flags alone, by their names`);
      return undefined;
    }
    if (values.length > facts.arguments.length && facts.arguments.at(-1)?.repeatable !== true) {
      report.add(node, `it takes ${facts.arguments.map(({ name }) => name).join(', ')}`);
      return undefined;
    }
    return atTheirPlaces(values, facts, node, report);
  }
  const members = node.kind === 'map' ? [...node.members] : [];
  const positionals = facts.arguments.flatMap(({ name }) => {
    const found = members.find(([key]) => key === name)?.[1].value;
    return found === undefined ? [] : (templates.read(found, report) ?? []);
  });
  const flags = members.flatMap(([name, { key, value }]) => {
    if (facts.arguments.some((one) => one.name === name)) return [];
    const flag = facts.flags.find((one) => one.name === `--${name}`);
    if (flag === undefined) {
      report.add(key, unknownFlag(name, facts));
      return [];
    }
    return readFlag(flag, value, report);
  });
  const given = atTheirPlaces(positionals, facts, node, report);
  return given === undefined ? undefined : { ...given, flags };
}

function atTheirPlaces(
  values: readonly Template[],
  facts: CommandFacts,
  node: Node,
  report: Report,
): Arguments | undefined {
  const missing = facts.arguments.filter(({ required }, at) => required && values[at] === undefined);
  if (missing.length > 0) {
    report.add(node, `${missing.map(({ name }) => name).join(', ')} is missing`);
    return undefined;
  }
  return { positionals: values, flags: [] };
}

function readFlag(flag: FlagFacts, node: Node, report: Report): JourneyStep['flags'] {
  if (flag.value === null) {
    const on = oneOf(['true', 'false']).read(
      node.kind === 'text' && node.text === '' ? { ...node, text: 'true' } : node,
      report,
    );
    return on === 'true' ? [{ flag: flag.name, values: 'set' }] : [];
  }
  if (node.kind === 'list' && !flag.repeatable) {
    report.add(node, `${flag.name} takes one value`);
    return [];
  }
  const values = templates.read(node, report) ?? [];
  if (values.some(({ text }) => text === '')) report.add(node, `it is empty, and ${flag.name} takes a value`);
  for (const value of values)
    if (flag.choices !== null && !value.text.includes('$') && !flag.choices.includes(value.text))
      report.add(value, notOne(value.text, flag.choices));
  return [{ flag: flag.name, values }];
}

/** An editor offers the commands, and the flags of the one that is chosen. */
function stepSchema(commands: Commands, rest: Schema): Schema {
  const flagSchema = ({ value, choices, repeatable, description }: FlagFacts) => {
    const one =
      value === null ? { type: 'boolean' } : choices === null ? templates.schema : { enum: choices };
    return { description, ...(repeatable ? { anyOf: [one, { type: 'array', items: one }] } : one) };
  };
  const commandSchema = (facts: CommandFacts): Schema => ({
    description: facts.summary,
    anyOf: [
      { type: ['string', 'null'] },
      { type: 'array', items: template.schema },
      {
        type: 'object',
        properties: Object.fromEntries<Schema>([
          ...facts.arguments.map(({ name, description }): [string, Schema] => [
            name,
            { description, ...templates.schema },
          ]),
          ...facts.flags.map((flag): [string, Schema] => [flag.name.slice(2), flagSchema(flag)]),
        ]),
        additionalProperties: false,
      },
    ],
  });
  const { properties = {} } = rest;
  return {
    type: 'object',
    properties: {
      ...properties,
      http: httpShape.schema,
      ...Object.fromEntries(
        commands.words.map((words) => [words, commandSchema(commands.find(words) as CommandFacts)]),
      ),
    },
    additionalProperties: false,
  };
}
