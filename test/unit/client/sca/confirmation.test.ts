import { describe, expect, it } from 'vitest';
import { fakeListener, fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish, World } from '../../../helpers/world.ts';
import { payment, reopened, run, saved, started } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const v136 = (path: string) => path.replace('/v1/', '/v136/');
const one = v136('/v1/payments/sepa-credit-transfers/pay-1');
const auth = `${one}/authorisations/auth-1`;
const redirect = {
  uri: 'http://127.0.0.1:9901/abc',
  nokUri: 'http://127.0.0.1:9901/abc/nok',
  listener: { port: 9901, path: '/abc', state: '' },
};
const resource = { ...payment, redirect, framework: '1.3.6' as const, prefix: '/v136' };
const conversation = (href = 'https://login.bank.example/approve?auth=a%20b') =>
  started({
    approach: 'REDIRECT',
    authorisationId: 'auth-1',
    links: { scaRedirect: href, confirmation: auth, scaStatus: auth },
  });
const status = (scaStatus: string) => ({ body: { scaStatus } });
const settled = { body: { transactionStatus: 'ACSC' } };
const standing = (wish: Wish = {}) => world({ variant: 'v136', ...wish });

/** A first process that ends with the link printed; gives the state that it put there. */
async function away(there: World, href?: string): Promise<string> {
  const ended = await run(there, conversation(href), { wait: false }, resource);
  expect(ended.success).toBeUndefined();
  return ended.conversation.returnState ?? '';
}

async function back(
  before: World,
  given: string | readonly string[] | undefined,
  expected: (there: World) => void,
) {
  const person = fakePerson({ present: false });
  if (given !== undefined) person.answer('return-url', ...[given].flat());
  const there = await reopened(before, { variant: 'v136', person });
  expected(there);
  const [kept] = await saved(there);
  const ended = await run(there, kept!, { wait: false, resumed: true }, resource).catch((e: unknown) => e);
  there.verify();
  return { there, ended };
}

describe('the state on scaRedirect', () => {
  it.each([
    ['https://login.bank.example/approve', 'https://login.bank.example/approve?state='],
    ['https://login.bank.example/a?auth=a%20b&x=', 'https://login.bank.example/a?auth=a%20b&x=&state='],
    ['https://login.bank.example/a?q#frag', 'https://login.bank.example/a?q&state='],
  ])('is added: %s', async (href, begins) => {
    const there = await standing();
    const state = await away(there, href);
    expect(state.length).toBeGreaterThanOrEqual(22);
    const shown = await standing({ store: there.store, person: fakePerson() });
    for (let i = 0; i < 60; i += 1) shown.http.expect('GET', auth, status('received'));
    const [kept] = await saved(there);
    await run(shown, kept!, { timeoutMs: 1000 }, resource);
    const hash = href.includes('#') ? '#frag' : '';
    expect(shown.notices.said[1]).toBe(begins + state + hash);
  });

  it('is left out where nothing is to be confirmed: the link is used verbatim', async () => {
    const there = await standing({ person: fakePerson() });
    const plain = started({ links: { scaRedirect: 'https://login.bank.example/a?b', scaStatus: auth } });
    there.http.expect('GET', auth, status('finalised')).expect('GET', `${one}/status`, settled);
    await run(there, plain, {}, resource);
    expect(there.notices.said[1]).toBe('https://login.bank.example/a?b');
  });
});

describe('the confirmation code', () => {
  const confirms = (there: World) =>
    there.http
      .expect('PUT', auth, {
        ...status('finalised'),
        check: (request) => {
          expect(request.json()).toEqual({ confirmationCode: 'c-0123456789ab' });
          expect(request.header('PSU-ID')).toBeUndefined();
        },
      })
      .expect('GET', `${one}/status`, settled);

  it('arrives at our listener, and the bank receives it once', async () => {
    const listener = fakeListener();
    const there = await standing({ listener });
    const state = await away(there);
    const url = `http://127.0.0.1:9901/abc?state=${state}&confirmationCode=c-0123456789ab`;
    listener.comesBack({ outcome: 'ok', url });
    const later = await reopened(there, { variant: 'v136', listener });
    later.http.expect('GET', auth, status('started')).expect('GET', auth, status('unconfirmed'));
    confirms(later);
    const [kept] = await saved(later);
    const ended = await run(later, kept!, { resumed: true }, resource);
    expect(ended).toMatchObject({ success: true });
    expect(listener.listening).toMatchObject([{ returnState: state }]);
    later.verify();
    const written = JSON.stringify([await saved(later), later.journal.records, later.notices]);
    expect(written).not.toContain('c-0123456789ab');
  });

  it('arrives by hand, after three polls and one that shows unconfirmed', async () => {
    const first = await standing();
    const state = await away(first);
    const url = `http://127.0.0.1:9901/abc?state=${state}&confirmationCode=c-0123456789ab`;
    // Whoever comes back late finds no listener any more, and still has the address.
    const person = fakePerson();
    const there = await reopened(first, { variant: 'v136', person });
    for (const seen of ['received', 'started', 'started', 'unconfirmed'])
      there.http.expect('GET', auth, status(seen));
    const [kept] = await saved(there);
    const open = await run(there, kept!, { resumed: true, timeoutMs: 60_000 }, resource);
    expect(open).toMatchObject({ success: undefined, conversation: { scaStatus: 'unconfirmed' } });
    const late = await back(there, url, (again) => {
      again.http.expect('GET', auth, status('unconfirmed'));
      confirms(again);
    });
    expect(late.ended).toMatchObject({ success: true });
  });

  it('fails the authorisation where it is wrong', async () => {
    const first = await standing();
    const state = await away(first);
    const url = `http://127.0.0.1:9901/abc?state=${state}&confirmationCode=wrong`;
    const { ended } = await back(first, url, ({ http }) =>
      http
        .expect('GET', auth, status('unconfirmed'))
        .expect('PUT', auth, status('failed'))
        .expect('GET', `${one}/status`, { body: { transactionStatus: 'RJCT' } }),
    );
    expect(ended).toMatchObject({ success: false });
  });

  it('is not sent again where its answer is lost: the bank is read', async () => {
    const first = await standing();
    const state = await away(first);
    const url = `http://127.0.0.1:9901/abc?state=${state}&confirmationCode=c-0123456789ab`;
    const { ended } = await back(first, url, ({ http }) =>
      http
        .expect('GET', auth, status('unconfirmed'))
        .expectFailure('PUT', auth, { sent: true, reason: 'reset' })
        .expect('GET', auth, status('finalised'))
        .expect('GET', `${one}/status`, settled),
    );
    expect(ended).toMatchObject({ success: true });
  });
});

describe('a confirmation', () => {
  it.each([
    ['with another state', (state: string) => `?state=x${state}&confirmationCode=c-0123456789ab`],
    ['without a state', () => '?confirmationCode=c-0123456789ab'],
  ])('is not sent for a return %s', async (_, query) => {
    const first = await standing();
    const state = await away(first);
    const { ended } = await back(first, `http://127.0.0.1:9901/abc${query(state)}`, () => undefined);
    expect(ended).toMatchObject({ code: 'RETURN_REFUSED', exit: 2 });
    expect(JSON.stringify(ended)).not.toContain('c-0123456789ab');
  });

  it('is not sent without a code', async () => {
    const first = await standing();
    const state = await away(first);
    const url = `http://127.0.0.1:9901/abc?state=${state}`;
    // A reference gives the same as often as it is asked.
    const { ended } = await back(first, [url, url], ({ http }) =>
      http.expect('GET', auth, status('unconfirmed')),
    );
    expect(ended).toMatchObject({
      code: 'RETURN_REFUSED',
      title: expect.stringContaining('no confirmation code'),
    });
  });

  it('is not sent where nobody has the code: the flag is named', async () => {
    const first = await standing();
    await away(first);
    const { ended } = await back(first, undefined, ({ http }) =>
      http.expect('GET', auth, status('unconfirmed')),
    );
    expect(ended).toMatchObject({ code: 'INTERACTION_NEEDED', flags: ['--return-url-from'] });
  });

  it('is not sent after a refusal', async () => {
    const first = await standing();
    const state = await away(first);
    const { ended } = await back(first, `http://127.0.0.1:9901/abc/nok?state=${state}`, ({ http }) =>
      http
        .expect('GET', auth, status('failed'))
        .expect('GET', `${one}/status`, { body: { transactionStatus: 'RJCT' } }),
    );
    expect(ended).toMatchObject({ success: false });
  });
});

it('a plain redirect may also return by the flag', async () => {
  const there = await standing({
    person: fakePerson({ present: false }).answer('return-url', 'http://127.0.0.1:9901/abc'),
  });
  const plain = started({
    authorisationId: 'auth-1',
    links: { scaRedirect: 'https://b.example/', scaStatus: auth },
  });
  there.http.expect('GET', auth, status('finalised')).expect('GET', `${one}/status`, settled);
  await expect(run(there, plain, { wait: false, resumed: true }, resource)).resolves.toMatchObject({
    success: true,
  });
  const wrong = await standing({
    person: fakePerson({ present: false }).answer('return-url', 'https://evil.example/abc'),
  });
  const failed = await failedWith(run(wrong, plain, { wait: false, resumed: true }, resource));
  expect(failed).toMatchObject({
    code: 'RETURN_REFUSED',
    detail: expect.stringContaining('http://127.0.0.1:9901/abc'),
  });
});
