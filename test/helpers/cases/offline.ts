import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestCa, createTestCertificate } from '../../../src/signing/certificate.ts';
import { fileStore } from '../file-store.ts';
import { expectTidy, oneError } from '../one-error.ts';
import type { World } from './world.ts';

/**
 * A home with profiles of banks that nobody runs. A refused command must change nothing in it; it also runs with `--json`, must end
 * in the same way with the same words, and the code of that error is a further line of its output.
 */
export async function offline(home: World & { env: NodeJS.ProcessEnv }): Promise<World> {
  const root = home.values['home'] ?? '';
  const expired = await writeCertificates(home.folder);
  const iban = 'DE89370400440532013000';
  const profiles = {
    bank: ['--certificate', 'good.pem', '--key', 'good.key'],
    'no-key': ['--certificate', 'good.pem', '--key', 'missing.key'],
    'no-certificate': ['--certificate', 'missing.pem', '--key', 'good.key'],
    'not-pem': ['--certificate', 'text.pem', '--key', 'good.key'],
    mismatch: ['--certificate', 'good.pem', '--key', 'old.key'],
    expired: ['--certificate', 'old.pem', '--key', 'old.key'],
  };
  for (const [name, keys] of Object.entries(profiles)) {
    // Nothing listens there: whatever were sent would be exit 7.
    const address = ['--base-url', 'http://127.0.0.1:9', '--psu-ip', '192.0.2.1', '--debtor', iban];
    const made = await home.run(['profile', 'create', name, ...address, ...keys, '--no-check'], {
      env: {},
      input: '',
    });
    if (made.code !== 0) throw new Error(made.stderr);
  }
  await savePayments(home, ['abcdef-1', 'abcdef-2']);
  let before = everything(root);
  return {
    ...home,
    values: { ...home.values, expired },
    run: (args, options) => {
      before = everything(root);
      return home.run(args, options);
    },
    async after(args, options, ran) {
      if (ran.code === 0) return [];
      expectTidy(ran);
      const again = await home.run(['--json', '--no-input', ...args], options);
      const { code, title, detail, hint } = oneError(again);
      const told = plain(ran.stderr);
      const untold = [title, detail ?? '', ...hint].filter((words) => !told.includes(plain(words)));
      return [
        `[with --json ${code}]`,
        ...(again.code === ran.code ? [] : [`[with --json exit ${String(again.code)}]`]),
        ...(again.stdout === '' ? [] : ['[with --json something on stdout]']),
        ...(secrets(args).some((one) => again.stderr.includes(one))
          ? ['[with --json the secret itself]']
          : []),
        ...untold.map((words) => `[with --json only: ${words}]`),
        ...changes(before, everything(root)),
      ];
    },
  };
}

/** What was given where a reference to a secret belongs. */
const secrets = (args: readonly string[]): readonly string[] =>
  args.filter((word, at) => args[at - 1]?.endsWith('-from') === true && !word.includes(':'));

/** Without line ends, the time of the run, and the flags that a hint repeats. */
const plain = (words: string): string =>
  words
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/now it is \S+Z/, 'now it is TIME')
    .replace('obk --json ', 'obk ')
    .replace('--no-input ', '');

/** The files of the profiles; returns when the expired certificate has expired. */
async function writeCertificates(folder: string): Promise<string> {
  const dayMs = 86_400_000;
  const issue = (from: number, to: number) => ({
    keyType: 'ec' as const,
    notBefore: new Date(Date.now() + from * dayMs),
    notAfter: new Date(Date.now() + to * dayMs),
  });
  const tpp = {
    ca: await createTestCa(issue(-900, 900)),
    type: 'qsealc',
    roles: ['PSP_PI'],
    organizationIdentifier: 'PSDDE-BAFIN-123456',
    organizationName: 'TPP',
    ncaName: 'BaFin',
    ncaId: 'DE-BAFIN',
  } as const;
  for (const [name, from, to] of [
    ['old', -800, -1],
    ['good', -1, 300],
  ] as const) {
    const { certificatePem, keyPem } = await createTestCertificate({ ...issue(from, to), ...tpp });
    writeFileSync(join(folder, `${name}.pem`), certificatePem);
    writeFileSync(join(folder, `${name}.key`), keyPem.reveal(), { mode: 0o600 });
  }
  writeFileSync(join(folder, 'text.pem'), 'this is no certificate\n');
  return new Date(new X509Certificate(readFileSync(join(folder, 'old.pem'))).validTo).toISOString();
}

async function savePayments({ env }: { env: NodeJS.ProcessEnv }, ids: readonly string[]): Promise<void> {
  const store = fileStore({
    configDir: env['OBK_CONFIG_DIR'] ?? '',
    stateDir: env['OBK_STATE_DIR'] ?? '',
    clock: {
      now: () => new Date(),
      monotonic: () => 0,
      sleep: () => Promise.resolve(),
      after: () => () => undefined,
    },
    warn: () => undefined,
  });
  for (const id of ids) {
    const at = new Date().toISOString();
    await store.resources.save({
      ...{ schemaVersion: 1, profile: 'bank', environment: 'test', noun: 'payment', id, links: {} },
      ...{ createdAt: at, updatedAt: at, framework: '1.3.2', prefix: '/v1', baseUrl: 'http://127.0.0.1:9' },
      ...{ service: 'payments', product: 'sepa-credit-transfers' },
    });
  }
}

/** Every file of settings and state with its content. */
function everything(root: string): ReadonlyMap<string, string> {
  // A request that was prepared but not sent is in the journal, and was given its turn; nothing else is new.
  const beside = /^state\/((state|log)\.db|sandbox\/)/;
  return new Map(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => !beside.test(name) && statSync(join(root, name)).isFile())
      .map((name) => [name, readFileSync(join(root, name), 'latin1')]),
  );
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.filter((name) => before.get(name) !== after.get(name)).map((name) => `[changed ${name}]`);
}
