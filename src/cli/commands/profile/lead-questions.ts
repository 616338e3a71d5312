import type { Context } from '../../context.ts';
import { isFailure } from '../../../base/errors.ts';
import type { SavedProfile, Settings } from '../../../settings/records/profile.ts';
import type { Passphrases } from './checked-files.ts';
import { withSettings } from './settings-flags.ts';
import type { SettingsOptions } from './settings-flags.ts';

/** What is known of a profile that a person is led through. */
export interface Lead {
  context: Context;
  settings: Settings;
  /** The settings before any flag: a preset, a template, or a profile that is extended. */
  start: SavedProfile;
  /** What `start` would be with other options: their bank and framework. */
  startWith: (options: SettingsOptions) => Promise<SavedProfile>;
  options: SettingsOptions & { name?: string };
  asked: Passphrases;
  /** Whether the address has answered. */
  reached?: boolean;
}

/** Stands for the name of a profile that has none yet. */
export const draftName = 'new-profile';
/** The settings as they were answered so far. */
export const made = ({ context, start, options }: Lead) => withSettings(context, start, options);

/** Asks for one line; what the settings refuse is asked again. Empty takes nothing where `optional` says so. */
export async function text(
  lead: Lead,
  name: keyof SettingsOptions,
  { flag, about, optional = false }: { flag: string; about: string; optional?: boolean },
): Promise<void> {
  const check = (answer: string) => {
    if (answer === '') return optional ? undefined : 'Type an answer.';
    try {
      withSettings(lead.context, lead.start, { ...lead.options, [name]: answer });
      return undefined;
    } catch (error) {
      if (isFailure(error)) return error.title;
      throw error;
    }
  };
  const known = lead.options[name];
  const preset = typeof known === 'string' ? known : optional ? '' : undefined;
  const { person } = lead.context.ports;
  const question = { id: name, flag, env: '', text: about, again: true, check };
  const answer = await person.ask(preset === undefined ? question : { ...question, default: preset });
  const { [name]: _, ...others } = lead.options;
  lead.options = answer === '' ? others : { ...others, [name]: answer };
}

export type Choices<T extends string> = readonly (readonly [value: T, about: string])[];

/** Lets the person choose one of these. */
export async function choose<T extends string>(
  lead: Lead,
  id: string,
  about: string,
  options: Choices<T>,
): Promise<T> {
  const { person } = lead.context.ports;
  const asked = { id, flag: '', env: '', text: about, again: true };
  const value = await person.choose({
    ...asked,
    options: options.map(([one, name]) => ({ value: one, name })),
  });
  return value as T;
}
