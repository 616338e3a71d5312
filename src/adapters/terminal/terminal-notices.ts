import { clean, cleanJson } from '../../base/clean.ts';
import type { Notices } from '../../client/ports/person.ts';

/** A terminal that several share: while a question stands, nothing else draws. */
export interface Stage {
  asking: boolean;
  /** A line of stdout stands there without its end, to be drawn again: whatever else comes begins below it. */
  unfinished: boolean;
}

/** Options of `createNotices`. */
export interface NoticeOptions {
  stderr: { write(text: string): unknown };
  env: Readonly<Record<string, string | undefined>>;
  /** 1 hides all but errors. */
  quiet: number;
  /** 1 to 3 as -v, -vv, -vvv. */
  verbose: number;
  /** Whether a person watches, so that a line may be drawn again and again. */
  watched: boolean;
  /** Each line is one JSON object, for a program that reads stderr. */
  machine?: boolean;
  /** The result is JSON, whoever reads stderr. */
  json?: boolean;
  stage: Stage;
  /** How text looks; plain where it is left out. */
  style?: {
    dim(text: string): string;
    bold(text: string): string;
    bad(text: string): string;
    /** Whether a person sees stderr. */
    tty?: boolean;
  };
  /** Parts a line between words, where a person reads; a program gets each line whole. */
  fold?: (line: string) => string[];
}

/** Lets a line that was told already pass once only. */
function onceEach(put: (line: string, alarming?: string) => void): Notices['place'] {
  const told = new Set<string>();
  return (line, alarming) => {
    if (told.has(line)) return;
    told.add(line);
    put(line, alarming);
  };
}

/** One line of stderr for a program: an object whose one member says what the line is. */
const machineLine = (kind: 'notice' | 'warning' | 'detail' | 'call' | 'created', what: unknown) =>
  `${cleanJson(JSON.stringify({ [kind]: what }))}\n`;

const frameMs = 100;
const heartbeatMs = 30_000;

/** Writes to stderr what a person should know; a spinner where somebody watches, plain lines elsewhere. */
export function createNotices(options: NoticeOptions): Notices {
  return options.machine === true ? machineNotices(options) : terminalNotices(options);
}

/** A program is told each thing once, and that something lasts when it begins. */
function machineNotices({ stderr, quiet, verbose }: NoticeOptions): Notices {
  const put = (shown: boolean, kind: Parameters<typeof machineLine>[0], what: unknown) => {
    if (shown) stderr.write(machineLine(kind, what));
  };
  return {
    say: (text) => {
      put(quiet === 0, 'notice', text);
    },
    // A program has it in the document, or asks whoami.
    place: () => undefined,
    created: (_text, facts) => {
      put(quiet < 2, 'created', facts);
    },
    warn: (text) => {
      put(quiet === 0, 'warning', text);
    },
    trace: (level, text) => {
      put(level <= verbose, 'detail', text);
    },
    call: (_text, facts) => {
      put(verbose > 0, 'call', facts);
    },
    progress: (text) => {
      put(quiet === 0, 'notice', text);
      return { update: () => undefined, stop: () => undefined };
    },
  };
}

function terminalNotices({
  stderr,
  env,
  quiet,
  verbose,
  watched,
  stage,
  style,
  json = false,
  fold = (one) => [one],
}: NoticeOptions): Notices {
  const locale = env['LC_ALL'] ?? env['LC_CTYPE'] ?? env['LANG'] ?? '';
  const frames = /utf-?8/i.test(locale) ? Array.from('⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏') : ['|', '/', '-', '\\'];
  let drawn = false;
  const folded = (text: string) => text.split('\n').flatMap(fold).join('\n');

  function line(text: string, indented = true, look = (shown: string) => shown): void {
    if (drawn) stderr.write('\r\u001b[K');
    else if (watched && stage.unfinished) stderr.write('\n');
    if (watched) stage.unfinished = false;
    drawn = false;
    // Words of a bank may have several lines: none of them begins where a line of obk does.
    const whole = clean(text).replace(/\n(?!$)/g, indented ? '\n    ' : '\n');
    stderr.write(`${look(indented ? folded(whole) : whole)}\n`);
  }

  function spin(text: string): ReturnType<Notices['progress']> {
    let shown = text;
    let frame = 0;
    const timer = setInterval(() => {
      if (stage.asking) return;
      stderr.write(`\r\u001b[K${frames[frame % frames.length] ?? ''} ${clean(shown)}`);
      drawn = true;
      frame += 1;
    }, frameMs);
    timer.unref();
    return {
      update: (next) => {
        shown = next;
      },
      stop: () => {
        clearInterval(timer);
        if (drawn) stderr.write('\r\u001b[K');
        drawn = false;
      },
    };
  }

  function beat(text: string): ReturnType<Notices['progress']> {
    let shown = text;
    let beats = 0;
    line(`${text} …`);
    const timer = setInterval(() => {
      beats += 1;
      line(`${shown} … (${(beats * heartbeatMs) / 1000} s)`);
    }, heartbeatMs);
    timer.unref();
    return {
      update: (next) => {
        shown = next;
      },
      stop: () => {
        clearInterval(timer);
        if (beats > 0) line(`${shown}: ended`);
        beats = 0;
      },
    };
  }

  return {
    say: (text) => {
      if (quiet === 0) line(text);
    },
    place: onceEach((text, alarming) => {
      if (quiet > 0 || style?.tty === false) return;
      line(text, true, (shown) => placeText(shown, alarming, style));
    }),
    created: (text, facts) => {
      if (quiet > 1) return;
      if (json) stderr.write(machineLine('created', facts));
      else if (text !== undefined && style?.tty !== true) line(text);
    },
    warn: (text) => {
      if (quiet === 0) line(`! ${text}`);
    },
    trace: (level, text) => {
      if (level <= verbose) line(text, false);
    },
    call: (text) => {
      if (verbose > 0) line(text, false);
    },
    progress: (text) => {
      if (quiet > 0) return { update: () => undefined, stop: () => undefined };
      return watched ? spin(text) : beat(text);
    },
  };
}

/** The line dim, and the word in it that must not be overlooked bold and red. */
function placeText(text: string, alarming: string | undefined, style: NoticeOptions['style']): string {
  if (style === undefined) return text;
  const at = alarming === undefined ? -1 : text.indexOf(alarming);
  if (alarming === undefined || at < 0) return style.dim(text);
  const [before, after] = [text.slice(0, at), text.slice(at + alarming.length)];
  return `${style.dim(before)}${style.bold(style.bad(alarming))}${style.dim(after)}`;
}
