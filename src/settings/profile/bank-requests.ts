import { authenticationTypes } from '../../standard/xs2a/code-lists.ts';
import { scaStatuses } from '../../standard/xs2a/codes.ts';
import { linkFacts } from '../../standard/xs2a/link-names.ts';
import { headerName, ownPath, ownName, psuIdType, statusName } from './bank-texts.ts';
import { headerRule } from './header-rule.ts';
import { error } from './finding.ts';
import type { SettingFinding } from './finding.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import { scaApproaches } from '../../standard/xs2a/sca-approaches.ts';
import { choice, count, forTpp, group, list, map, said, text, yesNo } from './row.ts';
import { byOperation } from './operation-rows.ts';
import { mediaType, rate } from './texts.ts';

const steering = linkFacts.filter(({ kind }) => kind !== 'data').map(({ name }) => name);

/** The rows for headers, links, SCA, errors and limits. */
export const requestRows = {
  headers: said(
    'The headers of requests.',
    group({
      rules: said('Headers that are required, forbidden or filled in, by operation.', list(headerRule)),
      accept: said(
        'The media type to ask for, unless a run says, by operation.',
        byOperation(text({ wrong: mediaType })),
      ),
      contentType: said('The media type of the body, by operation.', byOperation(text({ wrong: mediaType }))),
      psuIdType: said(
        'The types of PSU that the bank knows.',
        group({
          values: said('All of them.', list(text({ wrong: psuIdType }))),
          default: said('The one that is sent where none is given.', text({ wrong: psuIdType })),
        }),
      ),
      psuId: said(
        'The part of the PSU-ID that is sent.',
        group({
          first: said('Its first characters only.', count(1, 200, 'characters')),
        }),
      ),
    }),
  ),
  links: said(
    'The links in answers.',
    group({
      host: said(
        'Whether links must name the host of the bank, or only their path and query count.',
        choice(['strict', 'ignore'], { otherwise: 'strict' }),
      ),
      aliases: said(
        "The bank's names of links, each with the link that it means.",
        map(ownName, choice(steering)),
      ),
      shape: said(
        'How the bank writes links: objects with href, texts, or a list.',
        choice(['object', 'string', 'list']),
      ),
    }),
  ),
  sca: said(
    'The strong customer authentication.',
    group({
      approaches: said('The approaches that the bank has.', list(choice(scaApproaches))),
      preferred: said('The one that is asked for unless a run says.', choice(scaApproaches)),
      startMode: said(
        'How an authorisation starts: with the resource, by a call, with the password in it, with an encrypted one, or not.',
        choice(['implicit', 'explicit', 'withPsuAuthentication', 'encrypted', 'skip']),
      ),
      passwordEncryption: said(
        'How a password is encrypted for the bank (JWE).',
        group({
          kind: said('The algorithm; the content is always A256GCM.', choice(['RSA-OAEP-256', 'RSA-OAEP'])),
          certificateLink: said(
            'The link of an answer that leads to the certificate of the bank.',
            text({ wrong: ownName }),
          ),
          certificatePath: said(
            'The path of that certificate at the host of the bank, where no link leads to it.',
            text({ wrong: ownPath }),
          ),
        }),
      ),
      authorisationIdFrom: said(
        'Where the authorisationId stands: in the body, in a link, or it is that of the resource.',
        choice(['body', 'link', 'resourceId']),
      ),
      statusFrom: said(
        'Where the end of an authorisation is seen: at its scaStatus, or at the status of the resource.',
        choice(['endpoint', 'resource']),
      ),
      statusAliases: said(
        'The words of the bank for scaStatus, each with the code that it means.',
        map(ownName, choice(scaStatuses.map(({ code }) => code))),
      ),
      authTypeAliases: said(
        'The words of the bank for authenticationType, each with the type that it means.',
        map(ownName, choice(authenticationTypes.map(({ code }) => code))),
      ),
      challengeData: said('How challengeData.data is written.', choice(['list', 'text'])),
      poll: said(
        'How often a status may be asked for.',
        group({
          minIntervalMs: said('The time between two questions at least.', count(1, 600_000, 'milliseconds')),
          maxPerSecond: said('The questions in a second at most.', count(1, 100)),
          timeoutS: said(
            'The time after which the bank gives up; in the bank inside, what is set for its PSU.',
            forTpp(count(1, 86_400, 'seconds')),
          ),
        }),
      ),
      redirectLifetimeS: said(
        'How long the page of the bank waits for the PSU.',
        count(1, 86_400, 'seconds'),
      ),
      multilevel: said(
        'Whether several PSUs may have to authorise; in the bank inside, its accounts say it.',
        forTpp(yesNo()),
      ),
      confirmationCode: said('Whether the return of the PSU brings a code to confirm with.', yesNo()),
    }),
  ),
  errors: said(
    'How the bank refuses.',
    group(
      {
        shapes: said('The forms of its errors.', list(choice(['tppMessages', 'oauth', 'problem', 'html']))),
        statusMeaning: said(
          'What a status means in an operation, where it is not what HTTP says.',
          byOperation(map(statusName, choice(['done', 'refused', 'unknown']))),
        ),
        traceHeaders: said(
          'Headers of answers by which the bank finds a call again.',
          list(text({ wrong: headerName })),
        ),
      },
      [],
      { together: noLostPayment },
    ),
  ),
  limits: said(
    'How often the bank may be called.',
    group({
      rate: said('Each operation: `90` a minute, `10/1s`, or `off`.', text({ wrong: rate })),
      perOperation: said('Single operations, in the same form.', byOperation(text({ wrong: rate }))),
      perDayPerAccess: said('Accesses a day to an account without the PSU.', count(1, 10_000)),
      header: said(
        'The header by which the bank says what is left.',
        group({
          name: said('Its name.', text({ wrong: headerName })),
          format: said('Its form: a number, or JSON with one.', choice(['number', 'json'])),
        }),
      ),
    }),
  ),
};

/** A write that the bank took must not be called refused, since it would be made once more. */
function noLostPayment(errors: Readonly<Record<string, unknown>>, at: string): readonly SettingFinding[] {
  const { statusMeaning = {} } = errors as {
    statusMeaning?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  return Object.entries(statusMeaning).flatMap(([id, meanings]) => {
    const isRead = operations.find((operation) => operation.id === id)?.method === 'GET';
    const wrong = Object.entries(meanings).find(
      ([status, meaning]) => /^2/.test(status) && meaning === 'refused',
    );
    if (wrong === undefined || isRead) return [];
    return [
      error(
        `${at}.statusMeaning.${id}.${wrong[0]}`,
        `A ${wrong[0]} is no refusal of ${id}: it would be sent once more.`,
      ),
    ];
  });
}
