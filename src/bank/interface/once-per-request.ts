import { createHash } from 'node:crypto';
import type { Call, Reply } from '../trust/call.ts';
import type { Database } from '../books/database.ts';
import { formatError } from '../rules/refusal.ts';

/** Executes a POST once per X-Request-ID if the scenario says so, else each time. */
export function oncePerRequest(database: Database, call: Call, act: () => Reply): Reply {
  const { requestId } = call.scenario;
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
