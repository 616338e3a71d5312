import { describe, expect, it } from 'vitest';
import { readBank } from '../../../../src/settings/banks/read-bank.ts';
import { ObkError } from '../../../../src/base/errors.ts';

/** Reads a description out of files that exist in this test alone. */
function read(what: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<unknown> {
  return readBank(what, {
    framework: () => '1.3.6',
    file: (path) => {
      const found = files[path];
      if (found === undefined)
        return Promise.reject(new ObkError({ code: 'INPUT_INVALID', title: `${path} is not there.` }));
      return Promise.resolve(typeof found === 'string' ? Buffer.from(found) : found);
    },
  });
}

/** What is said of one file that is refused. */
async function refused(text: string | Uint8Array, name = 'x.yaml'): Promise<string> {
  const error: unknown = await read(name, { [name]: text }).catch((thrown: unknown) => thrown);
  if (!(error instanceof ObkError)) return `taken: ${JSON.stringify(error)}`;
  expect(error.exit).toBe(3);
  return `${error.title} ${error.detail ?? ''}`;
}

describe('a bank description in YAML', () => {
  const text = `
# what the portal says
meta: { name: a bank, country: NO, bankCodes: [01203000, 1e3], verifiedOn: 2026-11-01 }
consent:
  validDays: 90
  recurringOnly: true
  why: |-
    refused since May
payments:
  limits: { remittance: 140 }
  requiredFields:
    - field: /creditorAddress/country
      default: NO
errors:
  statusMeaning: { createConsent: { 409: refused } }
timeoutMs: 1500
`;
  const settings = {
    meta: { name: 'a bank', country: 'NO', bankCodes: ['01203000', '1e3'], verifiedOn: '2026-11-01' },
    consent: { validDays: 90, recurringOnly: true, why: 'refused since May' },
    payments: {
      limits: { remittance: 140 },
      requiredFields: [{ field: '/creditorAddress/country', default: 'NO' }],
    },
    errors: { statusMeaning: { createConsent: { 409: 'refused' } } },
    timeoutMs: 1500,
  };

  it.each(['x.yaml', 'x.yml', 'x.bank', '-'])('means the same as JSON, read as %s', async (name) => {
    expect(await read(name, { [name]: text })).toEqual(settings);
    expect(await read(name, { [name]: JSON.stringify(settings) })).toEqual(settings);
  });

  it('keeps its texts: no country is a truth value, no bank code a number', async () => {
    expect(await refused('timeoutMs: soon')).toContain('timeoutMs: It must be a number of milliseconds');
    expect(await refused('consent: { recurringOnly: yes }')).toContain('Given: "yes".');
    expect(await refused('consent: { validDays: 0x10 }')).toContain('consent.validDays');
    expect(await refused('consent: { validDays: }')).toContain('consent.validDays');
  });

  it('extends a JSON file beside it, and the other way round', async () => {
    const files = {
      'a/top.yaml': 'meta: { extends: group.json }\nconsent: { maxFrequency: 2 }',
      'a/group.json': '{"meta":{"extends":"base.yml"},"consent":{"recurringOnly":true}}',
      'a/base.yml': 'meta: { extends: consors }\nais: { withBalance: false }',
    };
    expect(await read('a/top.yaml', files)).toMatchObject({
      consent: { maxFrequency: 2, recurringOnly: true },
      ais: { withBalance: false },
      prefix: '/v1',
    });
  });
});

describe('a description that attacks', () => {
  const bomb = (levels: number) => {
    const names = Array.from({ length: levels }, (_, at) => `l${String(at)}`);
    const lines = names.map((name, at) => {
      const below = at === 0 ? '"x"' : `*l${String(at - 1)}`;
      return `    - &${name} [${Array.from({ length: 10 }, () => below).join(', ')}]`;
    });
    return `meta:\n  sources:\n${lines.join('\n')}\n`;
  };

  it.each<[string, string | Uint8Array, RegExp, string?]>([
    ['an alias that holds itself', 'meta: &a\n  sources: [*a]', /levels|values/],
    ['aliases that grow without end', bomb(9), /too many values|levels/],
    ['an alias of nothing', 'meta: *nowhere', /alias/i],
    ['a tag of the reader', 'meta: !!js/function "x"', /tag/i],
    ['a merge of maps', 'a: &a { name: x }\nmeta:\n  <<: *a', /merge key/],
    ['two documents', 'meta: {}\n---\nmeta: {}', /second document/],
    ['a key twice', 'meta: {}\nmeta: {}', /twice/],
    ['a prototype', '__proto__: { auth: { mode: none } }', /__proto__: There is no such setting/],
    [
      'a prototype in JSON',
      '{"__proto__":{"auth":{"mode":"none"}}}',
      /__proto__: There is no such/,
      'x.json',
    ],
    [
      'a prototype of a map',
      '{"urls":{"vars":{"__proto__":["a"]}},"x":1}',
      /There is no such|name/,
      'x.json',
    ],
    ['a constructor', '{"constructor":{"prototype":{"x":1}}}', /There is no such setting/, 'x.json'],
    ['a list', '- a', /no map/],
    ['a word', 'hello', /no map/],
    ['nothing', '', /empty/],
    ['no UTF-8', Uint8Array.of(0x6d, 0xff, 0xfe), /UTF-8/],
    ['a depth without end', '['.repeat(10_000), /level|JSON|flow/i],
    ['a depth without end in JSON', `{"meta":${'['.repeat(10_000)}`, /level|deep/i, 'x.json'],
    ['more than a description is', `meta: { name: "${'x'.repeat(1_100_000)}" }`, /larger than/],
    [
      'a reference',
      'headers: { rules: [{ name: X-A, action: default, valueFrom: env:HOME }] }',
      /this machine/,
    ],
    [
      'a reference by an alias',
      'meta: { sources: [&a "cmd:id"] }\nheaders: { rules: [{ name: X-A, action: default, valueFrom: *a }] }',
      /this machine/,
    ],
    ['a reference that it may not know', 'psu: { passwordFrom: env:HOME }', /this machine/],
    ['a program', 'signer: cmd:/bin/id', /this machine/],
    ['the path of a key', 'key: /etc/shadow', /no such setting/],
    ['the path of a key of passwords', 'passwordEncryption: { key: /etc/shadow }', /no such setting/],
  ])('is refused with %s', async (_, text, why, name = 'x.yaml') => {
    expect(await refused(text, name)).toMatch(why);
    expect(Object.prototype).not.toHaveProperty('auth');
  });

  it('is refused for what it extends, too: out of its folder, in a circle, too deep, wrong by itself', async () => {
    const told = async (files: Record<string, string>, what = 'd/a.yaml') => {
      const error: unknown = await read(what, files).catch((thrown: unknown) => thrown);
      return error instanceof ObkError
        ? `${String(error.exit)} ${error.title} ${error.detail ?? ''}`
        : 'taken';
    };
    for (const parent of [
      '../x.json',
      '/etc/passwd',
      'sub/x.json',
      '.hidden.json',
      'file:x',
      'cmd:id',
      'x.json\u0000',
    ])
      expect(await told({ 'd/a.yaml': `meta: { extends: ${JSON.stringify(parent)} }` })).toMatch(
        /^3 .*(extends)/s,
      );
    expect(
      await told({ 'd/a.yaml': 'meta: { extends: b.yml }', 'd/b.yml': 'meta: { extends: a.yaml }' }),
    ).toMatch(/^3 .*extends itself: d\/a.yaml > d\/b.yml > d\/a.yaml/s);
    expect(await told({ 'd/a.yaml': 'meta: { extends: a.yaml }' })).toMatch(/^3 .*extends itself/s);
    const chain = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `d/${'a'.repeat(at + 1)}.yaml`,
        `meta: { extends: ${'a'.repeat(at + 2)}.yaml }`,
      ]),
    );
    expect(await told(chain)).toMatch(/^3 .*more than 8/s);
    expect(
      await told({
        'd/a.yaml': 'meta: { extends: b.yml }',
        'd/b.yml': 'headers: { rules: [{ name: X, action: default, valueFrom: file:/etc/passwd }] }',
      }),
    ).toMatch(/^3 d\/b\.yml refers to something of this machine/);
    expect(await told({ 'd/a.yaml': 'meta: { extends: b.yml }' })).toMatch(/^3 .*b\.yml/s);
    expect(await told({ '-': 'meta: { extends: b.yml }' }, '-')).toMatch(/^3 .*no template/s);
  });
});
