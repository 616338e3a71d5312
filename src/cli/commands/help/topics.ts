import type { Register, Run } from '../../command.ts';
import { definitions } from '../../render/wrap.ts';
import { exitMeanings } from '../output/exit-meanings.ts';

const exitCodesText = [
  'What each exit code means; they do not change between releases.',
  '',
  'EXIT CODES',
  ...definitions(
    exitMeanings.map(({ code, name, long }) => [`${String(code).padStart(3)}  ${name}`, long] as const),
    { indent: 2, width: 80, column: 22 },
  ),
  '',
  'stdout holds the result with 0, 8, 9, 10 and 12; with every other code it is',
  'empty, and the error is on stderr (one JSON object with --json).',
  '',
].join('\n');

const registerExitCodes: Register = (command, start) =>
  start(command, { examples: [], text: exitCodesText }, runExitCodes);

const runExitCodes: Run<object> = () =>
  Promise.resolve({
    kind: 'data',
    data: exitMeanings.map(({ code, name, long }) => ({ code, name, meaning: long })),
    text: () => exitCodesText,
  });

const jsonText = [
  'What --json prints: the whole result, on every command; errors on stderr.',
  '',
  'RULES',
  '  A list is an array at the top. Money is text, never a number. Members of the',
  "  interface have the bank's names; more members may come with any release.",
  '  A terminal gets indented JSON, a pipe one line. Where stderr is no terminal',
  '  each line of it is an object, too: notice, warning, call; error as the last.',
  '',
  'FLAGS',
  '  --fields a,b.c     these members only',
  '  --jq EXPR          filter; texts are printed without quotes',
  '  --meta             request id, status and duration as _obk',
  '  -o ndjson          one line of JSON for each row',
  '  -o yaml            the same as YAML',
  '',
  'EXAMPLES',
  "  $ obk payment list --jq '.[].paymentId'",
  '  $ obk commands --jq .schemas.payment   # the JSON Schema of a payment',
  '  $ obk commands --jq .schemas.error     # of what fails',
  '',
  'LEARN MORE',
  '  obk help scripting',
  '  docs/scripting.md',
  '',
].join('\n');

const registerJson: Register = (command, start) =>
  start(
    command,
    {
      examples: ["obk payment list --jq '.[].paymentId'", 'obk commands --jq .schemas.payment'],
      text: jsonText,
    },
    runJson,
  );

const runJson: Run<object> = () =>
  Promise.resolve({ kind: 'data', data: { text: jsonText }, text: () => jsonText });

const forms: readonly (readonly [form: string, meaning: string])[] = [
  ['prompt', 'ask the person at the terminal'],
  ['stdin', 'the first line of standard input'],
  ['env:NAME', 'the variable NAME'],
  ['file:PATH', 'the first line of a file'],
  ['cmd:COMMAND', 'the first line that a program prints; words are split, no shell runs'],
  ['keyring:ID', 'an entry of the keyring of the system'],
];

const referencesText = [
  'How secrets are given: by reference, never as the value of a flag.',
  '',
  'REFERENCES',
  ...definitions(forms, { indent: 2, width: 80, column: 18 }),
  '',
  'EXAMPLES',
  '  $ obk payment authorise @last --psu-password-from prompt',
  '  $ obk payment authorise @last --otp-from "cmd:my-otp-generator --bank acme"',
  '',
  'The flags --psu-password-from, --otp-from and --key-passphrase-from take one.',
  'So do OBK_PSU_PASSWORD_FROM, OBK_OTP_FROM and OBK_KEY_PASSPHRASE_FROM. Each',
  'reference is read once in a run; a value that a bank refused is not sent again.',
  '',
].join('\n');

const registerReferences: Register = (command, start) =>
  start(command, { examples: [], text: referencesText }, runReferences);

const runReferences: Run<object> = () =>
  Promise.resolve({
    kind: 'data',
    data: forms.map(([form, meaning]) => ({ form, meaning })),
    text: () => referencesText,
  });

const scriptingText = [
  'How scripts use obk: it never waits for a person who is not there.',
  '',
  'RULES',
  '  stdout is data, stderr is everything else. Without a terminal, with CI set or',
  '  with --no-input, what is missing ends with exit 2 and every flag that helps.',
  '  Exit 12: a payment was sent and its outcome is unknown. Do not run it',
  '  again; see obk pending list. Exit 7: nothing left, it is safe to run again.',
  '',
  'EXAMPLES',
  "  $ obk payment list --jq '.[0].paymentId'",
  '  $ obk whoami --profile sandbox --expect environment=sandbox   # else exit 10',
  '  $ obk config list --profile sandbox -o csv',
  '',
  'LEARN MORE',
  '  obk help exit-codes',
  '  obk help environment',
  '  obk help references',
  '  docs/scripting.md',
  '',
].join('\n');

const registerScripting: Register = (command, start) =>
  start(
    command,
    {
      examples: [
        "obk payment list --jq '.[0].paymentId'",
        'obk whoami --profile sandbox --expect environment=sandbox',
        'obk config list --profile sandbox -o csv',
      ],
      text: scriptingText,
    },
    runScripting,
  );

const runScripting: Run<object> = () =>
  Promise.resolve({ kind: 'data', data: { text: scriptingText }, text: () => scriptingText });

export const register = {
  'exit-codes': registerExitCodes,
  json: registerJson,
  references: registerReferences,
  scripting: registerScripting,
};
