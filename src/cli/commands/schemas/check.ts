import {
  each,
  foreign,
  list,
  number,
  numberOrNull,
  object,
  oneOf,
  text,
  textOrNull,
  truth,
} from '../../../base/schema.ts';
import { sideFinding } from '../output/shapes.ts';
import { printedBy } from './schema.ts';
import type { Schema } from '../../../base/schema.ts';
import type { Outputs } from './schema.ts';

const verdict = oneOf('pass', 'fail', 'waived', 'not applicable', 'not tested', 'inconclusive');

const waiver = { ...each(text, 'rule reason') };
const aboutWaiver = { ...each(text, 'operation pointer since until issue owner'), status: number };
const waivers = list(
  object({ ...waiver, verdict: oneOf('used', 'obsolete', 'expired', 'not tested') }, aboutWaiver),
);

const judged: Schema = object(
  {
    ...each(number, 'must should may'),
    warnings: list(text),
    exchanges: list(
      object({
        entry: number,
        ...each(text, 'method target framework'),
        status: numberOrNull,
        operation: textOrNull,
        findings: list(object(sideFinding, { waived: text })),
        ...each(list(text), 'notTested notes'),
      }),
    ),
    waivers,
  },
  {},
  'Both sides of calls that were made.',
);

const checkRun: Schema = object(
  {
    ...each(text, 'run profile environment framework at'),
    complete: truth,
    verdict: oneOf('pass', 'fail', 'inconclusive'),
    warnings: list(text),
    areas: list(object({ area: text, verdict, findings: number })),
    cases: list(
      object(
        {
          ...each(text, 'case about area operation'),
          verdict,
          findings: list(object(sideFinding, { waived: text })),
          calls: list(
            object(
              { ...each(text, 'method url operation requestId'), status: numberOrNull },
              { exchange: foreign({}, {}, 'As --print HBhb shows it.') },
            ),
          ),
        },
        { why: text },
      ),
    ),
    waivers,
  },
  {},
  'A bank as the suite found it; the exchange stands with the calls of a case that failed.',
);

const plan = list(
  object({
    ...each(text, 'case operation about'),
    kind: oneOf('read', 'write', 'wrong'),
    uses: number,
    needs: textOrNull,
  }),
  'With --plan: what would be tried.',
);
const printed = list(
  object(waiver, { ...aboutWaiver, since: text, status: number }),
  'With --print-waivers.',
);

export const check = {
  check: printedBy('check', {
    description: 'A check of a bank, or what is said of calls that were made.',
    anyOf: [checkRun, judged, plan, printed],
  }),
} as const satisfies Outputs;
