// The tppMessage codes against the lists of the official files, by status and service and by the file that has them.
import { describe, expect, it } from 'vitest';
import { authenticationTypes, messageCodes } from '../../src/standard/xs2a/codes.ts';
import { codesAt } from '../../src/standard/xs2a/message-places.ts';
import { frameworkNames, isIn, versions } from '../../src/standard/xs2a/origin.ts';
import type { Origin, Version } from '../../src/standard/xs2a/origin.ts';
import { hasOfficialFiles, officialDocument } from '../helpers/official.ts';

const frameworks = frameworkNames;

describe.runIf(hasOfficialFiles()).each(frameworks)(
  'the error codes of the official file of %s',
  (framework) => {
    const listsOf = (): (readonly [name: string, codes: readonly string[]])[] =>
      Object.entries(officialDocument(framework)!.components.schemas).flatMap(([name, schema]) =>
        name.startsWith('MessageCode') ? [[name, (schema.enum ?? []) as string[]] as const] : [],
      );
    const representative = {
      PIS: 'initiatePayment',
      PIS_CANC: 'cancelPayment',
      AIS: 'createConsent',
      PIIS: 'checkAvailabilityOfFunds',
      SBS: 'createSigningBasket',
    } as const;

    it('are those of the table, by status and service, in both directions', () => {
      const table: Record<string, string[]> = {};
      for (const [key, id] of Object.entries(representative)) {
        const service = key.split('_')[0] as 'PIS';
        for (let status = 400; status < 600; status += 1) {
          // Only the 405 of a cancellation has a list of its own.
          if (id === 'cancelPayment' && status !== 405) continue;
          const codes = codesAt(framework, { service, id }, status);
          // One spelling each: that of the guidelines is checked by hand.
          if (codes.length > 0)
            table[`MessageCode${String(status)}_${key}`] = codes.filter(
              (code) => code !== 'CERTIFICATE_REVOKED',
            );
        }
      }
      const theirs = listsOf().filter(([name]) => name !== 'MessageCode2XX');
      // Two of them are of successes.
      const own = { PIS: 'initiatePayment' } as const;
      for (const [status, name] of [
        [200, 'MessageCode200InitiationStatus'],
        [201, 'MessageCode201PaymentInitiation'],
      ] as const) {
        const codes = codesAt(framework, { service: 'PIS', id: own.PIS }, status);
        const ours = status === 200 ? codes.filter((code) => code !== 'WARNING') : codes;
        if (theirs.some(([one]) => one === name)) table[name] = [...ours];
      }
      expect(theirs).toHaveLength(27 + (isIn(framework, { file: '1.3.11' }) ? 2 : 0));
      expect(sortedLists(table)).toEqual(sortedLists(Object.fromEntries(theirs)));
      expect(Object.fromEntries(listsOf())['MessageCode2XX']).toEqual(['WARNING']);
      expect(codesAt(framework, { service: 'AIS', id: 'createConsent' }, 201)).toEqual(['WARNING']);
    });

    it('have the spelling of the guidelines as well', () => {
      for (const service of ['PIS', 'AIS', 'PIIS', 'SBS'] as const) {
        const codes = codesAt(framework, { service, id: representative[service] }, 401);
        expect(codes).toEqual(expect.arrayContaining(['CERTIFICATE_REVOKE', 'CERTIFICATE_REVOKED']));
      }
    });
  },
);

function sortedLists(lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, codes]) => [name, [...codes].sort()]));
}

/** Codes by the file that has them, whatever the guidelines say. */
describe.runIf(hasOfficialFiles()).each(['1.3.8', '1.3.11', '1.3.12'] as const)(
  'the official file of %s',
  (version) => {
    it.skipIf(officialDocument(version) === undefined)(
      'has the codes that are marked as added since then',
      () => {
        const at = versions.indexOf(version);
        const { schemas } = officialDocument(version)!.components;
        const has = (since: Version, until: Version | undefined): boolean =>
          versions.indexOf(since) <= at && (until === undefined || versions.indexOf(until) >= at);
        const listsOf = (prefix: string): unknown[] =>
          Object.entries(schemas).flatMap(([name, { enum: codes }]) =>
            name.startsWith(prefix) ? (codes ?? []) : [],
          );
        const check = (
          theirs: readonly unknown[],
          list: readonly { code: string; origin: Origin }[],
        ): void => {
          const wrong = list.filter(({ code, origin: { file } }) => {
            if (file === undefined) return theirs.includes(code);
            const [since, until] = typeof file === 'string' ? [file, undefined] : file;
            return theirs.includes(code) !== has(since, until);
          });
          expect(wrong.map(({ code }) => code)).toEqual([]);
        };
        check(listsOf('authenticationType'), authenticationTypes);
        check(listsOf('MessageCode'), messageCodes);
      },
    );
  },
);
