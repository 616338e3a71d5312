import { act } from './control-call.ts';
import type { ControlAnswer, ControlCall, Operations } from './control-call.ts';
import { notThere } from './problem.ts';
import { list, named, object, text } from '../openapi/schema.ts';
import { inPath } from '../openapi/operation.ts';

const snapshot = { name: 'before-the-test', savedAt: '2026-06-01T12:00:00.000Z' };

const Snapshot = named(
  'Snapshot',
  object(
    { name: text('Its name.'), savedAt: text('When it was saved, in the time of the world.') },
    {},
    'The bank as it stood, under a name.',
  ),
);

const byName = inPath(
  'name',
  'The name of the snapshot: letters, digits, - and _.',
  'before-the-test',
  text(undefined, { pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$', maxLength: 64 }),
);

/** The bank as it stands, and as it stood under names. */
export const snapshots = {
  listSnapshots: {
    at: 'GET /snapshots',
    summary: 'The snapshots of the bank',
    about: 'The oldest first. A bank in memory loses them when it ends; a reset keeps them.',
    gives: {
      status: 200,
      about: 'The snapshots.',
      schema: object({ snapshots: list(Snapshot) }),
      example: { snapshots: [snapshot] },
    },
    run: async (call) => ({
      status: 200,
      body: { snapshots: await act(call, { do: 'snapshots' }) },
    }),
  },
  saveSnapshot: {
    at: 'PUT /snapshots/{name}',
    summary: 'Save the bank as it stands',
    about:
      'People, money, payments, consents, scenario, clock, faults and calls. A snapshot of the same name is replaced; there are at most 20.',
    parameters: [byName],
    gives: { status: 200, about: 'The snapshot.', schema: Snapshot, example: snapshot },
    async run(call) {
      const saved = await act(call, { do: 'save-snapshot', name: call.path['name'] ?? '' });
      return { status: 200, body: saved as object };
    },
  },
  deleteSnapshot: {
    at: 'DELETE /snapshots/{name}',
    summary: 'Forget a snapshot',
    about: 'The bank itself stays as it is.',
    parameters: [byName],
    gives: { status: 200, about: 'The snapshot that is forgotten.', schema: Snapshot, example: snapshot },
    also: [404],
    run: (call) => ofKnown(call, 'delete-snapshot'),
  },
  restoreSnapshot: {
    at: 'POST /snapshots/{name}/restore',
    summary: 'Put everything back as it was',
    about:
      'All at once: a call meanwhile sees the bank before or after it. Who listens to events hears a reset.',
    parameters: [byName],
    gives: {
      status: 200,
      about: 'The snapshot that the bank went back to.',
      schema: Snapshot,
      example: snapshot,
    },
    also: [404],
    run: (call) => ofKnown(call, 'restore-snapshot'),
  },
  exportConfig: {
    at: 'GET /config',
    summary: 'The file of a bank like this one',
    about:
      'People, accounts, entries, switches and all else that `obk sandbox start --config bank.yaml` reads, with the test passwords.',
    gives: { status: 200, about: 'YAML.', type: 'application/yaml', schema: text(), example: 'people: []\n' },
    async run(call) {
      const config = await act(call, { do: 'export' });
      return new Response(String(config), {
        headers: { 'Content-Type': 'application/yaml; charset=utf-8', 'Cache-Control': 'no-store' },
      });
    },
  },
} as const satisfies Operations;

async function ofKnown(
  call: ControlCall,
  what: 'restore-snapshot' | 'delete-snapshot',
): Promise<ControlAnswer> {
  const name = call.path['name'] ?? '';
  const known = (await act(call, { do: 'snapshots' })) as { name: string }[];
  if (!known.some((one) => one.name === name)) throw notThere('snapshot', name, 'snapshots');
  return { status: 200, body: (await act(call, { do: what, name })) as object };
}
