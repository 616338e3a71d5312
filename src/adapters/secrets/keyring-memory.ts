import type { KeyringOptions, KeyringReply, KeyringRequest } from './secret-stores.ts';

type Failed = Extract<KeyringReply, { failed: string }>;
type Entries = readonly (readonly [id: string, value: string])[];

/** The keyring as one run knows it: an entry is never changed, so what was read of it once holds. */
export interface KeyringMemory {
  /** Reads the entries that were not read yet; returns the ids of the missing ones. */
  look(ids: readonly string[]): Promise<readonly string[] | Failed>;
  /** The value of an entry, as read or written. */
  value(id: string): string | undefined;
  /** From now on these are not looked for any more. */
  lose(ids: readonly string[]): void;
  /** Writes entries; undefined where all of them are there. */
  add(entries: Entries): Promise<Failed | undefined>;
  drop(ids: readonly string[]): Promise<Failed | undefined>;
}

/** A keyring that hung once is not waited for again. */
export function keyringMemory(options: KeyringOptions): KeyringMemory {
  const seen = new Map<string, string>();
  const lost = new Set<string>();
  let hanging: Failed | undefined;

  async function ask(request: KeyringRequest): Promise<KeyringReply> {
    if (hanging !== undefined) return hanging;
    const { askKeyring } = await import('./secret-stores.ts');
    const reply = await askKeyring(request, options);
    if ('failed' in reply && reply.hangs === true) hanging = reply;
    return reply;
  }

  return {
    async look(ids) {
      const unread = ids.filter((id) => !seen.has(id) && !lost.has(id));
      if (unread.length === 0) return [];
      const reply = await ask({ get: unread });
      if ('failed' in reply) return reply;
      unread.forEach((id, at) => {
        const value = reply.values[at] ?? null;
        if (value !== null) seen.set(id, value);
      });
      return unread.filter((id) => !seen.has(id));
    },
    value: (id) => seen.get(id),
    lose: (ids) => {
      for (const id of ids) lost.add(id);
    },
    async add(entries) {
      if (entries.length === 0) return undefined;
      const reply = await ask({ set: entries });
      if ('failed' in reply) return reply;
      for (const [id, value] of entries) seen.set(id, value);
      return undefined;
    },
    async drop(ids) {
      const reply = ids.length === 0 ? undefined : await ask({ drop: ids });
      return reply !== undefined && 'failed' in reply ? reply : undefined;
    },
  };
}
