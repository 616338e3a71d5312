import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { runProgram, splitWords } from '../../../../src/adapters/system/run-program.ts';
import { createSecrets } from '../../../../src/adapters/secrets/secret-references.ts';
import type { SecretsOptions } from '../../../../src/adapters/secrets/secret-references.ts';
import { readKeyring } from '../../../../src/adapters/secrets/secret-stores.ts';
import { createClock } from '../../../../src/adapters/system/system-clock.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';

const here = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'secrets-'));
const node = `'${process.execPath}'`;

function file(name: string, content: string | Buffer, mode = 0o600): string {
  const path = join(here, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function open(changes: Partial<SecretsOptions> = {}) {
  const stdin = new PassThrough();
  return { stdin, secrets: createSecrets({ env: process.env, stdin, ...changes }) };
}

async function failure(promise: Promise<unknown>): Promise<{ detail: string; title: string }> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'SECRET_REFERENCE', exit: 3 });
  return error as { detail: string; title: string };
}

describe('a reference to a secret', () => {
  it.each([
    ['one line end', 'hunter2\n', 'hunter2'],
    ['a line end of Windows', 'hunter2\r\n', 'hunter2'],
    ['none', 'hunter2', 'hunter2'],
    ['two: one is its own', 'hunter2\n\n', 'hunter2\n'],
    ['blanks are its own', ' hunter2 \n', ' hunter2 '],
    ['any letters', 'пароль€\n', 'пароль€'],
  ])('is read from %s', async (_case, content, value) => {
    const { secrets, stdin } = open({ env: { PATH: process.env['PATH'], A: content } });
    stdin.end(content);
    const script = file('echo.mjs', 'process.stdout.write(process.env.A)');
    for (const reference of [
      'stdin',
      'env:A',
      `file:${file('secret', content)}`,
      `cmd:${node} '${script}'`,
    ]) {
      expect((await secrets.read(reference, 'the OTP')).reveal()).toBe(value);
    }
  });

  it('is read once', async () => {
    const { secrets, stdin } = open();
    stdin.end('123\n');
    const path = file('once', '1');
    const [first, second] = await Promise.all([secrets.read('stdin', 'a'), secrets.read('stdin', 'b')]);
    expect(first).toBe(second);
    expect((await secrets.read(`file:${path}`, 'a')).reveal()).toBe('1');
    writeFileSync(path, '2');
    expect((await secrets.read(`file:${path}`, 'a')).reveal()).toBe('1');
  });

  it.each(['hunter2', '', 'prompt', 'stdin:hunter2', 'env', 'http://hunter2', 'ENV:hunter2', ' env:hunter2'])(
    'is refused where it is %j, which is not repeated',
    async (reference) => {
      const error = await failure(open().secrets.read(reference, 'the OTP'));
      expect(error.title).toContain('the OTP');
      expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
    },
  );

  it('is reported with what is missing where it leads to nothing', async () => {
    const { secrets } = open({ env: { EMPTY: '', LINE: '\n', PATH: process.env['PATH'] } });
    expect((await failure(secrets.read('env:NONE', 'x'))).detail).toContain('NONE is not set');
    expect((await failure(secrets.read('env:EMPTY', 'x'))).detail).toContain('empty');
    expect((await failure(secrets.read('env:LINE', 'x'))).detail).toContain('empty');
    expect((await failure(secrets.read(`file:${join(here, 'none')}`, 'x'))).detail).toContain(
      'does not exist',
    );
    expect((await failure(secrets.read(`file:${here}`, 'x'))).detail).toContain('is a directory');
    expect(
      (await failure(secrets.read(`file:${file('large', Buffer.alloc(65_537, 97))}`, 'x'))).detail,
    ).toContain('65536');
    expect((await failure(secrets.read(`file:${file('latin', Buffer.from([0xe9]))}`, 'x'))).detail).toContain(
      'UTF-8',
    );
  });

  it('causes a warning where others can read its file', async () => {
    const warn = vi.fn();
    const { secrets } = open({ warn });
    await secrets.read(`file:${file('mine', 'a', 0o600)}`, 'x');
    expect(warn).not.toHaveBeenCalled();
    const path = file('theirs', 'a', 0o640);
    await secrets.read(`file:${path}`, 'x');
    expect(warn.mock.calls).toEqual([[expect.stringContaining(path)]]);
  });

  it('refuses for stdin a terminal, too much, and what was read already', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    expect((await failure(open({ stdin: terminal }).secrets.read('stdin', 'x'))).detail).toContain(
      'terminal',
    );
    const large = open();
    large.stdin.end(Buffer.alloc(65_537, 97));
    expect((await failure(large.secrets.read('stdin', 'x'))).detail).toContain('longer than');
    const used = open();
    used.stdin.end('a');
    used.stdin.resume();
    await new Promise((resolve) => used.stdin.once('end', resolve));
    expect((await failure(used.secrets.read('stdin', 'x'))).detail).toContain('read already');
  });
});

describe('a command that gives a secret', () => {
  const script = (name: string, text: string) => `cmd:${node} '${file(name, text)}'`;

  it('receives the environment and its words, and no shell', async () => {
    const text = 'process.stdout.write(JSON.stringify([process.argv.slice(2), process.env.A]))';
    const reference = `${script('words.mjs', text)} 'a b' "c'd" e\\ f "" $HOME '*' ; && "\\$x \\n"`;
    const { secrets } = open({ env: { A: '1', PATH: process.env['PATH'] } });
    expect(JSON.parse((await secrets.read(reference, 'x')).reveal())).toEqual([
      ['a b', "c'd", 'e f', '', '$HOME', '*', ';', '&&', '$x \\n'],
      '1',
    ]);
  });

  it.each([
    ['', undefined],
    ['   ', undefined],
    ["'open", undefined],
    ['"open', undefined],
    ['open\\', undefined],
  ])('is refused where it cannot be split: %j', async (command) => {
    expect((await failure(open().secrets.read(`cmd:${command}`, 'x'))).detail).toContain(
      'empty or has an open',
    );
  });

  it('is reported by how it failed, without its arguments or output', async () => {
    const { secrets } = open();
    const cases: [string, string][] = [
      ['cmd:/nowhere/obk-no-such-program hunter2', 'could not be started'],
      [
        `${script('fails.mjs', "process.stdout.write('hunter2'); process.exitCode = 7")} hunter2`,
        'exit code 7',
      ],
      [`${script('large.mjs', "process.stdout.write('hunter2'.repeat(20000))")} hunter2`, 'wrote more than'],
      [`${script('dies.mjs', "process.kill(process.pid, 'SIGKILL')")} hunter2`, 'was killed'],
      [`${script('silent.mjs', '')} hunter2`, 'empty'],
    ];
    for (const [reference, detail] of cases) {
      const error = await failure(secrets.read(reference, 'x'));
      expect(error.detail).toContain(detail);
      expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
    }
  });

  it('is ended after 10 seconds, with whatever it started', async () => {
    const clock = fakeClock({ manual: true });
    const reference = script(
      'hangs.mjs',
      "import('node:child_process').then((c) => c.spawn(process.execPath, ['-e', 'setTimeout(() => {}, 5000)'], { stdio: 'inherit' }))",
    );
    const { secrets } = open({ clock });
    const reading = failure(secrets.read(reference, 'x'));
    await vi.waitUntil(() => clock.sleeping > 0, { timeout: 10_000 });
    clock.advance(10_000);
    expect((await reading).detail).toContain('10 seconds');
  });

  it('receives nothing of our stdin', async () => {
    const reference = script(
      'reads.mjs',
      "process.stdin.on('data', () => {}).on('end', () => process.stdout.write('ended'))",
    );
    expect((await open().secrets.read(reference, 'x')).reveal()).toBe('ended');
  });
});

describe('the words of a command', () => {
  it.each<[string, string[] | undefined]>([
    ['a b', ['a', 'b']],
    ['  a\tb\n', ['a', 'b']],
    [`"a"'b'c`, ['abc']],
    [`''`, ['']],
    [String.raw`a\"b`, ['a"b']],
    [String.raw`"a\"b"`, ['a"b']],
    [String.raw`'a\'`, ['a\\']],
    [String.raw`"C:\dir\x"`, ['C:\\dir\\x']],
    ['$(x) `y`', ['$(x)', '`y`']],
    ['', []],
  ])('are split: %j', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });
});

describe('the keyring', () => {
  const fake = (text: string) => file(`keyring-${Math.random()}.cjs`, text);
  const entry = (body: string) =>
    fake(`exports.Entry = class { constructor(...all) { this.all = all } getPassword() { ${body} } }`);

  it('is read in another process by service and id', async () => {
    const module = entry('return JSON.stringify(this.all)');
    const answer = await readKeyring('acme/otp', { env: process.env, clock: createClock(), module });
    expect('value' in answer ? JSON.parse(answer.value) : answer).toEqual([
      'obk',
      'acme/otp',
      { linux: { store: 'secret-service' } },
    ]);
  });

  it('may lack the entry, fail or be missing', async () => {
    const options = { env: process.env, clock: createClock() };
    expect(await readKeyring('x', { ...options, module: entry('return null') })).toEqual({ missing: true });
    expect(await readKeyring('x', { ...options, module: entry("throw new Error('no bus')") })).toEqual({
      failed: 'it cannot be reached (no bus)',
    });
    expect(await readKeyring('x', { ...options, module: '/nowhere/keyring' })).toEqual({
      failed: 'it cannot be reached',
    });
  });

  it('is given up after 3 seconds where it hangs', async () => {
    const clock = fakeClock({ manual: true });
    const module = entry('for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)');
    const reading = readKeyring('x', { env: process.env, clock, module });
    await vi.waitUntil(() => clock.sleeping > 0, { timeout: 10_000 });
    clock.advance(3_000);
    expect(await reading).toEqual({ failed: 'it did not answer within 3 seconds' });
  });

  it('is a clear error of the reference where it is absent', async () => {
    const { secrets } = open({ env: { PATH: process.env['PATH'] } });
    const outcome = await secrets
      .read(`keyring:obk-test-${process.pid}`, 'the OTP')
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({
      code: 'SECRET_REFERENCE',
      detail: expect.stringMatching(/^The keyring /),
    });
  });
});

describe('a program without a reader', () => {
  it('is only waited for', async () => {
    const ended = await runProgram([process.execPath, '-e', 'process.exit(3)'], {
      env: process.env,
      stdio: 'ignore',
    });
    expect(ended).toMatchObject({ kind: 'exit', code: 3 });
  });
});
