// A home whose history has grown: one run, intent, payment and conversation for each payment, written as obk writes them.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hourOf, shardOf } from '../../src/adapters/state/divided-folder.ts';
import { seal } from '../../src/adapters/files/sealed.ts';
import type { Intent } from '../../src/settings/records/journal.ts';
import type { SavedResource } from '../../src/settings/records/resources.ts';
import type { PayingHome } from './paying-home.ts';

/** Copies what one payment has left behind `count` times, each a second older and under names of its own. */
export function grow(home: PayingHome, count: number): void {
  const state = join(home.folder, 'state');
  const textOf = (path: string) => readFileSync(join(state, path), 'utf8');
  const all = readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(state.length + 1));
  const saved =
    all.find((path) => /^resources.{14,}payment-\d{4}\.json$/.test(path) && textOf(path) !== '') ?? '';
  const { id, intent: hash = '' } = JSON.parse(textOf(saved)) as SavedResource;
  const intent = textOf(join('intents', `${hash}.json`));
  const { run, fingerprint } = (JSON.parse(intent) as { record: Intent }).record;
  const files = all.filter((path) => [id, hash, run].some((one) => path.includes(one)));
  const contents = files.map((path) => [path, textOf(path)] as const);
  const made = new Set<string>();
  for (let at = 0; at < count; at += 1) {
    const started = new Date(Date.parse('2026-01-01T00:00:00.000Z') + at * 1000).toISOString();
    const compact = started.replace(/[-:.]/g, '');
    const number = String(at).padStart(12, '0');
    const [newId, newFingerprint] = [`grown-${number}`, number.padStart(64, 'b')];
    const mine = (content: string): string =>
      content
        .replaceAll(run, `${compact}-${number}`)
        .replaceAll(hash, number.padStart(64, 'a'))
        .replaceAll(fingerprint, newFingerprint)
        .replaceAll(id, newId)
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, started)
        .replaceAll(/\d{8}T\d{9}Z(?=_)/g, compact);
    const moved = (path: string): string =>
      mine(path)
        .replace(/\d{6}.\d\dT\d\d(?=.\d{8}T)/, hourOf(compact))
        .replace(
          /(?<=[/\\])[0-9a-f]{2}(?=[/\\])/,
          shardOf(path.startsWith('intents') ? newFingerprint : newId),
        );
    const sealed = (content: string): string =>
      content
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Buffer.from(seal(JSON.parse(mine(line.slice(27, -1))) as object)).toString())
        .join('');
    for (const [path, content] of contents) {
      const file = join(state, moved(path));
      if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      made.add(dirname(file));
      writeFileSync(file, content.startsWith('{"crc":"') ? sealed(content) : mine(content));
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
