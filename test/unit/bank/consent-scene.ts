import { expect } from 'vitest';
import { back, href } from './scene.ts';
import type { Links, useScene } from './scene.ts';
import type { TestAnswer } from './tpp.ts';

/** What a test says of a consent; without `named`, no PSU-ID is sent. */
export interface ConsentOptions {
  prefix?: string;
  access?: object;
  more?: object;
  headers?: object;
  named?: boolean;
}

/** The body of a consent that may be used often, until the end of June 2026. */
export const consentBody = (access: object, more: object = {}) => ({
  access,
  recurringIndicator: true,
  validUntil: '2026-06-30',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
  ...more,
});

/** Consents at the bank of a scene. */
export function consentsOf(scene: ReturnType<typeof useScene>) {
  const ibanOf = (psuId: string, at = 0) => scene.bank.person(psuId).accounts[at]!.iban;
  const detailed = (psuId: string) => {
    const accounts = [{ iban: ibanOf(psuId) }];
    return { accounts, balances: accounts, transactions: accounts };
  };
  const ask = (psuId: string, options: ConsentOptions = {}): Promise<TestAnswer> => {
    const { prefix = 'v136', access = detailed(psuId), more = {}, headers = {}, named = true } = options;
    return scene.call('POST', `/${prefix}/consents`, {
      body: consentBody(access, more),
      headers: { ...(named && { 'PSU-ID': psuId }), 'TPP-Redirect-URI': back, ...headers },
    });
  };
  return {
    ibanOf,
    detailed,
    ask,
    statusOf: async (links: Links) =>
      (await scene.call('GET', href(links, 'status'))).json.consentStatus as string,
    /** A consent that the PSU has approved. */
    valid: async (psuId: string, options: ConsentOptions = {}): Promise<{ id: string; links: Links }> => {
      const created = await ask(psuId, options);
      expect(created.status, created.text).toBe(201);
      const id = created.json.consentId as string;
      const links = created.json._links as Links;
      const start = Object.keys(links).find((name) => name.startsWith('startAuthorisation'));
      if (start !== undefined) await scene.call('POST', href(links, start), { headers: { 'PSU-ID': psuId } });
      scene.bank.decide('approve', id, psuId);
      return { id, links };
    },
  };
}
