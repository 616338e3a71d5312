import { createPrivateKey, X509Certificate } from 'node:crypto';
import { TppCertificates } from '../../../src/referee/signature/tpp-certificate.ts';
import { createTestCa, createTestCertificate } from '../../../src/signing/certificate.ts';
import { rightDay } from '../../helpers/right-requests.ts';
import type { Seal } from '../../helpers/signed-by-hand.ts';

type SealName = 'rsa' | 'ec' | 'expired' | 'early' | 'stranger' | 'account-reader' | 'qwac';

const dayMs = 86_400_000;
const days = (from: number, to: number) => ({
  notBefore: new Date(rightDay.getTime() + from * dayMs),
  notAfter: new Date(rightDay.getTime() + to * dayMs),
});

/** Certificates of a TPP, good and bad ones, and the authority that the bank trusts. */
export async function makeSeals(): Promise<{ certificates: TppCertificates; seals: Record<SealName, Seal> }> {
  const ca = await createTestCa(days(-9, 9));
  const other = await createTestCa(days(-9, 9));
  const make = async (more: Partial<Parameters<typeof createTestCertificate>[0]> = {}): Promise<Seal> => {
    const issued = await createTestCertificate({
      ...days(-1, 1),
      ca,
      type: 'qsealc',
      roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
      organizationIdentifier: 'PSDDE-BAFIN-1',
      organizationName: 'A TPP',
      ncaName: 'BaFin',
      ncaId: 'DE-BAFIN',
      ...more,
    });
    return {
      certificate: new X509Certificate(issued.certificatePem),
      key: createPrivateKey(issued.keyPem.reveal()),
    };
  };
  return {
    certificates: new TppCertificates([new X509Certificate(ca.certificatePem)]),
    seals: {
      rsa: await make({ keyType: 'rsa' }),
      ec: await make({ keyType: 'ec' }),
      expired: await make(days(-3, -2)),
      early: await make(days(2, 3)),
      stranger: await make({ ca: other }),
      'account-reader': await make({ roles: ['PSP_AI'] }),
      qwac: await make({ type: 'qwac' }),
    },
  };
}
