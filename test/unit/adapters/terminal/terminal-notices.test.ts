import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNotices } from '../../../../src/adapters/terminal/terminal-notices.ts';
import { fold } from '../../../../src/cli/render/wrap.ts';

function notices(
  options: {
    quiet?: number;
    verbose?: number;
    watched?: boolean;
    machine?: boolean;
    env?: Record<string, string>;
    style?: NonNullable<Parameters<typeof createNotices>[0]['style']>;
    fold?: (line: string) => string[];
  } = {},
) {
  const written: string[] = [];
  const stage = { asking: false, unfinished: false };
  const made = createNotices({
    stderr: { write: (text) => written.push(text) },
    env: options.env ?? { LANG: 'C.UTF-8' },
    quiet: options.quiet ?? 0,
    verbose: options.verbose ?? 0,
    watched: options.watched ?? false,
    machine: options.machine ?? false,
    stage,
    ...(options.style && { style: options.style }),
    ...(options.fold && { fold: options.fold }),
  });
  return { ...made, stage, text: () => written.join('') };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it.each<[number, string]>([
  [0, 'said\n! warned\n'],
  [1, ''],
  [2, ''],
])('a notice is shown or not with quiet %d', (quiet, text) => {
  const seen = notices({ quiet });
  seen.say('said');
  seen.warn('warned');
  expect(seen.text()).toBe(text);
});

it.each([0, 1, 2, 3])('a notice is shown with verbose %d', (verbose) => {
  const seen = notices({ verbose });
  for (const level of [1, 2, 3] as const) seen.trace(level, String(level));
  expect(seen.text()).toBe(['1\n', '2\n', '3\n'].slice(0, verbose).join(''));
});

it('a notice shows what a bank wrote, never obeys it', () => {
  const seen = notices();
  seen.say('a\u001b[2J\u202eb');
  expect(seen.text()).toBe('a\\x1b[2J\\u{202e}b\n');
});

it.each([
  [true, '\nsaid\nsaid\n'],
  [false, 'said\nsaid\n'],
])('a notice begins below a line of stdout that has no end yet, where both are seen: %s', (watched, text) => {
  const seen = notices({ watched });
  seen.stage.unfinished = true;
  seen.say('said');
  seen.say('said');
  expect(seen.text()).toBe(text);
});

describe('a wait that lasts', () => {
  it('is shown without a watcher as a line, and a sign of life every 30 s', () => {
    const seen = notices();
    const progress = seen.progress('Waiting');
    expect(seen.text()).toBe('Waiting …\n');
    vi.advanceTimersByTime(29_999);
    expect(seen.text()).toBe('Waiting …\n');
    progress.update('Still waiting');
    vi.advanceTimersByTime(30_001);
    progress.stop();
    expect(seen.text()).toBe(
      'Waiting …\nStill waiting … (30 s)\nStill waiting … (60 s)\nStill waiting: ended\n',
    );
    vi.advanceTimersByTime(60_000);
    expect(seen.text()).not.toContain('90 s');
  });

  it('is not shown at its end where it was short', () => {
    const seen = notices();
    seen.progress('Waiting').stop();
    expect(seen.text()).toBe('Waiting …\n');
  });

  it('is drawn for a person again and again, wiped at the end and around every line', () => {
    const seen = notices({ watched: true });
    const progress = seen.progress('Waiting');
    expect(seen.text()).toBe('');
    vi.advanceTimersByTime(100);
    expect(seen.text()).toBe('\r\u001b[K⠋ Waiting');
    seen.say('news');
    expect(seen.text()).toBe('\r\u001b[K⠋ Waiting\r\u001b[Knews\n');
    vi.advanceTimersByTime(100);
    progress.stop();
    expect(seen.text().endsWith('⠙ Waiting\r\u001b[K')).toBe(true);
  });

  it('is silent while a question stands', () => {
    const seen = notices({ watched: true });
    seen.progress('Waiting');
    seen.stage.asking = true;
    vi.advanceTimersByTime(1_000);
    expect(seen.text()).toBe('');
  });

  it('is drawn with plain characters where the locale has no others', () => {
    const seen = notices({ watched: true, env: { LANG: 'C' } });
    seen.progress('Waiting');
    vi.advanceTimersByTime(200);
    expect(seen.text()).toBe('\r\u001b[K| Waiting\r\u001b[K/ Waiting');
  });

  it('is not shown when quiet', () => {
    const seen = notices({ quiet: 1 });
    const progress = seen.progress('Waiting');
    vi.advanceTimersByTime(60_000);
    progress.stop();
    expect(seen.text()).toBe('');
  });
});

describe('a notice for a program', () => {
  function all(options: Parameters<typeof notices>[0]): unknown[] {
    const seen = notices({ ...options, machine: true });
    seen.say('said\n\u001b[2Jtwice');
    seen.warn('warned');
    seen.trace(1, 'deep');
    seen.call('GET /v1/accounts', { method: 'GET' });
    const progress = seen.progress('Waiting');
    vi.advanceTimersByTime(120_000);
    progress.update('Still waiting');
    progress.stop();
    return seen
      .text()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }

  it('is one object a line, and names what it is', () => {
    expect(all({ verbose: 1 })).toEqual([
      { notice: 'said\n\u001b[2Jtwice' },
      { warning: 'warned' },
      { detail: 'deep' },
      { call: { method: 'GET' } },
      { notice: 'Waiting' },
    ]);
  });

  it('is shown where -v and -q leave it', () => {
    expect(all({})).toEqual([
      { notice: 'said\n\u001b[2Jtwice' },
      { warning: 'warned' },
      { notice: 'Waiting' },
    ]);
    expect(all({ quiet: 1 })).toEqual([]);
  });
});

it('a notice splits a line as it is configured, and leaves it whole elsewhere', () => {
  const text = 'one two';
  const told = (fold?: (line: string) => string[]) => {
    const seen = notices(fold === undefined ? {} : { fold });
    seen.warn(text);
    return seen.text();
  };
  expect(told((line) => fold(line, 6))).toBe('! one\n  two\n');
  expect(told()).toBe(`! ${text}\n`);
});

describe('the place where a run works', () => {
  const style = {
    dim: (text: string) => `<dim>${text}</dim>`,
    bold: (text: string) => `<b>${text}</b>`,
    bad: (text: string) => `<red>${text}</red>`,
  };

  it('is shown once, dim, with production standing out', () => {
    const seen = notices({ style });
    for (let call = 0; call < 3; call += 1) seen.place('profile acme · test · https://bank.example');
    seen.place('PRODUCTION · profile PRODUCTION', 'PRODUCTION');
    expect(seen.text()).toBe(
      '<dim>profile acme · test · https://bank.example</dim>\n<dim></dim><b><red>PRODUCTION</red></b><dim> · profile PRODUCTION</dim>\n',
    );
  });

  it('is not shown when quiet, nor drawn where that is impossible', () => {
    const quiet = notices({ style, quiet: 1 });
    quiet.place('profile acme');
    expect(quiet.text()).toBe('');
    const hostile = notices({ style });
    hostile.place('profile \u001b[31macme');
    expect(hostile.text()).not.toContain('\u001b');
  });
});
