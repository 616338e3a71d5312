// A home whose history has grown: one run, intent, payment and conversation for each payment, written as obk writes them.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seal } from '../../src/adapters/files/sealed.ts';
import type { PayingHome } from './paying-home.ts';

/** Copies what one payment has left behind `count` times, each a second older and under names of its own. */
export function grow(home: PayingHome, count: number): void {
  const state = join(home.folder, 'state');
  const only = (folder: string): string => {
    const [name = ''] = readdirSync(join(state, folder)).filter((one) => /\d{8}T|^[0-9a-f]{64}/.test(one));
    return join(folder, name);
  };
  const files = {
    run: only('journal'),
    intent: only('intents'),
    marker: only('intents/of/acme'),
    resource: only('resources/acme/payment'),
    conversation: only('conversations/acme/payment'),
  };
  const text = (path: string) => readFileSync(join(state, path), 'utf8');
  const run = files.run.slice('journal/'.length, -'.ndjson'.length);
  const [hash = ''] = /[0-9a-f]{64}/.exec(files.intent) ?? [];
  const [id = ''] = /payment-\d{4}/.exec(files.resource) ?? [];
  const fingerprint = files.marker.split('_')[1] ?? '';
  const contents = Object.fromEntries(Object.entries(files).map(([kind, path]) => [kind, text(path)]));
  for (let at = 0; at < count; at += 1) {
    const started = new Date(Date.parse('2026-01-01T00:00:00.000Z') + at * 1000).toISOString();
    const compact = started.replace(/[-:.]/g, '');
    const number = String(at).padStart(12, '0');
    const mine = (content: string): string =>
      content
        .replaceAll(run, `${compact}-${number}`)
        .replaceAll(hash, number.padStart(64, 'a'))
        .replaceAll(fingerprint, number.padStart(64, 'b'))
        .replaceAll(id, `grown-${number}`)
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, started)
        .replaceAll(/\d{8}T\d{9}Z(?=_)/g, compact);
    const sealed = (content: string): string =>
      content
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Buffer.from(seal(JSON.parse(mine(line.slice(27, -1))) as object)).toString())
        .join('');
    for (const [kind, path] of Object.entries(files)) {
      const content = contents[kind] ?? '';
      const isSealed = content.startsWith('{"crc":"');
      writeFileSync(join(state, mine(path)), isSealed ? sealed(content) : mine(content));
    }
  }
}

/** A home of its own that has grown. */
export function grownCopy(home: PayingHome, count: number): PayingHome {
  const other = home.copy();
  mkdirSync(join(other.folder, 'state'), { recursive: true });
  cpSync(join(home.folder, 'state'), join(other.folder, 'state'), { recursive: true });
  grow(other, count);
  return other;
}
