import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a certificate of another hand is to hold; the texts are those of an openssl configuration. */
export interface Wish {
  subject?: string;
  keyUsage?: string;
  extendedKeyUsage?: string;
  /** Sections that begin with `[statements]`; none for no QCStatements at all. */
  statements?: string;
  more?: string;
  key?: string[];
  hash?: string;
  days?: number;
}

export const subject = '/C=DE/O=Zahl GmbH/organizationIdentifier=PSDDE-BAFIN-125314/CN=Zahl GmbH';
const nca = 'Bundesanstalt fuer Finanzdienstleistungsaufsicht';

const roles = (names: readonly (readonly [oid: string, name: string])[]) =>
  names.map(([oid, name], at) => `[role${at}]\no=OID:${oid}\nn=UTF8:${name}`).join('\n');

/** The sections of QcCompliance, QcType and a PSD2 statement as ETSI TS 119 495 says. */
export function statementsOf(
  type: string,
  names: readonly (readonly [oid: string, name: string])[],
  ncaId = 'DE-BAFIN',
): string {
  return `[statements]
a=SEQUENCE:compliance
b=SEQUENCE:type
c=SEQUENCE:psd2
d=SEQUENCE:pds
[pds]
o=OID:0.4.0.1862.1.5
l=SEQUENCE:locations
[locations]
e=SEQUENCE:english
[english]
u=IA5:https://trust.example/pds-en.pdf
l=PRINTABLE:en
[compliance]
o=OID:0.4.0.1862.1.1
[type]
o=OID:0.4.0.1862.1.6
t=SEQUENCE:types
[types]
o=OID:${type}
[psd2]
o=OID:0.4.0.19495.2
i=SEQUENCE:info
[info]
r=SEQUENCE:roles
n=UTF8:${nca}
c=UTF8:${ncaId}
[roles]
${names.map((_, at) => `r${at}=SEQUENCE:role${at}`).join('\n')}
${roles(names)}`;
}

export const eseal = '0.4.0.1862.1.6.2';
export const web = '0.4.0.1862.1.6.3';
export const pi = ['0.4.0.19495.1.2', 'PSP_PI'] as const;
export const ai = ['0.4.0.19495.1.3', 'PSP_AI'] as const;
export const ic = ['0.4.0.19495.1.4', 'PSP_IC'] as const;
export const qwacWish = {
  subject: '/C=DE/O=Zahl GmbH/organizationIdentifier=PSDDE-BAFIN-125314/CN=zahl.example',
  keyUsage: 'critical,digitalSignature',
  extendedKeyUsage: 'clientAuth,serverAuth',
  more: 'subjectAltName=DNS:zahl.example',
};
export const sealUsage = 'critical,digitalSignature,nonRepudiation';

/** A folder in which openssl makes certificates, all of one authority. */
export function foreignAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'obk-foreign-'));
  const run = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const ec = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  run(
    ...['req', '-x509', '-newkey', ...ec, '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '3650'],
    ...['-subj', '/C=DE/O=Trust/CN=Foreign CA'],
  );
  let made = 0;
  return {
    ca: read('ca.pem'),
    /** Certificate and key in PEM. */
    issue: (wish: Wish = {}) => {
      const name = `c${made++}`;
      writeFileSync(
        join(folder, 'cfg'),
        `[req]\ndistinguished_name=dn\n[dn]\n[ext]\nbasicConstraints=critical,CA:FALSE\nkeyUsage=${wish.keyUsage ?? sealUsage}
${wish.extendedKeyUsage === undefined ? '' : `extendedKeyUsage=${wish.extendedKeyUsage}`}
${wish.statements === undefined ? '' : '1.3.6.1.5.5.7.1.3=ASN1:SEQUENCE:statements'}
${wish.more ?? ''}\n${wish.statements ?? ''}\n`,
      );
      run(
        ...[
          'req',
          '-x509',
          '-config',
          'cfg',
          '-extensions',
          'ext',
          '-CA',
          'ca.pem',
          '-CAkey',
          'ca.key',
          '-nodes',
        ],
        ...['-newkey', ...(wish.key ?? ec), '-keyout', `${name}.key`, '-out', `${name}.pem`, '-utf8'],
        ...['-subj', wish.subject ?? subject, '-days', String(wish.days ?? 365), `-${wish.hash ?? 'sha256'}`],
        ...['-set_serial', '0x0a1b2c3d4e'],
      );
      return { certificate: read(`${name}.pem`), key: read(`${name}.key`) };
    },
    /** A PKCS#12 file of certificate, key and authority. */
    pkcs12: (pair: { certificate: string; key: string }, passphrase: string, ...flags: string[]) => {
      writeFileSync(join(folder, 'p.pem'), pair.certificate);
      writeFileSync(join(folder, 'p.key'), pair.key);
      const from = ['-in', 'p.pem', '-inkey', 'p.key', '-certfile', 'ca.pem', '-out', 'p.p12'];
      run('pkcs12', '-export', ...from, '-passout', `pass:${passphrase}`, ...flags);
      return readFileSync(join(folder, 'p.p12'));
    },
    run: (files: Record<string, string | Uint8Array>, ...args: string[]) => {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
      return run(...args).toString();
    },
    close: () => {
      rmSync(folder, { recursive: true });
    },
  };
}
