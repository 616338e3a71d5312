// Consents by integrated OAuth: what the payments of the matrix do not show. obk runs within this process.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../../src/standard/xs2a/variants.ts';
import { findingsIn } from '../../contract/journeys.ts';
import { checkExchange, hasOfficialFiles } from '../../helpers/contract.ts';
import type { Exchange } from '../../helpers/contract.ts';
import { headerMap } from '../../helpers/contract-judge.ts';
import { startTraveller } from './traveller.ts';
import type { Ended, Traveller } from './traveller.ts';
import { confirmed, ways } from './ways.ts';
import type { Way } from './ways.ts';

describe.each(['v1', 'v136'] as const)('%s', (variant) => {
  let traveller: Traveller;
  beforeAll(async () => {
    traveller = await startTraveller(variant);
    traveller.bank.scenario({ oauthToken: 'required', rateLimit: 'off' });
  });
  afterAll(() => traveller.close());
  const refusals: Exchange[] = [];

  const all = [...ways, ...(variant === 'v136' ? confirmed : [])];
  const each = all
    .filter(({ approach }) => approach === 'oauth')
    .map((way) => [`${way.psuId} (${way.start})`, way] as const);

  async function led({ psuId }: Way, decision: 'approve' | 'refuse'): Promise<Ended> {
    const iban = traveller.bank.person(psuId).accounts[0]?.iban ?? '';
    const ask = ['consent', 'create', '--iban', iban, '--recurring', '--psu-id', psuId];
    const { document } = await traveller.prepare(ask);
    expect(document).toMatchObject({ consentStatus: 'received', sca: { approach: 'OAUTH' } });
    const { redirectedTo = '' } = traveller.bank.decide(decision, document.sca.url, psuId);
    const back = ['--psu-id', psuId, '--return-url-from', 'env:BACK'];
    return traveller.prepare(['consent', 'authorise', document.consentId, ...back], { BACK: redirectedTo });
  }

  it.each(each)('a consent of %s is authorised, and accounts are read with its token', async (_name, way) => {
    const made = await led(way, 'approve');
    expect(made.document, made.stderr).toMatchObject({ consentStatus: 'valid' });
    traveller.take();
    const { consentId } = made.document;
    const read = await traveller.prepare(['accounts', '--consent', consentId]);
    expect(read.document, read.stderr).toHaveLength(1);
    const [list] = traveller.take().map(({ requestHeaders }) => headerMap(requestHeaders));
    expect(list?.get('consent-id')).toBe(consentId);
    expect(list?.get('authorization')).toMatch(/^Bearer .{40}/);
  });

  it.each(each)('a consent of %s is refused', async (_name, way) => {
    const refused = await led(way, 'refuse');
    expect(refused).toMatchObject({ code: 9, document: { consentStatus: 'rejected' } });
    refusals.push(...traveller.take());
  });

  it.skipIf(!hasOfficialFiles())('and a refusal was as the official files say', () => {
    expect(refusals.length).toBeGreaterThan(0);
    expect(findingsIn(presets[variant], refusals, checkExchange)).toEqual([]);
  });
});
