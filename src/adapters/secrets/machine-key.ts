import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import { Secret } from '../../base/secret.ts';
import { createExclusively, makeDirectory, readIfThere } from '../files/atomic-file.ts';
import { guard, promised } from '../files/file-errors.ts';

/** 32 random bytes in hex, in a file that only its owner can read; made by the first process that needs it. */
export function machineKeyFile(stateDir: string): Pick<CredentialStore, 'machineKey'> {
  const path = join(stateDir, 'machine.key');
  const read = () =>
    guard('STATE_UNREADABLE', 'The key of this machine cannot be read.', path, () => readIfThere(path));

  function make(): string | undefined {
    guard('STATE_NOT_WRITTEN', 'The key of this machine cannot be saved.', path, () => {
      makeDirectory(stateDir);
      createExclusively(path, `${randomBytes(32).toString('hex')}\n`);
    });
    return read();
  }

  return {
    machineKey: () =>
      promised(() => {
        const [, key] = /^([0-9a-f]{64})\n$/.exec(read() ?? make() ?? '') ?? [];
        if (key !== undefined) return new Secret(key);
        throw new ObkError({
          code: 'STATE_UNREADABLE',
          title: 'The key of this machine is damaged.',
          detail: `${path} does not hold what obk wrote: with this key obk recognises passwords that it has sent before.`,
          hint: [`mv '${path}' '${path}.damaged'   # open authorisations that sent one ask for --new then`],
        });
      }),
  };
}
