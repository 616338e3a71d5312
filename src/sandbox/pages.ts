import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { RunningBank } from './call.ts';
export function pageRoutes(_bank: RunningBank): Hono<{ Bindings: HttpBindings }> {
  return new Hono<{ Bindings: HttpBindings }>();
}
