import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from './helpers/architecture.ts';

const files = ['src', 'test', 'bin']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  .concat('build.mjs');

describe('the house', () => {
  it.each(files)('%s keeps the rules', (path) => {
    expect(violations({ path, text: readFileSync(path, 'utf8') })).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  it.each<[string, string, string]>([
    // command lines
    ['src/flows/pay.ts', 'const next = `obk payment status ${id}`;', 'that `line` does not write'],
    ['src/commands/lead.ts', "const next = 'obk payment status ' + id;", 'that `line` does not write'],
    ['src/adapters/http-tls.ts', 'const next = `  obk ${noun} ${id}`;', 'that `line` does not write'],
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
    ['src/formats/camt.ts', "import { codes } from '../xs2a/codes.ts';", 'xs2a/codes: formats may not'],
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
      'src/flows/pay.ts',
      "import { http } from '../adapters/undici-http.ts';",
      'adapters/undici-http: flows may not',
    ],
    [
      'src/flows/pay.ts',
      "const a = await import('../adapters/undici-http.ts');",
      'adapters/undici-http: flows may not',
    ],
    [
      'src/flows/pay.ts',
      "type A = import('../adapters/undici-http.ts').A;",
      'adapters/undici-http: flows may not',
    ],
    ['src/flows/pay.ts', 'const a = await import(name);', 'imports the package (computed)'],
    ['src/flows/oauth/token.ts', "import { x } from '../../render/table.ts';", 'render/table: flows may not'],
    [
      'src/adapters/conf-store.ts',
      "import { x } from '../render/table.ts';",
      'render/table: adapters may not',
    ],
    [
      'src/adapters/undici-http.ts',
      "import { x } from '../xs2a/codes.ts';",
      'values of xs2a/codes: only types',
    ],
    ['src/render/table.ts', "import { x } from '../flows/pay.ts';", 'flows/pay: render may not'],
    [
      'src/commands/payment/init.ts',
      "import { x } from '../../adapters/browser.ts';",
      'adapters/browser: commands may not',
    ],
    [
      'src/commands/payment/init.ts',
      "import { x } from '../../signing/digest.ts';",
      'signing/digest: commands may not',
    ],
    ['src/sandbox/routes.ts', "import { x } from '../sca/state.ts';", 'sca/state: sandbox may not'],
    [
      'src/sandbox/verify.ts',
      "import { x } from '../signing/signature.ts';",
      'signing/signature: sandbox may not',
    ],
    [
      'src/sandbox/verify.ts',
      "import { x } from '../signing/certificate-store.ts';",
      'signing/certificate-store: sandbox may not',
    ],
    ['src/flows/pay.ts', "import { x } from '../sandbox/server.ts';", 'imports sandbox: only context may'],
    ['src/main.ts', "import('./sandbox/server.ts');", 'imports sandbox: only context may'],
    ['src/context.ts', "import { x } from './sandbox/server.ts';", 'sandbox at start: only import()'],
    ['src/shared/x.ts', '', 'no such room'],
    ['src/xs2a/codes.ts', "import x from '../../test/helpers/x.ts';", 'from outside src'],
    [
      'src/xs2a/codes.ts',
      "import x from '../../package.json' with { type: 'json' };",
      'imports package.json',
    ],
    // packages
    ['src/xs2a/answer.ts', "import { isValidIBAN } from 'ibantools';", 'the package ibantools'],
    ['src/render/table.ts', "import chalk from 'chalk';", 'the package chalk'],
    ['src/flows/call.ts', "import { request } from 'undici';", 'the package undici'],
    ['src/adapters/browser.ts', "import { request } from 'undici';", 'the package undici'],
    ['src/adapters/browser.ts', "const u = await import('undici');", 'the package undici'],
    ['src/adapters/browser.ts', "const u = require('undici');", 'the package undici'],
    ['src/commands/payment/init.ts', "import { Command } from 'commander';", 'the package commander'],
    [
      'src/signing/signature.ts',
      "import { X509Certificate } from '@peculiar/x509';",
      'the package @peculiar/x509',
    ],
    ['src/sandbox/server.ts', "import { serve } from 'fastify';", 'the package fastify'],
    // built-ins
    ['src/flows/call.ts', "import { readFileSync } from 'node:fs';", 'node:fs: only'],
    ['src/program.ts', "import { request } from 'node:https';", 'node:https: only'],
    ['src/context.ts', "import { spawn } from 'node:child_process';", 'node:child_process: only'],
    ['src/flows/call.ts', "import { createHash } from 'node:crypto';", 'node:crypto: only'],
    ['src/adapters/file-journal.ts', "import { open } from 'fs';", 'fs without node:'],
    // calls
    ['src/commands/payment/init.ts', 'console.log(1);', 'console.log'],
    ['src/flows/call.ts', "const log = console['error'];", 'console.error'],
    ['src/flows/call.ts', 'await fetch(url);', 'fetch()'],
    ['src/flows/call.ts', 'await globalThis.fetch(url);', 'fetch()'],
    ['src/flows/call.ts', 'const t = Date.now();', 'Date.now'],
    ['src/flows/call.ts', 'const t = new Date();', 'new Date()'],
    ['src/flows/call.ts', 'const t = Date();', 'Date()'],
    ['src/flows/call.ts', 'list.map(Date.now);', 'Date.now'],
    ['src/flows/call.ts', 'const t = performance.now();', 'performance.now'],
    ['src/flows/call.ts', 'const id = crypto.randomUUID();', 'randomUUID()'],
    ['src/signing/digest.ts', 'const id = randomUUID();', 'randomUUID()'],
    ['src/flows/call.ts', 'setTimeout(go, 10);', 'setTimeout()'],
    ['src/program.ts', 'const home = process.env.HOME;', 'process.env'],
    ['src/program.ts', 'const { env, argv } = process;', 'process.env'],
    ['src/program.ts', 'globalThis.process.exit(1);', 'process.exit'],
    ['src/render/table.ts', 'process.stdout.write(x);', 'process.stdout'],
    // shape
    ['src/flows/call.ts', '\n'.repeat(401), '401 lines'],
    ['test/unit/long.test.ts', '\n'.repeat(401), '401 lines'],
    ['src/flows/utils.ts', '', '"utils" says nothing'],
    ['src/flows/token-manager.ts', '', '"manager" says nothing'],
    ['src/flows/common/x.ts', '', '"common" says nothing'],
    ['src/flows/nextStep.ts', '', 'nextStep is not kebab-case'],
  ])('%s: %s', (path, text, wrong) => {
    expect(violations({ path, text })).toEqual([expect.stringContaining(wrong)]);
  });

  it.each<[string, string]>([
    ['src/ports.ts', "import type { Code } from './xs2a/codes.ts';"],
    ['src/ports.ts', "import { type Code, type Link } from './xs2a/codes.ts';"],
    ['src/ports.ts', "export type { Code } from './xs2a/codes.ts';"],
    ['src/xs2a/check.ts', "import { isValidIBAN } from 'ibantools';"],
    ['src/xs2a/codes.ts', "import { y } from './operations.ts'; import { inflateSync } from 'node:zlib';"],
    ['src/flows/call.ts', "import { a } from '../signing/digest.ts'; import { b } from '../xs2a/answer.ts';"],
    [
      'src/adapters/terminal-person.ts',
      "import inquirer from 'inquirer'; import { x } from '../render/style.ts';",
    ],
    ['src/adapters/undici-http.ts', "import { Client } from 'undici'; import { connect } from 'node:tls';"],
    [
      'src/adapters/undici-client.d.ts',
      "declare module 'undici/lib/x.js' { export { Client } from 'undici'; }",
    ],
    ['src/adapters/system-clock.ts', 'export const now = () => Date.now();'],
    [
      'src/commands/payment/init.ts',
      "import type { Command } from 'commander'; import { pay } from '../../flows/pay.ts';",
    ],
    [
      'src/sandbox/ledger.ts',
      "import { x } from '../signing/certificate.ts'; import { readFileSync } from 'node:fs';",
    ],
    [
      'src/context.ts',
      "type Bank = typeof import('./sandbox/server.ts'); await import('./sandbox/server.ts');",
    ],
    [
      'src/program.ts',
      "import { Command } from 'commander'; import pkg from '../package.json' with { type: 'json' };",
    ],
    ['src/main.ts', 'process.exitCode = await run(process.env, Date.now());'],
    [
      'src/flows/call.ts',
      '// fetch(url), console.log\nconst text = "process.env"; http.fetch(); clock.setTimeout();',
    ],
    ['src/flows/call.ts', 'const d = new Date(clock.now()); const ok = process.platform;'],
    ['src/flows/call.ts', '\n'.repeat(400)],
  ])('%s may: %s', (path, text) => {
    expect(violations({ path, text })).toEqual([]);
  });
});
