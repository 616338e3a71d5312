import { defined } from '../../base/defined.ts';
import { createHash } from 'node:crypto';
import { readDocument } from '../../settings/documents/document.ts';
import type { Fault, Node } from '../../settings/documents/document.ts';
import { Report, checked, listOf, mapOf, may, needed, oneOf } from '../../settings/documents/shape.ts';
import type { Schema } from '../../base/schema.ts';
import type { Shape } from '../../settings/documents/shape.ts';
import { nearest } from '../../base/nearest.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import { scaApproaches } from '../../standard/xs2a/sca-approaches.ts';
import type { Commands } from './commands.ts';
import { templatesOfInput } from './http-step.ts';
import type { Journey, JourneyStep, Template } from './journey.ts';
import { namesIn } from './references.ts';
import { aName, namesTo, templates } from './shapes.ts';
import { stepShape } from './step-shape.ts';
import type { ExitNames } from './step-shape.ts';

const text = checked<string>({}, (given) =>
  given.trim() === '' ? { ok: false, why: 'it is empty' } : { ok: true, value: given },
);
/** Several profiles are a key of their own. */
const oneProfile: Shape<string> = {
  schema: text.schema,
  read(node, report) {
    if (node.kind !== 'list') return text.read(node, report);
    report.add(node, 'it is a list; several stand under profiles: [A, B]');
    return undefined;
  },
};
const tag = checked<string>({ pattern: '^[a-z0-9-]+$' }, (given) =>
  /^[a-z0-9-]{1,40}$/.test(given)
    ? { ok: true, value: given }
    : { ok: false, why: 'a tag is small letters, digits and -' },
);

function journeyShape(commands: Commands, exits: ExitNames) {
  const steps = listOf(stepShape(commands, exits));
  return mapOf(
    {
      journey: needed('What it shows, in a sentence.', text),
      about: may('More words for the report.', text),
      tags: may('Words by which journeys are chosen.', listOf(tag)),
      needs: may(
        'Operations of the interface, and approaches of SCA, without which the journey is left out.',
        listOf(oneOf([...operations.map(({ id }) => id), ...scaApproaches])),
      ),
      profile: may('The profile; the usual one without it.', oneProfile),
      profiles: may('Several profiles: the journey runs once with each.', listOf(text, 1)),
      variables: may('Values by name, which --set replaces.', namesTo(templates, aName)),
      secrets: may(
        'The names of the secrets that --secret binds, each with what it is.',
        namesTo(text, aName),
      ),
      steps: needed('The steps, one after the other.', listOf(stepShape(commands, exits), 1)),
      always: may('Steps that run at the end whatever happened before.', steps),
    },
    'A journey: obk journey run FILE.',
    (read, wrong) => {
      if (read.profile !== undefined && read.profiles !== undefined)
        wrong('profile', 'there is a list of profiles as well');
    },
  );
}

/** The JSON Schema (draft 2020-12) of a journey, for editors. */
export const journeySchema = (commands: Commands, exits: ExitNames): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A journey of obk',
  ...journeyShape(commands, exits).schema,
});

/** A journey with what it was read from. */
export interface ReadJourney {
  journey: Journey;
  /** Of the bytes, in hex. */
  sha256: string;
}

/** Everything that is wrong with a file; one that has neither `journey` nor `steps` is some other file. */
export interface UnreadJourney {
  faults: readonly Fault[];
  isOther?: boolean;
}

/** Reads a journey (YAML or JSON, by the name of its file), or tells everything that is wrong with it. */
export function readJourney(
  bytes: Uint8Array,
  name: string,
  commands: Commands,
  exits: ExitNames,
): ReadJourney | UnreadJourney {
  const source = utf8(bytes);
  if (source === undefined) return { faults: [{ line: 1, column: 1, path: '', why: 'it is not UTF-8' }] };
  const document = readDocument(source, name, 'journey and steps');
  if ('faults' in document) return document;
  const report = new Report();
  const { root } = document;
  const isOther = root.kind !== 'map' || !(root.members.has('journey') || root.members.has('steps'));
  const read = journeyShape(commands, exits).read(root, report);
  if (read === undefined || report.faults.length > 0) return { faults: report.faults, isOther };
  const journey: Journey = {
    name: read.journey,
    ...defined({ about: read.about }),
    tags: read.tags ?? [],
    needs: read.needs ?? [],
    profiles: read.profiles ?? (read.profile === undefined ? [] : [read.profile]),
    variables: (read.variables ?? []).map(({ name: of, node, value }) => ({
      name: of,
      value: single(node, value),
    })),
    secrets: new Map((read.secrets ?? []).map(({ name: of, value }) => [of, value])),
    steps: read.steps,
    always: read.always ?? [],
  };
  checkNames(journey, report);
  if (report.faults.length > 0) return { faults: report.faults };
  return { journey, sha256: sha256Of(bytes) };
}

/** The hash (hex) by which a file is trusted. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const single = (node: Node, values: readonly Template[]): Template | readonly Template[] =>
  node.kind === 'list' ? values : (values[0] as Template);

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The names that every journey knows: the run, the profile, the user under load, and the time. */
const builtInNames = ['run', 'profile', 'user', 'today', 'now'] as const;

/** A reference to what no earlier step saves is a mistake of the file, and is told before anything is sent. */
function checkNames(journey: Journey, report: Report): void {
  const names = new KnownNames(journey, report);
  for (const one of journey.variables) names.variable(one);
  for (const name of journey.secrets.keys()) names.known.add(name);
  for (const step of [...journey.steps, ...journey.always]) names.step(step);
}

/** The names that are known so far in a journey, from its top on. */
class KnownNames {
  readonly known = new Set<string>(builtInNames);
  readonly #secrets: Journey['secrets'];
  readonly #report: Report;

  constructor({ secrets }: Journey, report: Report) {
    this.#secrets = secrets;
    this.#report = report;
  }

  variable({ name, value }: Journey['variables'][number]): void {
    const taken = this.#takenAs(name);
    for (const one of 'text' in value ? [value] : value) {
      if (taken !== undefined) this.#report.add(one, `${taken}: a variable needs another name`);
      for (const used of namesIn(one.text))
        if (!this.known.has(used)) {
          const why = withNear(used, [...this.known], `no variable before it is called ${used}`);
          this.#report.add(one, why);
        }
    }
    this.known.add(name);
  }

  step(step: JourneyStep): void {
    const { each, psu, save } = step;
    const taken = each === undefined ? undefined : this.#takenAs(each.name);
    if (taken !== undefined) this.#report.add(step, `${taken}: each value of the list needs another name`);
    for (const one of templatesOf(step)) this.#references(one, each?.name);
    this.#secretsAlone(step);
    for (const name of [psu?.password, psu?.otp, psu?.browser])
      if (name !== undefined && !this.#secrets.has(name))
        this.#report.add(
          step,
          `${name} is none of the secrets of this journey; it stands there as secrets: { ${name}: what it is }`,
        );
    if (save !== undefined) this.#saved(step, save);
  }

  /** What a name would stand for besides, if it were taken once more. */
  #takenAs(name: string): string | undefined {
    if (builtInNames.some((one) => one === name)) return `every journey has a ${name}`;
    return this.#secrets.has(name) ? `${name} is a secret of this journey` : undefined;
  }

  #references(one: Template, own: string | undefined): void {
    for (const name of namesIn(one.text))
      if (!this.known.has(name) && name !== own) this.#report.add(one, unknownName(name, [...this.known]));
  }

  #secretsAlone(step: JourneyStep): void {
    const values = valuesOf(step);
    for (const one of templatesOf(step))
      for (const name of namesIn(one.text).filter((found) => this.#secrets.has(found)))
        if (!values.includes(one) || !isAlone(one.text, name))
          this.#report.add(one, `${name} is a secret: it stands alone, as the value of a flag`);
  }

  #saved(step: JourneyStep, name: string): void {
    this.known.add(name);
    if (this.#secrets.has(name))
      this.#report.add(step, `${name} is a secret, and cannot be the name of what is saved`);
    if (builtInNames.some((one) => one === name))
      this.#report.add(step, `every journey has a ${name}: what is saved needs another name`);
  }
}

function unknownName(name: string, known: readonly string[]): string {
  const saved = `nothing before is saved as ${name}`;
  const isNear = nearest(name, known).length > 0;
  return withNear(name, known, isNear ? saved : `${saved} (save: ${name} in an earlier step)`);
}

/** A fault with the names that were probably meant, else with those that there are. */
function withNear(name: string, known: readonly string[], why: string): string {
  const near = nearest(name, known);
  return near.length > 0
    ? `${why}; did you mean ${near.join(' or ')}?`
    : `${why}; there are ${known.join(', ')}`;
}

const isAlone = (text: string, name: string): boolean => text === `$${name}` || text === `\${${name}}`;

/** The texts of a step that become its command line. */
const valuesOf = ({ positionals, flags }: JourneyStep): readonly Template[] => [
  ...positionals,
  ...flags.flatMap(({ values }) => (values === 'set' ? [] : values)),
];

/** The secrets of a journey that stand in its steps, and those that drive a browser. */
export function neededSecrets({ secrets, steps, always }: Journey): ReadonlySet<string> {
  const all = [...steps, ...always];
  const names = all.flatMap((step) => [
    ...templatesOf(step).flatMap(({ text: written }) => namesIn(written)),
    ...(step.psu?.browser === undefined ? [] : [step.psu.browser]),
  ]);
  return new Set(names.filter((name) => secrets.has(name)));
}

/** Every text of a step in which a name may stand. */
function templatesOf(step: JourneyStep): Template[] {
  const { input, profile, each, when = [], expect, psu } = step;
  const conditions = [
    ...(expect.body ?? []),
    ...(expect.headers ?? []),
    ...(expect.ledger ?? []),
    ...when,
  ].flatMap(({ condition, line, column }) =>
    condition.flatMap(({ wanted }) =>
      wanted.map((one): Template => ({ line, column, path: step.path, text: one })),
    ),
  );
  const of = each === undefined ? [] : 'text' in each.of ? [each.of] : each.of;
  return [
    ...valuesOf(step),
    ...templatesOfInput(input),
    ...[profile, psu?.method].filter((one) => one !== undefined),
    ...of,
    ...when.map((one) => one.of),
    ...conditions,
  ];
}
