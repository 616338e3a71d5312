import { describe, expect, it } from 'vitest';
import { Commands } from '../../../../src/tester/journeys/commands.ts';
import { readJourney } from '../../../../src/tester/journeys/read-journey.ts';

const flag = (
  name: string,
  value: string | null,
  more: { repeatable?: boolean; choices?: string[] } = {},
) => ({
  name,
  value,
  choices: null,
  repeatable: false,
  description: '',
  ...more,
});
const id = { name: 'id', required: true, repeatable: false, description: '' };
const commands = new Commands({
  nouns: [{ noun: 'accounts', verb: 'list' }],
  commands: [
    {
      command: 'payment init',
      summary: '',
      arguments: [],
      flags: [
        flag('--product', 'P', { choices: ['sepa-credit-transfers'] }),
        flag('--psu-id', 'ID'),
        flag('--amount', 'AMOUNT'),
        flag('--set', 'NAME=JSON', { repeatable: true }),
      ],
    },
    { command: 'payment status', summary: '', arguments: [id], flags: [] },
    {
      command: 'payment cancel',
      summary: '',
      arguments: [id],
      flags: [flag('--explicit', 'YES|NO', { choices: ['yes', 'no'] })],
    },
    { command: 'accounts list', summary: '', arguments: [], flags: [flag('--psu-present', null)] },
    {
      command: 'payment long',
      summary: '',
      arguments: [],
      flags: Array.from('abcdefghijklmnop').map((letter) => flag(`--flag-${letter}`, 'X')),
    },
    { command: 'log tail', summary: '', arguments: [], flags: [] },
  ],
  globalFlags: [flag('--json', null), flag('--trace', 'FILE.har')],
});
const exits = [
  { code: 0, name: 'ok' },
  { code: 9, name: 'declined' },
];

const read = (text: string, name = 'a.yaml') => readJourney(Buffer.from(text), name, commands, exits);

function faults(text: string, name?: string): string[] {
  const found = read(text, name);
  if ('journey' in found) throw new Error('it was read');
  return found.faults.map(
    ({ line, column, path, why }) => `${String(line)}:${String(column)} ${path}: ${why}`,
  );
}

const steps = (...lines: string[]) => ['journey: x', 'steps:', ...lines].join('\n');

describe('a journey', () => {
  it('is read with everything that it may hold, each text as it is written', () => {
    const found = read(`journey: Pay
tags: [payment, embedded]
profiles: [a, b]
variables: { amount: 012.50, list: [1, 2] }
secrets: { otp: the code }
steps:
  - payment init: { product: p, amount: $amount, set: [a=1, b=2] }
    psu: { does: wrong otp then right, otp: $otp }
    save: payment
    expect: { exit: declined, status: '201', body: { 'a.0.b': { atLeast: 1.5 } }, within: 2s }
  - payment status: $payment.paymentId
    retry until: { within: 5s }
    expect: { body: { s: x } }
  - accounts: { psu-present: true }
    for each: { account: $list }
    when: { $payment.s: { not: x } }
always:
  - payment cancel: { id: $payment.paymentId, explicit: 'no' }
`);
    if (!('journey' in found)) throw new Error(JSON.stringify(found.faults));
    const { journey } = found;
    expect(journey).toMatchObject({ name: 'Pay', tags: ['payment', 'embedded'], profiles: ['a', 'b'] });
    expect(journey.variables[0]?.value).toMatchObject({ text: '012.50' });
    const [pay, status, list] = journey.steps;
    expect(pay?.flags.map((one) => one.flag)).toEqual(['--product', '--amount', '--set']);
    expect(pay?.psu).toMatchObject({ does: 'wrong otp then right', otp: 'otp' });
    expect(pay?.expect).toMatchObject({ exit: 9, withinMs: 2000 });
    expect(status?.retry).toEqual({ withinMs: 5000, everyMs: 1000 });
    expect(list).toMatchObject({
      command: 'accounts list',
      flags: [{ flag: '--psu-present', values: 'set' }],
    });
    expect(journey.always).toHaveLength(1);
  });

  it("may have a product that is a bank's own", () => {
    expect(read(steps('  - payment init: { product: own-transfers }'))).toHaveProperty('journey');
  });

  it('may be JSON', () => {
    expect(read('{"journey":"x","steps":[{"accounts":{}}]}', 'a.json')).toHaveProperty('journey');
  });

  it.each<[string, string, string]>([
    ['no steps', 'journey: x', '1:1 : steps is missing'],
    ['an empty list of steps', 'journey: x\nsteps: []', '2:8 steps: the list is empty'],
    ['a key in short', 'journey: x\nvars: {a: b}\nsteps: []', 'did you mean variables?'],
    ['a key that is none', 'journey: x\nstep: []\nsteps: [{accounts: }]', 'did you mean steps?'],
    [
      'a command that is none',
      steps('  - payment initt: {}'),
      '3:5 steps[0].payment initt: there is no such command of a step; did you mean payment init?',
    ],
    ['a command that waits for ever', steps('  - log tail: {}'), 'there is no such command'],
    [
      'two commands',
      steps('  - payment init: {}', '    accounts: {}'),
      '4:5 steps[0].accounts: a step has one command, which is payment init',
    ],
    ['no command', steps('  - save: x'), 'the step has no command'],
    ['a flag that is none', steps('  - payment init: { amout: 1 }'), 'did you mean amount?'],
    ['a flag as a member is called', steps('  - payment init: { psuId: 1 }'), 'did you mean psu-id?'],
    [
      'a flag with words added to its name',
      steps('  - payment init: { amount-in-euro: 1 }'),
      'did you mean amount?',
    ],
    [
      'the approach of SCA as a flag',
      steps('  - payment init: { approach: embedded }'),
      'has no flag --approach: the bank decides by its PSU, whom psu-id names (obk sandbox people lists them)',
    ],
    [
      'a flag of none of very many',
      steps('  - payment long: { strange: 1 }'),
      'payment long has no flag --strange; obk payment long --help lists them',
    ],
    [
      'a truth value of YAML 1.1',
      steps('  - accounts: { psu-present: yes }'),
      'yes is a text here; write true',
    ],
    ['and another', steps('  - accounts: { psu-present: Off }'), 'Off is a text here; write false'],
    [
      'a pointer with brackets between braces',
      steps('  - accounts:', '    expect: { body: { tppMessages[0].code: X } }'),
      '4:34 : a name with [ ] stands in quotes between braces, or is written with dots: a.0.b',
    ],
    ['a flag of output', steps('  - accounts: { json: true }'), 'accounts list has no flag --json'],
    [
      'a list for a flag of one value',
      steps('  - payment init: { amount: [1, 2] }'),
      '--amount takes one value',
    ],
    [
      'a value that is no choice',
      steps('  - payment cancel: { id: a, explicit: maybe }'),
      'must be one of: yes, no',
    ],
    ['a missing argument', steps('  - payment status:'), 'id is missing'],
    ['an argument too many', steps('  - payment status: [a, b]'), 'it takes id'],
    ['a command without arguments with one', steps('  - accounts: x'), 'accounts list takes flags alone'],
    [
      'a name that is saved later',
      steps('  - payment status: $payment.id', '  - payment init: {}', '    save: payment'),
      '3:21 steps[0].payment status: nothing before is saved as payment',
    ],
    [
      'a dollar that is no name',
      steps("  - payment init: { amount: '5 $' }"),
      'a dollar itself is written $$',
    ],
    [
      'a secret that has no name',
      steps('  - payment init: {}', '    psu: { does: approve, otp: code }'),
      'code is none of the secrets',
    ],
    [
      'a PSU who does what nobody does',
      steps('  - payment init: {}', '    psu: aprove'),
      'did you mean approve?',
    ],
    [
      'an exit code that is none',
      steps('  - accounts: {}', '    expect: { exit: fine }'),
      'must be one of: ok, declined',
    ],
    [
      'an operator that is none',
      steps('  - accounts: {}', '    expect: { body: { a: { equals: b } } }'),
      'there are is, not, in',
    ],
    [
      'a pattern that is none',
      steps('  - accounts: {}', '    expect: { body: { a: { matches: "(" } } }'),
      'it is no regular expression',
    ],
    [
      'a pattern that is none behind a dollar',
      steps('  - accounts: {}', '    expect: { body: { a: { matches: "[$$" } } }'),
      'it is no regular expression',
    ],
    ...['x-$word', '${word}x', '$word.length'].map((text): [string, string, string] => [
      `a secret within a text, ${text}`,
      `secrets: { word: w }\n${steps(`  - payment init: { psu-id: '${text}' }`)}`,
      'word is a secret: it stands alone, as the value of a flag',
    ]),
    [
      'a secret in an expectation',
      `secrets: { word: w }\n${steps('  - accounts: {}', '    expect: { body: { a: $word } }')}`,
      'word is a secret: it stands alone',
    ],
    [
      'a bound that is no number',
      steps('  - accounts: {}', '    expect: { body: { a: { above: x } } }'),
      'it is a number',
    ],
    [
      'a secret that is the name of what is saved',
      `secrets: { word: w }\n${steps('  - payment init: {}', '    save: word')}`,
      '4:5 steps[0]: word is a secret, and cannot be the name of what is saved',
    ],
    ...['\0', '\u001b', '\u007f'].map((control): [string, string, string] => [
      `the control character ${String(control.charCodeAt(0))}`,
      `journey: a${control}b\nsteps: [{accounts: }]`,
      '1:11 : a control character stands here, which YAML has in double quotes alone',
    ]),
    ...['!!binary eA==', '!!timestamp 2026-01-01', '!!set { a }', '!!js/function x'].map(
      (tagged): [string, string, string] => [
        `a value with the tag ${tagged}`,
        `journey: ${tagged}\nsteps: [{accounts: }]`,
        '1:10 : unresolved tag',
      ],
    ),
    [
      'a write that would run again',
      steps('  - payment init: {}', '    retry until: { within: 5s }', '    expect: { body: { a: b } }'),
      'is never run twice',
    ],
    [
      'a retry that waits for nothing',
      steps('  - accounts: {}', '    retry until: { within: 5s }'),
      'the step expects nothing to wait for',
    ],
    [
      'two lists for each',
      steps('  - accounts: {}', '    for each: { a: [1], b: [2] }'),
      'it names one list',
    ],
    [
      'profile and profiles',
      'journey: x\nprofile: a\nprofiles: [b]\nsteps: [{accounts: }]',
      'there is a list of profiles as well',
    ],
    ['a time without a unit', steps('  - accounts: {}', '    expect: { within: 5 }'), 'it is a time such as'],
  ])('is refused for %s by line and path', (_, text, why) => {
    expect(faults(text).join('\n')).toContain(why);
  });

  it.each<[string, string]>([
    [
      'aliases that multiply',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map(
          (name, at) =>
            `${name}: &${name} [${Array(9)
              .fill(`*${'abcdefghij'[at] ?? ''}`)
              .join()}]`,
        )
        .join('\n')}\njourney: x\nsteps: *j\n`,
    ],
    ['an alias of itself', 'journey: x\nsteps: &s [{accounts: *s}]\n'],
    ['lists within lists', `journey: x\nsteps: ${'['.repeat(5000)}`],
    ['names of prototypes', 'journey: x\n__proto__: {}\nconstructor: y\nsteps: [{ toString: {} }]\n'],
    ['a tag of a program', 'journey: x\nsteps: [!!js/function "x"]\n'],
    ['a merge', 'journey: x\na: &a { accounts: {} }\nsteps: [{ <<: *a }]\n'],
  ])('is refused with a place, and at once, for %s', (_, text) => {
    const begun = performance.now();
    expect(faults(text).length).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('is refused with everything that is wrong at once', () => {
    expect(
      faults(steps('  - payment init: { amout: 1 }', '  - payment statu: x', '  - save: y')),
    ).toHaveLength(3);
  });

  it('has a step that is one request of the interface', () => {
    const found = read(
      steps(
        '  - http: { method: get, path: v1/consents/$run.id, headers: { PSU-ID: x } }',
        '    retry until: { within: 2s }',
        '    expect: { status: 200 }',
        '  - http: { method: POST, path: v1/consents, body: { access: { accounts: [$today] } } }',
      ),
    );
    if (!('journey' in found)) throw new Error(JSON.stringify(found.faults));
    const [first, second] = found.journey.steps;
    expect(first).toMatchObject({ command: 'api', http: true, name: 'http: GET v1/consents/$run.id' });
    expect(first?.positionals.map(({ text }) => text)).toEqual(['GET', 'v1/consents/$run.id']);
    expect(second?.flags.map(({ flag: name }) => name)).toEqual(['--input', '--include']);
  });

  it.each([
    ['{ methd: GET, path: a }', /methd: there is no such key; did you mean method\?/],
    ['{ method: PATCH, path: a }', /method: it is one of GET, POST, PUT, DELETE/],
    ['{ method: GET, path: https://example.com/v1/accounts }', /path: it is a path below the address/],
    ['{ method: GET, path: //example.com/v1/accounts }', /path: it is a path below the address/],
    ['{ method: GET, path: a, body: { b: c } }', /body: a GET has none/],
    [
      '{ method: POST, path: a, headers: { signature: x } }',
      /headers.signature: it is made with the request, and cannot be given/,
    ],
    ['{ method: POST, path: a, body: { b: $none } }', /nothing before is saved as none/],
    ['{ method: POST, path: a, body: { b: $word } }', /word is a secret/],
    ['GET a', /it is one value, and a map of keys and values is due here/],
  ])('is refused with the mistake in the request %s', (text, why) => {
    const found = faults(`secrets: { word: w }\n${steps(`  - http: ${text}`)}`);
    expect(found.join()).toMatch(why);
  });

  it('does not wait in an http step that writes', () => {
    const step = [
      '  - http: { method: POST, path: a }',
      '    retry until: { within: 2s }',
      '    expect: { status: 200 }',
    ];
    expect(faults(steps(...step)).join()).toContain('changes something');
  });

  it.each(['htp', 'htttp'])('is refused with a misspelt http step: %s', (word) => {
    expect(faults(steps(`  - ${word}: {}`)).join()).toContain('did you mean http?');
  });

  it.each([
    [
      'a flag beside its command',
      ['  - payment init:', '    amount: 1'],
      /it belongs to payment init, so it is indented further/,
    ],
    [
      'a flag beside a command with its argument alone',
      ['  - payment cancel: $payment.id', '    explicit: no'],
      /it belongs to payment cancel, which is a map then: payment cancel: \{ id: \$payment\.id, explicit: … \}/,
    ],
    [
      'a key of a step without its second word',
      ['  - accounts:', '    retry: { within: 1s }'],
      /did you mean retry until\?/,
    ],
    [
      'a key of a step written together',
      ['  - accounts:', '    foreach: { a: [1] }'],
      /did you mean for each\?/,
    ],
    [
      'a member of the result beside body',
      ['  - accounts:', '    expect: { transactionStatus: RCVD }'],
      /stands under body: \{ transactionStatus/,
    ],
    ['a misspelt exit code', ['  - accounts:', '    expect: { exit: decline }'], /did you mean declined\?/],
    [
      'a misspelt operator',
      ['  - accounts:', '    expect: { body: { a: { match: x } } }'],
      /did you mean matches\?/,
    ],
    [
      'a status that is none',
      ['  - accounts:', '    expect: { status: OK }'],
      /a status is a number such as 201/,
    ],
    ['a JSONPath', ['  - accounts:', "    expect: { body: { '$.a': x } }"], /it is no pointer/],
    ['a JSON pointer', ['  - accounts:', '    expect: { body: { /a/b: x } }'], /it is no pointer/],
    ['a flag with its dashes', ['  - payment init: { --amount: 1 }'], /written without its dashes: amount/],
    ['a flag without a value', ['  - payment init: { amount: }'], /it is empty, and --amount takes a value/],
    ['a verb of another noun', ['  - payment create: {}'], /of payment there are init, status, cancel/],
    [
      'a misspelt name',
      ['  - accounts:', '    save: list', '  - payment status: $lst.id'],
      /did you mean list\?/,
    ],
    ['a name of every journey', ['  - accounts:', '    save: today'], /every journey has a today/],
    ['a merge key', ['  - payment init: { <<: a, amount: 1 }'], /a merge key \(<<\) is not read/],
    ['two keys on a line', ['  - payment init: amount: 1'], /a second key on the line/],
    ['a tab', ['\t- accounts:'], /tabs are not allowed as indentation; use blanks/],
  ])('is refused for %s, with what is right', (_, lines, why) => {
    expect(faults(steps(...lines)).join()).toMatch(why);
  });
});
