import type { BankIdentity } from './post.ts';

let made: Promise<BankIdentity> | undefined;

const dayMs = 86_400_000;

/** A certificate of another authority in the bank's name, for the fault `push-foreign-certificate`. */
export function foreignIdentity(): Promise<BankIdentity> {
  made ??= make();
  return made;
}

async function make(): Promise<BankIdentity> {
  const { createServerCertificate, createTestCa } = await import('../../signing/certificate.ts');
  const issue = {
    keyType: 'ec',
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
  } as const;
  const server = await createServerCertificate({ ...issue, ca: await createTestCa(issue) });
  return { cert: server.certificatePem, key: server.keyPem.reveal(), ca: [] };
}
