import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type Inside = string | Place;

/** An element as far as the scripts of the window need one; its text has a blank between two pieces. */
class Place {
  readonly dataset: Record<string, string> = {};
  #inside: readonly Inside[] = [];

  get text(): string {
    return this.#inside.map((one) => (typeof one === 'string' ? one : one.text)).join(' ');
  }

  append(...inside: Inside[]): void {
    this.#inside = [...this.#inside, ...inside];
  }

  replaceChildren(...inside: Inside[]): void {
    this.#inside = inside;
  }

  setAttribute(): void {
    // Only the text counts here.
  }

  contains = () => false;
  querySelectorAll = () => [];
}

/** The answers that the script waits for, by path, so that a test may give them in any order. */
type Waiting = Map<string, { resolve: (call: object) => void; reject: (error: Error) => void }>;

const problem = ({ message }: Error) => Response.json({ title: message }, { status: 404 });

/** The script of the window as it runs in a browser, with a bank and a page of the test. */
async function loaded(
  waiting: Waiting,
): Promise<{ showCall: (place: Place, number: string) => Promise<void> }> {
  vi.stubGlobal(
    'fetch',
    (path: string) =>
      new Promise<Response>((answer) => {
        waiting.set(path.replace(/^api\//, ''), {
          resolve: (call) => {
            answer(Response.json(call));
          },
          reject: (error) => {
            answer(problem(error));
          },
        });
      }),
  );
  const path = resolve('src/bank/window/page/call.ts');
  return (await import(path)) as Awaited<ReturnType<typeof loaded>>;
}

beforeEach(() => {
  vi.stubGlobal('Node', Place);
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('document', { createElement: () => new Place(), getElementById: () => null });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const call = (number: number) => ({
  number,
  method: 'GET',
  path: `/v1/path-${String(number)}`,
  verdict: 'accepted',
  status: 200,
  at: '',
  ms: null,
  operation: null,
  code: null,
  rule: null,
  digest: null,
  signingString: null,
  findings: [],
  request: { headers: [], body: '', bodyBytes: 0 },
  response: null,
});

describe('a call on the dashboard', () => {
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
  it.each(ends)('stays when %s of another one arrives late', async (_, end) => {
    const waiting: Waiting = new Map();
    const { showCall } = await loaded(waiting);
    const place = new Place();
    const first = showCall(place, '1');
    const second = showCall(place, '2');
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
    const place = new Place();
    const shown = showCall(place, '1');
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

  it('does not come back when the last one requested is still on its way', async () => {
    const waiting: Waiting = new Map();
    const { showCall } = await loaded(waiting);
    const place = new Place();
    const first = showCall(place, '1');
    const second = showCall(place, '2');
    waiting.get('calls/1')!.resolve(call(1));
    await first;
    expect(place.text).toBe('Loading call 2');
    waiting.get('calls/2')!.reject(new Error('It is gone.'));
    await second;
    expect(place.text).toContain('It is gone.');
  });
});
