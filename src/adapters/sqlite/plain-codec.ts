import { createHash } from 'node:crypto';
import type { Codec } from '../../client/ports/engine.ts';
import { jsonObjectIn } from '../files/json-in.ts';

/** Records as JSON that any tool can read: the files are of one user alone. */
export const plainCodec: Codec = {
  seal: (_place, record) => Buffer.from(JSON.stringify(record)),
  open: (_place, bytes) => jsonObjectIn(Buffer.from(bytes).toString()),
  tags: (purpose, text) => [createHash('sha256').update(`${purpose}\0${text}`).digest()],
};
