// Banks whose links and statuses are not those of the guidelines: in each case obk goes on, looks at the payment in place of the
// authorisation, or refuses to follow, and loses nothing. obk and the bank run inside this process; what obk sends is held against
// the official files, what the bank answers is wrong on purpose.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { checkRequest, hasOfficialFiles } from '../helpers/contract.ts';
import { part, ranTable } from '../helpers/trials.ts';
import { startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';

type Odd = Parameters<Tpp['bank']['scenario']>[0];
type Person = 'embedded-choice' | 'embedded-one-implicit' | 'redirect' | 'redirect-explicit' | 'decoupled';

/** The methods and statuses of the calls, in their order, and how each command ends. */
interface Row {
  odd: Odd;
  psuId: Person;
  /** Exit code and transactionStatus of `payment init`, or the code of its error. */
  init: readonly [exit: number, told: string];
  /** The same of `payment authorise`, after the PSU has approved. */
  authorise?: readonly [exit: number, told: string];
  calls: string;
}

const goesOn: readonly (readonly [Person, string, ...(readonly (readonly [number, string])[])])[] = [
  ['embedded-choice', 'POST201 POST201 PUT200 PUT200 GET200', [0, 'ACSC']],
  ['embedded-one-implicit', 'POST201 PUT200 PUT200 GET200', [0, 'ACSC']],
  ['redirect', 'POST201 GET200 GET200', [0, 'RCVD'], [0, 'ACSC']],
  ['redirect-explicit', 'POST201 POST201 GET200 GET200', [0, 'RCVD'], [0, 'ACSC']],
  ['decoupled', 'POST201 POST201 GET200 GET200', [0, 'RCVD'], [0, 'ACSC']],
];
const asEver: readonly Odd[] = [
  { hrefs: 'absolute' },
  { hrefs: 'without-slash' },
  { links: 'misspelt' },
  { links: 'unknown' },
  { links: 'no-sca-status' },
];
const rows: readonly Row[] = [
  ...asEver.flatMap((odd) =>
    goesOn.map(([psuId, calls, init = [0, ''], authorise]) => ({
      odd,
      psuId,
      init,
      calls,
      ...(authorise && { authorise }),
    })),
  ),
  // An unknown status of the payment stops every step, until the bank says one that is known.
  ...goesOn.map(([psuId]) => ({
    odd: { statuses: 'unknown' } as const,
    psuId,
    init: [8, 'ACXX'] as const,
    ...(psuId === 'redirect'
      ? { authorise: [0, 'ACSC'] as const, calls: 'POST201 GET200 GET200 GET200' }
      : { calls: 'POST201' }),
  })),
  // A href is used as it is, even where it leads nowhere; the payment tells in place of a scaStatus that is not there.
  {
    odd: { hrefs: 'without-product' },
    psuId: 'embedded-choice',
    init: [5, 'REFUSED'],
    calls: 'POST201 POST405',
  },
  {
    odd: { hrefs: 'without-product' },
    psuId: 'embedded-one-implicit',
    init: [5, 'REFUSED'],
    calls: 'POST201 PUT404',
  },
  {
    odd: { hrefs: 'without-product' },
    psuId: 'redirect',
    init: [0, 'RCVD'],
    authorise: [0, 'ACSC'],
    calls: 'POST201 GET404 GET200 GET200',
  },
  // Nothing goes to a host that nobody declared.
  { odd: { hrefs: 'foreign' }, psuId: 'embedded-choice', init: [5, 'LINK_REFUSED'], calls: 'POST201' },
  { odd: { hrefs: 'foreign' }, psuId: 'decoupled', init: [5, 'LINK_REFUSED'], calls: 'POST201' },
  {
    odd: { hrefs: 'foreign' },
    psuId: 'redirect',
    init: [0, 'RCVD'],
    authorise: [5, 'LINK_REFUSED'],
    calls: 'POST201',
  },
  // Without links only the payment can be asked, and one that needs us stays open.
  {
    odd: { links: 'none' },
    psuId: 'redirect',
    init: [0, 'RCVD'],
    authorise: [0, 'ACSC'],
    calls: 'POST201 GET200 GET200',
  },
  { odd: { links: 'none' }, psuId: 'embedded-choice', init: [8, 'RCVD'], calls: 'POST201' },
];

const named = rows.map((row) => [`${Object.entries(row.odd).flat().join(' ')}, ${row.psuId}`, row] as const);

describe.each(['v1', 'v136'] as const)('an odd bank in %s', (variant) => {
  let tpp: Tpp;
  const findings = new Set<string>();
  beforeAll(async () => {
    tpp = await startTpp(variant);
  });
  beforeEach(() => {
    tpp.bank.scenario({ hrefs: 'relative', links: 'standard', statuses: 'standard' });
    // The bank counts calls of the last minute.
    tpp.bank.clock('+2m');
  });
  afterAll(async () => {
    ranTable(`oddities of ${variant}`);
    await tpp.close();
  });

  // What the bank puts into its links does not depend on the framework: one variant goes through all, the other through some.
  const usual = asEver.length * goesOn.length;
  const some =
    variant === 'v1'
      ? [...part(named.slice(0, usual), 5, 0), ...named.slice(usual)]
      : part(
          named.filter(([, { psuId }]) => psuId === 'embedded-choice'),
          2,
          1,
        );
  it.each(some)('serves %s', async (_, { odd, psuId, init, authorise, calls }) => {
    tpp.bank.scenario(odd);
    const made = await tpp.pay(psuId, '--sca-method', 'sms');
    const id = checked(made, init);
    if (authorise !== undefined) {
      tpp.bank.decide('approve', id, psuId);
      checked(await tpp.run(['payment', 'authorise', id], psuId), authorise);
    }
    const exchanges = tpp.take();
    expect(exchanges.map(({ method, status }) => `${method}${String(status)}`).join(' ')).toBe(calls);
    for (const made of exchanges.filter(({ status }) => status < 404)) {
      for (const { part, pointer, rule } of hasOfficialFiles() ? checkRequest(presets[variant], made) : [])
        findings.add(`${made.method} ${made.path}: ${part} ${pointer} ${rule}`);
    }
  });

  it.skipIf(!hasOfficialFiles())('was spoken to as the official files say', () => {
    expect([...findings]).toEqual([]);
  });
});

/** Holds the end of a command against what it should be; gives the id, which no error may lose. */
function checked(
  { code, document, stderr }: Awaited<ReturnType<Tpp['run']>>,
  [exit, told]: readonly [number, string],
): string {
  if (exit === 0 || exit === 8) {
    expect({ code, told: document.transactionStatus }).toEqual({ code: exit, told });
    return document.paymentId as string;
  }
  const error = (
    JSON.parse(stderr.slice(stderr.indexOf('{"error"'))) as {
      error: { code: string; exitCode: number; resource: { paymentId: string } };
    }
  ).error;
  expect({ code, document, told: error.code }).toEqual({ code: exit, document: {}, told });
  expect(error.resource.paymentId).toMatch(/^[0-9a-f-]{36}$/);
  return error.resource.paymentId;
}
