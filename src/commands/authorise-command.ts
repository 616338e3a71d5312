import type { Command } from 'commander';
import { latest, parentOf } from '../flows/saved-resource.ts';
import { scaOperations, scaParams } from '../flows/sca-operations.ts';
import type { Target } from '../flows/target.ts';
import type { Noun, SavedResource } from '../ports.ts';
import { isFinalSca } from '../xs2a/codes.ts';
import { operation } from '../xs2a/operations.ts';
import { buildPath } from '../xs2a/request.ts';
import { findResource, resourceId } from './find-resource.ts';
import type { ResourceId } from './find-resource.ts';
import { wireOptions } from './global-options.ts';
import { lead } from './lead.ts';
import type { Register, Run } from './register.ts';
import type { Conversation } from './resource-document.ts';
import { scaOptions } from './sca-options.ts';
import type { ScaOptions } from './sca-options.ts';
import { withTarget } from './target.ts';

interface Options extends ResourceId, ScaOptions {
  new?: boolean;
}

const about = {
  payment: 'Authorise a payment (or its cancellation), or go on where it stopped',
  consent: 'Authorise a consent, or go on where it stopped',
  basket: 'Authorise a basket, or go on where it stopped',
} as const satisfies Record<Noun, string>;

/** The verb `authorise` of a noun: the same conversation, whatever it belongs to. */
export function authoriseCommand(noun: Noun): { register: Register; run: Run<Options> } {
  const run: Run<Options> = (context, options) =>
    withTarget(context, options, async (target) => {
      const resource = await findResource(target, noun, options);
      const open = options.new === true ? undefined : await openConversation(target, resource);
      const conversation = open ?? startedHere(target, resource);
      const leader = conversation.parent.kind === 'cancellation' ? 'cancel' : 'authorise';
      const start = { resource, conversation, resumed: open !== undefined };
      return lead(context, target, start, options, leader, false);
    });
  const register: Register = (parent, start) =>
    start(
      wireOptions(scaOptions(withNew(resourceId(parent.command('authorise'), noun)))),
      {
        about: about[noun],
        examples: [
          `obk ${noun} authorise @last --sca-method sms --psu-password-from env:PSU_PASSWORD --otp-from env:PSU_OTP`,
          `obk ${noun} authorise @last --wait --timeout 2m`,
        ],
        exits: [4, 5, 8, 9, 12],
        more: ['obk help references', `obk help ${noun} status`],
      },
      run,
    );
  return { register, run };
}

function withNew(command: Command): Command {
  return command.option('--new', 'start another authorisation instead of going on');
}

/** The conversation to go on with: an open cancellation first, else that of the resource, however it ended. */
async function openConversation(target: Target, resource: SavedResource): Promise<Conversation | undefined> {
  const all = await target.ports.store.conversations(target.name, resource.noun, resource.id);
  const cancellation = latest(all, 'cancellation');
  const open = cancellation?.scaStatus === undefined || !isFinalSca(cancellation.scaStatus);
  return cancellation !== undefined && open ? cancellation : latest(all, resource.noun);
}

/** The bank's own first link for a resource of which no conversation is known here. */
function startedHere(target: Target, resource: SavedResource): Conversation {
  const parent = parentOf(resource);
  const { start } = scaOperations[parent.kind];
  return {
    schemaVersion: 1,
    parent,
    startedAt: target.ports.clock.now().toISOString(),
    steering: { startAuthorisation: buildPath(target.variant, operation(start), scaParams(parent)) },
    standing: {},
    unknownLinks: [],
    refused: [],
  };
}
