import {
  each,
  foreign,
  list,
  map,
  number,
  numberOrNull,
  object,
  oneOf,
  orNull,
  text,
  textOrNull,
  truth,
} from '../../../base/schema.ts';
import { bankMessage, environmentOrNull, requestFinding, sideFinding } from '../output/shapes.ts';
import { printedBy } from './schema.ts';
import { refusedThings } from '../../../base/errors.ts';
import type { Outputs } from './schema.ts';

const verdict = oneOf('passed', 'failed', 'unknown', 'skipped');
const journeyStep = object(
  {
    ...each(text, 'name commandLine'),
    verdict,
    ...each(number, 'line durationMs tries'),
    exit: numberOrNull,
    checks: list(object({ ...each(text, 'what expected is'), ok: truth })),
    calls: list(
      object(
        { ...each(text, 'method url requestId'), status: numberOrNull, durationMs: number },
        { exchange: foreign({}, {}, 'As --print HBhb shows it.') },
      ),
    ),
  },
  {
    why: text,
    error: object({ ...each(text, 'code title'), detail: textOrNull }, { tppMessages: list(bankMessage) }),
    findings: list(object(sideFinding, { waived: text })),
  },
);
const journeyRun = object(
  {
    ...each(text, 'run at'),
    ...each(number, 'passed failed unknown notRun'),
    journeys: list(
      object(
        {
          ...each(text, 'journey file profile at'),
          tags: list(text),
          verdict,
          durationMs: number,
          steps: list(journeyStep),
        },
        { why: text, interrupted: truth },
      ),
    ),
  },
  {},
  'What came of each journey; the exchanges stand with the steps that did not pass.',
);
const journeyPlan = list(
  object({
    ...each(text, 'journey file profile'),
    round: number,
    steps: list(object({ ...each(text, 'name commandLine note'), always: truth, expect: list(text) })),
  }),
  'With --plan: what would run, the names of values in it as the file has them.',
);

const latencies = object(each(number, 'mean min max p50 p75 p90 p95 p99 p999'));
const loadRows = list(
  object({
    name: text,
    ...each(number, 'ended failed'),
    latencyMs: orNull(latencies),
    errors: map(number),
  }),
);
const journeyLoad = object(
  {
    ...each(text, 'run at'),
    profiles: list(text),
    arrivals: object({ ...each(number, 'perSecond forS users'), maxErrors: text }),
    ...each(number, 'tookS due begun notBegun passed failed unknown interrupted'),
    stopped: textOrNull,
    perSecond: object(each(number, 'journeys calls')),
    ...each(loadRows, 'journeys operations'),
    moments: list(
      object({ ...each(number, 'atS due ended failed running'), p50Ms: numberOrNull, p99Ms: numberOrNull }),
    ),
  },
  {},
  'With --arrivals: latencies in milliseconds, and slices of the time.',
);

/** What `journey run` prints. */
const journeys = {
  description: 'A run of journeys, or what would run.',
  anyOf: [journeyRun, journeyPlan, journeyLoad],
};

const source = oneOf('file', 'guidelines', 'both', 'service', 'dialect');
const headers = list(object({ name: text, value: text }));
const request = {
  headers,
  body: text,
  bodySha256: text,
  ...each(textOrNull, 'digest signingString signature'),
};
const exchange = object(
  { ...each(text, 'operation method url requestId'), request: object(request) },
  {
    at: text,
    outcome: oneOf('NOT_SENT', 'DONE', 'REJECTED', 'UNKNOWN', 'FAILED'),
    durationMs: number,
    answer: object(
      { status: number, headers, body: text, messages: list(bankMessage) },
      { tls: object(each(text, 'protocol cipher peer'), { proxy: text }) },
    ),
    tolerated: list(object(each(text, 'at what'))),
    failure: object({ left: truth, why: text }, { status: number, headers }),
    resolution: text,
  },
);
const runFacts = {
  run: text,
  startedAt: text,
  command: textOrNull,
  profile: textOrNull,
  environment: environmentOrNull,
  outcome: textOrNull,
  exit: numberOrNull,
  verdict: textOrNull,
};
const statuses = object(each(textOrNull, 'transactionStatus consentStatus scaStatus'));
/** There in a journal of several machines. */
const host = { host: textOrNull };
const run = object({ ...runFacts, exchanges: list(exchange) }, { ...host, insecure: truth });

export const support = {
  journeys: printedBy('journey run', journeys),
  journeyRecord: printedBy(
    'journey record',
    foreign(
      { journey: text, tags: list(text), steps: list({ type: 'object' }) },
      { profile: text, variables: map(text), secrets: map(text) },
      'A journey as it was recorded.',
    ),
  ),
  journeySchema: printedBy('journey schema', {
    type: 'object',
    description: 'A JSON Schema (draft 2020-12).',
    additionalProperties: true,
  }),
  api: printedBy('api', {
    description:
      'The answer of the bank: its JSON, its text, or null where it has no body. With --paginate an array of these, one for each page. With --list the operations with method, path, service, role and variants.',
  }),
  dryRun: printedBy(
    [],
    object(
      { dryRun: oneOf(true), method: text, url: text, ...request, requestId: text },
      { curl: text },
      'What every command that calls a bank prints with --dry-run.',
    ),
  ),
  explanations: printedBy(
    'explain',
    list(
      object(
        { term: text, kind: text, meaning: text },
        { ...each(text, 'since who advice'), source, facts: map(text) },
      ),
    ),
  ),
  report: printedBy(
    'report',
    object(
      {
        file: text,
        id: text,
        ...each(textOrNull, 'noun profile baseUrl framework product status certificate'),
        environment: environmentOrNull,
        statuses: list(
          object({ ...each(text, 'at name value'), ...each(textOrNull, 'meaning told'), exchange: number }),
        ),
        fees: list(text),
        verdict: textOrNull,
        unmasked: truth,
        runs: list(object({ run: text }, host)),
        exchanges: list(text),
      },
      {},
      'What the page tells; `exchanges` are X-Request-IDs. `host` is there in a journal of several machines.',
    ),
  ),
  runs: printedBy(
    'log list',
    list(
      object({ ...runFacts, exchanges: number }, host),
      'Runs that called a bank, newest first; `host` stands there where several machines share a state.',
    ),
  ),
  pruned: printedBy(
    'log prune',
    object(
      {
        dryRun: truth,
        removed: list(text),
        kept: object(each(number, 'intent unknown resource notEnded unreadable')),
      },
      { journeys: number },
      'The runs that were removed, and how many stay for which reason.',
    ),
  ),
  erased: printedBy(
    'log erase',
    object(
      {
        dryRun: truth,
        profile: text,
        ...each(list(text), 'runs unsettled'),
        ...each(number, 'conversations resources tokens'),
      },
      { journeys: number },
      'What was erased of a customer; `unsettled` are runs that stay, since the outcome of a write is unknown.',
    ),
  ),
  run: printedBy('log show', {
    description: 'A run with its exchanges, or a list of runs.',
    anyOf: [run, list(run)],
  }),
  har: printedBy(
    'log har',
    object(
      {
        log: object({
          version: text,
          creator: object({ name: text, version: text }),
          entries: list({ type: 'object' }, 'As HAR 1.2 says; what begins with _ is of obk.'),
        }),
      },
      {},
      'HAR 1.2.',
    ),
  ),
  curl: printedBy('log curl', list(object({ at: textOrNull, ...each(text, 'operation requestId curl') }))),
  logDiff: printedBy(
    'log diff',
    object(
      {
        same: truth,
        calls: list(
          object({
            operation: text,
            a: textOrNull,
            b: textOrNull,
            differences: list(object({ where: text, a: textOrNull, b: textOrNull })),
            folded: number,
          }),
        ),
      },
      {},
      '`a` and `b` are X-Request-IDs; `folded` counts what always differs.',
    ),
  ),
  signature: printedBy(
    ['sign explain', 'sign verify'],
    object(
      {
        verified: truth,
        source: text,
        method: text,
        target: text,
        digest: object({ sent: textOrNull, computed: textOrNull, bytes: number, hex: text, text }),
        ...each(text, 'keyId algorithm signingString signature'),
        signedHeaders: list(text),
        certificate: object(each(text, 'from subject serial keyType')),
        checks: list(object({ name: text, ok: truth, needed: truth, text }, { hint: text })),
        explanations: list(text),
        notes: list(text),
      },
      {},
      'How the signature of a request is made, and whether it is right.',
    ),
  ),
  told: printedBy(
    [],
    object(
      {},
      {
        ...each(text, 'notice warning detail debug'),
        call: foreign(each(text, 'operation method url requestId')),
        expectation: object(each(text, 'path value is')),
        error: object({}, {}, 'As the schema error says.'),
      },
      'A line of stderr with --json and without a terminal: one of these members.',
    ),
  ),
  error: printedBy(
    [],
    object(
      {
        error: object(
          {
            code: text,
            title: text,
            detail: textOrNull,
            hint: list(text),
            exitCode: number,
            httpStatus: numberOrNull,
            requestId: textOrNull,
            operation: textOrNull,
            tppMessages: list(bankMessage),
            advice: textOrNull,
            refused: orNull(oneOf(...refusedThings)),
            resource: orNull(
              object(
                {},
                each(
                  text,
                  'paymentId consentId basketId authorisationId transactionStatus consentStatus scaStatus',
                ),
              ),
            ),
            docs: text,
            next: textOrNull,
          },
          each(text, 'intent retryAfter'),
        ),
      },
      {},
      'What a command that fails prints on stderr with --json.',
    ),
  ),
  notification: printedBy(
    'listen',
    object(
      {
        ...each(text, 'at requestId profile id'),
        noun: oneOf('payment', 'consent', 'basket'),
        authorisationId: textOrNull,
        cancels: truth,
        told: statuses,
        confirmed: statuses,
        agrees: truth,
      },
      { forwarded: numberOrNull },
      'A notification of the bank, and what the bank said when it was asked; one line each.',
    ),
  ),
  refused: printedBy(
    [],
    object(
      { next: textOrNull },
      each(text, 'paymentId consentId basketId authorisationId transactionStatus consentStatus scaStatus'),
      'What stands on stdout with exit 8, 9 or 10 where an error ended the command: what is known of the resource.',
    ),
  ),
  unknown: printedBy(
    [],
    object({ intent: text, requestId: text, next: textOrNull }, {}, 'What stands on stdout with exit 12.'),
  ),
  judgedRequests: printedBy(
    'check request',
    object(
      {
        ...each(number, 'errors warnings notes'),
        requests: list(
          object({
            entry: number,
            ...each(text, 'method target framework'),
            operation: textOrNull,
            findings: list(object(requestFinding)),
            ...each(list(text), 'notTested notes'),
          }),
        ),
      },
      {},
      'What the referee says of captured requests.',
    ),
  ),
} as const satisfies Outputs;
