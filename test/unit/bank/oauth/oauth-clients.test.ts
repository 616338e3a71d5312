import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { get, loginRequest } from '../oauth-login.ts';
import { payment, tppOf } from '../tpp.ts';
import type { Keys } from '../tpp.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'obk-clients-'));
const now = Date.now();
const valid = { notBefore: new Date(now - 86_400_000), notAfter: new Date(now + 86_400_000) };
let bank: TestBank;

/** TPPs that the bank trusts and has not seen yet, by their organizationIdentifier. */
const keys = new Map<string, Keys>();

beforeAll(async () => {
  const ca = await createTestCa(valid);
  mkdirSync(join(stateDir, 'sandbox'), { recursive: true });
  writeFileSync(join(stateDir, 'sandbox', 'trusted.pem'), ca.certificatePem);
  for (const organizationIdentifier of ['PSDDE-BAFIN-1', 'PSDDE-BAFIN-2', 'PSDDE-BAFIN-3']) {
    const { certificatePem, keyPem } = await createTestCertificate({
      ...valid,
      ca,
      type: 'qsealc',
      roles: ['PSP_PI', 'PSP_AI'],
      organizationIdentifier,
      organizationName: 'Another TPP',
      ncaName: 'BaFin',
      ncaId: 'DE-BAFIN',
    });
    const file = (name: string) => join(stateDir, `${organizationIdentifier}-${name}.pem`);
    const own = { certificatePath: file('tpp'), keyPath: file('key') };
    writeFileSync(own.certificatePath, certificatePem);
    writeFileSync(own.keyPath, keyPem.reveal());
    keys.set(organizationIdentifier, own);
  }
  bank = await startBank({ stateDir });
});
afterAll(async () => {
  await bank.close();
  rmSync(stateDir, { recursive: true, force: true });
});

const own = 'PSDDE-BAFIN-999999';
const here = 'http://127.0.0.1:9/back';
const evil = 'https://evil.example/steal';

/** How a login is answered: the page of the bank, an error on a page that leads nowhere, or whereto the browser is led. */
async function asked(client_id: string, redirect_uri: string): Promise<string> {
  const { url } = loginRequest(bank, { client_id, redirect_uri });
  const { status, headers, text } = await get(url);
  const to = String(headers['location'] ?? '');
  if (status === 303) return to.startsWith('/login/') ? 'page' : to;
  const [why = ''] =
    /client_id is (?:not registered|missing)|redirect_uri is not registered/.exec(text) ?? [];
  return `${String(status)} ${why}`;
}

const noClient = '404 client_id is not registered';
const noAddress = '404 redirect_uri is not registered';

async function call(tpp: string, more: object = {}, tamper?: (headers: Record<string, string>) => void) {
  const body = payment(bank.person('redirect').accounts[0]!.iban, '1.00');
  const request = { body, headers: { 'PSU-ID': 'redirect', ...more }, ...(tamper && { tamper }) };
  const to = tppOf({ ...keys.get(tpp)!, baseUrl: bank.baseUrl });
  return (await to('POST', '/v136/payments/sepa-credit-transfers', request)).status;
}

describe('a login at the built-in bank', () => {
  it.each([
    ['nobody', '', here, '404 client_id is missing'],
    ['a client that nobody registered', 'evil-client', here, noClient],
    ['such a client with an address of its own', 'evil-client', evil, noClient],
    ['our own TPP to an address of somebody else', own, evil, noAddress],
    ['our own TPP to nowhere', own, '', noAddress],
    ['our own TPP to a script', own, 'javascript:alert(1)', noAddress],
    [
      'our own TPP to a host that is named like this machine',
      own,
      'http://127.0.0.1.evil.example/',
      noAddress,
    ],
    ['our own TPP to a host behind a user of that name', own, 'http://127.0.0.1@evil.example/', noAddress],
    ['our own TPP to this machine with a line of headers', own, `${here}\r\nX: y`, noAddress],
    ['our own TPP to a fragment', own, `${here}#x`, noAddress],
    ['our own TPP to https on this machine', own, 'https://127.0.0.1:9/back', noAddress],
    ['our own TPP to any port of this machine', own, 'http://127.0.0.1:65000/x/y?z=1', 'page'],
    ['our own TPP to this machine by IPv6', own, 'http://[::1]:9/back', 'page'],
  ])('is offered or refused to %s', async (_what, client, uri, expected) => {
    expect(await asked(client, uri)).toBe(expected);
  });

  it('is refused in the same way where somebody approves without a browser', () => {
    const changes: Record<string, string>[] = [{ client_id: 'evil-client' }, { redirect_uri: evil }];
    for (const change of changes)
      expect(() => bank.decide('approve', loginRequest(bank, change).url, 'redirect')).toThrow('not good');
  });

  it('is possible for a TPP once it has called with its certificate', async () => {
    const tpp = 'PSDDE-BAFIN-1';
    expect(await asked(tpp, here)).toBe(noClient);
    const forged = await call(tpp, {}, (headers) => (headers['X-Request-ID'] = crypto.randomUUID()));
    expect([forged, await asked(tpp, here)]).toEqual([401, noClient]);
    expect([await call(tpp, { 'TPP-Redirect-URI': here }), await asked(tpp, here)]).toEqual([201, 'page']);
    expect(await asked(tpp, evil)).toBe(noAddress);
  });

  it('leads to the TPP-Redirect-URI of a signed call, verbatim and for that TPP only', async () => {
    const uri = 'https://tpp.example/cb?lang=de';
    const tpp = 'PSDDE-BAFIN-2';
    expect(await call(tpp, { 'TPP-Redirect-URI': uri })).toBe(201);
    expect(await asked(tpp, uri)).toBe('page');
    for (const other of [`${uri}&x=1`, 'https://tpp.example/cb', 'https://tpp.example/', `${uri}/..`])
      expect(await asked(tpp, other), other).toBe(noAddress);
    expect(await asked(own, uri)).toBe(noAddress);
    // A call that is refused for want of a token is signed all the same.
    bank.scenario({ oauthPreStep: 'required' });
    expect(await call('PSDDE-BAFIN-3', { 'TPP-Redirect-URI': uri })).toBe(401);
    bank.scenario({ oauthPreStep: 'optional' });
    expect(await asked('PSDDE-BAFIN-3', uri)).toBe('page');
  });

  it('is possible for a client that was registered, until the ledger is new', async () => {
    const { bank: inside } = bank;
    const uri = 'https://tpp.example/by-hand';
    expect(await inside.addClient({ clientId: 'by-hand', redirectUris: [] })).toEqual({
      clientId: 'by-hand',
      redirectUris: [],
    });
    expect([await asked('by-hand', here), await asked('by-hand', uri)]).toEqual(['page', noAddress]);
    await inside.addClient({ clientId: 'by-hand', redirectUris: [uri] });
    expect(await asked('by-hand', uri)).toBe('page');
    expect((await inside.clients()).map(({ clientId }) => clientId).slice(0, 1)).toEqual([own]);
    expect(await inside.clients()).toContainEqual({ clientId: 'by-hand', redirectUris: [uri] });
    await inside.reset();
    expect(await asked('by-hand', uri)).toBe(noClient);
    expect(await asked(own, here)).toBe('page');
    expect(await inside.clients()).toEqual([{ clientId: own, redirectUris: [] }]);
  });
});

it('an OAuth client has a name, also where nobody has to identify themselves', async () => {
  const open = await startBank({ doors: { open: true } });
  const answers = [];
  for (const client_id of ['somebody', '', undefined]) {
    const { url } = loginRequest(open, { redirect_uri: here });
    const request = new URL(url);
    if (client_id === undefined) request.searchParams.delete('client_id');
    else request.searchParams.set('client_id', client_id);
    const { status, text } = await get(request.href);
    answers.push([status, /client_id is missing/.test(text)]);
  }
  expect(answers).toEqual([
    [303, false],
    [404, true],
    [404, true],
  ]);
  await open.close();
});
