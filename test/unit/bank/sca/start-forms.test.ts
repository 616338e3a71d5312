import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canonicalLink, linkFacts } from '../../../../src/standard/xs2a/links.ts';
import { consentBody, consentsOf } from '../consent-scene.ts';
import { back, codeOf, href, leads, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import { payment, tppOf } from '../tpp.ts';
import type { TestAnswer } from '../tpp.ts';

/** The ways in which an authorisation starts (description of the service, section on links; the last one: guidelines 4.15). */
const scene = useScene();
const consents = consentsOf(scene);

beforeAll(() => {
  scene.bank.scenario({ surface: 'framework', lifeCycle: 'next-day' });
});
afterEach(() => {
  scene.bank.scenario({ links: 'standard' });
});

const kinds = ['payment', 'cancellation', 'consent', 'basket'] as const;
type Kind = (typeof kinds)[number];
const prefixes = ['v1', 'v136'] as const;

/** Whom a form is for, what it carries, and where it leads; the spellings are those of standard and service. */
interface Form {
  link: string;
  service?: string;
  psuId: string;
  body?: () => object;
  scaStatus: string;
  then: readonly string[];
}
const person = (psuId: string) => scene.bank.person(psuId);
const forms: readonly Form[] = [
  {
    link: 'startAuthorisation',
    psuId: 'redirect-explicit',
    scaStatus: 'psuIdentified',
    then: ['scaRedirect'],
  },
  {
    link: 'startAuthorisationWithPsuIdentification',
    service: 'startAuthorisationWithPsuIdentfication',
    psuId: 'pair-a',
    scaStatus: 'psuIdentified',
    then: ['updatePsuAuthentication'],
  },
  {
    link: 'startAuthorisationWithPsuAuthentication',
    psuId: 'embedded-one',
    body: () => ({ psuData: { password: person('embedded-one').password } }),
    scaStatus: 'scaMethodSelected',
    then: ['authoriseTransaction'],
  },
  {
    link: 'startAuthorisationWithEncryptedPsuAuthentication',
    psuId: 'embedded-encrypted',
    body: () => ({ psuData: { encryptedPassword: person('embedded-encrypted').encryptedPassword } }),
    scaStatus: 'scaMethodSelected',
    then: ['authoriseTransaction'],
  },
  {
    link: 'startAuthorisationWithAuthenticationMethodSelection',
    service: 'startAuthorisationWithAuthentciationMethodSelection',
    psuId: 'embedded-method-first',
    body: () => ({ authenticationMethodId: 'chip' }),
    scaStatus: 'scaMethodSelected',
    then: ['authoriseTransaction'],
  },
  {
    link: 'startAuthorisationWithTransactionAuthorisation',
    psuId: 'embedded-otp-first',
    body: () => ({ scaAuthenticationData: person('embedded-otp-first').otp }),
    scaStatus: 'finalised',
    then: [],
  },
];

type Call = ReturnType<typeof tppOf>;
const judged: Call = (...request) => scene.call(...request);
/** The official files know no misspelt names. */
const unjudged: Call = (...request) => tppOf(scene.bank)(...request);

/** What the bank answers to whoever creates, or cancels, something of this PSU. */
async function begun(kind: Kind, psuId: string, prefix: string, call = judged): Promise<TestAnswer> {
  const headers = { 'PSU-ID': psuId };
  if (kind === 'consent')
    return call('POST', `/${prefix}/consents`, { body: consentBody(consents.detailed(psuId)), headers });
  const made = await call('POST', `/${prefix}/payments/sepa-credit-transfers`, {
    body: payment(person(psuId).accounts[0]!.iban),
    headers: { ...headers, 'TPP-Explicit-Authorisation-Preferred': 'true' },
  });
  if (kind === 'payment') return made;
  const { paymentId, _links: links } = made.json as { paymentId: string; _links: Links };
  if (kind === 'basket')
    return call('POST', `/${prefix}/signing-baskets`, { body: { paymentIds: [paymentId] }, headers });
  for (const who of psuId === 'pair-a' ? ['pair-a', 'pair-b'] : [psuId]) {
    const started = await call('POST', `${href(links, 'self')}/authorisations`, {
      headers: { 'PSU-ID': who },
    });
    scene.bank.decide('approve', started.json.authorisationId as string, who);
  }
  return call('DELETE', href(links, 'self'));
}

const linksOf = (answer: TestAnswer) => answer.json._links as Links;
const at = (links: Links, canonical: string): string =>
  Object.entries(links).find(([name]) => canonicalLink(name) === canonical)?.[1].href ?? '';

describe.each(prefixes)('an authorisation in %s', (prefix) => {
  describe.each(kinds)('for a %s', (kind) => {
    /** A cancellation is never started with an encrypted password. */
    const offered = forms.filter(({ link }) => kind !== 'cancellation' || !link.includes('Encrypted'));

    it.each(offered.map((form) => [form.link, form] as const))('is started by %s', async (link, form) => {
      const created = await begun(kind, form.psuId, prefix);
      expect([created.status, leads(linksOf(created))], created.text).toEqual([
        kind === 'cancellation' ? 202 : 201,
        [link],
      ]);
      const body = form.body?.();
      const started = await scene.call('POST', at(linksOf(created), link), {
        headers: { 'PSU-ID': form.psuId },
        ...(body !== undefined && { body }),
      });
      expect([started.status, started.json.scaStatus], started.text).toEqual([201, form.scaStatus]);
      expect(leads(linksOf(started))).toEqual(form.then);
    });

    it.each(['service', 'misspelt'] as const)('has the names that are spelled as %s', async (links) => {
      scene.bank.scenario({ links });
      for (const { link, service, psuId } of offered) {
        if (service === undefined) continue;
        const names = leads(linksOf(await begun(kind, psuId, prefix, unjudged)));
        expect(names).toEqual([service]);
        expect(names.map(canonicalLink)).toEqual([link]);
      }
    });
  });
});

describe('the data beside a start', () => {
  it.each(kinds)(
    'are for a %s the methods to choose from, or the challenge of the only one',
    async (kind) => {
      for (const prefix of prefixes) {
        const choice = (await begun(kind, 'embedded-method-first', prefix)).json;
        const ids = (choice.scaMethods as { authenticationMethodId: string }[]).map(
          ({ authenticationMethodId }) => authenticationMethodId,
        );
        expect(ids).toEqual(['sms', 'chip', 'app', 'page']);
        const otp = (await begun(kind, 'embedded-otp-first', prefix)).json;
        expect(otp.chosenScaMethod).toMatchObject({ authenticationMethodId: 'chip' });
        expect(otp.challengeData).toMatchObject({ otpFormat: 'integer', otpMaxLength: 6 });
      }
    },
  );

  it.each<[string, string, string[]]>([
    ['app', 'DECOUPLED', []],
    ['page', 'REDIRECT', ['scaRedirect']],
  ])(
    'include the method %s, which turns the approach into %s',
    async (authenticationMethodId, approach, then) => {
      const created = await begun('payment', 'embedded-method-first', 'v136');
      const start = at(linksOf(created), 'startAuthorisationWithAuthenticationMethodSelection');
      const started = await scene.call('POST', start, { body: { authenticationMethodId } });
      expect([started.status, started.headers['aspsp-sca-approach'], leads(linksOf(started))]).toEqual([
        201,
        approach,
        then,
      ]);
    },
  );
});

describe('a start that does not fit', () => {
  const start = async (kind: Kind, psuId: string, body: object) => {
    const links = linksOf(await begun(kind, psuId, 'v1'));
    const at = Object.values(links)[0]!.href;
    const answer = await unjudged('POST', at, { headers: { 'PSU-ID': psuId }, body });
    return { answer, listed: Object.values((await judged('GET', at)).json as object).flat() };
  };

  it.each<[string, Kind, string, () => object, [number, string]]>([
    [
      'a method before the password',
      'payment',
      'embedded-choice',
      () => ({ authenticationMethodId: 'sms' }),
      [400, 'SERVICE_INVALID'],
    ],
    [
      'a one-time password before the password',
      'consent',
      'embedded-one',
      () => ({ scaAuthenticationData: person('embedded-one').otp }),
      [400, 'SERVICE_INVALID'],
    ],
    [
      'an unknown method',
      'payment',
      'embedded-method-first',
      () => ({ authenticationMethodId: 'pigeon' }),
      [400, 'SCA_METHOD_UNKNOWN'],
    ],
    ['a list', 'payment', 'embedded-method-first', () => [], [400, 'FORMAT_ERROR']],
    [
      'two forms at once',
      'payment',
      'embedded-method-first',
      () => ({ authenticationMethodId: 'sms', scaAuthenticationData: '1' }),
      [400, 'FORMAT_ERROR'],
    ],
    [
      'a confirmation code',
      'payment',
      'embedded-otp-first',
      () => ({ confirmationCode: 'x' }),
      [400, 'SERVICE_INVALID'],
    ],
    [
      'an encrypted password for a cancellation',
      'cancellation',
      'embedded-encrypted',
      () => ({ psuData: { encryptedPassword: person('embedded-encrypted').encryptedPassword } }),
      [400, 'FORMAT_ERROR'],
    ],
  ])('is refused and starts nothing: %s', async (_what, kind, psuId, body, code) => {
    const { answer, listed } = await start(kind, psuId, body());
    expect([...codeOf(answer), listed]).toEqual([...code, []]);
  });

  it('leads with a wrong one-time password on to the authorisation that it has started', async () => {
    const { answer: refused, listed } = await start('payment', 'embedded-otp-first', {
      scaAuthenticationData: '0',
    });
    expect(listed).toHaveLength(1);
    expect([...codeOf(refused), leads(linksOf(refused))]).toEqual([
      401,
      'PSU_CREDENTIALS_INVALID',
      ['authoriseTransaction'],
    ]);
    const again = await scene.call('PUT', href(linksOf(refused), 'authoriseTransaction'), {
      body: { scaAuthenticationData: person('embedded-otp-first').otp },
    });
    expect([again.status, again.json.scaStatus]).toEqual([200, 'finalised']);
  });
});

it('every name by which an authorisation starts is given to some PSU, as spelled by standard and service', async () => {
  const given = new Set<string>();
  for (const links of ['standard', 'service'] as const) {
    scene.bank.scenario({ links });
    for (const { psuId, accounts } of scene.bank.people) {
      const made = await unjudged('POST', '/v1/payments/sepa-credit-transfers', {
        body: payment(accounts[0]!.iban),
        headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': back },
      });
      // Some are blocked, or must log in first.
      for (const name of made.status === 201 ? leads(linksOf(made)) : []) given.add(name);
    }
  }
  const starts = linkFacts.filter(({ kind, method }) => kind === 'steering' && method === 'POST');
  // What a proprietary start carries is a matter of each bank.
  const standard = starts.map(({ name }) => name).filter((name) => !name.endsWith('ProprietaryData'));
  const service = forms.flatMap((form) => form.service ?? []);
  expect([...given].sort()).toEqual(
    expect.arrayContaining([...standard, ...service, 'scaRedirect', 'scaOAuth']),
  );
  expect(standard).toEqual(expect.arrayContaining(forms.map(({ link }) => link)));
});
