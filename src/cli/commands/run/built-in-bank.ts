import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { connectionVariables } from '../flags/global-options.ts';
import type { WireOptions } from '../flags/global-options.ts';

const passphrases = ['OBK_KEY_PASSPHRASE_FROM', 'OBK_TLS_KEY_PASSPHRASE_FROM'];

/**
 * The built-in bank has an address, a key and certificates of its own. Throws USAGE where the run names another address, since
 * the run would otherwise reach a bank that was not meant.
 */
export function needOwnAddress({ process: { env } }: Pick<Context, 'process'>, wire: WireOptions): void {
  const given = Object.entries({ '--base-url': wire.baseUrl, OBK_BASE_URL: env['OBK_BASE_URL'] }).filter(
    ([, address]) => address !== undefined && address !== '',
  );
  const [first] = given;
  if (first === undefined) return;
  const names = given.map(([name]) => name).join(' and ');
  // An address may hold a password, which no line repeats.
  const address = String(first[1]).replace(/\/\/[^/]*@/, '//');
  throw new ObkError({
    code: 'USAGE',
    title: `${names} cannot be used at the built-in bank, which has an address of its own.`,
    detail: '--profile NAME chooses the profile of another bank. Nothing was sent.',
    hint: [
      'obk profile list   # then add --profile NAME',
      line`obk profile create NAME --base-url ${address}`,
      ...(env['OBK_BASE_URL'] ? ['unset OBK_BASE_URL   # to use the built-in bank'] : []),
    ],
  });
}

/** One notice about the variables of a connection, which the built-in bank has no use for; the version applies there too. */
export function tellUnused({ process: { env }, ports }: Pick<Context, 'process' | 'ports'>): void {
  const set = [...connectionVariables, ...passphrases].filter((name) => Boolean(env[name]));
  const unused = set.filter((name) => name !== 'OBK_VERSION');
  const notices = [
    ...(unused.length === 0 ? [] : [`The built-in bank does not use ${unused.join(', ')}.`]),
    ...(env['OBK_VERSION'] ? [`OBK_VERSION: the built-in bank is called in ${env['OBK_VERSION']}.`] : []),
  ];
  if (notices.length > 0) ports.notices.say(notices.join(' '));
}
