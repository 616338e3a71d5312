import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { referencePages } from './pages.ts';

/** Writes the reference pages of docs (`npm run completions`); a test compares them. */
for (const [path, text] of Object.entries(referencePages)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
