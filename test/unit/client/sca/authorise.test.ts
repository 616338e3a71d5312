import { describe, expect, it } from 'vitest';
import { fakeClock, fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import {
  one,
  list,
  auth,
  started,
  explicit,
  atOtp,
  finalised,
  settled,
  stillOpen,
  wrong,
  run,
  saved,
  secret,
  reopened,
  resume,
} from '../payer.ts';
import { DryRun } from '../../../../src/client/exchange/prepared.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('a wrong secret of a PSU', () => {
  it('is asked again of a person, and only a mark of it is kept', async () => {
    const person = fakePerson().answer('otp', '000000', '739184');
    const there = await world({ person });
    there.http
      .expect('PUT', auth, wrong({ authoriseTransaction: auth }))
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({ success: true, resource: { status: 'ACSC' } });
    expect(person.asked.map((question) => 'again' in question && question.again)).toEqual([false, true]);
    expect(there.notices.warned).toEqual(['The bank did not accept that: Wrong.']);
    // It is over, and nobody needs the mark any more.
    expect((await saved(there))[0]?.sent).toEqual([]);
    there.verify();
  });

  it('is not sent twice where it is typed twice', async () => {
    const person = fakePerson().answer('otp', '000000', '000000', '739184');
    const there = await world({ person });
    there.http
      .expect('PUT', auth, wrong({ authoriseTransaction: auth }))
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({ success: true });
    expect(there.http.requests.filter((request) => request.body.includes('000000'))).toHaveLength(1);
    expect(there.notices.warned.at(-1)).toBe('This one was sent to the bank before; it is not sent again.');
    there.verify();
  });

  it('is tried again at the same place without any links', async () => {
    const there = await world({ person: fakePerson().answer('otp', '000000', '739184') });
    const { tppMessages } = wrong({}).body;
    there.http
      .expect('PUT', auth, { status: 401, body: { tppMessages } })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({ success: true });
  });

  it("ends a script's run with the resource, and later runs never send it again", async () => {
    const first = await world({ person: fakePerson({ present: false }).answer('otp', '000000') });
    first.http
      .expect('PUT', auth, wrong({ authoriseTransaction: auth }))
      .expect('GET', `${one}/status`, stillOpen);
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
    expect((await saved(first))[0]?.sent).toEqual([
      { entry: 'otp', mark: expect.stringMatching(/^[0-9a-f]{8}:[0-9a-f]{32}$/) as string },
    ]);

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

  it('is completed by a later run where it needs another authorisation: the old one is not asked', async () => {
    const first = await world({ person: fakePerson({ present: false }).answer('otp', '000000') });
    first.http
      .expect('PUT', auth, wrong({ startAuthorisationWithPsuAuthentication: list }))
      .expect('GET', `${one}/status`, stillOpen);
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

  it('is completed where its start left an authorisation behind', async () => {
    const first = await world({
      person: fakePerson({ present: false }).answer('psu-password', 'falsch-falsch'),
    });
    first.http
      .expect('POST', list, wrong({ updatePsuAuthentication: auth }))
      .expect('GET', `${one}/status`, stillOpen);
    expect(await failedWith(run(first, explicit()))).toMatchObject({
      exit: 9,
      resource: { authorisationId: 'auth-1' },
    });

    const later = await reopened(first, {
      person: fakePerson({ present: false }).answer('psu-password', secret),
    });
    later.http
      .expect('GET', auth, { body: { scaStatus: 'received' } })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
    later.verify();
  });

  it('does not make the words of the bank be shown again', async () => {
    const there = await world({ person: fakePerson().answer('otp', '000000', '739184') });
    there.http
      .expect('PUT', auth, wrong({ authoriseTransaction: auth }))
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await run(there, { ...atOtp(), psuMessage: 'Look at your phone.' });
    expect(there.notices.said).toEqual(['The bank says: "Look at your phone."']);
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
      run: { psu: { id: 'bert' } },
    });
    other.http
      .expect('POST', list, {
        status: 201,
        body: { scaStatus: 'finalised', authorisationId: 'auth-1', _links: {} },
      })
      .expect('GET', `${one}/status`, settled);
    await expect(resume(other)).resolves.toMatchObject({ success: true });
  });

  it('never stands in what is saved or written to the journal', async () => {
    const there = await world({ person: fakePerson({ present: false }).answer('psu-password', secret) });
    there.http.expect('POST', list, wrong({ startAuthorisationWithPsuAuthentication: list }));
    await failedWith(run(there, explicit()));
    expect(
      JSON.stringify([await saved(there), there.journal.records, [...there.journal.state.exact.values()]]),
    ).not.toContain(secret);
  });
});

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
  ])('stops a script before anything is sent: %s', async (_, conversation, flag) => {
    const there = await world();
    const error = await failedWith(run(there, conversation));
    expect(error).toMatchObject({ exit: 2, flags: [flag], resource: { paymentId: 'pay-1' } });
    there.verify();
    expect(there.journal.records).toEqual([]);
    expect((await saved(there)).every(({ inDoubt }) => inDoubt === undefined)).toBe(true);
  });

  it('is not needed where only one method is offered; that is reported', async () => {
    const there = await world();
    there.http.expect('PUT', auth, finalised).expect('GET', `${one}/status`, settled);
    const only = { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms', name: 'Phone' };
    await run(there, started({ links: { selectAuthenticationMethod: auth }, scaMethods: [only] }));
    expect(there.http.requests[0]?.json()).toEqual({ authenticationMethodId: 'sms' });
    expect(there.notices.said).toEqual(['SCA method: Phone (SMS_OTP) (the only one).']);
  });

  it('is completed with a method chosen by its type or name', async () => {
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

describe('the question for an OTP', () => {
  it('repeats what the bank said of it', async () => {
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
      'The bank says: "Please confirm."',
      'Confirm with Card (CHIP_OTP).',
      'The bank says: "12.50 EUR to Shop"',
      'Challenge: 39201',
      'Challenge: 44',
      'Picture on the web: https://bank.example/photo',
    ]);
  });
});

describe('a dry run of an authorisation', () => {
  it('shows the next request and saves nothing', async () => {
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

describe('the PSU-ID of an authorisation', () => {
  it('is typed once, and used by a later process', async () => {
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

  it('is not kept where the bank refused it', async () => {
    const there = await world({ person: fakePerson({ present: false }).answer('psu-id', 'nobody') });
    there.http
      .expect('POST', list, wrong({ startAuthorisationWithPsuIdentification: list }))
      .expect('GET', `${one}/status`, stillOpen);
    const start = started({ links: { startAuthorisationWithPsuIdentification: list } });
    expect(await failedWith(run(there, start))).toMatchObject({ exit: 9 });
    expect((await saved(there))[0]?.psuId).toBeUndefined();
  });
});

describe('a step that obk does not support', () => {
  it.each([
    ['a proprietary step', started({ links: { updateProprietaryData: auth } })],
    ['a choice among no methods', started({ links: { selectAuthenticationMethod: auth } })],
  ])('is reported with the resource, and nothing is sent: %s', async (_, conversation) => {
    const there = await world();
    expect(await failedWith(run(there, conversation))).toMatchObject({
      code: 'CONVERSATION_STUCK',
      exit: 5,
      resource: { paymentId: 'pay-1' },
    });
    there.verify();
  });
});
