import { latest, parentOf, paymentParams } from '../../flows/saved-payment.ts';
import type { Target } from '../../flows/target.ts';
import type { SavedResource } from '../../ports.ts';
import { isFinalSca } from '../../xs2a/codes.ts';
import { operation } from '../../xs2a/operations.ts';
import { buildPath } from '../../xs2a/request.ts';
import { wireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { scaOptions } from '../sca-options.ts';
import type { ScaOptions } from '../sca-options.ts';
import { withTarget } from '../target.ts';
import { findPayment, paymentId } from './find-payment.ts';
import type { PaymentId } from './find-payment.ts';
import { lead } from './lead.ts';
import type { Leader } from './lead.ts';
import type { Conversation } from './payment-document.ts';

interface Options extends PaymentId, ScaOptions {
  new?: boolean;
}

export const register: Register = (parent, start) => {
  const command = paymentId(parent.command('authorise')).option(
    '--new',
    'start another authorisation instead of going on',
  );
  return start(
    wireOptions(scaOptions(command)),
    {
      about: 'Authorise a payment (or its cancellation), or go on where it stopped',
      examples: [
        'obk payment authorise @last --sca-method sms --psu-password-from env:PSU_PASSWORD --otp-from env:PSU_OTP',
        'obk payment authorise @last --wait --timeout 2m',
      ],
      exits: [4, 5, 8, 9, 12],
      more: ['obk help references', 'obk help payment status'],
    },
    run,
  );
};

export const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const resource = await findPayment(target, options);
    const open = options.new === true ? undefined : await openConversation(target, resource);
    const conversation = open ?? startedHere(target, resource);
    const leader: Leader = conversation.parent.kind === 'cancellation' ? 'cancel' : 'authorise';
    return lead(
      context,
      target,
      { resource, conversation, resumed: open !== undefined },
      options,
      leader,
      false,
    );
  });

/** The conversation to go on with: an open cancellation first, else that of the payment, however it ended. */
async function openConversation(target: Target, resource: SavedResource): Promise<Conversation | undefined> {
  const all = await target.ports.store.conversations(target.name, 'payment', resource.id);
  const cancellation = latest(all, 'cancellation');
  const open = cancellation?.scaStatus === undefined || !isFinalSca(cancellation.scaStatus);
  return cancellation !== undefined && open ? cancellation : latest(all, 'payment');
}

/** The bank's own first link for a payment of which no conversation is known here. */
function startedHere(target: Target, resource: SavedResource): Conversation {
  const href = buildPath(target.variant, operation('startPaymentAuthorisation'), paymentParams(resource));
  return {
    schemaVersion: 1,
    parent: parentOf(resource, 'payment'),
    startedAt: target.ports.clock.now().toISOString(),
    steering: { startAuthorisation: href },
    standing: {},
    unknownLinks: [],
    refused: [],
  };
}
