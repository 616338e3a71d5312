import { allSnapshots, deleteSnapshot, restoreSnapshot, saveSnapshot } from '../books/snapshots.ts';
import type { Snapshot as SavedSnapshot } from '../books/snapshots.ts';
import type { Ledger } from '../books/ledger.ts';
import { noteEvent } from '../rules/events.ts';
import { duly } from './control-call.ts';
import type { ControlCall, Operations } from './control-call.ts';
import { absent } from './problem.ts';
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
    run: ({ bank }) => ({ status: 200, body: { snapshots: allSnapshots(bank.ledger) } }),
  },
  saveSnapshot: {
    at: 'PUT /snapshots/{name}',
    summary: 'Save the bank as it stands',
    about:
      'People, money, payments, consents, scenario, clock, faults and calls. A snapshot of the same name is replaced; there are at most 20.',
    parameters: [byName],
    gives: { status: 200, about: 'The snapshot.', schema: Snapshot, example: snapshot },
    // Snapshots are told apart by the time of the world, since that of the bank goes back with them.
    run: ({ bank: { ledger, wallClock }, path }) => ({
      status: 200,
      body: saveSnapshot(ledger, path['name'] ?? '', wallClock.now()),
    }),
  },
  deleteSnapshot: {
    at: 'DELETE /snapshots/{name}',
    summary: 'Forget a snapshot',
    about: 'The bank itself stays as it is.',
    parameters: [byName],
    gives: { status: 200, about: 'The snapshot that is forgotten.', schema: Snapshot, example: snapshot },
    also: [404],
    run: (call) => ofKnown(call, deleteSnapshot),
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
    run: (call) =>
      ofKnown(call, (ledger, name) => {
        const restored = restoreSnapshot(ledger, name);
        noteEvent(ledger.main, 'reset', { snapshot: restored.name });
        return restored;
      }),
  },
  exportConfig: {
    at: 'GET /config',
    summary: 'The file of a bank like this one',
    about:
      'People, accounts, entries, switches and all else that `obk sandbox start --config bank.yaml` reads, with the test passwords.',
    gives: { status: 200, about: 'YAML.', type: 'application/yaml', schema: text(), example: 'people: []\n' },
    async run(call) {
      const { exportBank } = await import('../config/export.ts');
      duly(call);
      return new Response(exportBank(call.books.ledger, call.books.clock.now()), {
        headers: { 'Content-Type': 'application/yaml; charset=utf-8', 'Cache-Control': 'no-store' },
      });
    },
  },
} as const satisfies Operations;

function ofKnown(
  { bank: { ledger }, path }: ControlCall,
  work: (ledger: Ledger, name: string) => SavedSnapshot,
) {
  const name = path['name'] ?? '';
  if (!allSnapshots(ledger).some((one) => one.name === name))
    throw absent(
      `The bank inside has no snapshot ${JSON.stringify(name)}.`,
      'snapshots',
      'It was never saved, or was deleted.',
    );
  return { status: 200, body: work(ledger, name) };
}
