import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../src/base/errors.ts';
import type { Intent } from '../../../src/settings/records/journal.ts';
import { intent as anIntent } from '../../helpers/adapter-homes.ts';
import { answered, failed, now, prepared, runRecord, sending, write } from '../../helpers/journal-records.ts';
import { stateHomes, withItsServer } from './state-homes.ts';
import type { Run } from './state-homes.ts';

/** Two runs that want the same payment, and a later one that looks at what they left. */
interface Scene {
  A: Run;
  B: Run;
  C: Run;
  /** A letter, of which the intent and its requests are named. */
  letter: string;
  /** How many requests of the intent have left, or have tried to. */
  sends: number;
}

const hashOf = ({ letter }: Scene): string => letter.repeat(64);
const intent = (scene: Scene, { run }: Run): Intent => anIntent({ run, hash: hashOf(scene) });
const first = ({ letter }: Scene): string => `${letter}1`;
const end = (created: boolean, by: 'person' | 'pruning' = 'person') =>
  ({ created, by, at: now(), reason: 'the account says so' }) as const;

/** What may happen to an intent, and what is said to whoever does it. */
const events: Record<string, (scene: Scene) => Promise<unknown>> = {
  'A claims': (scene) => claim(scene, scene.A),
  'B claims': (scene) => claim(scene, scene.B),
  'B takes over from A': (scene) => takes(scene, scene.A.run),
  'B takes over from X': (scene) => takes(scene, 'X'),
  'A prepares': (scene) =>
    write(scene.A.journal, runRecord(), prepared(`${scene.letter}0`, { intent: hashOf(scene) })),
  'A sends': (scene) => send(scene, scene.A),
  'B sends': (scene) => send(scene, scene.B),
  'A hears nothing': (scene) => write(scene.A.journal, failed(first(scene), 'UNKNOWN')),
  'A did not send': (scene) => write(scene.A.journal, failed(first(scene), 'NOT_SENT')),
  'A is refused': (scene) => write(scene.A.journal, answered(first(scene), 'REJECTED')),
  'A is told it is made': (scene) => write(scene.A.journal, answered(first(scene), 'DONE')),
  'the bank names it': (scene) => scene.C.intents.noteResource(hashOf(scene), 'p1'),
  'settled as made': (scene) => scene.C.intents.settle(hashOf(scene), end(true), { resourceId: 'p2' }),
  'settled as nothing': (scene) => scene.C.intents.settle(hashOf(scene), end(false)),
  'run A is pruned': (scene) =>
    scene.C.intents.settle(hashOf(scene), end(true, 'pruning'), { run: scene.A.run }),
  'run X is pruned': (scene) => scene.C.intents.settle(hashOf(scene), end(true, 'pruning'), { run: 'X' }),
};

const takes = async (scene: Scene, from: string): Promise<boolean> =>
  (await scene.B.intents.takeOver(intent(scene, scene.B), from)) !== undefined;

async function claim(scene: Scene, by: Run): Promise<string> {
  const told = await by.intents.claim(intent(scene, by));
  return told.claimed ? 'claimed' : `held, ${told.ownerAlive ? 'alive' : 'dead'}`;
}

/** Each time another request, as a run does it that has prepared it a moment ago and asks nothing again. */
async function send(scene: Scene, { journal }: Run): Promise<void> {
  scene.sends += 1;
  const exchange = `${scene.letter}${String(scene.sends)}`;
  await write(journal, runRecord(), prepared(exchange, { intent: hashOf(scene) }), sending(exchange));
}

async function happen(scene: Scene, event: string): Promise<string> {
  const does = events[event];
  if (does === undefined) throw new Error(`no event ${event}`);
  try {
    const said = await does(scene);
    return typeof said === 'string' ? said : said === true ? 'yes' : said === false ? 'no' : 'ok';
  } catch (error) {
    if (error instanceof ObkError) return error.code;
    throw error;
  }
}

/** What a later run finds: whose it is, whether it left, how it ended; whether it is listed, and may be taken over. */
async function found(scene: Scene): Promise<string> {
  const { A, B, C, letter } = scene;
  const one = await C.intents.find(hashOf(scene));
  if (one === undefined) return 'none';
  const { run, sent, settled, resourceId } = one;
  const open = (await C.journal.openWrites()).some(({ exchange }) => exchange.startsWith(letter));
  const free = await C.intents.takeOver(intent(scene, C), run);
  return [
    run === A.run ? 'A' : run === B.run ? 'B' : '?',
    sent === true ? 'sent' : 'kept',
    ...(settled === undefined ? [] : [settled.created ? 'made' : 'nothing']),
    ...(resourceId === undefined ? [] : [resourceId]),
    ...(open ? ['open'] : []),
    ...(free ? ['free'] : []),
  ].join(' ');
}

/** A state, what led to it, and what follows each event, a line each. */
interface State {
  name: string;
  before: readonly string[];
  rows: readonly (readonly [event: string, said: string, after: string])[];
}

function statesIn(text: string): State[] {
  return text.split(/\n(?=\S)/).flatMap((block): State[] => {
    const [head = '', ...lines] = block.split('\n');
    const [, name, by] = /^([^#:]+):(.*)$/.exec(head) ?? [];
    if (name === undefined || by === undefined) return [];
    const rows = lines
      .filter((line) => line.trim() !== '')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([event = '', said = '', after = '']) => [event, said, after] as const);
    return [{ name, before: by.split(',').flatMap((one) => one.trim() || []), rows }];
  });
}

const states = statesIn(readFileSync(join(import.meta.dirname, 'transitions.txt'), 'utf8'));

/** Where a driver does otherwise, and why. None of these lets a payment leave twice. */
const reds: readonly { drivers: readonly string[]; rows: readonly string[]; why: string }[] = [
  {
    drivers: ['memory'],
    rows: [
      ...['returned × A hears nothing', 'returned × A is told it is made', 'made × A did not send'],
      ...['refused × A hears nothing', 'refused × A is told it is made', 'made × A is refused'],
    ],
    why: 'The journal is the proof, and its last record counts: a second end of one request, which no run writes, replaces the first.',
  },
  {
    drivers: ['memory'],
    rows: ['sent, A lives × A did not send', 'sent, A lives × A is refused'],
    why: 'A run that has given a payment back holds it until its process ends.',
  },
];

it('the table of transitions has each state with each event once', () => {
  expect(states.length).toBeGreaterThan(10);
  for (const { rows } of states) expect(rows.map(([event]) => event)).toEqual(Object.keys(events));
});

describe.each(stateHomes)('an intent in %s', (driver, open) => {
  withItsServer(driver);
  const isRed = (row: string): boolean =>
    reds.some(({ drivers, rows }) => drivers.includes(driver) && rows.includes(row));

  it.each(states)('becomes from $name what follows each event', async ({ name: state, before, rows }) => {
    const home = open();
    const [A, B, C] = [
      home.open(before.includes('A lives') ? 'a living process' : 'a dead process'),
      home.open('a dead process'),
      home.open(),
    ];
    const got: (typeof rows)[number][] = [];
    for (const [index, [event]] of rows.entries()) {
      const scene: Scene = { A, B, C, letter: String.fromCharCode(97 + index), sends: 0 };
      for (const one of before) if (one !== 'A lives') await happen(scene, one);
      got.push([event, await happen(scene, event), await found(scene)]);
    }
    const [red, other] = [true, false].map((wanted) =>
      rows.flatMap((row, index) => (isRed(`${state} × ${row[0]}`) === wanted ? [[row, got[index]]] : [])),
    );
    expect(other?.map(([, one]) => one)).toEqual(other?.map(([row]) => row));
    // One that is green is a red row no more.
    for (const [row, one] of red ?? []) expect(one).not.toEqual(row);
  });
});
