import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../src/errors.ts';
import { authorise } from '../../../src/flows/authorise.ts';
import type { Authorised, AuthoriseOptions } from '../../../src/flows/authorise.ts';
import { DryRun } from '../../../src/flows/call.ts';
import { unknownWrites } from '../../../src/flows/unknown-writes.ts';
import type { SavedResource } from '../../../src/ports.ts';
import { begin } from '../../../src/sca/state.ts';
import type { Conversation, ScaAnswer } from '../../../src/sca/state.ts';
import { fakeClock, fakePerson, memoryJournal } from '../../helpers/fakes/index.ts';
import { world } from '../../helpers/world.ts';
import type { Wish, World } from '../../helpers/world.ts';

const one = '/v1/payments/sepa-credit-transfers/pay-1';
const list = `${one}/authorisations`;
const auth = `${list}/auth-1`;

const payment: SavedResource = {
  schemaVersion: 1,
  profile: 'acme',
  environment: 'test',
  noun: 'payment',
  id: 'pay-1',
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
  framework: '1.3.2',
  prefix: '/v1',
  baseUrl: 'https://bank.example',
  service: 'payments',
  product: 'sepa-credit-transfers',
  status: 'RCVD',
  links: {},
};

function started(part: Partial<ScaAnswer> = {}): Conversation {
  const answer: ScaAnswer = {
    method: 'POST',
    status: 201,
    hasLinks: true,
    links: {},
    unknownLinks: [],
    ...part,
  };
  const parent = {
    kind: 'payment',
    id: 'pay-1',
    service: 'payments',
    product: 'sepa-credit-transfers',
  } as const;
  return begin(parent, answer, '2026-11-21T09:00:00.000Z');
}

const explicit = () =>
  started({ links: { startAuthorisationWithPsuAuthentication: list }, approach: 'EMBEDDED' });
const atOtp = () =>
  started({
    approach: 'EMBEDDED',
    authorisationId: 'auth-1',
    scaStatus: 'scaMethodSelected',
    links: { authoriseTransaction: auth, scaStatus: auth },
  });
const decoupled = () =>
  started({
    approach: 'DECOUPLED',
    authorisationId: 'auth-1',
    scaStatus: 'started',
    links: { scaStatus: auth },
  });

const finalised = { body: { scaStatus: 'finalised' } };
const settled = { body: { transactionStatus: 'ACSC' } };
const wrong = (links: Record<string, string>) => ({
  status: 401,
  body: {
    tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text: 'Wrong.' }],
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
  },
});

const patient: AuthoriseOptions = { wait: true, timeoutMs: 300_000, browser: 'never', resumed: false };

const run = (
  there: World,
  conversation: Conversation,
  options: Partial<AuthoriseOptions> = {},
  resource = payment,
): Promise<Authorised> => authorise(there.target, resource, conversation, { ...patient, ...options });

const failedWith = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: unknown) => error as ObkError,
  );

const saved = (there: World) => there.store.conversations('acme', 'payment', 'pay-1');
const secret = 'geheim-geheim';

describe('a wrong secret', () => {
  it('is asked again of a person, and remembered by a mark alone', async () => {
    const person = fakePerson().answer('otp', '000000', '739184');
    const there = await world({ person });
    there.http
      .expect('PUT', auth, wrong({ authoriseTransaction: auth }))
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({ success: true, resource: { status: 'ACSC' } });
    expect(person.asked.map((question) => 'again' in question && question.again)).toEqual([false, true]);
    expect(there.notices.warned).toEqual(['The bank did not accept that: Wrong.']);
    const [conversation] = await saved(there);
    expect(conversation?.refused).toEqual([
      { need: 'scaAuthenticationData', mark: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
    ]);
    there.verify();
  });

  it('typed twice is not sent twice', async () => {
    const person = fakePerson().answer('otp', '000000', '000000', '739184');
    const there = await world({ person });
    there.http
      .expect('PUT', auth, wrong({ authoriseTransaction: auth }))
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({ success: true });
    expect(there.http.requests.filter((request) => request.body.includes('000000'))).toHaveLength(1);
    expect(there.notices.warned.at(-1)).toBe('The bank has refused this one before; it is not sent again.');
    there.verify();
  });

  it('without any links is tried again at the same place', async () => {
    const there = await world({ person: fakePerson().answer('otp', '000000', '739184') });
    const { tppMessages } = wrong({}).body;
    there.http
      .expect('PUT', auth, { status: 401, body: { tppMessages } })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({ success: true });
  });

  it('of a script ends the run with the resource, and later runs never send it again', async () => {
    const first = await world({ person: fakePerson({ present: false }).answer('otp', '000000') });
    first.http.expect('PUT', auth, wrong({ authoriseTransaction: auth }));
    const error = await failedWith(run(first, atOtp()));
    expect(error).toMatchObject({
      exit: 9,
      bankCode: 'PSU_CREDENTIALS_INVALID',
      resource: {
        paymentId: 'pay-1',
        authorisationId: 'auth-1',
        transactionStatus: 'RCVD',
        scaStatus: 'scaMethodSelected',
      },
    });
    first.verify();

    const later = await reopened(first, { person: fakePerson({ present: false }).answer('otp', '000000') });
    later.http.expect('GET', auth, { body: { scaStatus: 'scaMethodSelected' } });
    expect(await failedWith(resume(later))).toMatchObject({ code: 'SECRET_REFUSED_BEFORE', exit: 2 });
    later.verify();

    const last = await reopened(later, { person: fakePerson({ present: false }).answer('otp', '739184') });
    last.http
      .expect('GET', auth, { body: { scaStatus: 'scaMethodSelected' } })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(last)).resolves.toMatchObject({ success: true });
    last.verify();
  });

  it('that needs another authorisation is completed by a later run: the old one is not asked', async () => {
    const first = await world({ person: fakePerson({ present: false }).answer('otp', '000000') });
    first.http.expect('PUT', auth, wrong({ startAuthorisationWithPsuAuthentication: list }));
    expect(await failedWith(run(first, atOtp()))).toMatchObject({
      exit: 9,
      resource: { authorisationId: 'auth-1' },
    });

    const person = fakePerson({ present: false }).answer('psu-password', secret).answer('otp', '739184');
    const later = await reopened(first, { person, clock: fakeClock({ at: '2026-11-21T12:00:00.000Z' }) });
    const two = `${list}/auth-2`;
    later.http
      .expect('POST', list, {
        status: 201,
        body: {
          scaStatus: 'scaMethodSelected',
          authorisationId: 'auth-2',
          _links: { authoriseTransaction: { href: two } },
        },
      })
      .expect('PUT', two, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({
      success: true,
      conversation: { authorisationId: 'auth-2' },
    });
    later.verify();
    // The newest is the one that counts, and it began when it began.
    const all = await saved(later);
    expect(all.map(({ authorisationId, startedAt }) => [authorisationId, startedAt])).toEqual([
      ['auth-2', '2026-11-21T12:00:00.000Z'],
      ['auth-1', '2026-11-21T09:00:00.000Z'],
    ]);
    expect(all.every(({ inDoubt }) => inDoubt === undefined)).toBe(true);
  });

  it('is refused for one PSU only', async () => {
    const first = await world({
      person: fakePerson({ present: false }).answer('psu-password', secret),
      profile: { psu: { id: 'anna' } },
    });
    first.http.expect('POST', list, wrong({ startAuthorisationWithPsuAuthentication: list }));
    await failedWith(run(first, explicit()));

    const same = await reopened(first, {
      person: fakePerson({ present: false }).answer('psu-password', secret),
    });
    expect(await failedWith(resume(same))).toMatchObject({ code: 'SECRET_REFUSED_BEFORE' });

    const other = await reopened(first, {
      person: fakePerson({ present: false }).answer('psu-password', secret),
      profile: { psu: { id: 'bert' } },
    });
    other.http
      .expect('POST', list, {
        status: 201,
        body: { scaStatus: 'finalised', authorisationId: 'auth-1', _links: {} },
      })
      .expect('GET', `${one}/status`, settled);
    await expect(resume(other)).resolves.toMatchObject({ success: true });
  });

  it('never stands in what is saved or journalled', async () => {
    const there = await world({ person: fakePerson({ present: false }).answer('psu-password', secret) });
    there.http.expect('POST', list, wrong({ startAuthorisationWithPsuAuthentication: list }));
    await failedWith(run(there, explicit()));
    expect(
      JSON.stringify([await saved(there), there.journal.records, [...there.journal.state.exact.values()]]),
    ).not.toContain(secret);
  });
});

/** Another process: the same disk, another run. */
function reopened(before: World, wish: Wish): Promise<World> {
  before.journal.die();
  return world({ ...wish, store: before.store, journal: memoryJournal({ state: before.journal.state }) });
}

async function resume(there: World, options: Partial<AuthoriseOptions> = {}): Promise<Authorised> {
  const [conversation] = await saved(there);
  if (conversation === undefined) throw new Error('nothing saved');
  return run(there, conversation, { resumed: true, ...options });
}

describe('a missing answer of the PSU', () => {
  it.each([
    ['a password', explicit(), '--psu-password-from'],
    ['an OTP', atOtp(), '--otp-from'],
    ['a PSU-ID', started({ links: { startAuthorisationWithPsuIdentification: list } }), '--psu-id'],
    [
      'a method',
      started({
        links: { selectAuthenticationMethod: auth },
        scaMethods: [
          { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms' },
          { authenticationType: 'CHIP_OTP', authenticationMethodId: 'chip' },
        ],
      }),
      '--sca-method',
    ],
  ])('%s stops a script before anything is sent', async (_, conversation, flag) => {
    const there = await world();
    const error = await failedWith(run(there, conversation));
    expect(error).toMatchObject({ exit: 2, flags: [flag], resource: { paymentId: 'pay-1' } });
    there.verify();
    expect(there.journal.records).toEqual([]);
    expect((await saved(there)).every(({ inDoubt }) => inDoubt === undefined)).toBe(true);
  });

  it('is not needed where one method alone is offered; that is said', async () => {
    const there = await world();
    there.http.expect('PUT', auth, finalised).expect('GET', `${one}/status`, settled);
    const only = { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms', name: 'Phone' };
    await run(there, started({ links: { selectAuthenticationMethod: auth }, scaMethods: [only] }));
    expect(there.http.requests[0]?.json()).toEqual({ authenticationMethodId: 'sms' });
    expect(there.notices.said).toEqual(['SCA method: Phone (SMS_OTP) (the only one).']);
  });

  it('the methods may be chosen by their type or name', async () => {
    const person = fakePerson().answer('sca-method', 'chip');
    const there = await world({ person });
    there.http.expect('PUT', auth, finalised).expect('GET', `${one}/status`, settled);
    await run(
      there,
      started({
        links: { selectAuthenticationMethod: auth },
        scaMethods: [
          {
            authenticationType: 'SMS_OTP',
            authenticationMethodId: 'sms',
            name: 'Phone',
            explanation: 'to +49',
          },
          { authenticationType: 'CHIP_OTP', authenticationMethodId: 'chip' },
        ],
      }),
    );
    expect(person.asked[0]).toMatchObject({
      options: [
        {
          value: 'sms',
          name: 'Phone (SMS_OTP)',
          description: 'to +49',
          aliases: ['SMS_OTP', 'SMS', 'Phone'],
        },
        { value: 'chip', name: 'CHIP_OTP', aliases: ['CHIP_OTP', 'CHIP'] },
      ],
    });
  });
});

describe('an OTP', () => {
  it('is asked with what the bank said of it', async () => {
    const person = fakePerson().answer('otp', '739184');
    const there = await world({ person });
    there.http.expect('PUT', auth, finalised).expect('GET', `${one}/status`, settled);
    await run(
      there,
      started({
        links: { authoriseTransaction: auth },
        psuMessage: 'Please confirm.',
        chosenScaMethod: { authenticationType: 'CHIP_OTP', authenticationMethodId: 'chip', name: 'Card' },
        challengeData: {
          data: ['39201', '44'],
          otpMaxLength: 6,
          otpFormat: 'integer',
          additionalInformation: '12.50 EUR to Shop',
          imageLink: 'https://bank.example/photo',
        },
      }),
    );
    expect(person.asked[0]).toMatchObject({
      flag: '--otp-from',
      again: false,
      maxLength: 6,
      format: 'integer',
    });
    expect(there.notices.said).toEqual([
      'Please confirm.',
      'Confirm with Card (CHIP_OTP).',
      '12.50 EUR to Shop',
      'Challenge: 39201',
      'Challenge: 44',
      'Image: https://bank.example/photo',
    ]);
  });
});

describe('a lost answer to an update', () => {
  const otp = () => fakePerson({ present: false }).answer('otp', '739184');
  const lost = { sent: true, reason: 'reset' } as const;

  it.each([
    ['lost', { failure: lost }],
    ['a 500', { answer: { status: 500 } }],
    ['a 200 that cannot be read', { answer: { status: 200, body: '<html></html>' } }],
  ])(
    '%s: the status says that it counted',
    async (_, { failure, answer }: { failure?: typeof lost; answer?: object }) => {
      const there = await world({ person: otp() });
      if (failure === undefined) there.http.expect('PUT', auth, answer);
      else there.http.expectFailure('PUT', auth, failure);
      there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
      await expect(run(there, atOtp())).resolves.toMatchObject({ success: true });
      await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);
      there.verify();
    },
  );

  it.each([
    ['shows no change', { body: { scaStatus: 'scaMethodSelected' } }],
    ['cannot be read', { status: 500 }],
  ])(
    'stays unknown where the status %s; the OTP is not sent again, and a later run asks first',
    async (_, answer) => {
      const there = await world({ person: otp() });
      there.http.expectFailure('PUT', auth, lost).expect('GET', auth, answer);
      expect(await failedWith(run(there, atOtp()))).toMatchObject({
        exit: 12,
        resource: { paymentId: 'pay-1', authorisationId: 'auth-1' },
      });
      there.verify();
      await expect(unknownWrites(there.target.ports, 'acme')).resolves.toMatchObject([
        { operation: 'updatePaymentPsuData' },
      ]);

      const later = await reopened(there, { person: fakePerson({ present: false }) });
      later.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
      await expect(resume(later, { resumed: false })).resolves.toMatchObject({ success: true });
      await expect(unknownWrites(later.target.ports, 'acme')).resolves.toEqual([]);
      later.verify();
    },
  );

  it('a later run that finds no trace asks for the OTP again', async () => {
    const there = await world({ person: otp() });
    there.http.expectFailure('PUT', auth, lost).expect('GET', auth, { status: 500 });
    await failedWith(run(there, atOtp()));
    const later = await reopened(there, { person: otp() });
    later.http
      .expect('GET', auth, { body: { scaStatus: 'scaMethodSelected' } })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
    expect((await unknownWrites(later.target.ports, 'acme')).map(({ operation }) => operation)).toEqual([]);
    later.verify();
  });

  const password = () => fakePerson({ present: false }).answer('psu-password', secret);
  const atPassword = () =>
    started({
      approach: 'EMBEDDED',
      authorisationId: 'auth-1',
      scaStatus: 'received',
      links: { updatePsuAuthentication: auth, scaStatus: auth },
    });

  it('of a step that counted, whose next links are lost: the next run starts another authorisation', async () => {
    const there = await world({ person: password() });
    there.http
      .expectFailure('PUT', auth, lost)
      .expect('GET', auth, { body: { scaStatus: 'psuAuthenticated' } });
    expect(await failedWith(run(there, atPassword()))).toMatchObject({ code: 'ANSWER_LOST', exit: 6 });
    await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);
    there.verify();

    const later = await reopened(there, { clock: fakeClock({ at: '2026-11-21T12:00:00.000Z' }) });
    later.http
      .expect('POST', list, {
        status: 201,
        body: { scaStatus: 'exempted', authorisationId: 'auth-2', _links: {} },
      })
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
    later.verify();
  });

  it('of a step after which only the PSU acts leads on', async () => {
    const there = await world({ person: password() });
    there.http
      .expectFailure('PUT', auth, lost)
      .expect('GET', auth, { body: { scaStatus: 'started' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atPassword())).resolves.toMatchObject({ success: true });
    there.verify();
  });

  it('a process killed on the way leaves its mark before the first byte', async () => {
    class Crash extends Error {}
    const there = await world({ person: otp() });
    there.http.expect('PUT', auth, {
      check: () => {
        throw new Crash();
      },
    });
    await expect(run(there, atOtp())).rejects.toBeInstanceOf(Crash);
    const [conversation] = await saved(there);
    expect(conversation?.inDoubt).toEqual({
      need: 'scaAuthenticationData',
      link: 'authoriseTransaction',
      method: 'PUT',
    });
  });

  it.each([
    [
      'that was not sent',
      (there: World) => there.http.expectFailure('PUT', auth, { sent: false, reason: 'connect' }),
      7,
    ],
    ['whose link is refused', () => undefined, 5],
  ])('a step %s leaves no mark', async (_, plan, exit) => {
    const there = await world({ person: otp() });
    plan(there);
    const conversation =
      exit === 5 ? started({ links: { authoriseTransaction: 'https://evil.example/v1/x' } }) : atOtp();
    expect(await failedWith(run(there, conversation))).toMatchObject({
      exit,
      resource: { paymentId: 'pay-1' },
    });
    const [kept] = await saved(there);
    expect(kept?.inDoubt).toBeUndefined();
  });
});

describe('a lost answer to a start', () => {
  const lost = { sent: true, reason: 'reset' } as const;
  const push = () => started({ approach: 'DECOUPLED', links: { startAuthorisation: list } });
  const page = () => started({ approach: 'REDIRECT', links: { startAuthorisation: list } });
  const listed = (...authorisationIds: string[]) => ({ body: { authorisationIds } });

  it('is found in the list, and goes on where only the PSU has to act', async () => {
    const there = await world();
    there.http
      .expectFailure('POST', list, lost)
      .expect('GET', list, listed('auth-1'))
      .expect('GET', auth, { body: { scaStatus: 'received' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, push())).resolves.toMatchObject({
      success: true,
      conversation: { authorisationId: 'auth-1' },
    });
    await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);
    there.verify();
  });

  it('is found, but its page is lost: said, and another is started by the next run alone', async () => {
    const there = await world();
    there.http
      .expectFailure('POST', list, lost)
      .expect('GET', list, listed('auth-1'))
      .expect('GET', auth, { body: { scaStatus: 'received' } });
    expect(await failedWith(run(there, page()))).toMatchObject({
      code: 'ANSWER_LOST',
      exit: 6,
      detail: 'The bank has started auth-1, but the links to it never came.',
      resource: { paymentId: 'pay-1' },
    });
    there.verify();
    await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);

    const later = await reopened(there, {});
    later.http
      .expectFailure('POST', list, lost)
      .expect('GET', list, listed('auth-1', 'auth-2'))
      .expect('GET', `${list}/auth-2`, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({
      success: true,
      conversation: { authorisationId: 'auth-2' },
    });
    later.verify();
  });

  it('is not in the list: the bank did not act, and the next run may', async () => {
    const there = await world();
    there.http.expectFailure('POST', list, lost).expect('GET', list, listed());
    expect(await failedWith(run(there, push()))).toMatchObject({ code: 'ANSWER_LOST', exit: 6 });
    there.verify();
    expect((await saved(there))[0]?.inDoubt).toBeUndefined();
    expect(there.journal.records.at(-1)).toMatchObject({ type: 'resolved', resolution: 'not-done' });
  });

  it('is told apart from authorisations that were known before', async () => {
    const there = await world();
    await there.store.saveConversation('acme', { ...atOtp(), startedAt: '2026-11-20T09:00:00.000Z' });
    there.http.expectFailure('POST', list, lost).expect('GET', list, listed('auth-1'));
    expect(await failedWith(run(there, push()))).toMatchObject({
      detail: expect.stringContaining('lists no authorisation') as string,
    });
  });

  it.each([
    ['two that are new', listed('auth-1', 'auth-2'), 6, 'auth-1, auth-2'],
    ['a list that cannot be read', { status: 404 }, 12, ''],
  ])('%s', async (_, answer, exit, detail) => {
    const there = await world();
    there.http.expectFailure('POST', list, lost).expect('GET', list, answer);
    const error = await failedWith(run(there, push()));
    expect(error.exit).toBe(exit);
    expect(error.detail).toContain(detail);
    there.verify();
  });

  it('a later run reads the list before it starts anything', async () => {
    const there = await world();
    there.http.expectFailure('POST', list, lost).expect('GET', list, { status: 500 });
    expect(await failedWith(run(there, push()))).toMatchObject({ exit: 12 });
    const later = await reopened(there, {});
    later.http
      .expect('GET', list, listed('auth-1'))
      .expect('GET', auth, { body: { scaStatus: 'started' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
    later.verify();
  });

  it('a bank that keeps no list does not block later runs for ever', async () => {
    const there = await world();
    there.http.expectFailure('POST', list, lost).expect('GET', list, { status: 404 });
    expect(await failedWith(run(there, push()))).toMatchObject({ exit: 12 });
    const later = await reopened(there, {});
    later.http
      .expect('GET', list, { status: 404 })
      .expect('POST', list, {
        status: 201,
        body: { scaStatus: 'finalised', authorisationId: 'auth-9', _links: {} },
      })
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
  });
});

describe('without a person', () => {
  it.each([
    ['decoupled', decoupled()],
    [
      'redirect',
      started({
        authorisationId: 'auth-1',
        links: { scaRedirect: 'https://login.bank.example/x', scaStatus: auth },
      }),
    ],
  ])('%s is left open at once unless waiting is wanted', async (_, conversation) => {
    const there = await world();
    await expect(run(there, conversation, { wait: false })).resolves.toMatchObject({
      success: undefined,
      timedOut: false,
    });
    there.verify();
    expect(there.browser.opened).toEqual([]);
  });

  it('a resumed run sees what the PSU has done meanwhile', async () => {
    const there = await world();
    there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
    await expect(run(there, decoupled(), { wait: false, resumed: true })).resolves.toMatchObject({
      success: true,
    });
  });

  it('a payment that was accepted or rejected at once needs no SCA', async () => {
    for (const [status, success] of [
      ['ACSC', true],
      ['ACTC', true],
      ['RJCT', false],
      ['CANC', false],
    ] as const) {
      const there = await world();
      there.http.expect('GET', `${one}/status`, { body: { transactionStatus: status } });
      const outcome = run(there, started(), { wait: false }, { ...payment, status });
      await expect(outcome).resolves.toMatchObject({ success, resource: { status } });
    }
  });
});

describe('waiting', () => {
  it('looks ever more slowly, within the time that was given', async () => {
    const there = await world();
    for (let i = 0; i < 40; i += 1) there.http.expect('GET', auth, { body: { scaStatus: 'started' } });
    await expect(run(there, decoupled())).resolves.toMatchObject({ success: undefined, timedOut: true });
    const { slept } = there.clock;
    expect(slept.slice(0, 5)).toEqual([2000, 3000, 4500, 6750, 10_000]);
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(300_000);
    expect(there.http.requests.length).toBeLessThanOrEqual(40);
  });

  it('survives a bank that fails for a moment, and not one that is gone', async () => {
    const there = await world();
    const down = { sent: false, reason: 'timeout' } as const;
    there.http
      .expectFailure('GET', auth, down)
      .expect('GET', auth, { status: 500 })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, decoupled())).resolves.toMatchObject({ success: true });
    expect(there.notices.warned).toHaveLength(2);

    const gone = await world();
    for (let i = 0; i < 3; i += 1) gone.http.expectFailure('GET', auth, down);
    expect(await failedWith(run(gone, decoupled()))).toMatchObject({
      exit: 7,
      resource: { authorisationId: 'auth-1' },
    });
  });

  it('ends at once where the bank says that it will not answer', async () => {
    const there = await world();
    there.http.expect('GET', auth, {
      status: 401,
      body: { tppMessages: [{ category: 'ERROR', code: 'TOKEN_EXPIRED' }] },
    });
    expect(await failedWith(run(there, decoupled()))).toMatchObject({ exit: 4 });
    there.verify();
  });

  it('asks the payment where the bank serves no scaStatus', async () => {
    const there = await world();
    there.http
      .expect('GET', auth, { status: 404 })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'RCVD' } })
      .expect('GET', auth, { status: 404 })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'RJCT' } })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'RJCT' } });
    await expect(run(there, decoupled())).resolves.toMatchObject({
      success: false,
      resource: { status: 'RJCT' },
    });
  });

  it('a status that nobody knows is no end', async () => {
    const there = await world();
    there.http
      .expect('GET', auth, { body: { scaStatus: 'byFax' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, decoupled())).resolves.toMatchObject({ success: true });
  });

  it('ends with Ctrl-C, and the error names what is left', async () => {
    const stop = new AbortController();
    const there = await world({ run: { signal: stop.signal }, clock: fakeClock({ manual: true }) });
    const ended = failedWith(run(there, decoupled()));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
    expect(await ended).toMatchObject({
      exit: 130,
      resource: {
        paymentId: 'pay-1',
        authorisationId: 'auth-1',
        scaStatus: 'started',
        transactionStatus: 'RCVD',
      },
    });
  });
});

describe('a dry run', () => {
  it('gives the next request and saves nothing', async () => {
    const there = await world({ run: { dryRun: true }, person: fakePerson().answer('otp', '739184') });
    const error = await run(there, atOtp(), { resumed: true }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DryRun);
    expect(error).toMatchObject({
      prepared: { path: auth, shownBody: '{"scaAuthenticationData":"[secret]"}' },
    });
    await expect(saved(there)).resolves.toEqual([]);
    expect(there.http.requests).toEqual([]);
  });
});

describe('the PSU-ID', () => {
  it('is typed once, and a later process knows it', async () => {
    const person = fakePerson({ present: false }).answer('psu-id', 'anna');
    const there = await world({ person });
    there.http.expect('POST', list, {
      status: 201,
      body: {
        scaStatus: 'psuIdentified',
        authorisationId: 'auth-1',
        _links: { updatePsuAuthentication: { href: auth } },
      },
    });
    const start = started({ links: { startAuthorisationWithPsuIdentification: list } });
    expect(await failedWith(run(there, start))).toMatchObject({ flags: ['--psu-password-from'] });

    const later = await reopened(there, {
      person: fakePerson({ present: false }).answer('psu-password', secret),
    });
    later.http
      .expect('GET', auth, { body: { scaStatus: 'psuIdentified' } })
      .expect('PUT', auth, {
        ...finalised,
        check: (request) => {
          expect(request.header('PSU-ID')).toBe('anna');
        },
      })
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
  });

  it('that the bank refused is not kept', async () => {
    const there = await world({ person: fakePerson({ present: false }).answer('psu-id', 'nobody') });
    there.http.expect('POST', list, wrong({ startAuthorisationWithPsuIdentification: list }));
    const start = started({ links: { startAuthorisationWithPsuIdentification: list } });
    expect(await failedWith(run(there, start))).toMatchObject({ exit: 9 });
    expect((await saved(there))[0]?.psuId).toBeUndefined();
  });
});

describe('what obk cannot do yet', () => {
  it.each([
    ['OAuth', started({ links: { scaOAuth: 'https://login.bank.example/.well-known' } })],
    ['an encrypted password', started({ links: { updateEncryptedPsuAuthentication: auth } })],
    ['a proprietary step', started({ links: { updateProprietaryData: auth } })],
    ['a link of an unknown name', started({ approach: 'EMBEDDED', unknownLinks: ['pigeon'] })],
    ['a choice among no methods', started({ links: { selectAuthenticationMethod: auth } })],
  ])('%s is said with the resource; nothing is sent', async (_, conversation) => {
    const there = await world();
    expect(await failedWith(run(there, conversation))).toMatchObject({
      code: 'CONVERSATION_STUCK',
      exit: 5,
      resource: { paymentId: 'pay-1' },
    });
    there.verify();
  });
});
