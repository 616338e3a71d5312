import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import { readConsent, useConsent } from '../../../client/resources/read-consent.ts';
import { isFinalConsent, isUsableConsent } from '../../../standard/xs2a/codes.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { resourceDocument, resourceText } from '../output/resource-document.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) => wireOptions(resourceId(command, 'consent'));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Make a consent the one that is used where none is named',
      examples: ['obk consent use @last'],
      exits: [3, 4, 7],
      more: ['obk help consent list', 'obk help accounts list'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const found = await findResource(target, 'consent', options);
    const known = found.consent !== undefined && isUsableConsent(found.status ?? '');
    const resource = known ? found : (await readConsent(target, found)).resource;
    const { id, status = 'unknown' } = resource;
    if (!isUsableConsent(status)) {
      throw new ObkError({
        code: 'CONSENT_NEEDED',
        title: `Consent ${id} is ${status}; accounts cannot be read with it.`,
        hint: [isFinalConsent(status) ? line`obk consent renew ${id}` : line`obk consent authorise ${id}`],
        resource: { consentId: id, consentStatus: status },
      });
    }
    await useConsent(target, id);
    return {
      kind: 'data',
      data: { ...resourceDocument(target, resource, undefined, { next: 'obk accounts' }), active: true },
      text: (style) => resourceText(target, resource, undefined, style),
      next: ['obk accounts'],
      name: id,
    };
  });
