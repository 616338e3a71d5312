import type { Profile } from '../../settings/records/profile.ts';
import type { AnswerFinding } from '../../referee/answers/finding.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';

/** What a finding is about, and the description of the bank that it is held against. */
interface Met {
  bank: Profile;
  operation: OperationId;
  status: number;
  pointer: string;
}

const tellsNothing = ({ bank: { errors }, status }: Met): boolean =>
  status >= 400 && errors?.shapes?.some((shape) => shape === 'oauth' || shape === 'html') === true;

const listsLinks = ({ bank: { links }, pointer }: Met): boolean =>
  pointer.endsWith('/_links') && links?.shape === 'list';

/** By the rule of a finding: whether the description says the same. */
const saysIt: Partial<Record<AnswerFinding['rule'], (met: Met) => boolean>> = {
  'answer-status': ({ bank: { consent, errors }, operation, status }) =>
    (operation === 'deleteConsent' && consent?.deleteStatus?.includes(status) === true) ||
    errors?.statusMeaning?.[operation]?.[String(status)] !== undefined,
  'answer-message-missing': tellsNothing,
  'answer-media': tellsNothing,
  'answer-member-missing': ({ bank: { sca, payments }, pointer }) =>
    (pointer === '/authorisationId' && (sca?.authorisationIdFrom ?? 'body') !== 'body') ||
    (/^\/debtorAccount/.test(pointer) && payments?.debtorAccount === 'optional'),
  'answer-link-form': listsLinks,
  'answer-member-type': listsLinks,
  'answer-link-target': ({ bank: { sca } }) => sca?.authorisationIdFrom === 'resourceId',
};

/** Tells whether the description of the bank says what a finding says: then it is known, and no news. */
export function describedBy(
  bank: Profile,
  operation: OperationId,
  status: number,
  { rule, pointer }: Pick<AnswerFinding, 'rule' | 'pointer'>,
): boolean {
  return saysIt[rule]?.({ bank, operation, status, pointer }) === true;
}
