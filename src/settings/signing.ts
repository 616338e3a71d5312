import { ObkError } from '../errors.ts';
import { nameSpellings } from '../signing/distinguished-name.ts';
import { serialSpellings } from '../signing/key-id.ts';
import { signingOptions } from '../signing/options.ts';
import type { SigningSettings } from '../signing/options.ts';
import { signingPresetNames } from '../signing/presets.ts';
import {
  algorithms,
  certificateHeaders,
  emptyBodies,
  encodings,
  modes,
  orders,
} from '../signing/signing-options.ts';
import { error } from './finding.ts';
import type { Finding } from './finding.ts';
import { choice, group, list, text, yesNo } from './row.ts';

type Part<Key extends keyof SigningSettings> = NonNullable<SigningSettings[Key]>;

/** The signing of requests. The signer checks the settings as a whole, since it fills in the missing ones. */
export const signing = group<SigningSettings>(
  {
    preset: choice(signingPresetNames),
    mode: choice(modes),
    headers: list(text()),
    order: choice(orders),
    date: group<Part<'date'>>({ sign: yesNo() }),
    requestTarget: yesNo(),
    digest: group<Part<'digest'>>({ algorithm: choice(algorithms), emptyBody: choice(emptyBodies) }),
    keyId: group<Part<'keyId'>>({
      template: text(),
      serial: choice(serialSpellings),
      issuer: choice(nameSpellings),
    }),
    hash: choice(algorithms),
    algorithmLabel: text(),
    certificateHeader: choice(certificateHeaders),
    signatureEncoding: choice(encodings),
  },
  [],
  { instead: judge },
);

function judge(value: unknown, at: string): readonly Finding[] {
  try {
    signingOptions(value);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof ObkError)) throw thrown;
    return [error(at, `${thrown.title} ${thrown.detail ?? ''}`)];
  }
}
