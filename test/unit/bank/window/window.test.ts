import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowListener } from '../../../../src/bank/window/window.ts';

describe('the files of the dashboard', () => {
  let server: Server;
  let origin = '';
  const files = new Map<string, string>();
  const read = async (path: string) => {
    const answer = await fetch(origin + path);
    expect(answer.status, path).toBe(200);
    return { answer, text: await answer.text() };
  };
  beforeAll(async () => {
    server = createServer((incoming, outgoing) => {
      windowListener(incoming, outgoing);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // All files that the page leads to, by the way that a browser takes.
    const open = ['/sandbox/'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (files.has(path)) continue;
      const { text } = await read(path);
      files.set(path, text);
      for (const [, to = ''] of text.matchAll(/(?:href|src)="([^"#]+)"/g))
        open.push(new URL(to, origin + path).pathname);
    }
  });
  afterAll(() => server.close());

  it('are a page, a style and a script, each with its type and the same policy', async () => {
    expect([...files.keys()].sort()).toEqual([
      '/sandbox/',
      '/sandbox/window/main.js',
      '/sandbox/window/window.css',
    ]);
    for (const path of files.keys()) {
      const { headers } = (await read(path)).answer;
      const type = path.endsWith('.js')
        ? 'text/javascript'
        : path.endsWith('.css')
          ? 'text/css'
          : 'text/html';
      expect(headers.get('content-type'), path).toBe(`${type}; charset=utf-8`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
      expect(policy).not.toMatch(/unsafe|data:|http|\*/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('have no script or style in the page, nothing of another origin, and no text that becomes markup', () => {
    const page = files.get('/sandbox/') ?? '';
    expect(page).not.toMatch(/<style|\son[a-z]+=|\sstyle=|<script(?![^>]*\ssrc=)/);
    for (const [path, text] of files) {
      const foreign = [...text.matchAll(/https?:\/\/[^'"`\s]+/g)].map(([url]) => url);
      expect(
        foreign.filter((url) => url !== 'http://www.w3.org/2000/svg'),
        path,
      ).toEqual([]);
      expect(text, path).not.toMatch(
        /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function/,
      );
    }
  });

  it.each([
    ['GET', '/sandbox/window/other.js', 404],
    ['GET', '/sandbox/window/__proto__', 404],
    ['GET', '/sandbox/window/../../main.js', 404],
    ['POST', '/sandbox/', 405],
    ['HEAD', '/sandbox/', 200],
  ])('answer %s %s with %i', async (method, path, status) => {
    expect((await fetch(origin + path, { method })).status).toBe(status);
  });

  it('are found from the address without the slash', async () => {
    const answer = await fetch(`${origin}/sandbox?x=1`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'sandbox/']);
  });
});
