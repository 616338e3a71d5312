import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { bankCertificates, isBankKnown } from '../../../../src/client/notifications/bank-certificate.ts';
import { ObkError } from '../../../../src/base/errors.ts';
import { makeCertificate } from '../../../helpers/tls.ts';
import type { Pair } from '../../../helpers/tls.ts';
import { world } from '../../../helpers/world.ts';

const made = {} as Record<'ca' | 'bank' | 'renewed' | 'neighbour' | 'foreign', Pair>;
const der = (pair: Pair): Uint8Array => new Uint8Array(new X509Certificate(pair.certificate).raw);

beforeAll(async () => {
  made.ca = await makeCertificate({ subject: 'CN=CA of the bank' });
  const other = await makeCertificate({ subject: 'CN=Another CA' });
  const names = ['bank.example'];
  made.bank = await makeCertificate({ subject: 'CN=bank', issuer: made.ca, names });
  made.renewed = await makeCertificate({ subject: 'CN=bank', issuer: made.ca, names });
  made.neighbour = await makeCertificate({ subject: 'CN=tpp', issuer: made.ca, names: ['tpp.example'] });
  made.foreign = await makeCertificate({ subject: 'CN=bank', issuer: other, names });
});

/** The bank at https://bank.example, which shows these certificates one after the other; with `ca` a profile that knows its CA. */
async function bank(shown: readonly Pair[], ca = false) {
  const there = await world({ profile: ca ? { caCertificates: '/ca.pem' } : {} });
  // The certificates are valid today.
  there.clock.set(new Date().toISOString());
  if (ca) await there.target.ports.files.write('/ca.pem', Buffer.from(made.ca.certificate), { force: true });
  const looks: string[] = [];
  there.target.ports.tlsPeers = {
    chain(host, port) {
      const at = looks.push(`${host}:${String(port)}`) - 1;
      const pair = shown[Math.min(at, shown.length - 1)];
      return pair === undefined
        ? Promise.reject(new ObkError({ code: 'NOT_SENT', title: 'Nobody is there.' }))
        : Promise.resolve([der(pair)]);
    },
  };
  const certificates = bankCertificates();
  return {
    ...there,
    looks,
    isOf: (pair: Pair) => certificates.isOf(there.target, der(pair)),
  };
}

describe("the bank's certificate", () => {
  it('is the one that it shows at its address, which is looked at once', async () => {
    const { isOf, looks } = await bank([made.bank]);
    expect([await isOf(made.bank), await isOf(made.bank)]).toEqual([true, true]);
    expect(looks).toEqual(['bank.example:443']);
  });

  it('is not another one, and a stranger does not have it looked up again and again', async () => {
    const { isOf, looks, clock } = await bank([made.bank]);
    for (const pair of [made.foreign, made.neighbour, made.renewed]) expect(await isOf(pair)).toBe(false);
    expect(looks).toHaveLength(1);
    clock.advance(60_000);
    expect(await isOf(made.foreign)).toBe(false);
    expect(looks).toHaveLength(2);
  });

  it('may have been renewed meanwhile', async () => {
    const { isOf, clock } = await bank([made.bank, made.renewed]);
    expect(await isOf(made.bank)).toBe(true);
    clock.advance(60_000);
    expect(await isOf(made.renewed)).toBe(true);
  });

  it("is one of the profile's CA for the host of the bank, too, and for no other host", async () => {
    const { isOf } = await bank([made.bank], true);
    expect(await isOf(made.renewed)).toBe(true);
    expect(await isOf(made.neighbour)).toBe(false);
    expect(await isOf(made.foreign)).toBe(false);
  });

  it('is nobody’s where the bank cannot be reached', async () => {
    const { isOf, target } = await bank([]);
    expect(await isOf(made.bank)).toBe(false);
    expect(await isBankKnown(target)).toBe(true);
  });
});
