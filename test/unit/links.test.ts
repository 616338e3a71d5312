// The links of every page of the project lead to files and headings that exist, and so do the paths of pages in the code.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guides, papers, projectRoot } from '../helpers/guides.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const withoutCode = (page: string): string =>
  page.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '``');

/** The anchors of a page as GitHub and GitLab make them from its headings. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of page.replace(/^```[^]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    let anchor = plain;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${plain}-${String(count)}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The links of a page within the project that lead nowhere. */
function brokenLinks(path: string, page: string): string[] {
  return [...withoutCode(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(projectRoot, to))) return true;
      if (anchor === undefined) return false;
      const whole = to === path ? page : statSync(join(projectRoot, to)).isFile() ? read(to) : '';
      return !anchorsOf(whole).has(anchor);
    });
}

describe('the links of', () => {
  it.each(papers)('%s lead to files and headings that exist', (path) => {
    expect(brokenLinks(path, read(path))).toEqual([]);
  });
});

describe('a broken link is found', () => {
  const page = '# A title\n\n## Same\n\n## Same\n\n## `code` & more: it works\n\n';
  it.each(['#no-title', 'no-page.md', '../no-page.md#a-title', '../README.md#no-title', '#same-2'])(
    '%s',
    (target) => {
      expect(brokenLinks('docs/state.md', `${page}[x](${target})`)).toEqual([target]);
    },
  );

  it.each(['#a-title', '#same-1', '#code--more-it-works', '../README.md', 'bank', 'https://bank.example/x'])(
    '%s is none',
    (target) => {
      expect(brokenLinks('docs/state.md', `${page}[x](${target})\n\n\`[y](z)\`\n`)).toEqual([]);
    },
  );
});

it('a page that the code names exists', () => {
  const named = ['src', 'bin', 'test', 'completions'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js|json|bash|fish|zsh)$/.test(name))
      .flatMap((name) =>
        [...read(join(folder, name)).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(
          ([page]) => `${folder}/${name}: ${page}`,
        ),
      ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((one) => !guides.includes(one.slice(one.indexOf(': ') + 2)))).toEqual([]);
});
