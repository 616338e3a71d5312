import type { Profile } from '../../settings/records/profile.ts';
import type { AnswerFinding } from '../../referee/answers/finding.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';

/** Tells whether the description of the bank says what a finding says: then it is known, and no news. */
export function describedBy(
  { consent, errors, links, sca, payments }: Profile,
  operation: OperationId,
  status: number,
  { rule, pointer }: Pick<AnswerFinding, 'rule' | 'pointer'>,
): boolean {
  const shapes = errors?.shapes ?? [];
  switch (rule) {
    case 'answer-status':
      return (
        (operation === 'deleteConsent' && consent?.deleteStatus?.includes(status) === true) ||
        errors?.statusMeaning?.[operation]?.[String(status)] !== undefined
      );
    case 'answer-message-missing':
    case 'answer-media':
      return status >= 400 && (shapes.includes('oauth') || shapes.includes('html'));
    case 'answer-member-missing':
      return (
        (pointer === '/authorisationId' && (sca?.authorisationIdFrom ?? 'body') !== 'body') ||
        (/^\/debtorAccount/.test(pointer) && payments?.debtorAccount === 'optional')
      );
    case 'answer-link-form':
    case 'answer-member-type':
      return pointer.endsWith('/_links') && links?.shape === 'list';
    case 'answer-link-target':
      return sca?.authorisationIdFrom === 'resourceId';
    default:
      return false;
  }
}
