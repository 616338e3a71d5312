import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { candidateNotes } from '../../../../src/adapters/candidates/candidate-notes.ts';
import { candidateLines, readOffer } from '../../../../src/adapters/candidates/candidates-file.ts';
import { ledgerKey } from '../../../../src/base/profile-name.ts';
import type { Resources } from '../../../../src/client/ports/resources.ts';
import type { Usage } from '../../../../src/client/ports/usage.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import type { Conversation } from '../../../../src/standard/sca/state.ts';

const done = () => Promise.resolve();

function noted(cacheDir = join(mkdtempSync(join(tmpdir(), 'obk-notes-')), 'cache')) {
  const folders = { cacheDir, stateDir: '/state' };
  const ends: (() => Promise<void>)[] = [];
  const notes = candidateNotes(folders, (work) => ends.push(work));
  return {
    ends,
    resources: notes.ofResources({
      save: done,
      saveConversation: done,
      removeConversation: done,
      list: () => Promise.resolve([]),
    } as Partial<Resources> as Resources),
    usage: notes.ofUsage({
      read: () => Promise.resolve([]),
      update: (_, change) => Promise.resolve(change([])),
    } satisfies Usage),
    offers: () => candidateLines(folders).flatMap((line) => readOffer(line) ?? []),
  };
}

const resource = { profile: 'acme', noun: 'payment', createdAt: '2026-11-21T10:00:00.000Z' } as const;
const conversation = {
  parent: { kind: 'payment', id: 'p' },
  scaMethods: [
    { authenticationMethodId: '901', authenticationType: 'SMS_OTP', name: 'SMS' },
    { authenticationMethodId: '902', authenticationType: 'PUSH_OTP' },
  ],
} as Partial<Conversation> as Conversation;

it('a run notes what is saved as candidates, and writes once, at the end', async () => {
  const { resources, usage, ends, offers } = noted();
  const saved: Partial<SavedResource>[] = [
    { id: 'one', summary: { amount: '1.00', currency: 'EUR', creditorName: 'Shop' }, ledger: 'l' },
    { id: 'many', summary: { count: 3, amount: '9.00', currency: 'EUR' } },
    { id: 'bare', status: 'RCVD' },
  ];
  for (const one of saved) await resources.save({ ...resource, ...one } as SavedResource);
  await resources.saveConversation('acme', conversation);
  await usage.update(ledgerKey('sandbox'), () => [{ at: 0, what: 'l1' }]);
  await usage.update(ledgerKey('sandbox@shop'), () => [{ at: 0, what: 'l2' }]);
  await usage.update('["accounts","acme"]', () => [{ at: 0, what: 'no ledger' }]);
  expect(ends).toHaveLength(1);
  expect(offers()).toEqual([]);
  await ends[0]?.();
  const { createdAt } = resource;
  expect(offers()).toEqual([
    { profile: 'sandbox@shop', kind: 'ledger', value: 'l2' },
    { profile: 'sandbox', kind: 'ledger', value: 'l1' },
    { profile: 'acme', kind: 'payment', value: 'one', about: '1.00 EUR · Shop', createdAt, ledger: 'l' },
    { profile: 'acme', kind: 'payment', value: 'many', about: '9.00 EUR · 3 payments', createdAt },
    { profile: 'acme', kind: 'payment', value: 'bare', about: '', createdAt },
    { profile: 'acme', kind: 'method', value: '901', about: 'SMS, SMS_OTP', parent: 'p' },
    { profile: 'acme', kind: 'method', value: '902', about: 'PUSH_OTP', parent: 'p' },
  ]);
});

it('a run forgets the methods of an authorisation that is removed, in the order in which things were done', async () => {
  const { resources, ends, offers } = noted();
  await resources.saveConversation('acme', conversation);
  await resources.removeConversation('acme', conversation);
  await ends[0]?.();
  expect(offers()).toEqual([]);
  await resources.saveConversation('acme', conversation);
  await ends[0]?.();
  expect(offers()).toHaveLength(2);
});

it('a run writes no candidates at its end where it only reads, or could not save', async () => {
  const { resources, usage, ends } = noted();
  await resources.list('acme', 'payment');
  await usage.read(ledgerKey('sandbox'));
  const broken = candidateNotes({ cacheDir: '/c', stateDir: '/s' }, (work) => ends.push(work)).ofResources({
    save: () => Promise.reject(new Error('full')),
  } as Partial<Resources> as Resources);
  await expect(broken.save({ ...resource, id: 'x' } as SavedResource)).rejects.toThrow('full');
  expect(ends).toEqual([]);
});

it('a run is silent where the cache cannot be written', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'obk-notes-')), 'file');
  writeFileSync(file, '');
  for (const folder of [join(file, 'cache'), '/proc/nowhere']) {
    const { resources, ends, offers } = noted(folder);
    await resources.save({ ...resource, id: 'x' } as SavedResource);
    await ends[0]?.();
    expect(offers()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  }
});
