import type { Place } from './vault.ts';

/** Where each sealed value stands: of the columns beside it, so that it opens in its own row and nowhere else. */
export const places = {
  intent: (profile: string, hash: string): Place => ({ profile, kind: 'intent', row: hash }),
  ending: (profile: string, hash: string): Place => ({ profile, kind: 'intent ending', row: hash }),
  record: (profile: string, run: string, id: string): Place => ({
    ...{ profile, kind: 'record', row: `${run} ${id}` },
  }),
  openWrite: (profile: string, run: string, exchange: string): Place => ({
    ...{ profile, kind: 'open write', row: `${run} ${exchange}` },
  }),
  resource: (profile: string, noun: string, id: Uint8Array): Place => ({
    ...{ profile, kind: `saved ${noun}`, row: hex(id) },
  }),
  conversation: (
    profile: string,
    noun: string,
    parent: Uint8Array,
    kind: string,
    slot: Uint8Array,
  ): Place => ({
    ...{ profile, kind: `conversation of ${noun}`, row: `${hex(parent)} ${kind} ${hex(slot)}` },
  }),
  credentials: (profile: string): Place => ({ profile, kind: 'credentials', row: profile }),
  sharedKey: (name: string): Place => ({ profile: '', kind: 'shared key', row: name }),
  usage: (tag: Uint8Array): Place => ({ profile: '', kind: 'usage', row: hex(tag) }),
};

/** What is found by a keyed hash, and by which. */
export const tagged = {
  content: ({ profile, fingerprint }: { profile: string; fingerprint: string }) =>
    ['intent content', `${profile} ${fingerprint}`] as const,
  psu: (psuId: string) => ['psu of a conversation', psuId] as const,
  /** By the name that its file would have. */
  usage: (name: string) => ['usage', name] as const,
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
