import { readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '../..');

const below = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.split(sep).join('/')}`)
    .sort();

/** The pages below docs, by their paths from the root of the project. */
export const guides: readonly string[] = below('docs');

/** Every page of the project: those of its root, its guides, and the READMEs beside code and tests. */
export const papers: readonly string[] = [
  ...readdirSync(projectRoot).filter((name) => name.endsWith('.md')),
  ...guides,
  ...below('src'),
  ...below('test'),
];

/** The blocks of one language on a page, in their order. */
export const blocksOf = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);
