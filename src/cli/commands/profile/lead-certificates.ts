import { cleanLine } from '../../../base/clean.ts';
import { bringsKey } from '../../../client/certificates/profile-files.ts';
import type { FileFault } from '../../../client/certificates/profile-files.ts';
import { makeCertificate } from '../../../client/certificates/make-certificates.ts';
import { recognised, takeFiles } from '../../../client/certificates/take-files.ts';
import type { Recognised } from '../../../client/certificates/take-files.ts';
import { resolved } from '../../../client/profile/inheritance.ts';
import { folderOf, passphrases } from './checked-files.ts';
import { tried } from './lead-address.ts';
import { choose, draftName, made, text } from './lead-questions.ts';
import type { Lead } from './lead-questions.ts';

/** How one of the two certificates is asked for. */
interface Kind {
  use: 'qsealc' | 'qwac';
  certificate: 'certificate' | 'tlsCertificate';
  key: 'key' | 'tlsKey';
  passphrase: 'keyPassphraseFrom' | 'tlsKeyPassphraseFrom';
  flags: readonly [certificate: string, key: string];
  about: string;
  none: string;
}

const kinds: Record<'signing' | 'tls', Kind> = {
  signing: {
    use: 'qsealc',
    certificate: 'certificate',
    key: 'key',
    passphrase: 'keyPassphraseFrom',
    flags: ['--certificate', '--key'],
    about: 'Requests are signed with a certificate (QSealC)',
    none: 'this bank wants no signatures',
  },
  tls: {
    use: 'qwac',
    certificate: 'tlsCertificate',
    key: 'tlsKey',
    passphrase: 'tlsKeyPassphraseFrom',
    flags: ['--tls-certificate', '--tls-key'],
    about: 'Connections are made with a certificate (QWAC)',
    none: 'this bank wants none',
  },
};

const askCertificate =
  (kind: Kind) =>
  async (lead: Lead): Promise<void> => {
    const { certificate, key, passphrase, use, flags } = kind;
    const { [certificate]: _, [key]: __, [passphrase]: ___, ...others } = lead.options;
    lead.options = others;
    const way = await choose(lead, use, kind.about, [
      ['file', 'I have it in a file (PEM, DER or PKCS#12)'],
      ['test', 'I have none: make one for tests'],
      ['none', kind.none],
    ]);
    if (use === 'qsealc') {
      const { signing: ____, ...rest } = lead.options;
      lead.options = way === 'none' ? { ...rest, signing: 'none' } : rest;
    }
    if (way === 'none') return;
    if (way === 'test') await testCertificate(lead, kind);
    else {
      await text(lead, certificate, { flag: flags[0], about: 'File of the certificate' });
      const path = made(lead)[certificate] ?? '';
      if (!(await bringsKey(lead.context.ports, path)))
        await text(lead, key, { flag: flags[1], about: 'File of its private key' });
    }
    const faults = await faultsOf(lead, use);
    if (faults.length === 0) return;
    for (const { text: fault } of faults) lead.context.ports.notices.warn(fault);
    return askCertificate(kind)(lead);
  };

/** As `askSigning`, for the QWAC; an address that did not answer without one is tried again. */
export async function askTls(lead: Lead): Promise<void> {
  await askCertificate(kinds.tls)(lead);
  if (lead.reached === false && lead.options.tlsCertificate !== undefined) await tried(lead);
}

/** The faults of the files of one use, or whose certificate it is; after a wrong passphrase it is typed again, or there is another file. */
async function faultsOf(lead: Lead, use: Kind['use']): Promise<FileFault[]> {
  const { notices } = lead.context.ports;
  for (;;) {
    const profile = resolved(lead.settings, draftName, made(lead));
    const passphrase = lead.asked(profile);
    const folder = folderOf(lead.context);
    const options = { folder, name: draftName, passphrase };
    const { faults, imports } = await takeFiles(lead.context.ports, profile, options);
    const own = faults.filter((fault) => fault.use === use);
    if (own.length === 0) {
      const whose = await recognised(lead.context.ports, profile, use, imports);
      if (whose !== undefined) notices.say(recognisedText(whose));
    }
    if (!own.some(({ code }) => code === 'KEY_PASSPHRASE')) return own;
    const { passphrase: setting } = kinds[use === 'qsealc' ? 'signing' : 'tls'];
    if (profile[setting] === undefined) {
      // The key is encrypted, and nobody was asked: each run asks from now on.
      lead.options = { ...lead.options, [setting]: 'prompt' };
      continue;
    }
    lead.asked = passphrases(lead.context);
    const way = await choose(
      lead,
      'passphrase-trouble',
      `${own.map(({ text: fault }) => fault).join(' ')} What now?`,
      [
        ['again', 'type it again'],
        ['file', 'another file'],
      ],
    );
    // The caller says what was wrong, and asks for the file.
    if (way === 'file') return own;
  }
}

function recognisedText({ subject, organizationIdentifier: of, roles, notAfter }: Recognised): string {
  const whose = of === undefined || subject.includes(of) ? subject : `${subject}, ${of}`;
  const psd2 = roles === undefined ? 'no PSD2 roles' : `PSD2 roles ${roles.join(', ') || 'none'}`;
  return cleanLine(`${whose}; ${psd2}; valid until ${notAfter.toISOString().slice(0, 10)}.`, 1000);
}

async function testCertificate(lead: Lead, { use, certificate, key }: Kind): Promise<void> {
  const { ports } = lead.context;
  const folder = `${folderOf(lead.context)}/${lead.options.name ?? draftName}-test`;
  const files = await makeCertificate(ports, {
    type: use,
    organizationIdentifier: 'PSDDE-BAFIN-123456',
    organizationName: 'Test TPP',
    folder,
    roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
    key: { keyType: 'rsa', rsaBits: 2048 },
    days: 365,
    dnsNames: [],
    force: true,
  });
  ports.notices.say(`Made ${files.certificate}; the bank must know its authority, ${files.ca}.`);
  lead.options = { ...lead.options, [certificate]: files.certificate, [key]: files.key };
}

/** Asks for the QSealC, until its files can be used. */
export const askSigning = (lead: Lead): Promise<void> => askCertificate(kinds.signing)(lead);
