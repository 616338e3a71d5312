import { contentOf, integer, list, named, object, text } from './schema.ts';

const Problem = named(
  'Problem',
  object(
    {
      type: text('Always about:blank: the status says what it is.'),
      title: text('What is wrong.'),
      status: integer('The status of the answer.'),
      detail: text('Why.'),
      next: list(text(), 'What to do next.'),
    },
    { pointer: text('The place in the body (RFC 6901), or the name of the parameter.') },
    'A problem (RFC 9457).',
  ),
);

/** An answer as the document has it. */
interface Answer {
  description: string;
  headers?: object;
  content: object;
}

/** What is wrong in the example of a refusal. */
interface Example {
  title: string;
  detail: string;
  next: readonly string[];
  pointer?: string;
}

function problem(status: number, description: string, { title, ...why }: Example, headers?: object): Answer {
  const example = { type: 'about:blank', title, status, ...why };
  return {
    description,
    ...(headers && { headers }),
    content: contentOf('application/problem+json', Problem, example),
  };
}

/** The responses of refusals by their status; the document has those with a name once. */
export const refusals: Readonly<Record<number, Answer>> = {
  400: named(
    'BadRequest',
    problem(400, 'A parameter or the body is not as it should be.', {
      title: 'The body has no member "psuid".',
      detail: 'It takes psuId, name, description.',
      next: ['Did you mean psuId?'],
      pointer: '/psuid',
    }),
    'responses',
  ),
  401: named(
    'Unauthorised',
    problem(
      401,
      'The token is missing or wrong.',
      {
        title: 'The token is missing or wrong.',
        detail: 'Every path but health, readiness and openapi.json wants it.',
        next: ['Authorization: Bearer, with the content of the tokenFile of `obk sandbox start --json`'],
      },
      { 'WWW-Authenticate': { description: 'Bearer.', schema: { type: 'string' } } },
    ),
    'responses',
  ),
  403: named(
    'Forbidden',
    problem(403, 'A page of another origin asks.', {
      title: 'A page of https://other.example may not steer this bank.',
      detail: 'The header Origin is not that of the bank.',
      next: ['Call it from a test, or from a page of the bank itself.'],
    }),
    'responses',
  ),
  404: named(
    'NotFound',
    problem(404, 'There is no such thing at this bank.', {
      title: 'The bank has no payment unknown.',
      detail: 'It is unknown, or was forgotten by a reset.',
      next: ['GET /sandbox/api/payments'],
    }),
    'responses',
  ),
  409: named(
    'Conflict',
    problem(409, 'What there is does not allow it.', {
      title: 'There is a PSU anna already.',
      detail: 'A PSU-ID is of one PSU.',
      next: ['POST /sandbox/api/reset'],
    }),
    'responses',
  ),
  413: named(
    'TooLong',
    problem(413, 'The body is longer than 4 MiB.', {
      title: 'The body is longer than 4 MiB.',
      detail: 'A bank with more than that comes from a file.',
      next: ['obk sandbox start --config bank.yaml'],
    }),
    'responses',
  ),
  415: named(
    'NotJson',
    problem(415, 'The body is not said to be JSON.', {
      title: 'The body is text/plain.',
      detail: 'The bank takes JSON here.',
      next: ['Content-Type: application/json'],
    }),
    'responses',
  ),
  429: named(
    'TooManyStreams',
    problem(429, 'So many streams are open that the bank takes no more.', {
      title: '64 streams of events are open already.',
      detail: 'The bank does not take more; each one stays until its reader closes it.',
      next: ['Close a stream that is read no more, or let several readers share one.'],
    }),
    'responses',
  ),
  503: problem(503, 'The ledger does not answer.', {
    title: 'The bank is not ready.',
    detail: 'Its ledger does not answer.',
    next: ['Try again in a second.'],
  }),
  421: named(
    'WrongHost',
    {
      description: 'The bank is not called by a name of its own.',
      content: contentOf('text/plain', text(), 'This bank answers on this machine only.\n'),
    },
    'responses',
  ),
};
