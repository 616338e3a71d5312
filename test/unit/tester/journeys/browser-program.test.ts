import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../../../src/adapters/secrets/secret-references.ts';
import { addressFrom } from '../../../../src/tester/journeys/stand-in.ts';
import type { Secrets } from '../../../../src/client/ports/secrets.ts';
import { Secret } from '../../../../src/base/secret.ts';

const here = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'browser program-'));
const script = join(here, 'drive.mjs');
writeFileSync(script, 'process.stdout.write(JSON.stringify(process.argv.slice(2)))');
const program = `cmd:'${process.execPath}' '${script}'`;
const secrets = createSecrets({ env: process.env, stdin: new PassThrough() });
const link = "https://bank.example/sca?a=1&b=$(id)'x";

describe('the program that drives a browser', () => {
  it.each([
    ['alone', '', [link]],
    ['after arguments of its own', " --headless 'two words'", ['--headless', 'two words', link]],
  ])('receives the link unchanged, %s', async (_case, own, seen) => {
    const name = 'driver';
    const printed = await addressFrom(secrets, { name, reference: `${program}${own}` }, link);
    expect(JSON.parse(printed)).toEqual(seen);
  });

  it('is asked anew for each link, and has as long as a PSU', async () => {
    const asked: unknown[] = [];
    const fake: Pick<Secrets, 'read'> = {
      read: (reference, _purpose, how) => {
        asked.push([reference, how]);
        return Promise.resolve(new Secret('https://tpp.example/ok'));
      },
    };
    await addressFrom(fake as Secrets, { name: 'driver', reference: 'cmd:drive' }, 'https://a.example/');
    expect(asked).toEqual([['cmd:drive https://a.example/', { anew: true, withinMs: 300_000 }]]);
  });

  it.each([
    [
      'prints nothing',
      `cmd:'${process.execPath}' -e ''`,
      /empty text\. It gets the link as its last argument/,
    ],
    ['fails', `cmd:'${process.execPath}' -e 'process.exit(3)'`, /ended with exit code 3\. It gets the link/],
  ])('is informed of what is due where it %s', async (_case, reference, detail) => {
    await expect(addressFrom(secrets, { name: 'driver', reference }, link)).rejects.toMatchObject({
      code: 'SECRET_REFERENCE',
      title: 'The program driver prints no address.',
      detail: expect.stringMatching(detail) as string,
    });
  });

  it('is not another reference', async () => {
    await expect(addressFrom(secrets, { name: 'driver', reference: 'env:HOME' }, link)).rejects.toMatchObject(
      {
        code: 'INPUT_INVALID',
      },
    );
  });
});
