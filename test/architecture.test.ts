import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unusedExports } from './helpers/architecture/exports.ts';
import { violations } from './helpers/architecture/house.ts';
import { idleRevealers } from './helpers/architecture/reveals.ts';
import { subRooms } from './helpers/architecture/rooms.ts';
import { circleOfRows, circles, crowds } from './helpers/architecture/whole.ts';

const files = ['src', 'test', 'bin']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  .concat('build.mjs');

const sources = files.map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The row of a room within a room as CONTRIBUTING.md has it, up to what it holds. */
const rowOf = (room: string, may: string) =>
  `| \`${room}\` | ${may === '' ? '-' : may === 'any' ? 'any' : may} |`;

describe('the house', () => {
  it.each(sources)('$path keeps the rules', (source) => {
    expect(violations(source)).toEqual([]);
  });

  it('has no circle of files, and no room that is too full or empty', () => {
    expect(circles(sources)).toEqual([]);
    expect(circleOfRows()).toEqual([]);
    expect(crowds(files)).toEqual([]);
  });

  it('exports nothing that no other file takes', () => {
    expect(unusedExports(sources)).toEqual([]);
  });

  it('has no row for a file that reveals less than it says', () => {
    expect(idleRevealers(sources)).toEqual([]);
  });

  it('is drawn in CONTRIBUTING.md, each room within a room in a sentence', () => {
    const drawn = readFileSync('CONTRIBUTING.md', 'utf8');
    const undrawn = Object.entries(subRooms).filter(
      ([room, may]) => !room.startsWith('commands/') && !drawn.includes(rowOf(room, may)),
    );
    expect(undrawn.map(([room, may]) => rowOf(room, may))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const named = [...page.matchAll(/`((?:src|test|bin)\/[\w./-]+)/g)].map(([, path = '']) => path);

  it.each([...new Set(named)])('names %s, which is there', (path) => {
    expect(existsSync(path)).toBe(true);
  });

  it('names files of every room that the walks go through', () => {
    expect(new Set(named).size).toBeGreaterThan(60);
  });
});

describe('a planted violation is found', () => {
  it.each<[string, string, string]>([
    // command lines
    ['src/flows/payments/pay.ts', 'const next = `obk payment status ${id}`;', 'that `line` does not write'],
    ['src/commands/run/lead.ts', "const next = 'obk payment status ' + id;", 'that `line` does not write'],
    ['src/adapters/http/http-tls.ts', 'const next = `  obk ${noun} ${id}`;', 'that `line` does not write'],
    // rooms
    [
      'src/xs2a/codes.ts',
      "import { sign } from '../signing/signature.ts';",
      'signing/signature: xs2a may not',
    ],
    ['src/xs2a/codes.ts', "import type { Http } from '../ports.ts';", 'ports: xs2a may not'],
    ['src/xs2a/codes.ts', "export * from '../sca/state.ts';", 'sca/state: xs2a may not'],
    ['src/errors.ts', "import { Secret } from './secret.ts';", 'secret: errors may not'],
    ['src/sca/next-step.ts', "import { call } from '../flows/call.ts';", 'flows/call: sca may not'],
    [
      'src/formats/camt/camt.ts',
      "import { codes } from '../../xs2a/codes.ts';",
      'xs2a/codes: formats may not',
    ],
    ['src/ports.ts', "import { codes } from './xs2a/codes.ts';", 'values of xs2a/codes: only types'],
    [
      'src/ports.ts',
      "import { codes, type Code } from './xs2a/codes.ts';",
      'values of xs2a/codes: only types',
    ],
    [
      'src/ports.ts',
      "import codes, { type Code } from './xs2a/codes.ts';",
      'values of xs2a/codes: only types',
    ],
    ['src/ports.ts', "import './xs2a/codes.ts';", 'values of xs2a/codes: only types'],
    ['src/ports.ts', "export { codes } from './xs2a/codes.ts';", 'values of xs2a/codes: only types'],
    ['src/outcome.ts', "import { table } from './render/table.ts';", 'values of render/table: only types'],
    [
      'src/flows/payments/pay.ts',
      "import { http } from '../../adapters/http/undici-http.ts';",
      'adapters/http/undici-http: flows may not',
    ],
    [
      'src/flows/payments/pay.ts',
      "const a = await import('../../adapters/http/undici-http.ts');",
      'adapters/http/undici-http: flows may not',
    ],
    [
      'src/flows/payments/pay.ts',
      "type A = import('../../adapters/http/undici-http.ts').A;",
      'adapters/http/undici-http: flows may not',
    ],
    ['src/flows/payments/pay.ts', 'const a = await import(name);', 'imports the package (computed)'],
    ['src/flows/oauth/token.ts', "import { x } from '../../render/table.ts';", 'render/table: flows may not'],
    [
      'src/adapters/settings/conf-file.ts',
      "import { x } from '../../render/table.ts';",
      'render/table: adapters may not',
    ],
    [
      'src/adapters/http/undici-http.ts',
      "import { x } from '../../xs2a/codes.ts';",
      'values of xs2a/codes: only types',
    ],
    ['src/render/table.ts', "import { x } from '../flows/pay.ts';", 'flows/pay: render may not'],
    [
      'src/commands/payment/init.ts',
      "import { x } from '../../adapters/browser/browser.ts';",
      'adapters/browser/browser: commands may not',
    ],
    [
      'src/commands/payment/init.ts',
      "import { x } from '../../signing/digest.ts';",
      'signing/digest: commands may not',
    ],
    [
      'src/sandbox/interface/routes.ts',
      "import { x } from '../../sca/state.ts';",
      'sca/state: sandbox may not',
    ],
    [
      'src/sandbox/trust/verify.ts',
      "import { x } from '../../signing/signature.ts';",
      'signing/signature: sandbox may not',
    ],
    [
      'src/referee/signature/verify.ts',
      "import { x } from '../../signing/signature.ts';",
      'signing/signature: referee may not',
    ],
    [
      'src/referee/judge.ts',
      "import { x } from '../flows/call/call.ts';",
      'flows/call/call: referee may not',
    ],
    [
      'src/sandbox/trust/verify.ts',
      "import { x } from '../../signing/certificate-store.ts';",
      'signing/certificate-store: sandbox may not',
    ],
    [
      'src/flows/payments/pay.ts',
      "import { x } from '../../sandbox/index.ts';",
      'imports sandbox: only program/bank-port may',
    ],
    ['src/main.ts', "import('./sandbox/index.ts');", 'imports sandbox: only program/bank-port may'],
    [
      'src/program/bank-port.ts',
      "import { x } from '../sandbox/index.ts';",
      'sandbox at start: only import()',
    ],
    ['src/shared/x.ts', '', 'no such room'],
    ['src/xs2a/codes.ts', "import x from '../../test/helpers/x.ts';", 'from outside src'],
    [
      'src/xs2a/codes.ts',
      "import x from '../../package.json' with { type: 'json' };",
      'imports package.json',
    ],
    // rooms within rooms
    [
      'src/flows/orders/read-order.ts',
      "import { call } from '../call/call.ts';",
      'flows/call/call: flows/orders may not',
    ],
    [
      'src/flows/exchange/judge.ts',
      "import type { Authorised } from '../sca/authorise.ts';",
      'flows/sca/authorise: flows/exchange may not',
    ],
    [
      'src/flows/call/call.ts',
      "await import('../doctor/doctor.ts');",
      'flows/doctor/doctor: flows/call may not',
    ],
    [
      'src/sandbox/books/ledger.ts',
      "import { identify } from '../trust/caller.ts';",
      'sandbox/trust/caller: sandbox/books may not',
    ],
    [
      'src/commands/payment/init.ts',
      "import { x } from '../consent/create.ts';",
      'commands/consent/create: commands/payment may not',
    ],
    ['src/flows/pay.ts', '', 'no such room in flows'],
    ['src/flows/money/pay.ts', '', 'no such room in flows'],
    ['src/sandbox/server.ts', '', 'no such room in sandbox'],
    // packages
    ['src/flows/oauth/tokens.ts', "import * as oauth from 'oauth4webapi';", 'the package oauth4webapi'],
    ['src/sandbox/books/ledger.ts', "import { Hono } from 'hono';", 'the package hono'],
    ['src/xs2a/answer.ts', "import { isValidIBAN } from 'ibantools';", 'the package ibantools'],
    ['src/render/table.ts', "import chalk from 'chalk';", 'the package chalk'],
    ['src/flows/call/call.ts', "import { request } from 'undici';", 'the package undici'],
    ['src/adapters/browser/browser.ts', "import { request } from 'undici';", 'the package undici'],
    ['src/adapters/browser/browser.ts', "const u = await import('undici');", 'the package undici'],
    ['src/adapters/browser/browser.ts', "const u = require('undici');", 'the package undici'],
    ['src/commands/payment/init.ts', "import { Command } from 'commander';", 'the package commander'],
    [
      'src/signing/signature.ts',
      "import { X509Certificate } from '@peculiar/x509';",
      'the package @peculiar/x509',
    ],
    ['src/sandbox/process/server.ts', "import { serve } from 'fastify';", 'the package fastify'],
    // secrets
    ['src/flows/call/call.ts', 'const t = token.reveal();', 'reveals a secret 1 times'],
    ['src/flows/call/call.ts', "const t = token['reveal']();", 'reveals a secret 1 times'],
    ['src/flows/call/call.ts', 'const { reveal } = token;', 'reveals a secret 1 times'],
    ['src/adapters/http/http-proxy.ts', 'a.reveal(); b.reveal();', 'reveals a secret 2 times'],
    // versions of the framework
    ['src/flows/call/call.ts', "const old = framework === '1.3.2';", '1.3.2: ask a fact of xs2a/variants'],
    ['src/sandbox/payments/fees.ts', "if (['1.3.6'].includes(framework)) go();", '1.3.6: ask a fact'],
    ['src/commands/api/api.ts', 'const { [`v136`]: one } = presets;', 'v136: ask a fact of xs2a/variants'],
    ['src/xs2a/request.ts', "switch (framework) { case '1.3.12': go(); }", '1.3.12: ask a fact'],
    ['src/banks/templates.ts', "const f = { framework: '1.3.2' };", '1.3.2: ask a fact'],
    [
      'src/sandbox/payments/permits.ts',
      "import { isIn } from '../../xs2a/origin.ts';",
      'isIn compares versions',
    ],
    // built-ins
    ['src/flows/call/call.ts', "import { readFileSync } from 'node:fs';", 'node:fs: only'],
    ['src/program/run.ts', "import { request } from 'node:https';", 'node:https: only'],
    ['src/context.ts', "import { spawn } from 'node:child_process';", 'node:child_process: only'],
    ['src/flows/call/call.ts', "import { createHash } from 'node:crypto';", 'node:crypto: only'],
    ['src/adapters/state/file-journal.ts', "import { open } from 'fs';", 'fs without node:'],
    // calls
    ['src/commands/payment/init.ts', 'console.log(1);', 'console.log'],
    ['src/flows/call/call.ts', "const log = console['error'];", 'console.error'],
    ['src/flows/call/call.ts', 'await fetch(url);', 'fetch()'],
    ['src/flows/call/call.ts', 'await globalThis.fetch(url);', 'fetch()'],
    ['src/flows/call/call.ts', 'const t = Date.now();', 'Date.now'],
    ['src/flows/call/call.ts', 'const t = new Date();', 'new Date()'],
    ['src/flows/call/call.ts', 'const t = Date();', 'Date()'],
    ['src/flows/call/call.ts', 'list.map(Date.now);', 'Date.now'],
    ['src/flows/call/call.ts', 'const t = performance.now();', 'performance.now'],
    ['src/flows/call/call.ts', 'const id = crypto.randomUUID();', 'randomUUID()'],
    ['src/signing/digest.ts', 'const id = randomUUID();', 'randomUUID()'],
    ['src/flows/call/call.ts', 'setTimeout(go, 10);', 'setTimeout()'],
    ['src/program/run.ts', 'const home = process.env.HOME;', 'process.env'],
    ['src/program/run.ts', 'const { env, argv } = process;', 'process.env'],
    ['src/program/run.ts', 'globalThis.process.exit(1);', 'process.exit'],
    ['src/render/table.ts', 'process.stdout.write(x);', 'process.stdout'],
    // shape
    ['src/flows/call/call.ts', '\n'.repeat(401), '401 lines'],
    ['test/unit/long.test.ts', '\n'.repeat(401), '401 lines'],
    ['src/formats/text/utils.ts', '', '"utils" says nothing'],
    ['src/formats/text/token-manager.ts', '', '"manager" says nothing'],
    ['src/xs2a/common/x.ts', '', '"common" says nothing'],
    ['src/formats/text/nextStep.ts', '', 'nextStep is not kebab-case'],
  ])('%s: %s', (path, text, wrong) => {
    expect(violations({ path, text })).toEqual([expect.stringContaining(wrong)]);
  });

  it.each<[string, string, string]>([
    ['of types', "import type { B } from './b.ts';", "import type { A } from './a.ts';"],
    ['of import()', "const b = await import('./b.ts');", "import { a } from './a.ts';"],
    ['of a type that is named in place', "type B = import('./b.ts').B;", "export * from './a.ts';"],
  ])('a circle %s', (_of, a, b) => {
    const planted = [
      { path: 'src/flows/call/a.ts', text: a },
      { path: 'src/flows/call/b.ts', text: b },
    ];
    expect(circles(planted)).toEqual([['flows/call/a', 'flows/call/b', 'flows/call/a']]);
  });

  it.each<[string, string, string]>([
    ['an unused value', 'export const left = 1; const all = left;', ''],
    ['an unused function', 'export function left() {}', "import { right } from './a.ts';"],
    ['an unused type', 'export interface left {}', ''],
    ['a name that is passed on', "export { left } from './c.ts';", ''],
    ['a name that is passed on by nobody', 'export const left = 1;', "export * from './a.ts';"],
    ['an unused part', 'export const { run, left } = f(); run();', "const { run } = await import('./a.ts');"],
  ])('%s', (_of, a, b) => {
    const planted = [
      { path: 'src/flows/call/a.ts', text: a },
      { path: 'src/flows/call/b.ts', text: b },
    ];
    expect(unusedExports(planted)).toEqual(['src/flows/call/a.ts: exports left, and no other file takes it']);
    const taker = { path: 'test/x.test.ts', text: "import { left } from '../src/flows/call/a.ts';" };
    expect(unusedExports([...planted, taker])).toEqual([]);
  });

  it('a circle of the rows, a crowded folder and a row without a room', () => {
    expect(circleOfRows({ 'flows/a': 'b', 'flows/b': 'c', 'flows/c': 'a' })).toHaveLength(4);
    const crowd = Array.from({ length: 25 }, (_, at) => `src/flows/call/${String(at)}.ts`);
    expect(crowds(crowd)).toContain('src/flows/call: 25 files, 24 is the limit');
    expect(crowds([])).toContain('flows/call: the row of a room that has no file');
  });

  it.each<[string, string]>([
    ['src/ports.ts', "import type { Code } from './xs2a/codes.ts';"],
    ['src/ports.ts', "import { type Code, type Link } from './xs2a/codes.ts';"],
    ['src/ports.ts', "export type { Code } from './xs2a/codes.ts';"],
    ['src/xs2a/check.ts', "import { isValidIBAN } from 'ibantools';"],
    ['src/xs2a/codes.ts', "import { y } from './operations.ts'; import { inflateSync } from 'node:zlib';"],
    [
      'src/flows/call/call.ts',
      "import { a } from '../../signing/digest.ts'; import { b } from '../../xs2a/answer.ts';",
    ],
    [
      'src/adapters/terminal/terminal-person.ts',
      "import inquirer from 'inquirer'; import { x } from '../../render/style.ts';",
    ],
    [
      'src/adapters/http/undici-http.ts',
      "import { Client } from 'undici'; import { connect } from 'node:tls';",
    ],
    [
      'src/adapters/http/undici-client.d.ts',
      "declare module 'undici/lib/x.js' { export { Client } from 'undici'; }",
    ],
    ['src/adapters/system/system-clock.ts', 'export const now = () => Date.now();'],
    [
      'src/commands/payment/init.ts',
      "import type { Command } from 'commander'; import { pay } from '../../flows/pay.ts';",
    ],
    [
      'src/sandbox/books/ledger.ts',
      "import { x } from '../../signing/certificate.ts'; import { readFileSync } from 'node:fs';",
    ],
    [
      'src/program/bank-port.ts',
      "type Bank = typeof import('../sandbox/index.ts'); await import('../sandbox/index.ts');",
    ],
    [
      'src/program/run.ts',
      "import { Command } from 'commander'; import pkg from '../../package.json' with { type: 'json' };",
    ],
    ['src/main.ts', 'process.exitCode = await run(process.env, Date.now());'],
    [
      'src/flows/call/call.ts',
      '// fetch(url), console.log\nconst text = "process.env"; http.fetch(); clock.setTimeout();',
    ],
    ['src/flows/call/call.ts', 'const d = new Date(clock.now()); const ok = process.platform;'],
    ['src/flows/call/call.ts', '\n'.repeat(400)],
    ['src/xs2a/codes.ts', "const since136 = both('1.3.6');"],
    [
      'src/flows/call/call.ts',
      "throw usage(`The guidelines 1.3.6 forbid it in v1 as in ${framework}.`, '1.3.6.1.4');",
    ],
  ])('%s may: %s', (path, text) => {
    expect(violations({ path, text })).toEqual([]);
  });
});
