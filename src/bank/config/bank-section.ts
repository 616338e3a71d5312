import { doorKeys, doorOf, doors } from '../../settings/doors/table.ts';
import type { Schema } from '../../base/schema.ts';
import type { Door, DoorKey } from '../../settings/doors/table.ts';
import { readDoorValue } from '../../settings/doors/values.ts';
import { detailKinds, faultBounds, faultKinds } from '../../settings/records/fault-kinds.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import { editForms, readEdit, anyOperation } from '../rules/faults.ts';
import type { OpenValues } from '../rules/open-values.ts';
import { switches, takenBy, takes } from '../rules/scenario.ts';
import type { Switch } from '../rules/policy.ts';
import {
  anyKeys,
  checked,
  flag,
  listOf,
  mapOf,
  may,
  needed,
  oneOf,
  oneOrMore,
  usual,
} from '../../settings/documents/shape.ts';
import type { Shape } from '../../settings/documents/shape.ts';
import { instant, integer, pattern, text, webAddress } from './values.ts';

const names = Object.keys(switches);

/** The sections `scenario` and `policy`: each switch of the bank by its name. */
export const scenario: Shape<Record<string, string>> = anyKeys(names, (name) => {
  const one: Switch = switches[name as keyof typeof switches];
  const shape = one.open === undefined ? oneOf(Object.keys(one.values)) : openValue(one, one.open);
  return { ...shape, schema: { ...shape.schema, description: `${one.about} ...` } };
});

/** A value with a number or a list in it; in a file the list may also be one of YAML or JSON. */
function openValue(known: Switch, open: OpenValues): Shape<string> {
  const forms = [{ enum: Object.keys(known.values) }, { type: 'string', pattern: `^(?:${open.pattern})$` }];
  const one = checked<string>(
    { anyOf: [...forms, ...(open.numbers === undefined ? [] : [open.numbers])] },
    (value) => (takes(known, value) ? { ok: true, value } : { ok: false, why: `it takes ${takenBy(known)}` }),
  );
  if (open.words === undefined) return one;
  const words = listOf(oneOf(open.words), 1);
  return {
    schema: {
      anyOf: [
        one.schema,
        {
          ...words.schema,
          uniqueItems: true,
          ...(open.must !== undefined && { contains: { const: open.must } }),
        },
      ],
    },
    read(node, report) {
      if (node.kind !== 'list') return one.read(node, report);
      const read = words.read(node, report);
      return read?.length === node.items.length
        ? one.read({ ...node, kind: 'text', text: read.join(',') }, report)
        : undefined;
    },
  };
}

/** A value of a door as an editor knows it; the rest is told when it is read. */
function schemaOf({ kind, choices }: Door): Schema {
  if (choices !== undefined) return { enum: choices };
  const schemas: Readonly<Partial<Record<Door['kind'], Schema>>> = {
    switch: { enum: [true, false, ...['true', 'false', 'yes', 'no', 'on', 'off', '1', '0'], 1, 0] },
    port: { type: ['integer', 'string'], minimum: 0, maximum: 65_535, pattern: '^[0-9]{1,9}$' },
    rate: { type: ['integer', 'string'], minimum: 1, maximum: 1_000_000, pattern: '^(?:off|[0-9]{1,9})$' },
    path: { type: 'string', pattern: '^(?:/|(?:/+[A-Za-z0-9._~-]+)+/*)?$' },
    url: { type: 'string', pattern: '^[hH][tT][tT][pP][sS]?:' },
    reference: { type: 'string', pattern: '^(?:stdin$|(?:env|file|cmd|keyring):)' },
    tenants: { type: 'string', pattern: '^(?:certificate$|header:)' },
    host: { pattern: '^[^\\s/?#@%]+$' },
  };
  return schemas[kind] ?? {};
}

/** The section `doors`: every door by its key, with one value or a list where it takes several. */
export const doorValues: Shape<Record<string, string[]>> = anyKeys(doorKeys, (key) => {
  const door = doorOf(key as DoorKey);
  const one = checked<string>(schemaOf(door), (value) => {
    const read = readDoorValue(value, door);
    if (typeof read === 'string') return { ok: true, value: read };
    const [meant] = read.meant;
    return {
      ok: false,
      why: `it takes ${read.takes}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    };
  });
  const single: Shape<string[]> = {
    schema: one.schema,
    read(node, report) {
      const value = one.read(node, report);
      return value === undefined ? undefined : [value];
    },
  };
  const shape = door.several === true ? oneOrMore(one) : single;
  return { ...shape, schema: { ...shape.schema, description: doors[key as DoorKey].about } };
});

const fault = mapOf(
  {
    operation: needed(
      'The operation that it strikes; * is any.',
      oneOf([anyOperation, ...operations.map(({ id }) => id)]),
    ),
    kind: needed('What happens.', oneOf(faultKinds)),
    status: may('The status of the kinds status and html.', integer(...faultBounds.status)),
    delayMs: may(
      'The delay of the kinds delay (2000 without it) and drip (1000 without it) in milliseconds.',
      integer(...faultBounds.delayMs),
    ),
    raw: may('A status without tppMessages and X-Request-ID, as a gateway answers.', flag),
    edit: may(`What the kind edit writes otherwise: ${editForms}.`, text(1000)),
    count: usual('How many calls it strikes; 1 without it.', integer(...faultBounds.count), 1),
  },
  'A fault that waits for calls.',
  (read, wrong) => {
    const { kind } = read;
    if (kind === 'status' && read.status === undefined)
      wrong('status', 'status is missing: the kind status needs one');
    if (kind === 'edit' && readEdit(read.edit ?? '') === undefined) wrong('edit', `it is ${editForms}`);
    for (const detail of ['status', 'delayMs', 'raw', 'edit'] as const) {
      const kinds = detailKinds[detail];
      if (read[detail] !== undefined && !kinds.includes(kind))
        wrong(detail, `it is for ${kinds.join(' and ')} alone`);
    }
  },
);

/** The section `faults`. */
export const faults = listOf(fault);

/** The section `clock`. */
export const clock = mapOf(
  {
    at: needed('The time of the bank when it starts, and after each reset.', instant),
    stands: may('The time stands still until it is moved; else it goes on from there.', flag),
  },
  'The time of the bank.',
);

const tpp = mapOf(
  {
    id: needed(
      'The organizationIdentifier of its certificate, which is its client id, too.',
      pattern(/^[\x21-\x7e]{1,256}$/, '1 to 256 visible ASCII characters'),
    ),
    certificates: usual(
      'PEM files with its certificates, or with the CA of them.',
      listOf(text(1000), 1),
      [],
    ),
    redirectUris: usual('Addresses to which the OAuth server may lead.', listOf(webAddress), []),
  },
  'A TPP that the bank knows beside its own.',
);

/** The section `tpps`. */
export const tpps = listOf(tpp);
