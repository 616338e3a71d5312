// Every list of the tree at a terminal of 80 columns, among them those whose rows are wide.
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWhole, part, ranTable } from '../../../../helpers/trials.ts';
import { cases } from './cases.ts';
import type { Published } from './published.ts';
import { split, startWalk } from './walk.ts';
import type { Walk } from './walk.ts';

const columns = 80;
let walk: Walk;
let published: Published;
beforeAll(async () => {
  walk = await startWalk();
  published = (await walk.json('commands')) as Published;
  const wide = 'a-bank-with-the-long-name-of-its-group-and-of-its-country';
  await walk.json(
    `profile create ${wide} --base-url https://api.${wide}.example/psd2/v1 --environment test --signing none --no-check`,
  );
  for (const who of ['redirect', 'embedded-choice', 'decoupled']) {
    await walk.payment(
      who,
      '--remittance Miete-und-Nebenkosten-fuer-die-Wohnung-im-Hinterhaus-November-2026',
    );
    await walk.consent(who);
  }
});
afterAll(() => walk.close());

const isList = (path: string): boolean => {
  const { output } = published.commands.find(({ command }) => command === path) ?? {};
  return (published.schemas[output ?? ''] as { type?: string } | undefined)?.type === 'array';
};

/** A beginning of an id, an account number or an address, which is of no use to who copies it. */
const cutId = /[0-9a-f]{8}-[0-9a-f-]*…|\b[A-Z]{2}\d{2}(?: ?\w{4})+ ?\w{0,3}…|https?:\S*…/;

it('no list is wider than a terminal of 80 columns, breaks a word, or cuts what is copied', async () => {
  const found: string[] = [];
  let tables = 0;
  const lists = Object.entries(cases).filter(([path]) => isList(path));
  expect(lists.length).toBeGreaterThan(25);
  for (const [path, { runs }] of part(lists, 3, 0)) {
    for (const line of isWhole ? runs : runs.slice(0, 1)) {
      const words = split(typeof line.words === 'string' ? line.words : await line.words(walk));
      const { stdout } = await walk.run([...split(path), ...words], { ...line, columns });
      const shown = stripVTControlCharacters(stdout).split('\n');
      if (!/^[A-Z][A-Z0-9 -]+$/.test(shown[0] ?? '')) continue;
      tables += 1;
      for (const one of shown)
        if (stringWidth(one) > columns || cutId.test(one))
          found.push(`obk ${path} ${words.join(' ')}: ${one}`);
      // Names of the standard side by side, of up to 37 letters each: -o wide has them whole.
      if (!stdout.includes('…') || path === 'spec diff') continue;
      const whole = (await walk.run([...split(path), ...words, '-o', 'tsv'], line)).stdout;
      for (const one of shown)
        for (const [, last = ''] of one.matchAll(/(\S+)…/g))
          if (!new RegExp(`(?<!\\w)${last.replace(/[^\w\s]/g, '\\$&')}(?![\\w-])`).test(whole))
            found.push(`obk ${path} ${words.join(' ')} breaks ${last}: ${one}`);
    }
  }
  expect(tables).toBeGreaterThan(isWhole ? 25 : 5);
  ranTable(`${String(lists.length)} lists at 80 columns`);
  expect(found).toEqual([]);
}, 60_000);

it.each([
  'log show @failed',
  'report @failed --output ticket.html --force',
  'sign verify @failed',
  'cert lint sandbox',
  'payment get @last',
  'payment status @last',
])('a result for a person breaks no word at 80 columns: %s', async (line) => {
  // What the walk through the lists has left of faults strikes no call here.
  await walk.run(['sandbox', 'fault', 'clear']);
  const body = walk.file('refused.json', '{"instructedAmount":{"currency":"EUR","amount":"12,50"}}');
  const refused = await walk.run(['api', 'POST', 'v1/payments/sepa-credit-transfers', '--input', body]);
  expect(refused.code).toBe(5);
  const { stdout } = await walk.run(split(line), { columns });
  const shown = stripVTControlCharacters(stdout).trimEnd().split('\n');
  expect(shown.length).toBeGreaterThan(1);
  // What is one word, such as a path, has nowhere to be folded.
  expect(shown.filter((one) => stringWidth(one) > columns && one.trim().includes(' '))).toEqual([]);
});
