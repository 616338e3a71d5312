import { defined } from '../../../base/defined.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { findAuthorisation } from '../../../client/authorisations/find-authorisation.ts';
import type { Found } from '../../../client/authorisations/find-authorisation.ts';
import { readAuthorisations, watchAuthorisations } from '../../../client/authorisations/sca-status.ts';
import type { AuthorisationState, AuthorisationWatch } from '../../../client/authorisations/sca-status.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { WatchEnd } from '../../../client/resources/watch.ts';
import type { Column, DataOutcome } from '../../outcome.ts';
import { scaStatuses } from '../../../standard/xs2a/codes.ts';
import { oneOf } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { ago } from '../output/for-person.ts';
import { requireBaskets } from '../run/require-offered.ts';
import { withTarget } from '../run/with-target.ts';
import { exitOfWatch, watchOf, watchOptions, watchOutcome } from '../flags/watch-options.ts';
import { nextOf, scaId } from './sca-id.ts';

const flags = (command: Flags) =>
  wireOptions(
    watchOptions(scaId(command), 'every authorisation is over', {
      text: 'read again until every one has this status, such as finalised',
      read: oneOf(
        '--until',
        scaStatuses.map(({ code }) => code),
      ),
    }),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show every authorisation of a resource, each with its scaStatus; of one, if its id is given',
      examples: [
        'obk sca status @last',
        'obk sca status --json',
        'obk sca status @last --watch --timeout 5m',
        'obk sca status @last --until finalised --timeout 5m',
      ],
      exits: [8, 9, 4, 5],
      more: ['obk help sca submit', 'obk help payment status'],
    },
    run,
  );

const columnsOf = ({ ports }: Context): readonly Column[] => [
  { key: 'of', title: 'OF' },
  { key: 'authorisationId', title: 'AUTHORISATION' },
  { key: 'scaStatus', title: 'STATUS', whole: true },
  { key: 'psuId', title: 'PSU' },
  { key: 'changedAt', title: 'SINCE', spare: 1, forPerson: ago(ports) },
  { key: 'approach', title: 'APPROACH', wide: true },
];

const run: Run<Options> = (context, options) => {
  const { watch, wire } = watchOf(options);
  return withTarget(context, wire, async (opened) => {
    const found = await findAuthorisation(opened, options.id, opened.run.psu?.id);
    const { noun, id } = found.resource;
    const target = noun === 'basket' ? await requireBaskets(opened) : opened;
    if (watch !== undefined && options.watch === true) return watchOutcome(changes(target, found, watch));
    const { rows, exit } =
      watch === undefined
        ? { rows: await readAuthorisations(target, found), exit: undefined }
        : await waited(target, found, watch);
    return {
      kind: 'rows',
      columns: columnsOf(context),
      nameKey: 'authorisationId',
      empty: noneOf(noun, id),
      rows,
      next: nextOf(found),
      ...defined({ exit }),
    };
  });
};

/** All of them at the end, and the changes before it on stderr. */
async function waited(target: Target, found: Found, pace: AuthorisationWatch) {
  const states = watchAuthorisations(target, found, pace);
  for (;;) {
    const { done, value } = await states.next();
    if (done === true) return { rows: value.last, exit: exitOfWatch[value.end] };
    target.ports.notices.say(lineOf(value));
  }
}

async function* changes(
  target: Target,
  found: Found,
  pace: AuthorisationWatch,
): AsyncGenerator<DataOutcome, WatchEnd> {
  const { noun, id } = found.resource;
  const states = watchAuthorisations(target, found, pace);
  for (let count = 0; ; count += 1) {
    const { done, value } = await states.next();
    if (done === true) {
      if (count === 0) target.ports.notices.say(noneOf(noun, id));
      return value.end;
    }
    yield { kind: 'data', data: value, text: () => lineOf(value), name: value.authorisationId };
  }
}

function noneOf(noun: string, id: string): string {
  return `No authorisation of the ${noun} ${cleanLine(id)} is known.`;
}

function lineOf({ authorisationId, scaStatus, psuId }: AuthorisationState): string {
  const of = psuId === null ? '' : ` of ${psuId}`;
  return cleanLine(`Authorisation ${authorisationId}${of}: ${scaStatus ?? 'no status'}`);
}
