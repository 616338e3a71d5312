import { nearest } from '../../../base/nearest.ts';
import { headerSets } from '../../../standard/xs2a/header-rows.ts';
import { checkHeaderValue } from '../../../standard/xs2a/headers.ts';
import { usageError } from './flag-values.ts';

/** Facts of the PSU's device by the name of their header. */
export type PsuContext = Readonly<Record<string, string>>;

const names: readonly string[] = headerSets.CTX.map(({ name }) => name);
const short = names.map((name) => name.slice('PSU-'.length));

/** Reads one `NAME=VALUE` of --psu-context; the value is judged as the header will be. An empty one takes the header away. */
export function psuContext(text: string, before: PsuContext | undefined): PsuContext {
  const [, typed = '', value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const lower = typed.trim().toLowerCase();
  if (value === undefined)
    throw usageError(
      `--psu-context takes NAME=VALUE; not ${JSON.stringify(text)}.`,
      "--psu-context 'Accept-Language=de'",
    );
  if (/^(psu-)?ip-address$/.test(lower))
    throw usageError('PSU-IP-Address has a flag of its own.', `--psu-ip ${value}`);
  const name = names.find((known) =>
    [known, known.slice('PSU-'.length)].some((n) => n.toLowerCase() === lower),
  );
  if (name === undefined) {
    const near = nearest(lower.replace(/^psu-/, ''), short).map(
      (meant) => `--psu-context '${meant}=${value}'`,
    );
    throw usageError(
      `There is no PSU context header ${JSON.stringify(typed)}; there are ${short.join(', ')}.`,
      ...near,
    );
  }
  if (value !== '') {
    const checked = checkHeaderValue(name, value);
    if (!checked.ok) throw usageError(`--psu-context ${JSON.stringify(text)}: ${checked.why}.`);
  }
  return { ...before, [name]: value };
}
