// What only the browser brings back: from a terminal, from a script, and never in an artefact.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { findingsIn } from '../contract/journeys.ts';
import { checkExchange, hasOfficialFiles } from '../helpers/contract.ts';
import { leaks } from '../helpers/leaks.ts';
import type { Terminal } from '../helpers/obk.ts';
import { startTraveller } from './journeys/traveller.ts';
import type { Traveller } from './journeys/traveller.ts';
import { confirmed, ways } from './journeys/ways.ts';

let traveller: Traveller;
let open: Terminal | undefined;

beforeAll(async () => {
  traveller = await startTraveller('v136');
  traveller.bank.scenario({ oauthToken: 'required' });
});
afterEach(() => {
  open?.kill();
  open = undefined;
});
afterAll(() => traveller.close());

const wayOf = (psuId: string) => [...ways, ...confirmed].find((way) => way.psuId === psuId)!;

/** A payment whose PSU has approved it in a browser that nobody listens to. */
async function away(psuId: string) {
  traveller.nextMinute();
  const { document } = await traveller.run([...traveller.pay(wayOf(psuId)), '--psu-id', psuId]);
  const { redirectedTo = '' } = traveller.bank.decide('approve', document.sca.url, psuId);
  return { paymentId: document.paymentId as string, next: document.next as string, redirectedTo };
}

it('a person approves by OAuth and pastes where the browser ended', async () => {
  const pay = [...traveller.pay(wayOf('oauth')), '--psu-id', 'oauth', '--yes'];
  open = traveller.obk.terminal(pay, { columns: 2000, env: { CI: '', OBK_BROWSER: 'never' } });
  const link = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+/;
  await open.see('Open this link to approve:');
  await open.see('Or paste the address');
  const url = link.exec(open.text())![0];
  // Another tab, of another flow.
  open.write('http://127.0.0.1:1/cb?code=x&state=y\r');
  await open.see('That is not used');
  const { redirectedTo = '' } = traveller.bank.decide('approve', url, 'oauth');
  open.write(`${redirectedTo}\r`);
  await open.see('given a token');
  await open.see('ACSC');
  expect(await open.ended, open.text()).toBe(0);
});

it('a confirmation of another flow is refused, and the right one counts', async () => {
  const one = await away('redirect-confirm');
  const other = await away('redirect-confirm');
  const authorise = ['payment', 'authorise', one.paymentId, '--return-url-from', 'env:BACK'];
  expect(one.next).toContain(`obk payment authorise ${one.paymentId}`);
  expect(one.next).toContain('--return-url-from REF');
  const state = new URL(other.redirectedTo).searchParams.get('state') ?? '';
  const own = new URL(one.redirectedTo);
  const code = own.searchParams.get('confirmationCode') ?? '';
  own.searchParams.set('state', state);
  const refused = await traveller.run(authorise, { BACK: own.href });
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.stderr)).toMatchObject({
    error: { code: 'RETURN_REFUSED', resource: { paymentId: one.paymentId } },
  });
  expect(leaks(refused.stderr, code)).toBe(false);
  const right = await traveller.run(authorise, { BACK: one.redirectedTo });
  expect(right.document).toMatchObject({ transactionStatus: 'ACSC', sca: { scaStatus: 'finalised' } });
});

describe('no artefact tells', () => {
  it.each([
    ['oauth-confirm', 'code', 'code_verifier=[secret]'],
    ['redirect-confirm', 'confirmationCode', JSON.stringify('"confirmationCode":"[secret]"').slice(1, -1)],
  ])('the code of %s, its verifier or its token', async (psu, name, shown) => {
    const { obk } = traveller;
    const started = await away(psu);
    const code = new URL(started.redirectedTo).searchParams.get(name) ?? '';
    const [verifier] = secretsKept().verifiers;
    const har = join(obk.folder, `${psu}.har`);
    const loud = ['-vvv', '--curl', '--json', '--debug', '--trace', har];
    const args = ['payment', 'authorise', started.paymentId, '--return-url-from', 'env:BACK', ...loud];
    const ran = await obk.run(args, { env: { BACK: started.redirectedTo } });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(shown);
    const { tokens, verifiers } = secretsKept();
    const secrets = [code, ...tokens, ...(verifier === undefined ? [] : [verifier])];
    expect(verifier !== undefined).toBe(name === 'code');
    expect(verifiers).toEqual([]);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      expect(leaks(ran.stdout + ran.stderr, secret)).toBe(false);
      expect(filesThatTell(secret).filter((file) => !file.startsWith('config/obk/credentials.json'))).toEqual(
        [],
      );
    }
  });
});

it.skipIf(!hasOfficialFiles())('every exchange was as the official files say', () => {
  const exchanges = traveller.take();
  expect(exchanges.length).toBeGreaterThan(15);
  expect(findingsIn(presets.v136, exchanges, checkExchange)).toEqual([]);
});

/** What credentials.json holds by now. */
function secretsKept(): { tokens: string[]; verifiers: string[] } {
  const file = join(traveller.obk.home, 'config', 'obk', 'credentials.json');
  const { profiles } = JSON.parse(readFileSync(file, 'utf8')) as {
    profiles: { traveller: { tokens?: { token: string }[]; verifiers?: { verifier: string }[] } };
  };
  const { tokens = [], verifiers = [] } = profiles.traveller;
  return { tokens: tokens.map(({ token }) => token), verifiers: verifiers.map(({ verifier }) => verifier) };
}

function filesThatTell(secret: string): string[] {
  const { obk } = traveller;
  return readdirSync(obk.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => leaks(readFileSync(file, 'utf8'), secret))
    .map((file) => relative(obk.home, file));
}
