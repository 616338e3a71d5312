import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manual } from '../../../../src/cli/program/pages.ts';
import { manPage } from '../../../../src/cli/program/man-page.ts';
import { program } from '../../../helpers/program.ts';
import { hasPrograms } from '../../../helpers/programs.ts';
import type { CommandTree } from '../../../../src/cli/context.ts';

const described = JSON.parse((await program('commands --json')).stdout) as CommandTree;
const page = await manual('1.2.3');

/** What roff takes for a request, and what it takes for an escape. */
const requests = /^\.(TH|SH|SS|TP|PP|B|I|nf|fi)\b/;
const escapes = /\\(-|e|&|f[BIR])/g;

describe('the manual page', () => {
  it('has every command, each of its flags, and what it shares with others once', () => {
    const plain = page.replaceAll('\\-', '-');
    const commands = described.commands.filter(({ command }) => !command.startsWith('help '));
    for (const { command } of commands) expect(plain).toMatch(new RegExp(`^\\.SS "obk ${command}[" ]`, 'm'));
    const flags = [...described.globalFlags, ...described.commands.flatMap((one) => one.flags)];
    for (const { name } of flags) expect(plain).toContain(`\\fB${name}\\fR`);
    // What only looks shared is told where it differs.
    expect(plain).toMatch(/^say what would be removed, and remove nothing$/m);
    expect(plain.match(/^print the exact signed request and send nothing$/gm)).toHaveLength(1);
  });

  it('holds no request and no escape but its own', () => {
    for (const line of page.split('\n')) {
      if (/^[.']/.test(line)) expect(line).toMatch(requests);
      expect(line.replace(escapes, '')).not.toContain('\\');
    }
  });

  it('shows text that looks like roff as it is', () => {
    const tree: CommandTree = {
      nouns: [],
      globalFlags: [],
      commands: [
        {
          ...{ command: 'x', summary: '', arguments: [], flags: [], exitCodes: [] },
          about: '.so /etc/passwd\n\'\\fBbold "quoted"',
          examples: [".[] | 'a\\b'"],
        },
      ],
    };
    const text = manPage(tree, '1.2.3');
    expect(text).toContain('\\&.so /etc/passwd\n\\&\'\\efBbold "quoted".');
    expect(text).toContain("$ .[] | 'a\\eb'");
  });

  it('is linked by npm where obk is installed for all', () => {
    const prefix = mkdtempSync(join(tmpdir(), 'obk-prefix-'));
    const install = [
      'install',
      '--global',
      '--prefix',
      prefix,
      '--offline',
      '--ignore-scripts',
      process.cwd(),
    ];
    execFileSync('npm', install, { stdio: 'ignore' });
    expect(lstatSync(join(prefix, 'share', 'man', 'man1', 'obk.1')).isSymbolicLink()).toBe(true);
  });
});

describe.skipIf(!hasPrograms('man', 'groff'))('the manual page, shown by man and groff', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'obk-man-')), 'obk.1');
  writeFileSync(file, page);

  it('has no mistake that groff warns of', () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z', file], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('reads as it should', () => {
    const { status, stdout } = spawnSync('man', ['-l', file], {
      encoding: 'utf8',
      env: { ...process.env, MANWIDTH: '80', LANG: 'C.UTF-8', MANPAGER: 'cat' },
    });
    expect(status).toBe(0);
    // eslint-disable-next-line no-control-regex
    const text = stdout.replace(/.\u0008/g, '').replace(/\u001b\[[0-9;]*m/g, '');
    expect(text).toMatch(/^NAME\n +obk +- +The +command +line/m);
    expect(text).toMatch(/^ {3}obk payment init\n {7}Start a payment and lead the PSU through SCA\.$/m);
    expect(text).toMatch(/\$ obk log prune --keep 1000$/m);
    expect(text).toMatch(/^ +12 \(unknown\)\n +A +change +was +sent/m);
  });
});
