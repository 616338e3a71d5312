import { describe, expect, it } from 'vitest';
import {
  advance,
  startSca,
  chooseApproach,
  isFinal,
  nextLink,
  startLink,
  methodsIn,
} from '../../../../src/bank/sca/conversation.ts';
import type { Move, Sca } from '../../../../src/bank/sca/conversation.ts';
import { definitions } from '../../../../src/bank/books/people-seed.ts';
import { optionPeople } from '../../../../src/bank/books/people-options.ts';
import type { Approach, LedgerPerson } from '../../../../src/bank/books/people.ts';
import { Refusal } from '../../../../src/bank/rules/refusal.ts';
import { scaStatuses } from '../../../../src/standard/xs2a/codes.ts';
import { scaMoves } from '../../../helpers/legal-moves.ts';
import type { ScaStatus } from '../../../../src/standard/xs2a/codes.ts';

const people: LedgerPerson[] = [...definitions, ...optionPeople].map((definition) => ({
  ...definition,
  password: 'right',
  otp: '123456',
  additionalPassword: definition.additional === true ? 'second' : undefined,
  locked: false,
  wrongSecrets: 0,
}));
/** Wrong secrets that end an authorisation of somebody who has no number of their own. */
const maxAttempts = 5;
const approaches: Approach[] = ['REDIRECT', 'OAUTH', 'EMBEDDED', 'DECOUPLED'];
const password = (text: string, more: object = {}): Move => ({
  kind: 'password',
  which: 'password',
  password: text,
  encrypted: false,
  ...more,
});
const statuses = scaStatuses.map(({ code }) => code);
const moves = (psuId: string): Move[] => [
  { kind: 'identify', psuId },
  password('right'),
  password('wrong'),
  password('right', { encrypted: true }),
  password('second', { which: 'additionalPassword' }),
  password('second', { which: 'additionalPassword', encrypted: true }),
  { kind: 'login', password: 'right' },
  { kind: 'login', password: 'wrong' },
  { kind: 'select', methodId: 'sms' },
  { kind: 'select', methodId: 'app' },
  { kind: 'select', methodId: 'page' },
  { kind: 'select', methodId: 'pigeon' },
  { kind: 'otp', otp: '123456' },
  { kind: 'otp', otp: 'wrong' },
  { kind: 'approve' },
  { kind: 'refuse' },
  { kind: 'confirm', right: true },
  { kind: 'confirm', right: false },
];

const at = (approach: Approach, scaStatus: ScaStatus, psuId: string, attempts = 0): Sca => ({
  approach,
  scaStatus,
  psuId: scaStatus === 'received' ? undefined : psuId,
  methodId: undefined,
  framework: '1.3.6',
  confirm: approach === 'REDIRECT' || approach === 'OAUTH',
  byToken: false,
  passwords: 0,
  attempts,
});
const terms = { framework: '1.3.6', confirm: false } as const;

function attempt(sca: Sca, move: Move, person: LedgerPerson): ReturnType<typeof advance> | Refusal {
  try {
    return advance(sca, move, person);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe('a move of any person from any status', () => {
  it.each(people.map((person) => [person.psuId, person] as const))(
    'is legal for %s or refused',
    (psuId, person) => {
      for (const approach of approaches) {
        for (const status of statuses) {
          for (const move of moves(psuId)) {
            for (const attempts of [0, maxAttempts - 1]) {
              const result = attempt(at(approach, status, psuId, attempts), move, person);
              const what = `${approach} ${status} ${JSON.stringify(move)}`;
              if (result instanceof Refusal) {
                expect([400, 401, 409], what).toContain(result.status);
              } else {
                const after = result.sca.scaStatus;
                expect(after === status || scaMoves[status].includes(after), `${what} -> ${after}`).toBe(
                  true,
                );
              }
            }
          }
        }
      }
    },
  );

  it('changes nothing at an end', () => {
    for (const status of ['finalised', 'failed', 'exempted'] as const) {
      for (const move of moves('redirect')) {
        const result = attempt(at('EMBEDDED', status, 'redirect'), move, people[0]!);
        expect(result).toMatchObject(
          status === 'failed'
            ? { code: 'SCA_INVALID', status: 400 }
            : { code: 'STATUS_INVALID', status: 409 },
        );
      }
    }
  });

  it('leads to a link at every status but the end, unless the PSU acts elsewhere', () => {
    for (const status of statuses) {
      const idle = isFinal(status) || status === 'unconfirmed';
      for (const approach of ['REDIRECT', 'OAUTH', 'EMBEDDED'] as const)
        expect(nextLink(at(approach, status, 'x'), undefined) === undefined).toBe(idle);
      expect(nextLink(at('DECOUPLED', status, 'x'), undefined)).toBe(
        status === 'received' ? 'updatePsuIdentification' : undefined,
      );
    }
  });

  it('never undoes a refused secret, and five of them end the authorisation', () => {
    const person = people.find(({ psuId }) => psuId === 'embedded-one')!;
    let sca = startSca('EMBEDDED', person.psuId, terms);
    for (let left = maxAttempts - 1; left >= 0; left--) {
      const step = advance(sca, password('wrong'), person);
      expect(step.refusal).toMatchObject({ status: 401, code: 'PSU_CREDENTIALS_INVALID' });
      sca = step.sca;
      expect(sca.scaStatus).toBe(left === 0 ? 'failed' : 'psuIdentified');
    }
  });
});

describe('the approach of an authorisation', () => {
  it.each<[string, boolean | undefined, Approach]>([
    ['redirect', undefined, 'REDIRECT'],
    ['redirect', true, 'REDIRECT'],
    ['redirect', false, 'EMBEDDED'],
    ['redirect-explicit', false, 'REDIRECT'],
    ['embedded-choice', true, 'EMBEDDED'],
    ['decoupled', true, 'DECOUPLED'],
  ])('is for %s with TPP-Redirect-Preferred %s: %s', (psuId, preferred, expected) => {
    expect(
      chooseApproach(
        people.find((person) => person.psuId === psuId)!,
        { redirectPreferred: preferred, decoupledPreferred: undefined },
      ),
    ).toBe(expected);
  });

  it.each<[boolean, Approach[], Approach]>([
    [true, ['OAUTH', 'REDIRECT'], 'OAUTH'],
    [true, ['EMBEDDED', 'OAUTH'], 'OAUTH'],
    [false, ['OAUTH', 'REDIRECT'], 'OAUTH'],
    [false, ['OAUTH', 'REDIRECT', 'EMBEDDED'], 'EMBEDDED'],
  ])('is OAuth where the browser is: preferred %s of %j is %s', (preferred, own, expected) => {
    const [first, ...others] = own;
    const person = { ...people[0]!, approaches: [first!, ...others] as const };
    const given = { redirectPreferred: preferred, decoupledPreferred: undefined };
    expect(chooseApproach(person, given)).toBe(expected);
  });

  it.each<[boolean | undefined, boolean | undefined, Approach]>([
    [undefined, undefined, 'REDIRECT'],
    [undefined, true, 'DECOUPLED'],
    [undefined, false, 'REDIRECT'],
    [false, false, 'EMBEDDED'],
    [false, undefined, 'DECOUPLED'],
    [true, true, 'REDIRECT'],
  ])(
    'is with TPP-Redirect-Preferred %s and TPP-Decoupled-Preferred %s: %s',
    (redirect, decoupled, expected) => {
      const person = people.find(({ psuId }) => psuId === 'redirect')!;
      const all = { ...person, approaches: ['REDIRECT', 'DECOUPLED', 'EMBEDDED'] as const };
      const preferred = { redirectPreferred: redirect, decoupledPreferred: decoupled };
      expect(chooseApproach(all, preferred)).toBe(expected);
      const alone = people.find(({ psuId }) => psuId === 'decoupled')!;
      expect(chooseApproach(alone, preferred)).toBe('DECOUPLED');
    },
  );

  it.each<[Approach, string | undefined, 'payment' | 'cancellation', string]>([
    ['REDIRECT', undefined, 'payment', 'startAuthorisation'],
    ['OAUTH', 'oauth', 'payment', 'startAuthorisation'],
    ['EMBEDDED', undefined, 'payment', 'startAuthorisationWithPsuIdentification'],
    ['EMBEDDED', 'embedded-one', 'payment', 'startAuthorisationWithPsuAuthentication'],
    ['EMBEDDED', 'embedded-encrypted', 'payment', 'startAuthorisationWithEncryptedPsuAuthentication'],
    ['EMBEDDED', 'embedded-encrypted', 'cancellation', 'startAuthorisation'],
    ['DECOUPLED', 'decoupled', 'payment', 'startAuthorisation'],
    ['EMBEDDED', 'embedded-method-first', 'payment', 'startAuthorisationWithAuthenticationMethodSelection'],
    ['EMBEDDED', 'embedded-otp-first', 'cancellation', 'startAuthorisationWithTransactionAuthorisation'],
  ])('starts as %s of %s a %s by %s', (approach, psuId, kind, link) => {
    const person = people.find((one) => one.psuId === psuId);
    expect(startLink(approach, person, kind, { byToken: false, framework: '1.3.6' })).toBe(link);
  });
});

describe('an SCA method by e-mail', () => {
  const mail = people.find((one) => one.psuId === 'embedded-mail')!;
  it.each([
    ['1.3.2', ['chip']],
    ['1.3.6', ['chip']],
    ['1.3.8', ['chip', 'mail']],
    ['1.3.12', ['chip', 'mail']],
  ] as const)('has a word in %s or is not listed: %j', (framework, ids) => {
    expect(methodsIn(framework, mail).map(({ id }) => id)).toEqual(ids);
  });

  it('can be chosen where it is listed, and is unknown where it is not', () => {
    const at = (framework: '1.3.6' | '1.3.8') => {
      const begun = startSca('EMBEDDED', 'embedded-mail', { framework, confirm: false });
      const move = {
        kind: 'password',
        which: 'password',
        password: mail.password,
        encrypted: false,
      } as const;
      return advance(begun, move, mail).sca;
    };
    const select = { kind: 'select', methodId: 'mail' } as const;
    expect(at('1.3.8').scaStatus).toBe('psuAuthenticated');
    expect(advance(at('1.3.8'), select, mail).sca).toMatchObject({ methodId: 'mail' });
    // One method is left, which needs no choice.
    expect(at('1.3.6')).toMatchObject({ scaStatus: 'scaMethodSelected', methodId: 'chip' });
    expect(() => advance({ ...at('1.3.6'), scaStatus: 'psuAuthenticated' }, select, mail)).toThrow(
      'no such method',
    );
  });

  it('stays where the PSU has no other, since nobody is exempted because a word is missing', () => {
    const only = { ...mail, methods: mail.methods.filter(({ id }) => id === 'mail') };
    expect(methodsIn('1.3.2', only).map(({ id }) => id)).toEqual(['mail']);
  });
});

describe('the steps of a person', () => {
  const run = (psuId: string, framework: '1.3.2' | '1.3.6', moves: readonly Move[]) => {
    const person = people.find((one) => one.psuId === psuId)!;
    let sca = startSca(person.approaches[0], psuId, { framework, confirm: person.confirmation === true });
    const links = [nextLink(sca, person)];
    for (const move of moves) {
      sca = advance(sca, move, person).sca;
      links.push(nextLink(sca, person));
    }
    return { links, status: sca.scaStatus, approach: sca.approach };
  };
  const otp: Move = { kind: 'otp', otp: '123456' };
  const encrypted = { encrypted: true };
  const second = { which: 'additionalPassword' };

  it.each<[string, '1.3.2' | '1.3.6', Move[], (string | undefined)[], ScaStatus]>([
    [
      'embedded-additional',
      '1.3.2',
      [password('right'), password('second', second), otp],
      ['updatePsuAuthentication', 'updateAdditionalPsuAuthentication', 'authoriseTransaction', undefined],
      'finalised',
    ],
    [
      'embedded-additional',
      '1.3.6',
      [password('right'), password('second', second), otp],
      ['updatePsuAuthentication', 'updateAdditionalPsuAuthentication', 'authoriseTransaction', undefined],
      'finalised',
    ],
    [
      'embedded-additional-encrypted',
      '1.3.6',
      [password('right', encrypted), password('second', { ...second, ...encrypted })],
      [
        'updateEncryptedPsuAuthentication',
        'updateAdditionalEncryptedPsuAuthentication',
        'authoriseTransaction',
      ],
      'scaMethodSelected',
    ],
    ['redirect-confirm', '1.3.2', [{ kind: 'approve' }], ['scaRedirect', undefined], 'finalised'],
    ['redirect-confirm', '1.3.6', [{ kind: 'approve' }], ['scaRedirect', undefined], 'unconfirmed'],
    [
      'oauth-confirm',
      '1.3.6',
      [{ kind: 'approve' }, { kind: 'confirm', right: true }],
      ['scaOAuth', undefined, undefined],
      'finalised',
    ],
    [
      'oauth-confirm',
      '1.3.6',
      [{ kind: 'approve' }, { kind: 'confirm', right: false }],
      ['scaOAuth', undefined, undefined],
      'failed',
    ],
  ])('follow each other for %s in %s', (psuId, framework, moves, links, status) => {
    expect(run(psuId, framework, moves)).toMatchObject({ links, status });
  });

  it.each<[string, Approach, string | undefined]>([
    ['sms', 'EMBEDDED', 'authoriseTransaction'],
    ['app', 'DECOUPLED', undefined],
    ['page', 'REDIRECT', 'scaRedirect'],
  ])('switch after choosing %s and go on %s', (methodId, approach, link) => {
    const result = run('switch', '1.3.2', [password('right'), { kind: 'select', methodId }]);
    expect([result.approach, result.links.at(-1)]).toEqual([approach, link]);
  });

  it('let nobody go back while waiting for the confirmation', () => {
    const person = people.find((one) => one.psuId === 'redirect-confirm')!;
    const waiting = at('REDIRECT', 'unconfirmed', person.psuId);
    for (const move of [
      { kind: 'approve' },
      { kind: 'refuse' },
      otp,
      { kind: 'login', password: 'right' },
    ] as Move[])
      expect(attempt(waiting, move, person)).toMatchObject({ status: 400, code: 'SERVICE_INVALID' });
  });
});
