import { createPrivateKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ports } from '../../../../src/client/ports.ts';
import type { SignerRequest } from '../../../../src/client/ports/certificates.ts';
import type { IssuedCertificate } from '../../../../src/signing/certificate.ts';
import { guidelines } from '../../../../src/signing/presets.ts';
import { signRequest } from '../../../../src/signing/sign-request.ts';
import { memoryFiles } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { sealCertificate, vectorCa } from '../../signing/fixtures.ts';
import { openTarget } from '../../../../src/client/exchange/open-target.ts';
import type { Profile } from '../../../../src/settings/records/profile.ts';

let seal: Record<'rsa' | 'ec', IssuedCertificate>;
beforeAll(async () => {
  const ca = await vectorCa();
  seal = {
    rsa: await sealCertificate(ca, { keyType: 'rsa' }),
    ec: await sealCertificate(ca, { keyType: 'ec' }),
  };
});

const open = async (changes: Partial<Profile>, more: Partial<Ports> = {}) => {
  const { target, notices } = await world({ profile: { signing: { mode: 'cavage' } } });
  const profile = { ...target.profile, ...changes };
  const chosen = { name: 'acme', profile, origin: 'flag', builtIn: false } as const;
  return { notices, target: await openTarget({ ...target.ports, ...more }, chosen, { dryRun: false }) };
};

const request = {
  method: 'GET',
  path: '/v1/accounts',
  headers: [['X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721']],
  body: new Uint8Array(),
} as const;

describe('a profile with a signer', () => {
  it.each(['rsa', 'ec'] as const)('signs with the program, never with a key file (%s)', async (keyType) => {
    const { certificatePem, keyPem } = seal[keyType];
    const asked: [string, SignerRequest][] = [];
    const key = createPrivateKey(keyPem.reveal());
    const signer: Ports['signer'] = {
      sign: (command, wish) => {
        asked.push([command, wish]);
        return Promise.resolve(sign('sha256', wish.bytes, key));
      },
    };
    const files = memoryFiles({ '/seal.pem': certificatePem });
    const { target } = await open({ certificate: '/seal.pem', signer: 'cmd:/bin/hsm' }, { files, signer });
    const material = await target.material();
    const signed = (await signRequest(request, guidelines, material))!;
    const [[command, { algorithm, encoding }] = ['', { algorithm: '' }]] = asked;
    expect({ command, algorithm, encoding }).toEqual({
      command: 'cmd:/bin/hsm',
      algorithm: keyType === 'rsa' ? 'rsa-sha256' : 'ecdsa-sha256',
      encoding: keyType === 'rsa' ? undefined : 'der',
    });
    const { publicKey } = material.certificate;
    const text = Buffer.from(signed.signingString);
    expect(verify('sha256', text, publicKey, Buffer.from(signed.signature, 'base64'))).toBe(true);
  });

  it('refuses what the certificate does not verify, before anything is sent', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
    const signer = {
      sign: (_: string, { bytes }: SignerRequest) => Promise.resolve(sign('sha256', bytes, other)),
    };
    const files = memoryFiles({ '/seal.pem': seal.ec.certificatePem });
    const { target } = await open({ certificate: '/seal.pem', signer: 'cmd:/bin/hsm' }, { files, signer });
    await expect(signRequest(request, guidelines, await target.material())).rejects.toMatchObject({
      code: 'SIGNING_FAILED',
      title: 'The signature does not fit the certificate.',
    });
  });
});

describe('a key that others can read', () => {
  it('is warned about once, for signing and for TLS', async () => {
    const { certificatePem, keyPem } = seal.ec;
    const files = memoryFiles({
      '/seal.pem': certificatePem,
      '/shared.key': keyPem.reveal(),
      '/own.key': keyPem.reveal(),
    });
    const warnings = async (changes: Partial<Profile>) => {
      const { target, notices } = await open({ certificate: '/seal.pem', ...changes }, { files });
      await target.material();
      await target.connection();
      await target.material();
      return notices.warned;
    };
    expect(await warnings({ key: '/own.key' })).toEqual([]);
    expect(await warnings({ key: '/shared.key' })).toEqual([
      'Others can read /shared.key, which holds a private key (chmod 600 helps).',
    ]);
    const tls = { tlsCertificate: '/seal.pem', tlsKey: '/shared.key' };
    expect(await warnings({ key: '/own.key', ...tls })).toHaveLength(1);
  });
});
