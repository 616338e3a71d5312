import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../../../src/adapters/files/user-files.ts';
import { needHarmless, needNoReference, needWithin } from '../../../../src/tester/journeys/trust.ts';
import type { Argument } from '../../../../src/tester/journeys/trust.ts';

const given = (name: string, text: string, value: string | null = 'TEXT'): Argument => ({
  flag: name === '' ? undefined : { name, value, choices: null, repeatable: false, description: '' },
  text,
  bound: false,
});

describe('a journey that is not trusted', () => {
  it.each<[string, string, Argument[]]>([
    ['names a program', 'payment init', [given('--otp-from', 'cmd:./otp', 'REF')]],
    ['names a variable', 'payment init', [given('--psu-password-from', 'env:PASSWORD', 'REF')]],
    ['reads its secret from stdin', 'payment init', [given('--otp-from', 'stdin', 'REF')]],
    ['hides a program in a setting', 'api', [given('--header', 'x=cmd:./a')]],
    ['hides one in an argument', 'api', [given('', 'file:/etc/passwd')]],
    ['sends a file from elsewhere', 'payment init', [given('--input', '/etc/passwd', 'FILE')]],
    ['climbs out of its folder', 'payment init', [given('--input', 'a/../../b.json', 'FILE')]],
    ['sends a file in a field', 'api', [given('--typed-field', 'a=@/etc/passwd', 'KEY=VALUE')]],
    ['changes the address', 'payment init', [given('--base-url', 'https://elsewhere.example', 'URL')]],
    ['says yes for production', 'payment init', [given('--confirm', 'prod', 'PROFILE')]],
    ['switches a guard off', 'payment init', [given('--insecure', '', null)]],
    ['writes a file', 'report', [given('--output', 'x.html', 'FILE.html')]],
    ['changes a profile', 'profile edit', []],
    ['trusts another file', 'config trust', []],
    ['settles a write', 'pending resolve', []],
    ['changes the certificates of a profile', 'cert rollover', []],
    ['moves the state of all profiles', 'state export', []],
    ['runs a command that came later', 'payment something-new', []],
    ['reads a file from elsewhere', 'transactions read', [given('', '/etc/passwd')]],
    ['reads one from a home', 'sign verify', [given('', '~/.ssh/id_rsa')]],
    ['reads one above it', 'payment lint', [given('', '../../secret.json')]],
    ['asks another address', 'cert inspect', [given('', 'https://elsewhere.example')]],
    ['steers another bank', 'sandbox reset', [given('--at', 'https://elsewhere.example', 'BANK')]],
    ['has a PSU sent elsewhere', 'payment init', [given('--nok-redirect-uri', 'https://a.example', 'URL')]],
    [
      'names an address like ours',
      'payment init',
      [given('--notification-uri', 'http://localhost@a.example', 'URL')],
    ],
    ['shows account numbers', 'report', [given('--unmasked', '', null)]],
  ])('is refused where it %s', (_, command, args) => {
    expect(() => {
      needHarmless('a.yaml', command, args);
    }).toThrow(expect.objectContaining({ code: 'JOURNEY_UNTRUSTED', exit: 3 }));
  });

  it.each<[string, string, Argument[]]>([
    [
      'a secret that the operator has bound',
      'payment init',
      [{ ...given('--otp-from', 'cmd:./otp', 'REF'), bound: true }],
    ],
    ['a file beside it', 'payment init', [given('--input', 'pay.json', 'FILE')]],
    ['a text with a colon', 'payment init', [given('--remittance', 'Invoice: 12')]],
    ['a payment', 'payment init', [given('--amount', '1.00')]],
    ['a statement beside it', 'transactions read', [given('', 'statements/may.sta')]],
    ['a path of the interface', 'api', [given('', '/accounts')]],
    [
      'an address of this machine',
      'payment init',
      [given('--notification-uri', 'http://127.0.0.1:80/a', 'URL')],
    ],
    ['a fault of the bank inside', 'sandbox fault add', [given('', 'status')]],
  ])('may have %s', (_, command, args) => {
    expect(() => {
      needHarmless('a.yaml', command, args);
    }).not.toThrow();
  });
});

it.each(['cmd:rm -rf x', 'env:HOME', 'a=file:/etc/passwd', 'keyring:x', 'stdin'])(
  'a bank that answers %s gets nothing run or read, whoever is trusted',
  (text) => {
    expect(() => {
      needNoReference('a.yaml', [given('--otp-from', text, 'REF')]);
    }).toThrow(expect.objectContaining({ code: 'JOURNEY_UNTRUSTED' }));
    needNoReference('a.yaml', [given('--remittance', `Invoice ${text}`)]);
  },
);

describe('a file in the folder of a journey that is not trusted', () => {
  const root = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'trust-'));
  const folder = join(root, 'journey');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(root, 'secret.json'), '{}');
  writeFileSync(join(folder, 'sub', 'pay.json'), '{}');
  symlinkSync(join(root, 'secret.json'), join(folder, 'link.json'));
  symlinkSync(root, join(folder, 'up'));
  symlinkSync('sub/pay.json', join(folder, 'inner.json'));
  symlinkSync(folder, join(root, 'alias'));
  const files = createFiles({ cwd: root, env: process.env, stdin: () => process.stdin });
  const need = (command: string, arg: Argument, from = folder) =>
    needWithin({ file: 'a.yaml', folder: from, isWithin: files.isWithin }, command, [arg]);

  it.each<[string, string, Argument]>([
    ['a link to a file elsewhere', 'payment init', given('--input', 'link.json', 'FILE')],
    ['a link to a folder elsewhere', 'payment init', given('--input', 'up/secret.json', 'FILE')],
    ['a link as an argument', 'payment lint', given('', 'link.json')],
    ['a link behind the name of a field', 'api', given('--typed-field', 'a=@link.json', 'KEY=VALUE')],
  ])('may not be %s', async (_case, command, arg) => {
    await expect(need(command, arg)).rejects.toMatchObject({ code: 'JOURNEY_UNTRUSTED' });
    await need(command, { ...arg, bound: true });
  });

  it.each<[string, string, Argument, string?]>([
    ['a file', 'payment init', given('--input', 'sub/pay.json', 'FILE')],
    ['a link to a file of it', 'payment init', given('--input', 'inner.json', 'FILE')],
    ['a file that is not there', 'payment init', given('--input', 'none.json', 'FILE')],
    ['stdin', 'payment lint', given('', '-')],
    ['a text that is no file', 'payment init', given('--remittance', 'link.json')],
    [
      'a file below a folder that is a link itself',
      'payment init',
      given('--input', 'sub/pay.json', 'FILE'),
      join(root, 'alias'),
    ],
  ])('may be %s', async (_case, command, arg, from) => {
    await need(command, arg, from);
  });
});
