import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { ObkError } from '../../base/errors.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import { bodyWithin } from '../rules/body.ts';
import type { RunningBank } from '../trust/call.ts';
import { noteNames } from '../steering/names-file.ts';
import { problemOf } from './control-call.ts';
import type { Operation } from './control-call.ts';
import { checkBody, judgedValues } from './judged.ts';
import { ofTheWhole, operations } from './operations.ts';
import type { OperationId } from './operations.ts';
import { badRequest, noTenant, Problem } from './problem.ts';
import { needTenant } from './tenants.ts';

const base = '/sandbox/api';
const maxMiB = 4;
const maxBody = maxMiB * 1024 * 1024;
type Env = { Bindings: HttpBindings };

/** The operationId of each method of each path. */
const paths = new Map<string, Map<string, string>>();
for (const [id, { at }] of Object.entries(operations)) {
  const [method = '', path = ''] = at.split(' ');
  paths.set(path, (paths.get(path) ?? new Map<string, string>()).set(method, id));
}

/** The control API: each operation at its path, judged by what its document says. */
export function controlListener(
  bank: RunningBank,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const app = new Hono<Env>().basePath(base);
  app.onError((error) => {
    if (error instanceof Problem) return error.answer();
    if (error instanceof ObkError) return problemOf(error).answer();
    return new Problem(500, {
      title: 'The bank failed.',
      detail: error.message,
      next: ['POST /sandbox/api/reset'],
    }).answer();
  });
  app.use(async (c, next) => {
    guardOrigin(c, bank.doors);
    await next();
  });
  for (const [path, all] of paths) {
    const route = path.replace(/\{(\w+)\}/g, ':$1');
    for (const [method, id] of all) app.on(method, route, async (c) => answer(c, bank, id));
    app.all(route, (c) => {
      throw notAllowed(c.req.method, [...all.keys()]);
    });
  }
  // A tenant that is there has a bank of its own, which answers for it.
  app.all('/tenants/:tenant/*', (c) => {
    needToken(bank.adminToken, c.req.header('authorization'));
    throw noTenant(c.req.param('tenant'));
  });
  app.notFound((c) => nothingAt(c.req.path).answer());
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (incoming, outgoing) => listener(incoming, outgoing);
}

async function answer(c: Context<Env>, bank: RunningBank, id: string): Promise<Response> {
  const operation: Operation = operations[id as OperationId];
  if (operation.isOpen !== true) needToken(bank.adminToken, c.req.header('authorization'));
  if (!ofTheWhole.has(id)) needTenant({ bank });
  const values = judgedValues(operation, {
    path: (name) => c.req.param(name),
    query: c.req.queries(),
    header: (name) => c.req.header(name),
  });
  const body = await bodyOf(c, operation);
  await checkBody(operation, body);
  const books = { ledger: bank.ledger, clock: bank.clock };
  const answered = await operation.run({ bank, books, ...values, body: body as never });
  if (c.req.method !== 'GET') noteNames(bank);
  if (answered instanceof Response) return answered;
  const { status, body: shown } = answered;
  const headers = { 'Cache-Control': 'no-store', ...(shown && { 'Content-Type': 'application/json' }) };
  return new Response(shown === undefined ? null : JSON.stringify(shown), { status, headers });
}

/**
 * A page of another origin that a browser shows may not steer, unless the doors let its origin in; the bank itself looks
 * who it is called by (Host).
 */
function guardOrigin(c: Context<Env>, { cors, corsControl, publicUrl }: RunningBank['doors']): void {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  if (origin !== undefined && corsControl && (cors.includes('*') || cors.includes(origin))) return;
  const own = [c.req.url, ...(publicUrl === undefined ? [] : [publicUrl])].map((url) => new URL(url).origin);
  const isOwn = origin === undefined || own.includes(origin);
  if (isOwn && (site === undefined || site === 'same-origin' || site === 'none')) return;
  throw new Problem(403, {
    title: `A page of ${origin ?? 'another origin'} may not steer this bank.`,
    detail: 'The header Origin is not that of the bank.',
    next: ['Call it from a test, or from a page of the bank itself.'],
  });
}

function needToken(token: string, header: string | undefined): void {
  const sent = Buffer.from((header ?? '').replace(/^bearer +/i, 'Bearer '));
  const right = Buffer.from(`Bearer ${token}`);
  if (sent.length === right.length && timingSafeEqual(sent, right)) return;
  throw new Problem(401, {
    title: 'The token is missing or wrong.',
    detail: 'Every path but health, readiness and openapi.json wants it.',
    next: ['Authorization: Bearer, with the content of the tokenFile of `obk sandbox start --json`'],
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

async function bodyOf(c: Context<Env>, { takes }: Operation): Promise<unknown> {
  if (takes === undefined) return nothingIn(c.env.incoming);
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new Problem(415, {
      title: type === '' ? 'The request says no Content-Type.' : `The body is ${type}.`,
      detail: 'The bank takes JSON here.',
      next: ['Content-Type: application/json'],
    });
  return parsed(await bytesOf(c.env.incoming));
}

/** What a body would say that nobody reads is a mistake of the sender; an empty object says nothing. */
async function nothingIn(incoming: IncomingMessage): Promise<string | undefined> {
  const text = (await bytesOf(incoming)).toString('utf8').trim();
  return text === '' || /^\{\s*\}$/.test(text) ? undefined : text;
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const body = await bodyWithin(incoming, maxBody);
  if (body !== undefined) return body;
  throw new Problem(413, {
    title: `The body is longer than ${String(maxMiB)} MiB.`,
    detail: 'A bank with more than that comes from a file.',
    next: ['obk sandbox start --config bank.yaml'],
  });
}

/** JSON.parse takes the last of two members with one name, and bytes that are no UTF-8; both are a mistake of the sender. */
function parsed(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw badRequest('The body is not JSON.', `${(error as Error).message}.`, '');
  }
  try {
    readJson(bytes, { code: 'INPUT_INVALID' });
  } catch (error) {
    throw badRequest('The body can be read in two ways.', (error as ObkError).detail ?? '', '');
  }
  return value;
}

function notAllowed(method: string, allow: readonly string[]): Problem {
  return new Problem(405, {
    title: `${method} is not for this path.`,
    detail: `It takes ${allow.join(', ')}.`,
    next: ['GET /sandbox/api/openapi.json'],
    headers: { Allow: allow.join(', ') },
  });
}

function nothingAt(path: string): Problem {
  return new Problem(404, {
    title: `There is nothing at ${path}.`,
    detail: `The paths are ${[...paths.keys()].map((one) => base + one).join(', ')}.`,
    next: ['GET /sandbox/api/openapi.json'],
  });
}
