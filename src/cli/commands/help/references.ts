import type { Register, Run } from '../../command.ts';
import { definitions } from '../../render/wrap.ts';

const forms: readonly (readonly [form: string, meaning: string])[] = [
  ['prompt', 'ask the person at the terminal'],
  ['stdin', 'the first line of standard input'],
  ['env:NAME', 'the variable NAME'],
  ['file:PATH', 'the first line of a file'],
  ['cmd:COMMAND', 'the first line that a program prints; words are split, no shell runs'],
  ['keyring:ID', 'an entry of the keyring of the system'],
];

const text = [
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

export const register: Register = (command, start) => start(command, { examples: [], text }, run);

const run: Run<object> = () =>
  Promise.resolve({
    kind: 'data',
    data: forms.map(([form, meaning]) => ({ form, meaning })),
    text: () => text,
  });
