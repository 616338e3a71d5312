import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSigner } from '../../../../src/adapters/secrets/external-signer.ts';
import { createClock } from '../../../../src/adapters/system/system-clock.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';

const here = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'signer-'));
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
writeFileSync(join(here, 'key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }));

/** A program of a user: gets the request as `asked`, and `key`, the PEM. */
function program(name: string, code: string): string {
  const path = join(here, `${name}.mjs`);
  writeFileSync(
    path,
    `import { readFileSync } from 'node:fs'; import { sign } from 'node:crypto';
const key = readFileSync(${JSON.stringify(join(here, 'key.pem'))});
const read = () => JSON.parse(readFileSync(0, 'utf8'));\n${code}`,
  );
  return `cmd:'${process.execPath}' '${path}'`;
}

const bytes = Buffer.from('digest: x\nx-request-id: ä', 'utf8');
const request = { algorithm: 'ecdsa-sha256', encoding: 'der', bytes };
const open = (clock = createClock()) => createSigner({ env: process.env, clock });

describe('a program that signs', () => {
  it('receives algorithm and bytes, and what it writes is the signature', async () => {
    const command = program(
      'good',
      `const asked = read(); if (asked.algorithm !== 'ecdsa-sha256' || asked.encoding !== 'der') process.exit(3);
console.log(sign('sha256', Buffer.from(asked.bytes, 'base64'), key).toString('base64'));`,
    );
    const signature = await open().sign(command, request);
    expect(verify('sha256', bytes, publicKey, signature)).toBe(true);
  });

  it.each([
    ['that fails', 'process.exit(7);', 'exit code 7'],
    ['that writes no base64', "console.log('no!');", 'not base64'],
    ['that writes nothing', '', 'not base64'],
    ['that writes too much', "console.log('A'.repeat(70000));", 'more than 65536 bytes'],
  ])('is refused before anything is sent: %s', async (_, code, why) => {
    await expect(open().sign(program('bad', code), request)).rejects.toMatchObject({
      code: 'SIGNING_FAILED',
      exit: 3,
      detail: expect.stringContaining(why),
    });
  });

  it('has ten seconds', async () => {
    const clock = fakeClock({ manual: true });
    const waiting = open(clock).sign(program('slow', 'setInterval(() => {}, 1000);'), request);
    const refused = expect(waiting).rejects.toMatchObject({
      detail: expect.stringContaining('within 10 seconds'),
    });
    clock.advance(9_999);
    expect(clock.sleeping).toBe(1);
    clock.advance(1);
    await refused;
  });

  it.each(['cmd:sign', 'cmd:./sign', '/bin/cat', "cmd:'/bin/cat", 'cmd:'])(
    'is not named by %s',
    async (command) => {
      await expect(open().sign(command, request)).rejects.toMatchObject({ code: 'PROFILE_INVALID' });
    },
  );

  it('sees no shell', async () => {
    await expect(open().sign('cmd:/bin/echo $(id) `id` ; id', request)).rejects.toMatchObject({
      detail: expect.stringContaining('not base64'),
    });
    await expect(open().sign('cmd:/nowhere/sign', request)).rejects.toMatchObject({
      detail: expect.stringContaining('could not be started'),
    });
  });
});
