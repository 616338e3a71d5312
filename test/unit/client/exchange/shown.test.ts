import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ObkError } from '../../../../src/base/errors.ts';
import { tryCall } from '../../../../src/client/call/call.ts';
import { curlCommand, curlOfView } from '../../../../src/client/evidence/write-curl.ts';
import { harOf, harOfViews } from '../../../../src/client/evidence/har.ts';
import { filterRuns } from '../../../../src/client/evidence/log-filter.ts';
import { findRuns } from '../../../../src/client/evidence/journal-runs.ts';
import { viewOfPrepared, viewOfExchange } from '../../../../src/client/exchange/exchange-view.ts';
import { dryRunDocument, dryRunText, exchangeText, partsAt } from '../../../../src/cli/render/exchange.ts';
import { errorDocument, errorText } from '../../../../src/cli/render/error.ts';
import { plainStyle } from '../../../../src/cli/render/style.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { memoryJournal } from '../../../helpers/fakes/index.ts';
import { encodings, leaks } from '../../../helpers/leaks.ts';
import { openWire } from '../wire.ts';
import type { Prepared } from '../../../../src/client/exchange/prepared.ts';
import type { EndedExchange } from '../../../../src/client/exchange/verdict.ts';

const canaries = {
  token: 'canary-token-4f1d7a90bb2c',
  password: 'canary "pässwörd" \\ 77 €?/+',
  passphrase: 'canary-passphrase-0123456789',
};
/** Six digits are too few to be told from chance in base64; they are looked for as they stand. */
const otp = '739184';

/** What the bank sends back: every canary in every encoding. */
function echo(): string {
  return Object.values(canaries)
    .flatMap((secret) => Object.values(encodings).map((encode) => encode(secret)))
    .join(' | ');
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What was made of the bodies with their secrets in: guesses can be tried on it. */
const fastHashes: string[] = [];
const artefacts = new Map<string, string>();

beforeAll(async () => {
  const traces: EndedExchange[] = [];
  const sent: Prepared[] = [];
  const { target, http, journal } = await openWire({
    token: canaries.token,
    passphrase: canaries.passphrase,
    run: {
      onExchange: (trace) => void traces.push(trace),
      onPrepared: (prepared) => void sent.push(prepared),
    },
  });
  const headers = { 'X-Echo': echo(), Location: `/v1/p?code=${otp}&t=${encodeURIComponent(canaries.token)}` };
  const path = '/psd2/v1/payments/sepa-credit-transfers/p-1/authorisations/a-1';
  const messages = [{ category: 'ERROR', code: 'FORMAT_ERROR', text: `${echo()} ${otp}` }];
  http
    .expect('PUT', path, {
      status: 400,
      headers,
      body: { tppMessages: messages, scaAuthenticationData: otp },
    })
    .expect('PUT', path, {
      status: 200,
      headers: { 'Content-Type': 'text/html' },
      body: `<p>${echo()} ${otp}</p>`,
    })
    .expect('PUT', path, {
      status: 500,
      headers,
      body: Buffer.concat([Buffer.of(0xff), Buffer.from(`${echo()} ${otp} `)]),
    })
    .expectFailure('PUT', path, {
      sent: true,
      reason: 'truncated',
      partial: { status: 200, headers: Object.entries(headers) },
    })
    .expectFailure('PUT', path, { sent: false, reason: 'connect' });
  const errors: ObkError[] = [];
  for (let at = 0; at < 5; at += 1) {
    const called = await tryCall(target, {
      operation: 'updatePaymentPsuData',
      params: {
        'payment-service': 'payments',
        'payment-product': 'sepa-credit-transfers',
        paymentId: 'p-1',
        authorisationId: 'a-1',
      },
      headers: [['X-API-Key', canaries.token]],
      body: {
        json: {
          psuData: { password: new Secret(canaries.password), note: `see ${canaries.password}` },
          scaAuthenticationData: new Secret(otp),
        },
      },
    });
    if (!called.ok) errors.push(called.error);
  }
  http.verify();
  const reader = memoryJournal({ state: journal.state, run: 'reader' });
  fastHashes.push(
    ...sent.flatMap(({ signed }) => [signed!.digest!, signed!.signature]),
    createHash('sha256').update(sent[0]!.request.body).digest('hex'),
  );
  const views = sent.map(viewOfPrepared);
  const ended = traces.map(viewOfExchange);
  const logged = [await findRuns(reader, '@last')].flat().flatMap((run) => run.exchanges);
  const all = [...ended, ...logged];
  artefacts.set('curl', sent.map((prepared) => curlCommand(prepared)).join('\n'));
  artefacts.set('HAR', JSON.stringify(harOf(traces, { name: 'obk', version: '0' })));
  const system = { clientCertificate: false, caCertificates: false };
  artefacts.set('log curl', logged.map((view) => curlOfView(view, system)).join('\n'));
  artefacts.set('log HAR', JSON.stringify(harOfViews(logged, { name: 'obk', version: '0' })));
  artefacts.set('dry run as JSON', JSON.stringify(views.map((view) => dryRunDocument(view))));
  artefacts.set('dry run', views.map((view) => dryRunText(dryRunDocument(view))).join('\n'));
  artefacts.set('-v', all.map((view) => exchangeText(view, partsAt(1))).join('\n'));
  artefacts.set('-vv', all.map((view) => exchangeText(view, partsAt(2))).join('\n'));
  artefacts.set('-vvv', all.map((view) => exchangeText(view, partsAt(3))).join('\n'));
  artefacts.set('log as JSON', JSON.stringify([logged, await collected(filterRuns(reader, {}))]));
  artefacts.set('journal', JSON.stringify([journal.records, [...journal.state.exact.values()]]));
  artefacts.set(
    'errors',
    JSON.stringify(errors.map((error) => errorDocument(error))) +
      errors.map((error) => errorText(error, plainStyle)).join(''),
  );
});

describe('an artefact of a call', () => {
  it.each([
    'curl',
    'HAR',
    'log curl',
    'log HAR',
    'dry run as JSON',
    'dry run',
    '-v',
    '-vv',
    '-vvv',
    'log as JSON',
    'journal',
    'errors',
  ])('contains no secret: %s', (name) => {
    const text = artefacts.get(name) ?? '';
    expect(text).not.toBe('');
    const leaked = Object.entries(canaries).filter(([, secret]) => leaks(text, secret));
    expect(leaked).toEqual([]);
    expect(fastHashes.filter((hash) => text.includes(hash))).toEqual([]);
    expect(text).not.toMatch(new RegExp(`(?<![0-9a-f])${otp}(?![0-9a-f])`));
  });

  it('shows where a secret stood', () => {
    expect(artefacts.get('-vvv')).toContain('"password":"[secret]"');
    expect(artefacts.get('HAR')).toContain('{"name":"Authorization","value":"[secret]"}');
    expect(artefacts.get('log as JSON')).toContain('FORMAT_ERROR');
  });
});

describe('a header made by signing', () => {
  const modes = {
    cavage: 'tpp-signature-certificate',
    jws: 'x-jws-signature',
  } as const;
  /** One signed request with this OTP in its body, if any, as it is shown and recorded. */
  async function signedCall(mode: keyof typeof modes, otp?: string) {
    const sent: Prepared[] = [];
    const { target, http, journal } = await openWire({
      profile: { signing: { mode, jws: { pars: ['digest', 'x-request-id'] } } },
      run: { onPrepared: (prepared) => void sent.push(prepared) },
    });
    const params = {
      'payment-service': 'payments',
      'payment-product': 'sepa-credit-transfers',
      paymentId: 'p-1',
    };
    const path = '/psd2/v1/payments/sepa-credit-transfers/p-1/authorisations/a-1';
    http.expect('PUT', path, { status: 200, body: { scaStatus: 'finalised' } });
    const scaAuthenticationData = otp === undefined ? 'none' : new Secret(otp);
    await tryCall(target, {
      operation: 'updatePaymentPsuData',
      params: { ...params, authorisationId: 'a-1' },
      body: { json: { scaAuthenticationData } },
    });
    const [prepared] = sent;
    return { prepared: prepared!, records: JSON.stringify(journal.records), view: viewOfPrepared(prepared!) };
  }

  it.each(Object.entries(modes))(
    'stays whole in %s, though it contains a known secret',
    async (mode, header) => {
      // An OTP like the number of the TPP or the day from which the certificate is valid, a password like a name in it.
      for (const value of ['125314', '260101', 'Example TPP GmbH', 'DE-BAFIN']) new Secret(value);
      const { prepared, records, view } = await signedCall(mode as keyof typeof modes);
      const sent = prepared.signed!.headers;
      expect(sent.map(([name]) => name.toLowerCase())).toContain(header);
      for (const [name, value] of sent) {
        expect(view.request.headers).toContainEqual({ name, value });
        expect(records).toContain(JSON.stringify([name, value]));
      }
      expect(view.request.signingString).toBe(prepared.signed!.signingString);
    },
  );

  it.each(Object.keys(modes))('is cut in %s where it reveals a secret of the body', async (mode) => {
    const { prepared, records, view } = await signedCall(mode as keyof typeof modes, '617283');
    const { digest, signature } = prepared.signed!;
    for (const shown of [records, JSON.stringify(view), curlCommand(prepared)])
      expect([digest!, signature].filter((hash) => shown.includes(hash))).toEqual([]);
    expect(curlCommand(prepared)).not.toMatch(/\$OBK_\w*-/);
  });

  it('is distinguished from a header of that name which signing did not make', async () => {
    new Secret('no-certificate-0815');
    const { prepared } = await signedCall('cavage');
    const headers = prepared.request.headers.map(([name, value]) =>
      /^tpp-/i.test(name) ? ([name, 'MIIno-certificate-0815'] as const) : ([name, value] as const),
    );
    const { request } = viewOfPrepared({ ...prepared, request: { ...prepared.request, headers } });
    expect(request.headers).toContainEqual({ name: 'TPP-Signature-Certificate', value: 'MII[secret]' });
  });
});

describe('the detector of leaks', () => {
  const forms = Object.entries(encodings);
  const cases = Object.entries(canaries).flatMap(([name, secret]) =>
    forms.map(([form, encode]) => [name, form, encode(secret), secret] as const),
  );
  it.each(cases)('finds the %s as %s', (_name, _form, text, secret) => {
    expect(leaks(JSON.stringify({ text: `a ${text} b` }), secret)).toBe(true);
    expect(leaks('nothing to see here 0123456789abcdef', secret)).toBe(false);
  });
});
