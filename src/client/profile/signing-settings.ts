import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import { signingOptions } from '../../signing/options.ts';
import type { SigningSettings } from '../../signing/options.ts';
import { signingPresetNames } from '../../signing/presets.ts';
import { withoutNotes } from '../../settings/profile/notes.ts';
import { signing } from '../../settings/profile/signing.ts';

/** The values of `--signing`: on, off, and the known presets of banks. */
export const signingModes = ['cavage', 'none', ...signingPresetNames] as const;

/** One of them. */
export type SigningMode = (typeof signingModes)[number];

const flags = new Set(['requestTarget', 'date.sign', 'jws.trailingNewline']);
const lists = new Set(['headers', 'requiredFor', 'jws.pars']);

/** The settings after another mode or preset was chosen; a preset takes away what differed from the one before. */
export function withMode(before: SigningSettings | undefined, mode: SigningMode): SigningSettings {
  const preset = signingPresetNames.find((name) => name === mode);
  if (preset !== undefined) return { preset };
  return { ...before, mode: mode === 'none' ? 'none' : 'cavage' };
}

/**
 * The settings with one changed, such as `signing.keyId.issuer=rfc2253`; an empty value takes it away. Throws
 * INPUT_INVALID where name or value is none of signing.
 */
export function withSetting(before: SigningSettings | undefined, text: string): SigningSettings {
  const [, name = '', value = ''] = /^signing\.([A-Za-z.]+)=([^]*)$/.exec(text) ?? [];
  const parsed =
    value === ''
      ? undefined
      : lists.has(name)
        ? value.split(/[\s,]+/)
        : flags.has(name) && /^(true|false)$/.test(value)
          ? value === 'true'
          : name === 'jws.maxAgeS'
            ? Number(value)
            : value;
  try {
    if (name === '') throw invalid('It must be signing.NAME=VALUE.');
    const after = put(before ?? {}, name.split('.'), parsed);
    signingOptions(withoutNotes(signing, after));
    return after;
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: `--set ${JSON.stringify(text)}: ${error.title}`,
      ...defined({ detail: error.detail }),
      hint: ['--set signing.keyId.issuer=rfc2253', '--set signing.headers=digest,x-request-id,psu-id?'],
      cause: error,
    });
  }
}

/** The object with the member at a path changed; without a value it goes, and what is empty then. */
export function put(before: object, [head = '', ...rest]: readonly string[], value: unknown): object {
  const inner = Reflect.get(before, head) as unknown;
  const deeper = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  const after = rest.length === 0 ? value : put(deeper, rest, value);
  const gone = after === undefined || (rest.length > 0 && Object.keys(after as object).length === 0);
  if (!gone) return { ...before, [head]: after };
  return Object.fromEntries(Object.entries(before).filter(([name]) => name !== head));
}

function invalid(title: string): ObkError {
  return new ObkError({ code: 'INPUT_INVALID', title });
}
