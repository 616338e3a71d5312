import { afterEach, describe, expect, it } from 'vitest';
import { consentsOf } from '../consent-scene.ts';
import { href, useScene } from '../scene.ts';

const scene = useScene();
const consents = consentsOf(scene);
const change = async (psuId: string, body: object) => {
  const { status, text } = await scene.control('PATCH', `/people/${psuId}`, { body });
  expect(status, text).toBe(200);
};
const all = { redirect: 'redirect', decoupled: 'decoupled', 'embedded-one': 'embedded' } as const;

afterEach(async () => {
  for (const psuId of Object.keys(all)) await change(psuId, { locked: false, blocked: false });
});

describe.each([
  ['locked', { locked: true }],
  ['blocked', { blocked: true }],
])('a PSU whose access is %s', (word, shut) => {
  const words = new RegExp(`The bank has ${word} the access of`);

  it.each(Object.keys(all))('neither approves nor refuses: %s', async (psuId) => {
    const { id, links } = await scene.create(psuId);
    const start = Object.keys(links).find((name) => name.startsWith('startAuthorisation'));
    if (start !== undefined) await scene.call('POST', href(links, start), { headers: { 'PSU-ID': psuId } });
    await change(psuId, shut);
    const target = links['scaRedirect']?.href ?? id;
    for (const decision of ['approve', 'refuse'] as const) {
      expect(() => scene.bank.decide(decision, target, psuId)).toThrow(words);
      const { status, json } = await scene.control('POST', '/decisions', { body: { id: target, decision } });
      expect([status, json.title]).toEqual([409, expect.stringMatching(words)]);
      expect(json.detail).toContain(`PATCH /sandbox/api/people/${psuId} with {"${word}":false}`);
    }
    await change(psuId, { [word]: false });
    expect(scene.bank.decide('approve', target).scaStatus).toBe('finalised');
  });

  it('revokes no consent', async () => {
    const { id } = await consents.valid('redirect');
    await change('redirect', shut);
    const revoke = () => scene.control('POST', '/decisions', { body: { id, decision: 'revoke' } });
    expect((await revoke()).json).toMatchObject({
      status: 409,
      title: expect.stringMatching(words) as string,
    });
    await change('redirect', { [word]: false });
    expect((await revoke()).status).toBe(201);
  });

  it('decides nothing on the phone that decides by itself', async () => {
    const phone = { decision: 'approve', afterMs: 60_000 };
    await change('decoupled', { phone });
    const { id, links } = await scene.create('decoupled');
    const start = Object.keys(links).find((name) => name.startsWith('startAuthorisation')) ?? '';
    await scene.call('POST', href(links, start), { headers: { 'PSU-ID': 'decoupled' } });
    await change('decoupled', shut);
    scene.clock.ms += 120_000;
    expect(await scene.statusOf(links)).toBe('RCVD');
    expect(() => scene.bank.decide('approve', id)).toThrow(/no open authorisation/);
  });
});
