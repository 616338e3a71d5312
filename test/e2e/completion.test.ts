import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { spawn as openTerminal } from '@lydell/node-pty';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { candidatesPath } from '../../src/adapters/candidates/candidates-file.ts';
import type { Note } from '../../src/adapters/candidates/candidates-file.ts';
import { writeCandidates } from '../../src/adapters/candidates/write-candidates.ts';
import { completionScript, scriptFiles, shells } from '../../src/cli/program/pages.ts';
import { bound } from '../helpers/bound.ts';
import { createObk, createObkWithKeys } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { hasPrograms } from '../helpers/programs.ts';

const root = resolve(import.meta.dirname, '../..');
let obk: Obk;
let env: Record<string, string>;

/** What a bank may call its consents; each begins with another letter. */
const hostile = [
  'x;touch${IFS}f;#',
  'q\'q"q',
  'b c',
  'd$(touch f)',
  'e`touch f`',
  "g\\';touch f;#",
  'h|touch f',
  'i!i',
];
const foldersOf = ({ home }: Obk) => ({
  cacheDir: join(home, 'cache/obk'),
  stateDir: join(home, 'state/obk'),
});
/** What runs have left for a TAB in the cache of a home. */
const leave = (of: Obk, notes: readonly Note[]) => {
  writeCandidates(foldersOf(of), notes);
};

beforeAll(async () => {
  obk = await createObkWithKeys();
  const bin = join(obk.home, 'bin');
  mkdirSync(bin);
  // Asked at a TAB it is obk; run by the shell it writes down what the shell made of the line.
  const real = `exec '${process.execPath}' '${root}/bin/obk.js' "$@"`;
  const recorder = `[ "$1" = __complete ] && ${real}\nprintf '%s\\n' "$@" > ran\necho "the line" ran\n`;
  writeFileSync(join(bin, 'obk'), `#!/bin/sh\n${recorder}`, { mode: 0o755 });
  const note = { profile: 'sandbox', createdAt: '2026-11-21T10:00:00.000Z' };
  const about = '12.50 EUR · Shop\u001b]0;x\u0007';
  leave(obk, [
    { ...note, kind: 'payment', value: 'PAY:2026:0001', about },
    ...hostile.map((value) => ({ ...note, kind: 'consent' as const, value, about })),
  ]);
  appendFileSync(candidatesPath(foldersOf(obk)), '{ half\n');
  env = {
    ...(obk.env as Record<string, string>),
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    TERM: 'xterm',
    PS1: '> ',
  };
});
afterAll(() => {
  obk.close();
});

describe('the scripts', () => {
  it.each(shells)('of %s stand in completions as they are made now', (shell) => {
    const file = readFileSync(join(root, 'completions', scriptFiles[shell]), 'utf8');
    expect(file, 'npm run completions').toBe(completionScript(shell));
  });

  it('are printed by obk completion, with how to install them on stderr', async () => {
    const printed = await obk.run(['completion', 'bash']);
    expect(printed).toMatchObject({ code: 0, stdout: completionScript('bash') });
    expect(printed.stderr).toContain('obk completion bash >');
    expect((await obk.run(['completion', 'tcsh'])).code).toBe(2);
  });
});

describe('a TAB', () => {
  const asked = async (...words: string[]) =>
    (await obk.run(['__complete', '--', ...words])).stdout.trimEnd().split('\n');

  it.each([
    [['pay'], ['payment\tStart payments and follow them', ':4']],
    [
      ['payment', 'init', '--product', 'inst'],
      ['instant-sepa-credit-transfers', ':4'],
    ],
    [
      ['payment', 'init', '--product=inst'],
      ['--product=instant-sepa-credit-transfers', ':4'],
    ],
    [['payment', 'init', '--input', ''], [':0']],
    [
      ['profile', 'create', '--bank', 'adorsys-x'],
      ['adorsys-xs2a', ':0'],
    ],
    [['profile', 'create', '--bank', './/'], [':0']],
    [
      ['--as', 'js'],
      ['json', ':4'],
    ],
    [
      ['payment', '--profile', 'none', 'status', ''],
      ['@last\tthe newest payment', ':4'],
    ],
    [['payment', 'init', '--amount', ''], [':4']],
    [
      ['config', 'get', 're'],
      [
        'retention',
        'requireEnvironment',
        'redirectUri',
        'redirect.state',
        'registration.kind',
        'registration.operation',
        'registration.successStatus',
        'registration.portal',
        'reports.paging',
        'requestIdSemantics',
        ':4',
      ],
    ],
    [
      ['config', 'set', 'psu.id'],
      ['psu.id', 'psu.idType', ':4'],
    ],
    [
      ['config', 'unset', 'consent.v'],
      ['consent.validDays', ':4'],
    ],
    [['config', 'set', 'debtor', ''], [':4']],
    [['$(touch x)', ''], [':4']],
    [
      ['sandbox', 'scenario', 'set', 'bul'],
      ['bulk', ':4'],
    ],
    [
      ['sandbox', 'scenario', 'set', 'bulk', ''],
      ['whole', 'partial', ':4'],
    ],
    [
      ['sandbox', 'scenario', 'set', '--at', 'default', 'errors', 'p'],
      ['problem', ':4'],
    ],
    [['sandbox', 'scenario', 'set', 'nothing', ''], [':4']],
    [
      ['sandbox', 'scenario', 'get', 'clientC'],
      ['clientCertificate', ':4'],
    ],
    [
      ['sandbox', 'people', 'embedded-one'],
      ['embedded-one', 'embedded-one-implicit', ':4'],
    ],
    [
      ['sandbox', 'psu', 'approve', '--as', 'decoupled-i'],
      ['decoupled-implicit', ':4'],
    ],
    [
      ['sandbox', 'fault', 'add', 'initiatePayment', 'drop'],
      ['drop-before', 'drop-after-commit', ':4'],
    ],
  ])('at %j offers %j', async (words, lines) => {
    expect(await asked(...words)).toEqual(lines);
  });

  it('offers what is saved here, without what a terminal would obey; damage is passed over', async () => {
    const about = '12.50 EUR · Shop ]0;x  · 2026-11-21 10:00';
    expect(await asked('payment', 'status', '')).toEqual([
      `PAY:2026:0001\t${about}`,
      '@last\tthe newest payment',
      ':4',
    ]);
  });

  it('opens no file of the state, and one of the cache', async () => {
    const own = createObk();
    const createdAt = '2026-11-21T10:00:00Z';
    leave(own, [{ profile: 'sandbox', kind: 'payment', value: 'kept', createdAt }]);
    const opened = join(own.folder, 'opened');
    const watch = join(own.folder, 'watch.cjs');
    writeFileSync(
      watch,
      `const fs = require('fs'); const { readFileSync } = fs;
       const note = (path) => { if (String(path).startsWith('${own.home}/')) fs.appendFileSync('${opened}', path + '\\n'); };
       fs.readFileSync = (path, ...more) => { if (path !== '${opened}') note(path); return readFileSync(path, ...more); };`,
    );
    const { stdout } = await own.run(['__complete', '--', 'payment', 'status', ''], {
      env: { NODE_OPTIONS: `--require=${watch}` },
    });
    expect(stdout).toContain('kept\t2026-11-21 10:00\n');
    expect(existsSync(foldersOf(own).stateDir)).toBe(false);
    const read = [...new Set(readFileSync(opened, 'utf8').trim().split('\n'))];
    expect(read).toEqual([join(own.home, 'config/obk/config.json'), candidatesPath(foldersOf(own))]);
    own.close();
  });

  it('offers the banks of this home, and what is kept of the one that is named', async () => {
    const state = join(obk.home, 'state', 'obk');
    for (const name of ['blue', 'green', 'no bank'])
      mkdirSync(join(state, 'sandbox', 'banks', name), { recursive: true });
    const createdAt = '2026-11-21T10:00:00Z';
    leave(obk, [{ profile: 'sandbox@blue', kind: 'payment', value: 'of-blue', createdAt }]);
    const banks = ['default', 'blue', 'green', ':4'];
    expect(await asked('sandbox', 'people', '--at', '')).toEqual(banks);
    expect(await asked('sandbox', 'start', '--name', '')).toEqual(banks);
    expect(await asked('--profile', 'sandbox@')).toEqual([
      'sandbox@blue\tthe bank inside blue',
      'sandbox@green\tthe bank inside green',
      ':4',
    ]);
    const ofBlue = ['of-blue\t2026-11-21 10:00', '@last\tthe newest payment', ':4'];
    expect(await asked('--profile', 'sandbox@blue', 'payment', 'status', '')).toEqual(ofBlue);
    const { stdout } = await obk.run(['__complete', '--', '--profile', 'sandbox', 'payment', 'status', ''], {
      env: { OBK_SANDBOX: 'blue' },
    });
    expect(stdout.trimEnd().split('\n')).toEqual(ofBlue);
    rmSync(join(state, 'sandbox'), { recursive: true });
  });

  it('is quiet without a home', async () => {
    const nowhere = { XDG_STATE_HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent', HOME: '/nonexistent' };
    const { stdout, stderr, code } = await obk.run(['__complete', '--', '--profile', ''], { env: nowhere });
    expect({ stdout, stderr, code }).toEqual({
      stdout: 'sandbox\tthe bank inside\n:4\n',
      stderr: '',
      code: 0,
    });
  });
});

const script = (shell: 'bash' | 'zsh' | 'fish') => join(root, 'completions', scriptFiles[shell]);
const starts = {
  bash: { args: ['--norc', '--noprofile', '-i'], load: () => `source '${script('bash')}'` },
  zsh: {
    args: ['-f', '-i'],
    load: () =>
      `setopt interactivecomments; autoload -U compinit; compinit -u -d "$PWD/zcompdump"; source '${script('zsh')}'`,
  },
  fish: { args: ['--no-config', '-i'], load: () => `source '${script('fish')}'` },
} as const;

describe.each(['bash', 'zsh', 'fish'] as const)('in a real %s', (shell) => {
  const has = hasPrograms(shell);

  it.skipIf(!has)('a TAB completes commands, flags, values and ids', async () => {
    const typist = await sitAt(shell);
    const lines = [
      ['obk pay\t', 'payment'],
      ['obk payment init --prod\t', 'payment init --product'],
      [
        'obk payment init --product pain.001-inst\t',
        'payment init --product pain.001-instant-sepa-credit-transfers',
      ],
      [
        'obk payment init --product=pain.001-inst\t',
        'payment init --product=pain.001-instant-sepa-credit-transfers',
      ],
      ['obk payment status PAY:2026\t', 'payment status PAY:2026:0001'],
      ['obk payment init --input pay\t', 'payment init --input payment.json'],
    ] as const;
    writeFileSync(join(obk.folder, 'payment.json'), '{}');
    for (const [typed, words] of lines) {
      await typist.type(`${typed}\r`, 'the line ran');
      expect(readFileSync(join(obk.folder, 'ran'), 'utf8').trim().replaceAll('\n', ' ')).toBe(words);
    }
    typist.leave();
  });

  it.skipIf(!has)('a TAB quotes what a bank has named, so that Enter runs obk alone', async () => {
    const typist = await sitAt(shell);
    for (const id of hostile) {
      await typist.type(`obk consent get ${id.slice(0, 1)}\t\r`, 'the line ran');
      expect(readFileSync(join(obk.folder, 'ran'), 'utf8')).toBe(`consent\nget\n${id}\n`);
    }
    expect(existsSync(join(obk.folder, 'f'))).toBe(false);
    typist.leave();
  });

  it.skipIf(!has)('a TAB executes nothing', async () => {
    const typist = await sitAt(shell);
    // The line itself becomes a comment (Ctrl-A goes to its beginning).
    await typist.type('obk payment status $(touch x) @la\t\u0001#\recho all" "done\r', 'all done');
    expect(existsSync(join(obk.folder, 'x'))).toBe(false);
    typist.leave();
  });
});

it.skipIf(!hasPrograms('fish'))('in fish, an empty word is completed, too', async () => {
  const offers = async (line: string) => {
    const asked = `source '${script('fish')}'; complete -C'${line}'`;
    const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', asked], {
      cwd: obk.folder,
      env,
    });
    return stdout.split('\n').map((offer) => offer.replace(/\t.*/, ''));
  };
  expect(await offers('obk ')).toContain('payment');
  expect(await offers('obk payment ')).toContain('authorise');
  expect(await offers('obk payment init --product ')).toContain('sepa-credit-transfers');
  expect(await offers('obk payment status ')).toContain('@last');
});

/** Somebody at a shell with the completion loaded; `type` waits until a text appears. */
async function sitAt(shell: keyof typeof starts) {
  const { args, load } = starts[shell];
  const pty = openTerminal(shell, [...args], { cols: 200, rows: 30, cwd: obk.folder, env });
  let seen = '';
  let look: () => void = () => undefined;
  pty.onData((data) => {
    seen += data;
    look();
  });
  const type = (keys: string, wanted: string) =>
    new Promise<void>((go, fail) => {
      seen = '';
      const timer = setTimeout(() => {
        fail(new Error(`never saw ${wanted} in:\n${JSON.stringify(seen)}`));
      }, bound());
      look = () => {
        if (!seen.includes(wanted)) return;
        clearTimeout(timer);
        go();
      };
      pty.write(keys);
    });
  await type(`${load()}; echo rea''dy\r`, 'ready\r\n');
  return {
    type,
    leave: () => {
      pty.kill('SIGKILL');
    },
  };
}
