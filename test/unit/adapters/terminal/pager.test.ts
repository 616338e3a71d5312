import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { openPager } from '../../../../src/adapters/terminal/pager.ts';
import { pagerFor } from '../../../../src/cli/program/through-pager.ts';
import { writeAll, writeStyled } from '../../../../src/cli/program/streams.ts';
import { sink } from '../../../helpers/program.ts';

/** A screen of ten lines, and a pager that reads everything and shows nothing. */
function open(script = 'cat', signal = new AbortController().signal) {
  const [stdout, stderr] = [sink({ isTTY: true, columns: 20 }), sink({ isTTY: true })];
  const started: ChildProcess[] = [];
  const launch = () => {
    const child = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    started.push(child);
    return child;
  };
  const screen = Object.assign(stdout.stream, { rows: 10 });
  const pager = openPager({ command: 'x', stdout: screen, stderr: stderr.stream, env: {}, signal, launch });
  return { pager, stdout, stderr, started };
}

const lines = (count: number) => 'line\n'.repeat(count);

describe('the pager', () => {
  it.each([
    ['less than a screen', lines(9)],
    ['nothing', ''],
    ['long lines that are folded into less', `${'x'.repeat(100)}\n`],
    ['colours, which take no room', '\u001b[1mxxxxxxxxxxxxxxxxxxxx\u001b[22m\n'.repeat(9)],
  ])('is not started for %s', async (_, text) => {
    const { pager, stdout, started } = open();
    await writeStyled(pager.stdout, text);
    expect(stdout.text()).toBe('');
    await pager.close();
    expect(stdout.text()).toBe(text);
    expect(started).toEqual([]);
  });

  it.each([
    ['a screen', lines(10)],
    ['lines that are folded into one', `${'x'.repeat(200)}\n`],
  ])('receives all of %s', async (_, text) => {
    const { pager, stdout, started } = open();
    await writeAll(pager.stdout, text);
    let got = '';
    started[0]?.stdout?.on('data', (chunk: Buffer) => (got += chunk.toString()));
    await writeAll(pager.stdout, 'more\n');
    await pager.close();
    expect(got).toBe(`${text}more\n`);
    expect(stdout.text()).toBe('');
  });

  it('ends the output quietly when the person has seen enough', async () => {
    const { pager, started } = open('true');
    await writeAll(pager.stdout, lines(10));
    await once(started[0]!, 'exit');
    const written: boolean[] = [];
    for (let at = 0; at < 50; at += 1) written.push(await writeAll(pager.stdout, lines(10_000)));
    expect(written.at(-1)).toBe(false);
    await pager.close();
  });

  it('holds back what is reported meanwhile, until it has ended', async () => {
    const { pager, stderr, started } = open('cat > /dev/null');
    await writeAll(pager.stderr, 'before\n');
    expect(stderr.text()).toBe('before\n');
    await writeAll(pager.stdout, lines(20));
    await writeAll(pager.stderr, 'meanwhile\n');
    expect(stderr.text()).toBe('before\n');
    await pager.close();
    expect(started[0]?.exitCode).toBe(0);
    expect(stderr.text()).toBe('before\nmeanwhile\n');
  });

  it('ends with an interrupt', async () => {
    const interrupt = new AbortController();
    const { pager, started } = open('exec sleep 60', interrupt.signal);
    await writeAll(pager.stdout, lines(20));
    interrupt.abort();
    await pager.close();
    expect(started[0]?.signalCode).toBe('SIGTERM');
  });

  it('shows that Ctrl-C ended it, though the signal may reach obk after that news', async () => {
    const { pager, started } = open('exec sleep 60');
    await writeAll(pager.stdout, lines(20));
    started[0]?.kill('SIGINT');
    expect(await pager.close()).toBe(true);
    const read = open();
    await writeAll(read.pager.stdout, lines(20));
    expect(await read.pager.close()).toBe(false);
  });

  it('is not waited for by a slow list', async () => {
    vi.useFakeTimers();
    const { pager, stdout, started } = open();
    pager.stdout.write(lines(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stdout.text()).toBe(lines(2));
    vi.useRealTimers();
    await writeAll(pager.stdout, lines(20));
    await pager.close();
    expect(stdout.text()).toBe(lines(22));
    expect(started).toEqual([]);
  });
});

describe('the choice of a pager', () => {
  const screen = Object.assign(sink({ isTTY: true }).stream, { rows: 24 });
  it.each<[string | undefined, string, object, object]>([
    ['less', 'transactions list', {}, {}],
    ['less', 'cards transactions', {}, {}],
    ['less', 'explain', {}, {}],
    ['less', 'help json', {}, {}],
    [undefined, 'payment list', {}, {}],
    [undefined, 'explain', {}, { noPager: true }],
    [undefined, 'explain', { CI: 'true' }, {}],
    ['less', 'explain', { CI: 'false' }, {}],
    [undefined, 'explain', { TERM: 'dumb' }, {}],
    ['most', 'explain', { PAGER: 'most' }, {}],
    ['less -S', 'explain', { OBK_PAGER: 'less -S', PAGER: 'most' }, {}],
    [undefined, 'explain', { OBK_PAGER: '', PAGER: 'most' }, {}],
    [undefined, 'explain', { PAGER: 'cat' }, {}],
  ])('gives %s for %s with %j, %j', (pager, path, env, flags) => {
    expect(pagerFor({ stdout: screen, env: { ...env } }, path.split(' '), flags)).toBe(pager);
  });

  it('gives none where nobody watches', () => {
    expect(pagerFor({ stdout: sink().stream, env: {} }, ['explain'], {})).toBeUndefined();
  });
});
