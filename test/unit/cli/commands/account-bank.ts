import type { Ports } from '../../../../src/client/ports.ts';
import type { Environment } from '../../../../src/settings/records/profile.ts';
import type { SavedConsent, SavedResource } from '../../../../src/settings/records/resources.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import {
  fakeClock,
  fakeHttp,
  memoryJournal,
  memoryStore,
  memoryUsage,
} from '../../../helpers/fakes/index.ts';
import { program } from '../../../helpers/program.ts';
import type { sink } from '../../../helpers/program.ts';
import { consentOf } from '../../client/reader.ts';

/** A profile at a scripted bank, kept over several command lines as on a disk. */
export async function accountBank(
  wish: {
    environment?: Environment;
    variant?: keyof typeof presets;
    surface?: 'service' | 'framework';
    consent?: Partial<SavedConsent> | 'none';
    person?: Ports['person'];
  } = {},
) {
  const { environment = 'test', variant = 'v1', surface = 'service', consent = {} } = wish;
  const http = fakeHttp();
  const store = memoryStore();
  const journal = memoryJournal();
  const { intents } = journal;
  const shared = { ...store, http, usage: memoryUsage(), clock: fakeClock(), journal, intents };
  await store.settings.update((before) => ({
    ...before,
    activeProfile: 'acme',
    profiles: {
      acme: {
        environment,
        baseUrl: 'https://bank.example',
        ...presets[variant],
        surface,
        signing: { mode: 'none' },
        psu: { id: 'anna', ipAddress: '192.0.2.7' },
      },
    },
  }));
  const { framework, prefix } = presets[variant];
  const usableSince = '2026-11-21T09:00:00.000Z';
  const place: Partial<SavedResource> = { environment, framework, prefix, usableSince };
  if (consent !== 'none') await store.resources.save(consentOf(consent, place));
  return {
    ...shared,
    store,
    run: (
      line: string | readonly string[],
      env: Record<string, string> = {},
      stdout?: ReturnType<typeof sink>,
    ) => {
      const ports = { ...shared, ...(wish.person && { person: wish.person }) };
      return program(line, { env, ports, ...(stdout && { stdout }) });
    },
  };
}
