// A bank typed by hand that goes by one OpenAPI file to the letter: it refuses what the file does not declare, and answers in the
// shapes of the file, whatever the guidelines or another file say.
import { rawServer, wire } from './raw-server.ts';
import type { Arrival } from './raw-server.ts';
import { refusalOf, rowOf } from './strict-requests.ts';
import type { Asked, Edition } from './strict-requests.ts';
import type { Exchange } from './contract.ts';

interface Authorisation {
  id: string;
  status: string;
}
/** A payment, a consent or a basket. */
interface Resource {
  kind: 'payment' | 'consent' | 'basket';
  id: string;
  path: string;
  approach: string;
  body: Record<string, unknown>;
  status: string;
  authorisations: Authorisation[];
  cancellations: Authorisation[];
}
interface Answer {
  status: number;
  body?: unknown;
  type?: string;
  headers?: readonly string[];
}

export const password = 'strict-pass';
export const otp = '482913';
/** What the PSU is shown, as the file has it: a list, or one text. */
export const challenge = '7311 4402';
export const iban = 'DE65990010000000002443';
const mt940 = ':20:X\r\n:25:10020030/1234567\r\n:28C:1/1\r\n:60F:C261101EUR1,00\r\n:62F:C261101EUR1,00\r\n-';

/** One bank at a port of this machine. */
export interface StrictBank {
  baseUrl: string;
  /** The exchanges since the last call. */
  take(): Exchange[];
  /** Why requests were refused, since the last call. */
  refusals(): string[];
  /** The PSU approves what waits for it at the bank or on the phone. */
  approve(): void;
  close(): Promise<void>;
}

/** Starts a bank; `prefix` is that of its paths. */
export async function startStrictBank(edition: Edition, prefix: string): Promise<StrictBank> {
  const is136 = edition.endsWith('1.3.6');
  const isEdited = edition.startsWith('adorsys');
  const resources: Resource[] = [];
  let exchanges: Exchange[] = [];
  let refused: string[] = [];
  let count = 0;
  const href = (path: string) => ({ href: `${prefix}${path}` });
  const newId = (kind: string) => `${kind}-${String((count += 1)).padStart(8, '0')}`;

  const methods = [
    { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms', name: 'SMS' },
    {
      authenticationType: isEdited ? 'CARD_READER' : 'CHIP_OTP',
      authenticationMethodId: 'chip',
      name: 'Reader',
    },
  ];
  const challengeData = {
    // Of the vendor's file of 1.3.3 alone this is one text.
    data: edition === 'adorsys-1.3.3' ? challenge : [challenge],
    otpMaxLength: 6,
    otpFormat: 'integer',
  };
  const created: Readonly<Record<Resource['kind'], string>> = {
    payment: 'RCVD',
    consent: 'received',
    basket: 'RCVD',
  };
  const idName = (kind: Resource['kind']) => `${kind}Id`;
  const statusName = (kind: Resource['kind']) => (kind === 'consent' ? 'consentStatus' : 'transactionStatus');

  function settled(resource: Resource, how: 'authorisations' | 'cancellations'): void {
    const done: Readonly<Record<Resource['kind'], string>> = {
      payment: 'ACTC',
      consent: 'valid',
      basket: 'ACTC',
    };
    resource.status = how === 'cancellations' ? 'CANC' : done[resource.kind];
  }

  function create(asked: Asked, kind: Resource['kind']): Answer {
    const id = newId(kind);
    const approach = (asked.headers.get('psu-id') ?? 'redirect').toUpperCase();
    const text = asked.headers.get('content-type') === 'application/json' ? asked.body : '{}';
    const body = JSON.parse(text) as Resource['body'];
    const path = `${asked.path}/${id}`;
    const made: Resource = {
      ...{ kind, id, path, approach, body, status: created[kind] },
      ...{ authorisations: [], cancellations: [] },
    };
    resources.push(made);
    const own = { self: href(path), status: href(`${path}/status`) };
    const links: Record<string, object> = { ...own };
    if (approach === 'EMBEDDED')
      links['startAuthorisationWithPsuAuthentication'] = href(`${path}/authorisations`);
    else if (approach === 'DECOUPLED') links['startAuthorisation'] = href(`${path}/authorisations`);
    else {
      const authorisation = { id: newId('auth'), status: 'started' };
      made.authorisations.push(authorisation);
      links['scaRedirect'] = { href: `https://login.bank.example/${id}` };
      links['scaStatus'] = href(`${path}/authorisations/${authorisation.id}`);
    }
    return {
      status: 201,
      headers: [`Location: ${prefix}${path}`, `ASPSP-SCA-Approach: ${approach}`],
      body: {
        [statusName(kind)]: made.status,
        [idName(kind)]: id,
        _links: links,
        ...(kind === 'consent' && { [is136 ? 'psuMessage' : 'message']: 'Please confirm.' }),
      },
    };
  }

  function startSca(resource: Resource, how: 'authorisations' | 'cancellations', asked: Asked): Answer {
    const authorisation = { id: newId('auth'), status: 'started' };
    resource[how].push(authorisation);
    const at = href(`${asked.path}/${authorisation.id}`);
    const answer = (scaStatus: string, links: object, more: object = {}): Answer => {
      authorisation.status = scaStatus;
      return {
        status: 201,
        headers: [`ASPSP-SCA-Approach: ${resource.approach}`],
        body: { scaStatus, authorisationId: authorisation.id, _links: links, ...more },
      };
    };
    const sent = asked.body === '' ? {} : (JSON.parse(asked.body) as { psuData?: { password?: string } });
    if (resource.approach === 'DECOUPLED')
      return answer('started', { scaStatus: at }, { psuMessage: 'Use the app.' });
    if (resource.approach === 'REDIRECT')
      return answer('started', { scaRedirect: { href: 'https://login.bank.example/c' }, scaStatus: at });
    if (sent.psuData === undefined) return answer('psuIdentified', { updatePsuAuthentication: at });
    if (sent.psuData.password !== password) return refusal(401, 'PSU_CREDENTIALS_INVALID');
    return answer('psuAuthenticated', { selectAuthenticationMethod: at }, { scaMethods: methods });
  }

  function updateSca(resource: Resource, how: 'authorisations' | 'cancellations', asked: Asked): Answer {
    const authorisation = resource[how].find(({ id }) => asked.path.endsWith(`/${id}`));
    if (authorisation === undefined) return refusal(404, 'RESOURCE_UNKNOWN');
    const at = href(asked.path);
    const sent = JSON.parse(asked.body) as Record<string, unknown>;
    const answer = (scaStatus: string, more: object): Answer => {
      authorisation.status = scaStatus;
      return { status: 200, body: { scaStatus, ...more } };
    };
    if (sent['psuData'] !== undefined) {
      if ((sent['psuData'] as { password?: string }).password !== password)
        return refusal(401, 'PSU_CREDENTIALS_INVALID');
      return answer('psuAuthenticated', { scaMethods: methods, _links: { selectAuthenticationMethod: at } });
    }
    const chosenScaMethod = methods.find(
      ({ authenticationMethodId: id }) => id === sent['authenticationMethodId'],
    );
    if (chosenScaMethod !== undefined)
      return answer('scaMethodSelected', {
        chosenScaMethod,
        challengeData,
        _links: { authoriseTransaction: at },
      });
    if (sent['scaAuthenticationData'] !== otp) return refusal(401, 'PSU_CREDENTIALS_INVALID');
    settled(resource, how);
    return answer('finalised', {});
  }

  function sca(
    resource: Resource,
    how: 'authorisations' | 'cancellations',
    asked: Asked,
    rest: string[],
  ): Answer {
    const [id] = rest;
    if (asked.method === 'POST') return startSca(resource, how, asked);
    if (asked.method === 'PUT') return updateSca(resource, how, asked);
    const ids = resource[how].map((one) => one.id);
    if (id === undefined) {
      if (how === 'authorisations' || is136) return json({ authorisationIds: ids });
      return json(isEdited ? { cancellationIds: ids } : ids);
    }
    const scaStatus = resource[how].find((one) => one.id === id)?.status;
    return scaStatus === undefined ? refusal(404, 'RESOURCE_UNKNOWN') : json({ scaStatus });
  }

  function cancel(resource: Resource): Answer {
    const at = `${resource.path}/cancellation-authorisations`;
    const start =
      resource.approach === 'EMBEDDED' && is136
        ? 'startAuthorisationWithPsuAuthentication'
        : 'startAuthorisation';
    return {
      status: 202,
      body: { transactionStatus: resource.status, _links: { self: href(resource.path), [start]: href(at) } },
    };
  }

  function below(resource: Resource, asked: Asked, [verb, ...rest]: string[]): Answer {
    const { kind, status, body } = resource;
    if (verb === 'authorisations') return sca(resource, 'authorisations', asked, rest);
    if (verb === 'cancellation-authorisations') return sca(resource, 'cancellations', asked, rest);
    if (verb === 'status') return json({ [statusName(kind)]: status });
    if (asked.method === 'DELETE' && kind === 'payment') return cancel(resource);
    if (asked.method === 'DELETE') {
      resource.status = kind === 'consent' ? 'terminatedByTpp' : 'CANC';
      return { status: 204 };
    }
    if (kind === 'basket') return json({ payments: body['paymentIds'], transactionStatus: status });
    if (kind === 'payment') return json({ ...body, transactionStatus: status });
    const { combinedServiceIndicator: _, ...terms } = body;
    return json({
      ...terms,
      lastActionDate: '2026-11-22',
      consentStatus: status,
      _links: { account: href('/accounts') },
    });
  }

  const amount = { currency: 'EUR', amount: '12.50' };
  const balances = [{ balanceType: 'closingBooked', balanceAmount: amount }];
  const entry = {
    transactionId: 't-1',
    creditorName: 'Shop',
    transactionAmount: { currency: 'EUR', amount: '-3.10' },
    bookingDate: '2026-11-01',
    remittanceInformationStructured: 'RF18539007547034',
    ...(is136 && {
      remittanceInformationStructuredArray: isEdited
        ? ['RF18539007547034']
        : [{ reference: 'RF18539007547034' }],
    }),
  };

  function accounts(asked: Asked, [id, what, transaction]: string[]): Answer {
    const withBalance = asked.query.get('withBalance') === 'true';
    const account = { resourceId: 'acc-1', iban, currency: 'EUR', ...(withBalance && { balances }) };
    if (id === undefined) return json({ accounts: [account] });
    if (id !== 'acc-1') return refusal(404, 'RESOURCE_UNKNOWN');
    // In the files of 1.3.3 a single thing stands by itself, in those of 1.3.6 below its name.
    if (what === undefined) return json(is136 ? { account } : account);
    if (what === 'balances') return json({ account: { iban }, balances });
    if (transaction !== undefined) return json(is136 ? { transactionsDetails: entry } : entry);
    const accept = asked.headers.get('accept') ?? '*/*';
    if (accept.includes('json')) {
      const booked = { booked: [entry], _links: { account: href('/accounts/acc-1') } };
      if (!accept.startsWith('text') && !accept.startsWith('application/text'))
        return json({ account: { iban }, transactions: booked });
    }
    const text = edition === '1.3.3' ? 'application/text' : 'text/plain';
    if (!accept.includes(text)) return refusal(406, 'REQUESTED_FORMATS_INVALID');
    return { status: 200, type: text, body: mt940 };
  }

  function cards(asked: Asked, [id, what]: string[]): Answer {
    const cardAccount = { resourceId: 'card-1', maskedPan: '525412******3241', currency: 'EUR' };
    if (id === undefined) return json({ cardAccounts: [cardAccount] });
    if (what === undefined) return json(is136 ? { cardAccount } : cardAccount);
    const account = { maskedPan: '525412******3241' };
    if (what === 'balances') return json({ cardAccount: account, balances });
    const booked = [{ cardTransactionId: 'c-1', transactionAmount: amount, bookingDate: '2026-11-01' }];
    return json({
      cardAccount: account,
      cardTransactions: { booked, _links: { cardAccount: href('/card-accounts/card-1') } },
    });
  }

  function answer(asked: Asked): Answer {
    const [, first = '', ...rest] = asked.path.split('/');
    const why = refusalOf(edition, asked);
    if (why !== undefined) {
      refused.push(`${asked.method} ${asked.path}: ${why}`);
      return refusal(rowOf(edition, asked.method, asked.path) === undefined ? 404 : 400, 'FORMAT_ERROR', why);
    }
    const consentId = asked.headers.get('consent-id');
    const known = resources.some(({ id, status }) => id === consentId && status === 'valid');
    if (/accounts$/.test(first) && !known) return refusal(401, 'CONSENT_INVALID');
    if (first === 'accounts') return accounts(asked, rest);
    if (first === 'card-accounts') return cards(asked, rest);
    if (first === 'funds-confirmations') return json({ fundsAvailable: true });
    const [id, ...more] = first === 'consents' || first === 'signing-baskets' ? rest : rest.slice(1);
    const kind = first === 'consents' ? 'consent' : first === 'signing-baskets' ? 'basket' : 'payment';
    if (id === undefined) return create(asked, kind);
    const resource = resources.find((one) => one.id === id && one.kind === kind);
    if (resource === undefined)
      return refusal(
        kind === 'consent' ? 403 : 404,
        kind === 'consent' ? 'CONSENT_UNKNOWN' : 'RESOURCE_UNKNOWN',
      );
    return below(resource, asked, more);
  }

  const server = await rawServer((socket, arrival) => {
    const { asked, line, pairs } = read(arrival, prefix);
    const { status, body, type = 'application/json', headers = [] } = answer(asked);
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const requestId = asked.headers.get('x-request-id') ?? '00000000-0000-4000-8000-000000000000';
    const sent = [
      `X-Request-ID: ${requestId}`,
      ...headers,
      ...(text === '' ? [] : [`Content-Type: ${type}`]),
    ];
    exchanges.push({
      ...{ method: asked.method, path: line, requestHeaders: pairs, requestBody: asked.body },
      ...{ status, responseBody: text },
      responseHeaders: sent.map((one) => one.split(/: (.*)/s).slice(0, 2) as [string, string]),
    });
    socket.end(wire(`${String(status)} X`, text, [...sent, 'Connection: close']));
  });
  return {
    baseUrl: `http://127.0.0.1:${String(server.port)}`,
    take() {
      const taken = exchanges;
      exchanges = [];
      return taken;
    },
    refusals() {
      const taken = refused;
      refused = [];
      return taken;
    },
    approve() {
      for (const resource of resources)
        for (const how of ['authorisations', 'cancellations'] as const)
          for (const authorisation of resource[how].filter(({ status }) => status === 'started')) {
            authorisation.status = 'finalised';
            settled(resource, how);
          }
    },
    close: () => server.close(),
  };
}

const json = (body: unknown): Answer => ({ status: 200, body });
const refusal = (status: number, code: string, text = 'Refused.'): Answer => ({
  status,
  body: { tppMessages: [{ category: 'ERROR', code, text }] },
});

function read({ head, body }: Arrival, prefix: string) {
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', line = ''] = first.split(' ');
  const pairs = lines.map((one) => one.split(/:\s*(.*)/s).slice(0, 2) as [string, string]);
  const url = new URL(line, 'http://h');
  const asked: Asked = {
    method,
    path: url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : '',
    query: new Map(url.searchParams),
    headers: new Map(pairs.map(([name, value]) => [name.toLowerCase(), value])),
    body: body.toString('utf8'),
  };
  return { asked, line, pairs };
}
