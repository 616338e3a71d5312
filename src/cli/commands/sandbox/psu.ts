import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Registers, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Outcome } from '../../outcome.ts';
import { findAuthorisation } from '../../../client/authorisations/find-authorisation.ts';
import { isFailure } from '../../../base/errors.ts';
import { builtInName } from '../../../base/profile-name.ts';
import { parseUrl } from '../../../base/url.ts';
import { inBank } from '../run/in-bank.ts';
import { actOn } from './by-id.ts';

const flags = (command: Flags, what: string, who: string) =>
  command.argument('<id>', what).option('--as <PSU-ID>', who);

type Options = OptionsOf<typeof flags>;

const deciding =
  (decision: 'approve' | 'refuse', { word, example }: { word: string; example: string }): Register =>
  (command, start) =>
    start(
      flags(
        command,
        'payment (@last), consent, authorisation, first 6 or more characters, or link to a page of the bank',
        'the customer who decides',
      ),
      {
        about: `${word} an open authorisation in place of the customer, for CI without a browser`,
        examples: [example],
        more: ['obk help payment authorise'],
      },
      (context, options) => decide(context, decision, options),
    );

export const register: Registers = {
  approve: deciding('approve', { word: 'Approve', example: 'obk sandbox psu approve @last' }),
  refuse: deciding('refuse', { word: 'Refuse', example: 'obk sandbox psu refuse @last' }),
  revoke: (command, start) =>
    start(
      flags(
        command,
        'consent, its first 6 or more characters, or @last',
        'the customer who revokes; else the one whose consent it is',
      ),
      {
        about: 'Revoke a valid consent in place of the customer, as on the page /consents of the bank inside',
        examples: ['obk sandbox psu revoke ID'],
        more: ['obk sandbox psu approve --help'],
      },
      revoke,
    ),
};

const handOf = ({ as }: Options) => (as === undefined ? {} : { psuId: as });

/** The hand of the PSU: what would be a click on the bank's page or on the phone. */
async function decide(context: Context, decision: 'approve' | 'refuse', options: Options): Promise<Outcome> {
  const { bank } = context.ports;
  const decided = await actOn(context, { id: options.id, nouns: ['payment'] }, (id) =>
    bank.control('decide', { body: { id, decision, ...handOf(options) } }),
  );
  const { id, authorisationId, scaStatus } = decided;
  const redirectedTo = await withState(context, decided, options.id);
  const done = decision === 'approve' ? 'Approved' : 'Refused';
  return {
    kind: 'data',
    data: { ...decided, ...defined({ redirectedTo }) },
    text: () =>
      authorisationId === undefined
        ? `${done}: the login. The browser would be led to ${redirectedTo ?? 'no address'}`
        : `${done}: authorisation ${authorisationId} is ${scaStatus ?? 'unknown'}.`,
    name: authorisationId ?? redirectedTo ?? id,
  };
}

/**
 * The address that the browser would be led to, as it would be had the customer opened the link of this home: with its state,
 * by which the return is known as one of that authorisation. A link that was given has brought its own.
 */
async function withState(
  { ports }: Context,
  { authorisationId, redirectedTo }: { authorisationId?: string; redirectedTo?: string },
  given: string,
): Promise<string | undefined> {
  const url = parseUrl(redirectedTo ?? '');
  if (url === undefined || authorisationId === undefined || parseUrl(given) !== undefined)
    return redirectedTo;
  if (url.searchParams.has('state')) return redirectedTo;
  try {
    const name = await inBank(ports, builtInName);
    const { conversation } = await findAuthorisation({ name, ports }, authorisationId);
    if (conversation?.returnState === undefined) return redirectedTo;
    url.searchParams.append('state', conversation.returnState);
    return url.href;
  } catch (error) {
    // Another home has started it.
    if (isFailure(error)) return redirectedTo;
    throw error;
  }
}

const revoke: Run<Options> = async (context, options) => {
  const { id, consentStatus } = await actOn(context, { id: options.id, nouns: ['consent'] }, (consentId) =>
    context.ports.bank.control('decide', {
      body: { id: consentId, decision: 'revoke', ...handOf(options) },
    }),
  );
  return {
    kind: 'data',
    data: { consentId: id, consentStatus },
    text: () => `Revoked: consent ${id} is ${consentStatus ?? 'unknown'}.`,
    name: id,
  };
};
