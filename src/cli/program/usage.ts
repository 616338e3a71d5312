import type { CommanderError } from 'commander';
import { usageError } from '../commands/flags/flag-values.ts';
import { tree } from '../commands/catalogue/tree.ts';
import type { ObkError } from '../../base/errors.ts';
import { nearest, speltAlike } from '../../base/nearest.ts';
import { namesBelow } from './find-command.ts';

/** The parser's error in our words; `flags` are those of the command. */
export function usageFrom(error: CommanderError, path: string, flags: readonly string[]): ObkError {
  const what = error.message.replace(/^error: /, '');
  const quoted = /'([^']*)'/.exec(what)?.[1] ?? '';
  const help = `obk ${path} --help`;
  switch (error.code) {
    case 'commander.unknownOption': {
      // What stands behind the sign may be a secret.
      const flag = quoted.replace(/=.*/s, '');
      if (flag !== quoted && flags.includes(flag)) return usageError(`${flag} takes no value.`, help);
      // What one command calls so, another may not have.
      const known = elsewhere.flags.get(flag)?.find((other) => isOffered(other, flags));
      const near = known === undefined ? nearestFlags(flag, flags) : [known];
      return usageError(`obk ${path} has no flag ${flag}.`, ...(near.length > 0 ? near : [help]));
    }
    case 'commander.optionMissingArgument':
      return usageError(`${quoted.replace(/^-\w, /, '').replace(/ <.*$/, '')} needs a value.`, help);
    case 'commander.missingArgument':
      return usageError(`Missing ${quoted.toUpperCase()}.`, help);
    case 'commander.excessArguments':
      return usageError(tooManyWords(path, what), help);
    default:
      return usageError(`${what.charAt(0).toUpperCase()}${what.slice(1)}.`.replace(/\.\.$/, '.'), help);
  }
}

/** "Expected 1 argument but got 2.", as a person counts. */
function tooManyWords(path: string, what: string): string {
  const [, most = '0', given = ''] = /Expected (\d+) arguments? but got (\d+)/.exec(what) ?? [];
  const taken = most === '0' ? 'no word' : most === '1' ? 'one word' : `${most} words`;
  return `obk ${path} takes ${taken} after it; there are ${given}.`;
}

/** The flags that were probably meant; the dashes in front of all of them make none of them alike. */
export function nearestFlags(flag: string, flags: readonly string[]): string[] {
  if (!flag.startsWith('--')) return nearest(flag, flags);
  const bare = (one: string) => one.replace(/^--/, '');
  const near = new Set(nearest(bare(flag), flags.map(bare)));
  return flags.filter((one) => near.has(bare(one)));
}

/** Whether an advice is a command, a flag of this command, or one that every command has. */
function isOffered(advice: string, flags: readonly string[]): boolean {
  const [flag = ''] = advice.split(' ');
  return (
    !/^--(at|limit|creditor|debtor|date|remittance|certificate|ca|base-url|intent-key)\b/.test(flag) ||
    flags.includes(flag)
  );
}

/** What other programs call it, and how obk does; the build hands the commands to bin/obk.js. */
export const elsewhere = {
  flags: new Map([
    ['--format', ['-o json   # table, wide, tsv, csv, ndjson, yaml, name']],
    ['--yaml', ['-o yaml']],
    ['--csv', ['-o csv']],
    ['--file', ['--output FILE']],
    ['--use', ['obk profile use NAME']],
    ['--env', ['--profile NAME']],
    ['--environment', ['--profile NAME']],
    ['--sandbox', ['--profile sandbox']],
    ['--user', ['--psu-id ID']],
    ['--username', ['--psu-id ID']],
    ['--password', ['--psu-password-from REF   # obk help references']],
    ['--otp', ['--otp-from REF   # obk help references']],
    ['--silent', ['-q']],
    ['--no-prompt', ['--no-input']],
    ['--non-interactive', ['--no-input']],
    ['--follow', ['--watch']],
    ['--wait', ['--until STATUS', '--watch']],
    ['-n', ['--limit N']],
    ['--to', ['--creditor-account IBAN', '--date-to DATE']],
    ['--since', ['--date-from DATE']],
    ['--until', ['--date-to DATE']],
    ['--creditor-iban', ['--creditor-account IBAN']],
    ['--creditor', ['--creditor-account IBAN --creditor-name NAME']],
    ['--from', ['--debtor IBAN', '--date-from DATE']],
    ['--debtor-iban', ['--debtor IBAN']],
    ['--debtor-account', ['--debtor IBAN']],
    ['--reference', ['--remittance TEXT']],
    ['--purpose', ['--remittance TEXT']],
    ['--description', ['--remittance TEXT']],
    ['--message', ['--remittance TEXT']],
    ['--cert', ['--certificate FILE']],
    ['--cacert', ['--ca FILE']],
    ['--url', ['--base-url URL']],
    ['--idempotency-key', ['--intent-key KEY']],
    ['--name', ['--at NAME']],
  ]),
  commands: new Map([
    ['ls', ['list']],
    ['all', ['list']],
    ['show', ['get', 'list']],
    ['view', ['get']],
    ['read', ['get']],
    ['get', ['show']],
    ['new', ['create', 'init']],
    ['add', ['create', 'init']],
    ['create', ['init']],
    ['init', ['create']],
    ['send', ['init']],
    ['start', ['init', 'create']],
    ['sign', ['authorise']],
    ['authorize', ['authorise']],
    ['approve', ['authorise']],
    ['rm', ['delete', 'remove', 'cancel']],
    ['remove', ['delete', 'cancel']],
    ['delete', ['cancel', 'remove']],
    ['revoke', ['delete', 'cancel']],
    ['update', ['edit', 'set']],
    ['select', ['use']],
    ['switch', ['use']],
    ['pay', ['payment init']],
    ['transfer', ['payment init']],
    ['setup', ['profile create']],
    ['configure', ['profile create']],
    ['token', ['auth status']],
    ['history', ['log']],
    ['logs', ['log']],
    ['bank', ['profile list', 'sandbox']],
    ['check', ['doctor']],
  ]),
};

/** Words that are no command, with the names that were probably meant. */
export function unknownCommand(path: readonly string[], word: string): ObkError {
  const at = ['obk', ...path].join(' ');
  const seen = tree.filter((entry) => entry.hidden !== true);
  const siblings = speltAlike(word, namesBelow(path)).map((name) => `${at} ${name}`);
  const same = seen
    .filter((entry) => entry.path.endsWith(` ${[...path, word].join(' ')}`))
    .map((entry) => `obk ${entry.path}`);
  const meant = (elsewhere.commands.get(word.toLowerCase()) ?? [])
    .map((name) => [...path, ...name.split(' ')].join(' '))
    .filter((words) => seen.some((entry) => entry.path === words))
    .map((words) => `obk ${words}`);
  // A command that stands by itself; of one that needs another word, its list.
  const alone = seen
    .filter((entry) => entry.path === word)
    .map(({ path, load, verb }) => {
      const needsVerb = load === undefined && verb === undefined;
      return needsVerb && seen.some((entry) => entry.path === `${path} list`) ? `${path} list` : path;
    })
    .map((name) => `obk ${name}`);
  const tries = [same, meant, alone, siblings, [`${at} --help`]].find((some) => some.length > 0) ?? [];
  return usageError(`${at} has no command ${JSON.stringify(word)}.`, ...tries.slice(0, 5));
}
