import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { readCapture } from '../../../../src/client/evidence/captured-request.ts';
import { runs } from '../../../helpers/trials.ts';

const read = (text: string, entry?: number) => {
  const { headers, body, ...rest } = readCapture(Buffer.from(text), entry);
  return { ...rest, headers, body: Buffer.from(body).toString() };
};

describe('a curl command', () => {
  it.each<[string, string, object]>([
    [
      'as browsers copy it',
      "curl 'https://b.example/v1/x?a=1#top' \\\n  -H 'Accept: */*' \\\n  -H $'X-Note: it\\'s \\u00e9' \\\n  --data-raw $'{\"a\":\\n1}' \\\n  --compressed",
      {
        method: 'POST',
        path: '/v1/x?a=1',
        headers: [
          ['Accept', '*/*'],
          ['X-Note', "it's é"],
        ],
        body: '{"a":\n1}',
      },
    ],
    [
      'with joined and long flags',
      'curl -XPUT --url=https://b.example/v1 --header="Digest: a\\"b" -d a=1 -d "b=2" --cert x.pem -k -A agent',
      {
        method: 'PUT',
        path: '/v1',
        headers: [
          ['Digest', 'a"b'],
          ['User-Agent', 'agent'],
        ],
        body: 'a=1&b=2',
      },
    ],
    [
      'without anything else',
      '# Set before you run this: OBK_TOKEN.\ncurl https://b.example -H "Authorization: Bearer "$OBK_TOKEN -H "X-Empty:"',
      {
        method: 'GET',
        path: '/',
        headers: [['Authorization', 'Bearer $OBK_TOKEN']],
        body: '',
        notes: ['Variables stand in it as they are: $OBK_TOKEN.'],
      },
    ],
    [
      'with an empty header and without the Content-Type of its flag',
      `curl https://b.example -H 'X-Empty;' -H 'Content-Type:' -d a`,
      { method: 'POST', headers: [['X-Empty', '']] },
    ],
  ])('is read %s', (_, text, expected) => {
    expect(read(text)).toMatchObject({ source: 'curl', ...expected });
  });
});

describe('a request in raw HTTP', () => {
  it('may be what curl -v shows, or folded, or without line ends', () => {
    expect(read('> GET /v1/a HTTP/2\n> Host: b.example\n> X-Long: a\n>  b\n>\n')).toMatchObject({
      method: 'GET',
      path: '/v1/a',
      headers: [
        ['Host', 'b.example'],
        ['X-Long', 'a b'],
      ],
      body: '',
    });
    expect(read('GET https://b.example/v1/a?x=%20 HTTP/1.1')).toMatchObject({
      path: '/v1/a?x=%20',
      headers: [],
    });
  });

  it('keeps the body byte by byte, and takes Content-Length as its end', () => {
    const head = 'POST /v1/a HTTP/1.1\r\nContent-Length: 6\r\n\r\n';
    expect(read(`${head}a\r\n\r\nb`).body).toBe('a\r\n\r\nb');
    expect(read(`${head}a\r\n\r\nb\n`)).toMatchObject({
      body: 'a\r\n\r\nb',
      notes: [expect.stringContaining('left out')],
    });
  });
});

describe('a list of requests', () => {
  const entry = (path: string, ...headers: [string, string][]) => ({
    request: {
      method: 'GET',
      url: `https://b.example${path}`,
      headers: headers.map(([name, value]) => ({ name, value })),
    },
  });
  const har = (...entries: object[]) => JSON.stringify({ log: { entries } });

  it('yields the last signed request, or the one of the given number', () => {
    const text = har(
      entry('/1', ['Signature', 'a']),
      entry('/2', ['Authorization', 'Signature a']),
      entry('/3'),
      entry('/4', ['Signature', '[secret]']),
    );
    expect(read(text).path).toBe('/2');
    expect(read(text, 3).path).toBe('/3');
    expect(() => read(text, 5)).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', detail: 'It holds 4 requests, not 5.' }),
    );
  });
});

it('an address with a line end in it is refused', () => {
  expect(() => read('curl "\n"')).toThrow('cannot be read');
});

it('any text at all is read or refused, and never fails otherwise', () => {
  const piece = fc.constantFrom(
    'curl ',
    "'",
    '"',
    '\\',
    '-H ',
    'a: b',
    '\n',
    '\r\n\r\n',
    'GET / HTTP/1.1',
    '{',
    '"log":',
    '[]',
    '}',
    'https://x',
    '%',
    '$',
    "$'",
    '>',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
      ),
      (text) => {
        try {
          expect(read(text).path).toMatch(/^\S/);
        } catch (error) {
          expect(error).toBeInstanceOf(ObkError);
        }
      },
    ),
    { numRuns: runs(2000) },
  );
});
