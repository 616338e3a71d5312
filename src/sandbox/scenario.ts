import { createHash } from 'node:crypto';
import type { Call, Reply } from './call.ts';
import type { Database } from './database.ts';
import { formatError } from './refusal.ts';

/** How the bank differs from its standard, within what real banks do. */
export interface Scenario {
  /** What a POST with an X-Request-ID means that the bank has answered 201 before. */
  requestId: 'none' | 'replay' | 'reject-duplicate';
}

const standard: Scenario = { requestId: 'none' };

/** The scenario of this ledger. */
export function scenarioOf(database: Database): Scenario {
  const rows = database.all<{ key: string; value: string }>('SELECT key, value FROM scenario');
  return { ...standard, ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
}

/** Changes the members that are given. */
export function setScenario(database: Database, scenario: Partial<Scenario>): void {
  database.atomically(() => {
    for (const [key, value] of Object.entries(scenario)) {
      database.run('INSERT OR REPLACE INTO scenario (key, value) VALUES (?, ?)', key, value);
    }
  });
}

/** Acts on a POST once per X-Request-ID where the scenario says so; else each time. */
export function oncePerRequest(database: Database, call: Call, act: () => Reply): Reply {
  const { requestId } = scenarioOf(database);
  if (requestId === 'none' || call.operation.method !== 'POST') return act();
  const digest = createHash('sha256').update(call.body).digest('base64');
  const key = [call.tpp, call.operation.id, call.requestId] as const;
  const earlier = database.one<{ digest: string; reply: string }>(
    'SELECT digest, reply FROM replies WHERE tpp = ? AND operation = ? AND requestId = ?',
    ...key,
  );
  if (earlier !== undefined) {
    if (requestId === 'reject-duplicate')
      throw formatError('This X-Request-ID was used before.', 'X-Request-ID');
    if (earlier.digest !== digest)
      throw formatError('This X-Request-ID came with another body.', 'X-Request-ID');
    return JSON.parse(earlier.reply) as Reply;
  }
  const reply = act();
  if (reply.status === 201) {
    database.run(
      'INSERT INTO replies (tpp, operation, requestId, digest, reply) VALUES (?, ?, ?, ?, ?)',
      ...key,
      digest,
      JSON.stringify(reply),
    );
  }
  return reply;
}
