/** Lines that break a rule, each in a file that may not have it, with what must be said of it. */
export const planted: readonly (readonly [path: string, text: string, wrong: string])[] = [
  // command lines
  ['src/client/payments/pay.ts', 'const next = `obk payment status ${id}`;', 'that `line` does not write'],
  ['src/cli/commands/run/lead.ts', "const next = 'obk payment status ' + id;", 'that `line` does not write'],
  ['src/adapters/http/http-tls.ts', 'const next = `  obk ${noun} ${id}`;', 'that `line` does not write'],
  // houses
  [
    'src/standard/xs2a/codes.ts',
    "import { sign } from '../../signing/sign-request.ts';",
    'signing/sign-request: standard may not',
  ],
  [
    'src/standard/xs2a/codes.ts',
    "import type { Http } from '../../client/ports.ts';",
    'client/ports: standard may not',
  ],
  [
    'src/base/errors.ts',
    "import { Secret } from '../standard/xs2a/codes.ts';",
    'standard/xs2a/codes: base may not',
  ],
  [
    'src/standard/sca/next-step.ts',
    "import { call } from '../../client/call/call.ts';",
    'client/call/call: standard may not',
  ],
  [
    'src/client/payments/pay.ts',
    "import { http } from '../../adapters/http/undici-http.ts';",
    'adapters/http/undici-http: client may not',
  ],
  [
    'src/client/payments/pay.ts',
    "const a = await import('../../adapters/http/undici-http.ts');",
    'adapters/http/undici-http: client may not',
  ],
  [
    'src/client/payments/pay.ts',
    "type A = import('../../adapters/http/undici-http.ts').A;",
    'adapters/http/undici-http: client may not',
  ],
  ['src/client/payments/pay.ts', 'const a = await import(name);', 'imports the package (computed)'],
  [
    'src/client/oauth/token.ts',
    "import { x } from '../../cli/render/table.ts';",
    'cli/render/table: client may not',
  ],
  ['src/client/payments/pay.ts', "import { x } from '../../bank/index.ts';", 'bank/index: client may not'],
  [
    'src/bank/interface/routes.ts',
    "import { x } from '../../client/sca/authorise.ts';",
    'client/sca/authorise: bank may not',
  ],
  [
    'src/adapters/settings/conf-file.ts',
    "import { x } from '../../cli/render/table.ts';",
    'cli/render/table: adapters may not',
  ],
  [
    'src/referee/signature/verify.ts',
    "import { x } from '../../signing/sign-request.ts';",
    'signing/sign-request: referee may not',
  ],
  [
    'src/referee/judge.ts',
    "import { x } from '../client/call/call.ts';",
    'client/call/call: referee may not',
  ],
  [
    'src/settings/profile/check.ts',
    "import { x } from '../../client/call/call.ts';",
    'client/call/call: settings may not',
  ],
  ['src/shared/x.ts', '', 'no such house'],
  ['src/standard/xs2a/codes.ts', "import x from '../../../test/helpers/x.ts';", 'from outside src'],
  [
    'src/standard/xs2a/codes.ts',
    "import x from '../../../package.json' with { type: 'json' };",
    'imports package.json',
  ],
  // what is finer than houses
  [
    'src/client/payments/pay.ts',
    "import { openSqlite } from '../../base/sqlite/open.ts';",
    'base/sqlite/open: only adapters',
  ],
  ['src/standard/xs2a/codes.ts', "export * from '../sca/state.ts';", 'sca/state: standard/xs2a may not'],
  [
    'src/standard/formats/camt/camt.ts',
    "import { codes } from '../../xs2a/codes.ts';",
    'standard/xs2a/codes: standard/formats may not',
  ],
  [
    'src/referee/judge.ts',
    "import { x } from '../standard/sca/state.ts';",
    'standard/sca/state: referee may not',
  ],
  [
    'src/bank/interface/routes.ts',
    "import { x } from '../../standard/sca/state.ts';",
    'standard/sca/state: bank may not',
  ],
  [
    'src/bank/trust/verify.ts',
    "import { x } from '../../signing/sign-request.ts';",
    'signing/sign-request: bank may not',
  ],
  [
    'src/bank/trust/caller.ts',
    "import { x } from '../../signing/certificate-store.ts';",
    'signing/certificate-store: bank may not',
  ],
  [
    'src/client/ports.ts',
    "import { codes } from '../standard/xs2a/codes.ts';",
    'values of standard/xs2a/codes: only types',
  ],
  [
    'src/client/ports.ts',
    "import { codes, type Code } from '../standard/xs2a/codes.ts';",
    'values of standard/xs2a/codes: only types',
  ],
  [
    'src/client/ports.ts',
    "import codes, { type Code } from '../standard/xs2a/codes.ts';",
    'values of standard/xs2a/codes: only types',
  ],
  ['src/client/ports.ts', "import '../standard/xs2a/codes.ts';", 'values of standard/xs2a/codes: only types'],
  [
    'src/client/ports.ts',
    "export { codes } from '../standard/xs2a/codes.ts';",
    'values of standard/xs2a/codes: only types',
  ],
  [
    'src/adapters/http/undici-http.ts',
    "import { x } from '../../standard/xs2a/codes.ts';",
    'values of standard/xs2a/codes: only types',
  ],
  [
    'src/cli/render/table.ts',
    "import { x } from '../../client/payments/pay.ts';",
    'client/payments/pay: cli/render may not',
  ],
  [
    'src/cli/commands/payment/init.ts',
    "import { x } from '../../../adapters/browser/browser.ts';",
    'adapters/browser/browser: cli/commands may not',
  ],
  [
    'src/cli/commands/payment/init.ts',
    "import { x } from '../../../signing/digest.ts';",
    'signing/digest: cli/commands may not',
  ],
  [
    'src/tester/journeys/run-step.ts',
    "import { x } from '../../client/payments/pay.ts';",
    'client/payments/pay: tester/journeys may not',
  ],
  ['src/main.ts', "import('./bank/index.ts');", 'imports the bank: only cli/program/bank-port may'],
  [
    'src/cli/commands/sandbox/people.ts',
    "import { x } from '../../../bank/index.ts';",
    'imports the bank: only cli/program/bank-port may',
  ],
  [
    'src/cli/program/bank-port.ts',
    "import { x } from '../../bank/index.ts';",
    'the bank at start: only import()',
  ],
  // rooms
  [
    'src/client/orders/read-order.ts',
    "import { call } from '../call/call.ts';",
    'client/call/call: client/orders may not',
  ],
  [
    'src/client/exchange/judge.ts',
    "import type { Authorised } from '../sca/authorise.ts';",
    'client/sca/authorise: client/exchange may not',
  ],
  [
    'src/client/call/call.ts',
    "await import('../doctor/doctor.ts');",
    'client/doctor/doctor: client/call may not',
  ],
  [
    'src/standard/formats/money/amount.ts',
    "import { x } from '../camt/camt.ts';",
    'formats/camt/camt: standard/formats/money may not',
  ],
  [
    'src/bank/books/ledger.ts',
    "import { identify } from '../trust/caller.ts';",
    'bank/trust/caller: bank/books may not',
  ],
  [
    'src/cli/commands/payment/init.ts',
    "import { x } from '../consent/create.ts';",
    'commands/consent/create: cli/commands/payment may not',
  ],
  ['src/client/pay.ts', '', 'no such room in client'],
  ['src/client/money/pay.ts', '', 'no such room in client'],
  ['src/bank/server.ts', '', 'no such room in bank'],
  // packages
  ['src/client/oauth/tokens.ts', "import * as oauth from 'oauth4webapi';", 'the package oauth4webapi'],
  ['src/bank/books/ledger.ts', "import { Hono } from 'hono';", 'the package hono'],
  ['src/standard/xs2a/answer.ts', "import { isValidIBAN } from 'ibantools';", 'the package ibantools'],
  ['src/cli/render/table.ts', "import chalk from 'chalk';", 'the package chalk'],
  ['src/client/call/call.ts', "import { request } from 'undici';", 'the package undici'],
  ['src/adapters/browser/browser.ts', "import { request } from 'undici';", 'the package undici'],
  ['src/adapters/browser/browser.ts', "const u = await import('undici');", 'the package undici'],
  ['src/adapters/browser/browser.ts', "const u = require('undici');", 'the package undici'],
  ['src/cli/commands/payment/init.ts', "import { Command } from 'commander';", 'the package commander'],
  [
    'src/signing/sign-request.ts',
    "import { X509Certificate } from '@peculiar/x509';",
    'the package @peculiar/x509',
  ],
  ['src/bank/process/server.ts', "import { serve } from 'fastify';", 'the package fastify'],
  // secrets
  ['src/client/call/call.ts', 'const t = token.reveal();', 'reveals a secret 1 times'],
  ['src/client/call/call.ts', "const t = token['reveal']();", 'reveals a secret 1 times'],
  ['src/client/call/call.ts', 'const { reveal } = token;', 'reveals a secret 1 times'],
  ['src/adapters/http/http-proxy.ts', 'a.reveal(); b.reveal();', 'reveals a secret 2 times'],
  // versions of the framework
  ['src/client/call/call.ts', "const old = framework === '1.3.2';", '1.3.2: ask a fact of xs2a/variants'],
  ['src/bank/payments/fees.ts', "if (['1.3.6'].includes(framework)) go();", '1.3.6: ask a fact'],
  ['src/cli/commands/api/api.ts', 'const { [`v136`]: one } = presets;', 'v136: ask a fact of xs2a/variants'],
  ['src/standard/xs2a/request.ts', "switch (framework) { case '1.3.12': go(); }", '1.3.12: ask a fact'],
  ['src/settings/banks/templates.ts', "const f = { framework: '1.3.2' };", '1.3.2: ask a fact'],
  [
    'src/bank/payments/permits.ts',
    "import { isIn } from '../../standard/xs2a/origin.ts';",
    'isIn compares versions',
  ],
  // built-ins
  ['src/client/call/call.ts', "import { readFileSync } from 'node:fs';", 'node:fs: only'],
  ['src/cli/program/run.ts', "import { request } from 'node:https';", 'node:https: only'],
  ['src/cli/context.ts', "import { spawn } from 'node:child_process';", 'node:child_process: only'],
  ['src/client/call/call.ts', "import { createHash } from 'node:crypto';", 'node:crypto: only'],
  ['src/adapters/sqlite/home-state.ts', "import { open } from 'fs';", 'fs without node:'],
  // calls
  ['src/cli/commands/payment/init.ts', 'console.log(1);', 'console.log'],
  ['src/client/call/call.ts', "const log = console['error'];", 'console.error'],
  ['src/client/call/call.ts', 'await fetch(url);', 'fetch()'],
  ['src/client/call/call.ts', 'await globalThis.fetch(url);', 'fetch()'],
  ['src/client/call/call.ts', 'const t = Date.now();', 'Date.now'],
  ['src/client/call/call.ts', 'const t = new Date();', 'new Date()'],
  ['src/client/call/call.ts', 'const t = Date();', 'Date()'],
  ['src/client/call/call.ts', 'list.map(Date.now);', 'Date.now'],
  ['src/client/call/call.ts', 'const t = performance.now();', 'performance.now'],
  ['src/client/call/call.ts', 'const id = crypto.randomUUID();', 'randomUUID()'],
  ['src/signing/digest.ts', 'const id = randomUUID();', 'randomUUID()'],
  ['src/client/call/call.ts', 'setTimeout(go, 10);', 'setTimeout()'],
  ['src/cli/program/run.ts', 'const home = process.env.HOME;', 'process.env'],
  ['src/cli/program/run.ts', 'const { env, argv } = process;', 'process.env'],
  ['src/cli/program/run.ts', 'globalThis.process.exit(1);', 'process.exit'],
  ['src/cli/render/table.ts', 'process.stdout.write(x);', 'process.stdout'],
  // shape
  ['src/client/call/call.ts', '\n'.repeat(401), '401 lines'],
  ['test/unit/long.test.ts', '\n'.repeat(401), '401 lines'],
  ['src/standard/formats/text/utils.ts', '', '"utils" says nothing'],
  ['src/standard/formats/text/token-manager.ts', '', '"manager" says nothing'],
  ['src/standard/xs2a/common/x.ts', '', '"common" says nothing'],
  ['src/standard/formats/text/nextStep.ts', '', 'nextStep is not kebab-case'],
];

/** Lines that keep the rules although they are near to breaking one. */
export const allowed: readonly (readonly [path: string, text: string])[] = [
  ['src/client/ports.ts', "import type { Code } from '../standard/xs2a/codes.ts';"],
  ['src/client/ports.ts', "import { type Code, type Link } from '../standard/xs2a/codes.ts';"],
  ['src/client/ports.ts', "export type { Code } from '../standard/xs2a/codes.ts';"],
  ['src/standard/xs2a/check.ts', "import { isValidIBAN } from 'ibantools';"],
  [
    'src/standard/xs2a/codes.ts',
    "import { y } from './operations.ts'; import { inflateSync } from 'node:zlib';",
  ],
  [
    'src/client/call/call.ts',
    "import { a } from '../../signing/digest.ts'; import { b } from '../../standard/xs2a/answer.ts';",
  ],
  [
    'src/adapters/terminal/terminal-person.ts',
    "import inquirer from 'inquirer'; import type { x } from '../../client/ports/person.ts';",
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
    'src/cli/commands/payment/init.ts',
    "import type { Command } from 'commander'; import { pay } from '../../../client/payments/pay.ts';",
  ],
  [
    'src/bank/books/ledger.ts',
    "import { x } from '../../signing/certificate.ts'; import { readFileSync } from 'node:fs';",
  ],
  [
    'src/cli/program/bank-port.ts',
    "type Bank = typeof import('../../bank/index.ts'); await import('../../bank/index.ts');",
  ],
  [
    'src/cli/program/run.ts',
    "import { Command } from 'commander'; import pkg from '../../../package.json' with { type: 'json' };",
  ],
  ['src/main.ts', 'process.exitCode = await run(process.env, Date.now());'],
  [
    'src/client/call/call.ts',
    '// fetch(url), console.log\nconst text = "process.env"; http.fetch(); clock.setTimeout();',
  ],
  ['src/client/call/call.ts', 'const d = new Date(clock.now()); const ok = process.platform;'],
  ['src/client/call/call.ts', '\n'.repeat(400)],
  ['src/standard/xs2a/codes.ts', "const since136 = both('1.3.6');"],
  [
    'src/client/call/call.ts',
    "throw usage(`The guidelines 1.3.6 forbid it in v1 as in ${framework}.`, '1.3.6.1.4');",
  ],
];
