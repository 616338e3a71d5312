import { isTemplateName } from '../../../settings/banks/template-name.ts';
import { bankTemplates } from '../../../settings/banks/templates.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import { nearest } from '../../../base/nearest.ts';
import type { Settings } from '../../../settings/records/profile.ts';
import { isSavedProfile } from '../profile/profile-name.ts';

/** True for the name of a template that no profile has; throws PROFILE_UNKNOWN for a name of neither. */
export function isTemplateOnly(saved: Settings, what: string): boolean {
  if (!isTemplateName(what) || isSavedProfile(saved, what)) return false;
  const templates = bankTemplates.map(({ name }) => name);
  if (templates.includes(what)) return true;
  const profiles = Object.keys(saved.profiles);
  throw new ObkError({
    code: 'PROFILE_UNKNOWN',
    title: `There is no profile and no template ${JSON.stringify(what)}.`,
    detail: `Profiles: ${[...profiles, 'sandbox'].join(', ')}. Templates: ${templates.join(', ')}.`,
    hint: [
      ...nearest(what, [...profiles, ...templates]).map((near) => line`obk bank lint ${near}`),
      line`obk bank lint ./${what}   # a file of this name`,
      'obk bank list',
    ],
  });
}
