import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { habits, withHabit } from './habits.ts';
import { allTexts } from './texts.ts';

// Writes every text that a person reads into files, to be read from top to bottom.
//   npm run words             out/words: printed.txt, comments.txt, papers.txt
//   npm run words -- HABITS   the sentences in which a machine finds a habit of test/helpers/words/habits.ts

const root = resolve(import.meta.dirname, '../../..');
const texts = allTexts(root);

if (process.argv[2]?.toUpperCase() === 'HABITS') {
  for (const habit of habits)
    for (const { file, line, kind, text } of withHabit(texts, habit))
      process.stdout.write(`${file}:${String(line)} ${kind} [${habit.name}] ${text}\n`);
} else {
  const folder = join(root, 'out', 'words');
  for (const kind of ['printed', 'comment', 'paper'] as const) {
    const lines = texts
      .filter((text) => text.kind === kind)
      .map(({ file, line, text }) => `${file}:${String(line)}\t${text}\n`);
    const path = join(folder, `${kind}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.join(''));
    process.stdout.write(`${path}: ${String(lines.length)}\n`);
  }
}
