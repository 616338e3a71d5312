import { line } from '../../../base/command-line.ts';
import { asciiAddress } from '../../../settings/profile/texts.ts';
import { isLoopback, parseUrl } from '../../../base/url.ts';
import { usageError } from './flag-values.ts';

/** The address of a bank, in the form that calls are made of: without blanks around it or a slash at its end. */
export function checkedUrl(flag: string): (text: string) => string {
  return (text) => checkedWeb(flag)(text).replace(/\/+$/, '');
}

/** An address that a bank compares letter by letter, as it is but for blanks around it and the case of its scheme. */
export function checkedWeb(flag: string): (text: string) => string {
  return (given) => {
    const text = given.trim().replace(/^https?:/i, (scheme) => scheme.toLowerCase());
    if (text === '') return text;
    const ascii = asciiAddress(text);
    if (ascii !== undefined)
      throw usageError(
        `${flag} takes an address in ASCII, a name in Punycode; not ${JSON.stringify(given)}.`,
        line`${[flag, ascii]}`,
      );
    if (/^https?:$/.test(parseUrl(text)?.protocol ?? '')) return text;
    // What stands before an @ may be a password.
    const shown = given.includes('@') ? '' : `; not ${JSON.stringify(given)}`;
    throw usageError(
      `${flag} takes an http or https address${shown}.`,
      line`${[flag, meantAddress(flag, text)]}`,
    );
  };
}

/** The address that somebody may mean who left the scheme out or typed one much like it; else an example. */
function meantAddress(flag: string, text: string): string {
  const rest = text.replace(/^(h?t*ps?|ftps?|wss?):\/*|^\/\//i, '');
  const url = parseUrl(`https://${rest}`);
  const isHost = url?.username === '' && /^[!-~]+$/.test(rest) && !rest.includes('://');
  if (!isHost) return flag.includes('redirect') ? 'https://tpp.example/back' : 'https://api.bank.example';
  return isLoopback(url.hostname) ? `http://${rest}` : `https://${rest}`;
}
