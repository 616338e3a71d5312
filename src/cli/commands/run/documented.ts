import { defined } from '../../../base/defined.ts';
import { BankRefusal, ObkError, OutcomeUnknown, exitCodes } from '../../../base/errors.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { latest } from '../../../client/resources/saved-resource.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { idNames } from '../../../standard/sca/operations.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import type { Conversation, Parent } from '../../../standard/sca/state.ts';
import { statusNames } from '../flags/status-text.ts';
import { resourceDocument } from '../output/resource-document.ts';
import type { Described } from '../output/resource-document.ts';

const results: readonly number[] = [exitCodes.pending, exitCodes.declined, exitCodes.unknown];

/** Does the work of a command; an error that is a result of it (exits 8, 9 and 12) gets the document of the command. */
export async function documented<Result>(
  target: Target,
  asked: Described,
  kind: Parent['kind'],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ObkError && results.includes(error.exit))
      error.document ??= await documentOf(target, asked, kind, error);
    throw error;
  }
}

async function documentOf(target: Target, asked: Described, kind: Parent['kind'], error: ObkError) {
  const { noun } = asked;
  const named = error.resource ?? {};
  const id = named[idNames[noun]] ?? asked.id;
  const saved = id === undefined ? undefined : await savedOf(target, noun, id, kind);
  const status = named[statusNames[noun]] ?? saved?.resource?.status ?? asked.status;
  const unknown = error instanceof OutcomeUnknown ? error : undefined;
  const refusal = error instanceof BankRefusal ? error : undefined;
  const requestId = unknown?.requestId ?? saved?.resource?.requestId ?? asked.requestId ?? refusal?.requestId;
  const resource: Described = {
    ...asked,
    ...saved?.resource,
    ...defined({ id, status, requestId }),
    ...(unknown === undefined ? {} : { intent: unknown.intent }),
  };
  const { authorisationId, scaStatus } = named;
  const conversation: Partial<Conversation> = {
    ...saved?.conversation,
    ...defined({ authorisationId, scaStatus }),
  };
  return resourceDocument(target, resource, conversation, {
    kind,
    next: undefined,
    more:
      refusal === undefined
        ? {}
        : {
            code: refusal.bankCode ?? null,
            tppMessages: refusal.messages.length > 0 ? refusal.messages : null,
          },
  });
}

/** What is saved of a resource; an error must not be hidden by one more. */
async function savedOf({ name, ports }: Target, noun: Noun, id: string, kind: Parent['kind']) {
  try {
    const resource: SavedResource | undefined = await ports.resources.find(name, noun, id);
    return { resource, conversation: latest(await ports.resources.conversations(name, noun, id), kind) };
  } catch (error) {
    if (error instanceof ObkError) return undefined;
    throw error;
  }
}
