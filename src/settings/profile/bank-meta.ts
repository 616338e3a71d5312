import { operations } from '../../standard/xs2a/operations.ts';
import { frameworkNames } from '../../standard/xs2a/origin.ts';
import {
  addressTemplate,
  bic,
  country,
  loginAddress,
  oneLine,
  operationPath,
  plainName,
  pointer,
  variableValue,
  word,
} from './bank-texts.ts';
import { error } from './finding.ts';
import type { SettingFinding } from './finding.ts';
import { choice, count, forPeople, forTpp, group, list, map, said, text, url, yesNo } from './row.ts';
import { byOperation, operationId } from './operation-rows.ts';
import type { ByOperation } from './operation-rows.ts';
import { day, month } from './texts.ts';

const service = url(addressTemplate);
const line = text({ wrong: oneLine });

/** The rows for what a bank is, where it is, which operations it has, and what is known of its test system. */
export const metaRows = {
  meta: said(
    'The bank or platform that is described, and how that is known.',
    forPeople(
      group({
        name: said('The name for people.', line),
        id: said('A short name for scripts.', text({ wrong: plainName })),
        bic: said('The BICs of the banks that are so.', list(text({ wrong: bic }))),
        bankCodes: said(
          'The national bank codes of the banks that are so.',
          list(text({ wrong: variableValue })),
        ),
        country: said('The country of the bank.', text({ wrong: country })),
        environment: said(
          'The system of the bank that is described; the profile says its own environment itself.',
          choice(['sandbox', 'test', 'production']),
        ),
        extends: said(
          'The template, or the file in the same folder, that this one differs from.',
          text({
            wrong: (given) =>
              isExtended(given) ? undefined : 'It must be a template, or NAME.json or NAME.yaml beside it.',
          }),
        ),
        verified: said('Whether somebody has tried it at the bank itself.', yesNo()),
        verifiedOn: said('The day on which that was last looked up.', text({ wrong: day })),
        met: said(
          'The release of its software that obk has met, and the month; absent where it never met one that runs.',
          group(
            {
              release: said('The software and its release.', line),
              on: said('The month, as YYYY-MM.', text({ wrong: month })),
            },
            ['release', 'on'],
          ),
        ),
        sources: said('The documents that say so.', list(line)),
      }),
    ),
  ),
  spec: said(
    'The parts of the interface that the bank has.',
    group(
      {
        validateAgainst: said(
          'The framework that answers are judged by, where it is not the one that is spoken.',
          forTpp(choice(frameworkNames)),
        ),
        operations: said(
          'Operations that the bank does not have, or has at another place.',
          byOperation(
            group({
              supported: said('False where the bank does not have the operation.', yesNo()),
              path: said(
                'Its path below the base URL, its version included.',
                text({ wrong: operationPath }),
              ),
              method: said('Its method.', choice(['GET', 'POST', 'PUT', 'DELETE'])),
            }),
          ),
        ),
      },
      [],
      { together: sameKind },
    ),
  ),
  urls: said(
    'The addresses of the bank beside its base URL.',
    forTpp(
      group({
        perService: said(
          'The addresses of single services that are not below the base URL, each without the prefix.',
          group({
            pis: said('The address of payments and signing baskets.', service),
            ais: said('The address of consents and accounts.', service),
            piis: said('The address of funds confirmations.', service),
          }),
        ),
        vars: said(
          'The variables in the addresses, each with the values that it may have; none means any.',
          map((name) => plainName(name), list(text({ wrong: variableValue }))),
        ),
      }),
    ),
  ),
  registration: said(
    'How a TPP makes itself known to the bank.',
    forTpp(
      group({
        kind: said('Not at all, by its first call, or at a portal.', choice(['none', 'firstCall', 'portal'])),
        operation: said('The operation that is called first.', operationId),
        successStatus: said('The statuses that say that it is done.', list(count(200, 499))),
        portal: said('The address of the portal.', url(loginAddress)),
      }),
    ),
  ),
  waivers: said(
    'Findings about answers that are known and taken as they are.',
    forTpp(
      list(
        group(
          {
            rule: said('The rule of the finding.', text({ wrong: word })),
            operation: said('The operation that it is about; all if not given.', operationId),
            pointer: said('The member that it is about; all if not given.', text({ wrong: pointer })),
            reason: said('Why it is taken.', line),
            status: said('The HTTP status that it is about; all if not given.', count(100, 599)),
            since: said('The day since when.', text({ wrong: day })),
            until: said('The last day on which it is taken; obk check fails after it.', text({ wrong: day })),
            issue: said('Where it is followed up.', forPeople(line)),
            owner: said('Who follows it up.', forPeople(line)),
          },
          ['rule', 'reason'],
        ),
      ),
    ),
  ),
  sandbox: said(
    'What the test system of the bank offers, for people.',
    forPeople(
      group({
        testPsus: said('The PSUs of the test system.', list(line)),
        simulateSca: said('The address at which the SCA is played.', url(loginAddress)),
        notes: said('What else to know.', list(line)),
      }),
    ),
  ),
};

/** A template by its name, or a file beside the one that says it: a stranger's file reads nothing else of this machine. */
function isExtended(given: string): boolean {
  return /^[a-z0-9][a-z0-9_-]*$/i.test(given) || /^[A-Za-z0-9_][A-Za-z0-9_.-]*\.(json|ya?ml)$/.test(given);
}

/** A read may be sent again and a write may not, so that neither can become the other; and each variable of a path is known. */
function sameKind(spec: Readonly<Record<string, unknown>>, at: string): readonly SettingFinding[] {
  const { operations: own = {} } = spec as { operations?: ByOperation<{ path?: string; method?: string }> };
  return Object.entries(own).flatMap(([id, { method, path }]) => {
    const standard = operations.find((operation) => operation.id === id);
    if (standard === undefined) return [];
    const place = `${at}.operations.${id}`;
    const isRead = standard.method === 'GET';
    const known = new Set(standard.path.match(/\{[^}]+\}/g));
    const unknown = (path?.match(/\{[^}]+\}/g) ?? []).find((variable) => !known.has(variable));
    return [
      ...(method === undefined || isRead === (method === 'GET')
        ? []
        : [
            error(
              `${place}.method`,
              `${id} is a ${isRead ? 'GET' : standard.method}: a read stays one, and so does a write.`,
            ),
          ]),
      ...(unknown === undefined ? [] : [error(`${place}.path`, `${id} has no ${unknown}.`)]),
    ];
  });
}
