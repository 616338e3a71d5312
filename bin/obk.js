#!/usr/bin/env node
'use strict';
// The fast path. Version, help and wrong commands are answered from text made at build, before a module is
// loaded; everything else is dist/main.cjs. CommonJS and synchronous writes, because an ES module or the
// process streams alone would cost more than the whole answer.
const fs = require('fs');

const dist = __dirname + '/../dist/';

/** Writes all of it, and ends with `code`; a reader that went away is no failure, lost output is. */
function end(fd, text, code) {
  const bytes = Buffer.from(text);
  process.exitCode = code;
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code === 'EAGAIN') continue;
      if (error.code === 'EPIPE') return;
      process.exitCode = 1;
      if (fd === 1) end(2, '✗ The output could not be written: ' + error.code + '\n', 1);
      return;
    }
  }
}

/** The page of one command; titles are bold where a terminal shows them (the null device is no harm). */
function page(path, fd, code, args) {
  const text = fs.readFileSync(dist + 'help/' + ['obk'].concat(path).join('.') + '.txt', 'utf8');
  const env = process.env;
  const plain = env.NO_COLOR || env.TERM === 'dumb' || args.some((arg) => arg.startsWith('--color'));
  const bold = !plain && fs.fstatSync(fd).isCharacterDevice();
  const shown = bold ? text.replace(/^[A-Z]{2,}( [A-Z]+)*(?= {2}|$)/gm, '\u001b[1m$&\u001b[22m') : text;
  if (fd !== 1 || args.includes('--no-pager') || !paged(shown)) end(fd, shown, code);
}

/** Shows a text that is longer than the screen in a pager; false where there is no screen or no pager. */
function paged(text) {
  const env = process.env;
  const words = (env.OBK_PAGER ?? env.PAGER ?? 'less').split(/\s+/).filter(Boolean);
  const off = /^(?!0$|false$)./i.test(env.CI ?? '') || env.TERM === 'dumb' || /^(cat)?$/.test(words[0] ?? '');
  if (off || !fs.fstatSync(1).isCharacterDevice() || !require('tty').isatty(1)) return false;
  if (!(text.split('\n').length > process.stdout.rows)) return false;
  // Ctrl-C is a key of the pager; it must not end us before it.
  process.on('SIGINT', () => undefined);
  const options = {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...env },
  };
  const { error } = require('child_process').spawnSync(words[0], words.slice(1), options);
  return error === undefined || error.code === 'EPIPE';
}

/** Edits (a swap of neighbours is one) that turn `a` into `b`. */
function distance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}

/** What was probably meant, as the program guesses: the word elsewhere, what other programs call so, or what is spelt alike. */
function meant({ commands, elsewhere }, path, word) {
  const seen = Object.keys(commands).filter((key) => commands[key].shown);
  const ends = ' ' + path.concat(word).join(' ');
  const same = seen.filter((key) => key.endsWith(ends));
  if (same.length > 0) return same;
  const lower = word.toLowerCase();
  const called = Object.hasOwn(elsewhere, lower) ? elsewhere[lower] : [];
  const known = called.map((name) => path.concat(name).join(' ')).filter((key) => seen.includes(key));
  if (known.length > 0) return known;
  // A command that stands by itself; of one that needs another word, its list.
  if (word !== '' && seen.includes(word))
    return [!commands[word].runs && seen.includes(word + ' list') ? word + ' list' : word];
  const near = commands[path.join(' ')].names
    .map((name) => ({ name, far: lower !== '' && name.startsWith(lower) ? 1 : distance(lower, name) }))
    .filter(({ name, far }) => far <= Math.max(word.length, name.length) * 0.4)
    .sort((a, b) => a.far - b.far);
  return near.filter(({ far }) => far === near[0].far).map(({ name }) => path.concat(name).join(' '));
}

function unknown(help, path, word) {
  const at = ['obk'].concat(path).join(' ');
  const tries = meant(help, path, word).map((name) => 'obk ' + name);
  if (tries.length === 0) tries.push(at + ' --help');
  const lines = tries.slice(0, 5).map((line, i) => (i === 0 ? '  Try:  ' : '        ') + line + '\n');
  end(2, '✗ ' + at + ' has no command ' + JSON.stringify(word) + '.\n' + lines.join(''), 2);
}

/** True when the answer needed nothing but the text made at build. */
function answered(argv) {
  const stop = argv.indexOf('--');
  const args = stop < 0 ? argv : argv.slice(0, stop);
  const firstFlag = args.findIndex((arg) => arg.startsWith('-'));
  const typed = firstFlag < 0 ? args : args.slice(0, firstFlag);
  const all = JSON.parse(fs.readFileSync(dist + 'help/tree.json', 'utf8'));
  const tree = all.commands;

  // `help payment init` asks for a page; `help exit-codes` is one.
  const topic = typed.length > 1 && Object.hasOwn(tree, 'help ' + typed[1]);
  const words = typed[0] === 'help' && !topic ? typed.slice(1) : typed;
  const flagged = args.some((arg) => arg === '-h' || arg === '--help');
  let help = flagged || typed[0] === 'help';
  // `payment init --help sca` asks for a part of a page, which only the program makes.
  const part = args[args.findIndex((arg) => arg === '-h' || arg === '--help') + 1];
  if (flagged && part !== undefined && !part.startsWith('-')) return false;
  const path = [];
  let at = 0;
  for (; at < words.length; at++) {
    // The root is the empty word, and a path has blanks: neither is a word.
    if (/^\S+$/.test(words[at]) && Object.hasOwn(tree, path.concat(words[at]).join(' ')))
      path.push(words[at]);
    else if (words[at] === 'help') help = true;
    else break;
  }
  if (help && !flagged && firstFlag >= 0) return false;

  const node = tree[path.join(' ')];
  const word = words[at];
  if (word !== undefined && node.names.length > 0 && !node.runs) {
    if (args.some((arg) => /^(--(json|jq|fields|as)\b|-o|-qq)/.test(arg))) return false;
    unknown(all, path, word);
    return true;
  }
  if (help) {
    // A flag may stand between the words of the path: only the program knows which of them take a value.
    const more =
      firstFlag >= 0 &&
      node.names.length > 0 &&
      (!/^(-h|--help)$/.test(args[firstFlag]) || args.slice(firstFlag).some((arg) => !arg.startsWith('-')));
    if (!more) page(path, 1, 0, args);
    return !more;
  }
  if (argv.length > words.length || node.runs) return false;
  page(path, 2, 2, args);
  return true;
}

const nodeVersion = () => process.versions.node.split('.').map(Number);

function run(argv) {
  const [major, minor] = nodeVersion();
  if (major < 20 || (major === 20 && minor < 19)) {
    return end(2, '✗ obk needs Node.js 20.19 or newer; this is ' + process.version + '.\n', 1);
  }
  if (argv.length === 1 && /^(--version|-V|version)$/.test(argv[0])) {
    return end(1, JSON.parse(fs.readFileSync(__dirname + '/../package.json', 'utf8')).version + '\n', 0);
  }
  if (!fs.existsSync(dist + 'main.cjs')) return end(2, 'not built: npm run build\n', 1);
  // The shells ask at every TAB: the words follow after `--`.
  if (argv[0] === '__complete') {
    const { answer } = require('../dist/complete.cjs');
    return end(1, answer(argv.slice(argv[1] === '--' ? 2 : 1), process.env, dist + 'completion/'), 0);
  }
  // To somebody at a terminal `obk` alone offers what can be done; the program knows whom it can ask.
  const asks = argv.length === 0 && [0, 2].every((fd) => require('tty').isatty(fd));
  if (!asks && fs.existsSync(dist + 'help/tree.json') && answered(argv)) return undefined;
  return program(process.env);
}

/**
 * The program, with the compiled code that earlier runs have left: of Node 22.1 and later by Node's own means, of Node 20 by ours.
 * The variables are Node's: NODE_COMPILE_CACHE names the folder, NODE_DISABLE_COMPILE_CACHE=1 keeps nothing.
 */
function program(env) {
  const cache = env.XDG_CACHE_HOME || (env.HOME && env.HOME + '/.cache');
  const folder = env.NODE_COMPILE_CACHE || (cache && cache + '/obk');
  // The single executable has no such file: what it carries is no file either.
  const canKeep = fs.existsSync(__dirname + '/compiled.js') && process.geteuid !== undefined;
  if (canKeep && folder && folder[0] === '/' && !env.NODE_DISABLE_COMPILE_CACHE) {
    const [major, minor] = nodeVersion();
    if (major < 22 || (major === 22 && minor < 1))
      return require('./compiled.js').start(dist, folder + '/compiled');
    require('module').enableCompileCache(folder);
  }
  return require('../dist/main.cjs');
}

try {
  run(process.argv.slice(2));
} catch (error) {
  end(
    2,
    '✗ obk could not start: ' + String(error?.message ?? error).split('\n')[0] + '\n  Install it again.\n',
    1,
  );
}
