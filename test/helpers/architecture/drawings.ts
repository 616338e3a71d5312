import { existsSync, readFileSync } from 'node:fs';
import { houses, limits, rooms } from './rooms.ts';
import type { Limit } from './rooms.ts';
import { houseOf } from './source.ts';

const begins = '<!-- made by npm run graph -->';
const ends = '<!-- end -->';

const list = (names: readonly string[]): string =>
  names.length === 0 ? 'nothing' : names.map((name) => `\`${name}\``).join(' ');

/** The table of the houses, as src/README.md has it. */
function houseTable(): string {
  const rows = Object.entries(houses).map(
    ([name, { holds, may }]) => `| \`src/${name}\` | ${holds} | ${list(may)} |`,
  );
  return ['| house | holds | may import |', '|---|---|---|', ...rows].join('\n');
}

/** What a house may import, and its rooms, as its README has them. */
function roomTable(house: string): string {
  const told = Object.entries(rooms).filter(
    ([room, [, holds]]) => houseOf(room) === house && holds !== undefined,
  );
  const rows = told.map(([room, [may, holds = '']]) => {
    const allowed = may === 'any' ? 'any' : list(may.split(' ').filter((name) => name !== ''));
    return `| \`${room.slice(house.length + 1)}\` | ${holds} | ${allowed} |`;
  });
  const finer = Object.entries(limits).filter(([room]) => houseOf(room) === house);
  return [
    `May import: ${list(houses[house]?.may ?? [])}.`,
    ...(finer.length === 0 ? [] : ['', ...finer.map(([room, limit]) => limitLine(room, limit))]),
    ...(rows.length === 0 ? [] : ['', '| room | holds | may import beside it |', '|---|---|---|', ...rows]),
  ].join('\n');
}

function limitLine(room: string, { values, types = [], why }: Limit): string {
  const also = types.length === 0 ? '' : `, and types of ${list(types)}`;
  return `- \`${room}\` imports only ${list(values)}${also} of other houses: ${why}.`;
}

/** The files with a part that is made of the tables of this folder, each with that part. */
const drawings: Readonly<Record<string, string>> = {
  'src/README.md': houseTable(),
  ...Object.fromEntries(Object.keys(houses).map((house) => [`src/${house}/README.md`, roomTable(house)])),
};

/** Each file that has such a part, as it should be; without its marks where it lacks them. */
export function drawn(): { file: string; is: string; due: string }[] {
  return Object.entries(drawings).map(([file, part]) => {
    const is = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const [before = '', rest = ''] = is.split(begins);
    const [, after = '\n'] = rest.split(ends);
    return { file, is, due: `${before}${begins}\n${part}\n${ends}${after}` };
  });
}
