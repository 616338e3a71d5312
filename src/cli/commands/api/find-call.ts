import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { leastOfId } from '../../../client/resources/naming.ts';
import { nearest } from '../../../base/nearest.ts';
import { operation, operations } from '../../../standard/xs2a/operations.ts';
import { operationNamed } from '../../../standard/xs2a/variants.ts';
import type { Operation, ParamName } from '../../../standard/xs2a/operations.ts';
import { matchRequest } from '../../../standard/xs2a/request.ts';
import type { PathParams } from '../../../standard/xs2a/request.ts';
import { usageError } from '../flags/flag-values.ts';
import { findResource } from '../run/find-resource.ts';
import { fillPlaceholders } from './placeholders.ts';

/** A call as it was typed, found in the table of operations. */
export interface FoundCall {
  operation: Operation;
  params: PathParams;
  query: Readonly<Record<string, string>>;
  /** The -f members that are neither path nor query: they belong to the body. */
  members: readonly string[];
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'];

/** Finds the operation by its name, or by method and path. */
export async function findCall(
  target: Target,
  what: string,
  path: string | undefined,
  options: { field?: readonly string[]; consent?: string | undefined },
): Promise<FoundCall> {
  const fields = (options.field ?? []).map(pair);
  if (methods.includes(what.toUpperCase())) {
    if (path === undefined)
      throw usageError('Missing PATH.', line`obk api ${what.toUpperCase()} v1/accounts`);
    const write = encodeURIComponent;
    const filled = await fillPlaceholders(target, path, { consent: options.consent, write });
    return byPath(target, what.toUpperCase(), { typed: path, filled }, fields);
  }
  if (path !== undefined)
    throw usageError(`${JSON.stringify(what)} is no method.`, `Use ${methods.join(', ')}.`);
  const id = operationNamed(what);
  if (id === undefined) {
    const near = nearest(
      what,
      operations.map(({ id }) => id),
    ).map((name) => line`obk api ${name}`);
    throw usageError(`There is no operation ${JSON.stringify(what)}.`, ...near, 'obk api --list');
  }
  const op = operation(id);
  const names = [...op.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as ParamName);
  const params: Partial<Record<ParamName, string>> = {};
  for (const [key, value] of fields) {
    const name = names.find((candidate) => candidate === key);
    if (name !== undefined) params[name] = value;
  }
  await fillPayment(target, names, params);
  await fillOthers(target, params);
  const missing = names.filter((name) => params[name] === undefined);
  if (missing.length > 0) {
    throw usageError(
      `Missing: ${missing.map((name) => `-f ${name}=VALUE`).join(', ')}.`,
      `${op.method} ${op.path}`,
    );
  }
  const others = fields.filter(([key]) => !names.some((name) => name === key));
  return { operation: op, params, ...split(op, others) };
}

/** A payment that is named by its id (or @last) brings its service and product along. */
async function fillPayment(
  target: Target,
  names: readonly ParamName[],
  params: Partial<Record<ParamName, string>>,
): Promise<void> {
  const { paymentId } = params;
  if (!names.includes('paymentId') || paymentId === undefined) return;
  if (params['payment-product'] !== undefined && !paymentId.startsWith('@')) {
    params['payment-service'] ??= 'payments';
    return;
  }
  const resource = await findResource(target, 'payment', { id: paymentId });
  params.paymentId = resource.id;
  if (resource.service !== undefined) params['payment-service'] ??= resource.service;
  if (resource.product !== undefined) params['payment-product'] ??= resource.product;
}

/** The whole id of the other resources, where @last, @last-1 or its first characters stand for it. */
async function fillOthers(target: Target, params: Partial<Record<ParamName, string>>): Promise<void> {
  for (const noun of ['consent', 'basket'] as const) {
    const id = params[`${noun}Id`];
    if (id !== undefined && (id.startsWith('@') || id.length >= leastOfId))
      params[`${noun}Id`] = (await findResource(target, noun, { id })).id;
  }
}

function byPath(
  target: Target,
  method: string,
  { typed, filled }: { typed: string; filled: string },
  fields: readonly (readonly [string, string])[],
): FoundCall {
  if (/^[A-Za-z]:[\\/]/.test(typed)) {
    throw usageError(
      `${JSON.stringify(typed)} is a path of this machine: the shell has rewritten the leading slash.`,
      'Write the path without it: v1/accounts',
    );
  }
  const [bare = '', search = ''] = filled.split('?', 2);
  const withSlash = `/${bare.replace(/^\/+/, '')}`;
  const { prefix } = target.variant;
  const path = withSlash === prefix || withSlash.startsWith(`${prefix}/`) ? withSlash : prefix + withSlash;
  const match = matchRequest(target.variant, method, path);
  if ('operation' in match) {
    const query = Object.fromEntries(new URLSearchParams(search));
    const { query: more, members } = split(match.operation, fields);
    return { operation: match.operation, params: match.params, query: { ...query, ...more }, members };
  }
  if ('absent' in match) {
    throw new ObkError({
      code: 'NOT_OFFERED',
      title: `${method} ${path} is not part of this profile's interface: ${match.absent}.`,
      hint: [line`obk profile edit ${target.name} --surface framework`],
    });
  }
  if ('wrongMethod' in match) {
    const right = match.wrongMethod.map((other) => line`obk api ${other} ${typed}`);
    throw usageError(`${path} takes ${match.wrongMethod.join(' and ')}, not ${method}.`, ...right);
  }
  throw usageError(
    `${path} is no path of the interface (framework ${target.variant.framework}, prefix ${prefix}).`,
    'obk help api',
  );
}

function split(
  op: Operation,
  fields: readonly (readonly [string, string])[],
): Pick<FoundCall, 'query' | 'members'> {
  const isQuery = ([key]: readonly [string, string]) =>
    op.body === 'none' || op.query.some(({ name }) => name === key);
  return {
    query: Object.fromEntries(fields.filter(isQuery)),
    members: fields.filter((field) => !isQuery(field)).map(([key, value]) => `${key}=${value}`),
  };
}

function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(`-f takes KEY=VALUE; not ${JSON.stringify(text)}.`);
}
