import { listAuthorisations } from '../../flows/authorisations.ts';
import { wireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { withTarget } from '../target.ts';
import { findPayment, paymentId } from './find-payment.ts';
import type { PaymentId } from './find-payment.ts';

export const register: Register = (parent, start) =>
  start(
    wireOptions(paymentId(parent.command('authorisations'))),
    {
      about: 'List the authorisations of a payment and of its cancellation, each with its scaStatus',
      examples: ['obk payment authorisations @last', 'obk payment authorisations @last -o tsv'],
      exits: [4, 5, 7],
      more: ['obk help payment authorise'],
    },
    run,
  );

export const run: Run<PaymentId> = (context, options) =>
  withTarget(context, options, async (target) => {
    const resource = await findPayment(target, options);
    const rows: Record<string, unknown>[] = [];
    for await (const { of, authorisationId, scaStatus } of listAuthorisations(target, resource)) {
      rows.push({ of, authorisationId, scaStatus: scaStatus ?? null });
    }
    return {
      kind: 'rows',
      columns: [
        { key: 'of', title: 'OF' },
        { key: 'authorisationId', title: 'AUTHORISATION' },
        { key: 'scaStatus', title: 'STATUS' },
      ],
      rows,
      nameKey: 'authorisationId',
      empty: `Payment ${resource.id} has no authorisation.`,
    };
  });
