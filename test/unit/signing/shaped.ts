import type { CertificatePurpose } from '../../../src/signing/certificate-lint.ts';
import * as by from '../../helpers/certificate-by-hand.ts';
import { at, name } from '../../helpers/certificate-by-hand.ts';
import { now } from './fixtures.ts';

export const root = by.authority('Root CA');
export const middle = by.authority('Issuing CA', root);
export const wish = { needs: [], now, soonDays: 30 } as const;

/** What differs from a seal or a QWAC with which nothing is wrong. */
export interface Shape {
  /** The intermediate authority if not given. */
  issuer?: by.ByHand;
  subject?: Buffer;
  usage?: Buffer | null;
  extended?: Buffer | null;
  policies?: Buffer;
  hosts?: Buffer | null;
  statements?: readonly Buffer[];
  more?: readonly Buffer[];
}

export const nca = 'Federal Financial Supervisory Authority';
export const english = by.pds(['en', 'https://trust.example/pds-en.pdf']);
export const psd2 = by.psd2(['PI', 'AI'], nca, 'DE-BAFIN');
export const identity = (organization: string, common: string) =>
  name([at.C, 'DE'], [at.O, 'Zahl GmbH'], [at.ID, organization], [at.CN, common]);

export function make(as: CertificatePurpose, shape: Shape = {}): by.ByHand {
  const isSeal = as === 'qsealc';
  const standard = {
    usage: isSeal ? by.keyUsage('nonRepudiation') : by.keyUsage('digitalSignature'),
    extended: isSeal ? null : by.extendedKeyUsage(by.clientAuth, by.serverAuth),
    hosts: isSeal ? null : by.hosts('tpp.example', 'www.tpp.example'),
  };
  const { usage, extended, hosts } = { ...standard, ...shape };
  return by.certificate({
    issuer: shape.issuer ?? middle,
    subject: shape.subject ?? identity('PSDDE-BAFIN-125314', isSeal ? 'Zahl GmbH' : 'tpp.example'),
    extensions: [
      by.notAuthority,
      ...(usage === null ? [] : [usage]),
      ...(extended === null ? [] : [extended]),
      ...(hosts === null ? [] : [hosts]),
      shape.policies ?? by.policies(isSeal ? '0.4.0.194112.1.1' : '0.4.0.19495.3.1'),
      by.statements(
        ...(shape.statements ?? [by.compliance, english, by.qcType(isSeal ? 'eseal' : 'web'), psd2]),
      ),
      ...(shape.more ?? []),
    ],
  });
}
