import { describe, expect, it } from 'vitest';
import { callScript } from '../../../../src/bank/window/call-script.ts';

/** An element as the script of the window fills it. */
interface Place {
  dataset: Record<string, string>;
  text: string;
}

/** The answers that the script waits for, by path, so that a test may give them in any order. */
type Waiting = Map<string, { resolve: (call: object) => void; reject: (error: Error) => void }>;

const moduleOf = (text: string) => `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;

/** The module of the window with a bank and elements of the test. */
async function loaded(
  waiting: Waiting,
): Promise<{ showCall: (place: Place, number: number) => Promise<void> }> {
  const name = `answers${String(Math.random()).slice(2)}`;
  const world = globalThis as unknown as Record<string, unknown>;
  world[name] = waiting;
  world['document'] = { getElementById: () => undefined };
  const api = moduleOf(
    `export const get = (path) => new Promise((resolve, reject) => ${name}.set(path, { resolve, reject }));`,
  );
  const dom = moduleOf(`
    const text = (one) => [one].flat(9).filter((part) => typeof part === 'string').join(' ');
    export const el = (tag, given, ...children) => text(children);
    export const put = (place, ...children) => { place.text = text(children); };
    export const empty = (words) => words;
    export const badge = empty, box = empty, dayTime = empty;
    export const facts = () => '';
  `);
  return (await import(
    moduleOf(callScript.replace("'./api.js'", `'${api}'`).replace("'./dom.js'", `'${dom}'`))
  )) as Awaited<ReturnType<typeof loaded>>;
}

const call = (number: number) => ({
  number,
  method: 'GET',
  path: `/v1/path-${String(number)}`,
  verdict: 'accepted',
  status: 200,
  at: '',
  ms: null,
  request: { headers: [], body: '', bodyBytes: 0 },
  response: null,
});

describe('a call in the window', () => {
  const ends: readonly [string, (waiting: Waiting) => void][] = [
    [
      'an answer',
      (waiting) => {
        waiting.get('calls/1')!.resolve(call(1));
      },
    ],
    [
      'a failure',
      (waiting) => {
        waiting.get('calls/1')!.reject(new Error('It is gone.'));
      },
    ],
  ];
  it.each(ends)('stays when %s of another one comes late', async (_, end) => {
    const waiting: Waiting = new Map();
    const { showCall } = await loaded(waiting);
    const place: Place = { dataset: {}, text: '' };
    const first = showCall(place, 1);
    const second = showCall(place, 2);
    waiting.get('calls/2')!.resolve(call(2));
    await second;
    expect(place.text).toContain('/v1/path-2');
    end(waiting);
    await first;
    expect(place.text).toContain('/v1/path-2');
    expect(place.text).not.toMatch(/path-1|It is gone/);
  });

  it('shows the names of PSUs, in UTF-8 and in ISO 8859-1, in headers and signing string', async () => {
    const waiting: Waiting = new Map();
    const { showCall } = await loaded(waiting);
    const place: Place = { dataset: {}, text: '' };
    const shown = showCall(place, 1);
    const bytes = Buffer.from('Jiří').toString('latin1');
    waiting.get('calls/1')!.resolve({
      ...call(1),
      request: {
        ...call(1).request,
        headers: [
          { name: 'PSU-ID', value: bytes },
          { name: 'PSU-Corporate-ID', value: 'Söhne' },
          { name: 'PSU-Device-ID', value: "UTF-8''Ji%C5%99" },
          { name: 'Digest', value: 'SHA-256=x' },
        ],
      },
      digest: 'SHA-256=y',
      signingString: `digest: SHA-256=y\npsu-id: ${bytes}\npsu-corporate-id: Söhne`,
    });
    await shown;
    expect(place.text).toContain("PSU-ID Jiří PSU-Corporate-ID Söhne PSU-Device-ID UTF-8''Ji%C5%99");
    expect(place.text).toContain('digest: SHA-256=y\npsu-id: Jiří\npsu-corporate-id: Söhne');
  });

  it('does not come back when the one that was asked for last is still on its way', async () => {
    const waiting: Waiting = new Map();
    const { showCall } = await loaded(waiting);
    const place: Place = { dataset: {}, text: '' };
    const first = showCall(place, 1);
    const second = showCall(place, 2);
    waiting.get('calls/1')!.resolve(call(1));
    await first;
    expect(place.text).toBe('Loading call 2');
    waiting.get('calls/2')!.reject(new Error('It is gone.'));
    await second;
    expect(place.text).toContain('It is gone.');
  });
});
