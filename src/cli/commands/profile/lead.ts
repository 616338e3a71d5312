import { ObkError } from '../../../base/errors.ts';
import { checkOauth } from '../../../client/doctor/doctor-bank.ts';
import { resolved, saysEnvironment } from '../../../client/profile/inheritance.ts';
import { parseUrl } from '../../../base/url.ts';
import { presetNames, presets } from '../../../standard/xs2a/variants.ts';
import { askAddress, askEnvironment, draftTarget, environmentOf, tried } from './lead-address.ts';
import { bankTemplates } from '../../../settings/banks/templates.ts';
import { choose, draftName, made, text } from './lead-questions.ts';
import type { Choices, Lead } from './lead-questions.ts';
import { checkOwnName } from './profile-name.ts';
import type { SettingsOptions } from './settings-flags.ts';
import { cleanLine } from '../../../base/clean.ts';
import { bringsKey } from '../../../client/certificates/profile-files.ts';
import type { FileFault } from '../../../client/certificates/profile-files.ts';
import { makeCertificate } from '../../../client/certificates/make-certificates.ts';
import { recognised, takeFiles } from '../../../client/certificates/take-files.ts';
import type { Recognised } from '../../../client/certificates/take-files.ts';
import { folderOf, passphrases } from './checked-files.ts';

/** One part of a profile: its title in the overview, the options that answer it, and how it is asked. */
interface LeadStep {
  title: string;
  sets: readonly (keyof Lead['options'])[];
  ask: (lead: Lead) => Promise<void>;
}

async function askVersion(lead: Lead): Promise<void> {
  const choices = presetNames.map(
    (name) => [name, `framework ${presets[name].framework}, ${presets[name].prefix}`] as const,
  );
  const variant = await choose(lead, 'variant', 'Version of the interface', choices);
  const { prefix: _, framework: __, ...rest } = lead.options;
  lead.options = { ...rest, variant };
}

async function askName(lead: Lead): Promise<void> {
  const { person } = lead.context.ports;
  const check = (answer: string) => {
    try {
      checkOwnName(answer);
    } catch (error) {
      if (error instanceof ObkError) return error.title;
      throw error;
    }
    return Object.hasOwn(lead.settings.profiles, answer)
      ? `There is a profile ${answer} already.`
      : undefined;
  };
  const labels = (parseUrl(lead.options.baseUrl ?? '')?.hostname ?? '').split('.');
  const guess = labels.at(-2) ?? '';
  const isName = /^[a-z][a-z0-9-]*$/.test(guess) && check(guess) === undefined;
  const question = { id: 'name', flag: 'NAME', env: '', text: 'Name of the profile', again: true, check };
  const name = await person.ask({ ...question, ...(isName ? { default: guess } : {}) });
  lead.options = { ...lead.options, name };
}

async function askOauth(lead: Lead): Promise<void> {
  const about = 'Metadata of its OAuth server (an address; empty for none)';
  await text(lead, 'oauthMetadata', { flag: '--oauth-metadata', about, optional: true });
  if (lead.options.oauthMetadata === undefined) return;
  const findings = await checkOauth(await draftTarget(lead));
  for (const { state, text: told } of findings)
    if (state === 'ok') lead.context.ports.notices.say(told);
    else lead.context.ports.notices.warn(told);
}

const optional =
  (name: keyof SettingsOptions, flag: string, about: string) =>
  (lead: Lead): Promise<void> =>
    text(lead, name, { flag, about: `${about} (empty for none)`, optional: true });

/** As `optional`, for what a bank may demand: an empty answer is told what follows from it. */
const missed =
  (name: keyof SettingsOptions, flag: string, { about, without }: { about: string; without: string }) =>
  async (lead: Lead): Promise<void> => {
    await optional(name, flag, about)(lead);
    if (lead.options[name] === undefined) lead.context.ports.notices.warn(without);
  };

async function askPlatform(lead: Lead): Promise<void> {
  const width = Math.max(...bankTemplates.map(({ name }) => name.length));
  const bank = await choose(lead, 'bank', 'The software of the bank', [
    ['none', 'none of these, or not known'],
    ...bankTemplates.map(
      ({ name, about }) => [name, `${name.padEnd(width)}  ${about.replace(/^Banks on /, '')}`] as const,
    ),
  ] as Choices<string>);
  const { bank: _, ...rest } = lead.options;
  const options = bank === 'none' ? rest : { ...rest, bank };
  lead.start = await lead.startWith(options);
  lead.options = options;
}

/** The questions in their order; a flag that was given answers its own. */
const steps: readonly LeadStep[] = [
  { title: 'Address', sets: ['baseUrl'], ask: askAddress },
  { title: 'Platform', sets: ['bank'], ask: askPlatform },
  { title: 'Environment', sets: ['environment'], ask: askEnvironment },
  {
    title: 'CA',
    sets: ['ca'],
    ask: optional('ca', '--ca', 'CA certificates of the bank, besides the known ones'),
  },
  { title: 'Name', sets: ['name'], ask: askName },
  { title: 'Signing', sets: ['certificate', 'signing', 'key'], ask: askSigning },
  { title: 'TLS', sets: ['tlsCertificate', 'tlsKey'], ask: askTls },
  { title: 'Version', sets: ['variant', 'framework', 'prefix'], ask: askVersion },
  {
    title: 'Redirect URI',
    sets: ['redirectUri'],
    ask: missed('redirectUri', '--redirect-uri', {
      about: 'Redirect URI, to which the bank sends the PSU back',
      without: 'Without a redirect URI, SCA by Redirect is refused or does not find the way back.',
    }),
  },
  {
    title: 'PSU-IP',
    sets: ['psuIp'],
    ask: missed('psuIp', '--psu-ip', {
      about: 'PSU-IP-Address, which every payment names',
      without: 'Without a PSU-IP-Address each payment and consent asks for it.',
    }),
  },
  { title: 'OAuth', sets: ['oauthMetadata', 'oauthIssuer'], ask: askOauth },
];

/** Asked for where something else makes them needed, or in the overview. */
const unasked = ['Platform', 'Environment', 'CA'];

/** Leads a person through a new profile, until what is shown of it is right. Throws NOT_CONFIRMED where it is given up. */
export async function lead(from: Lead): Promise<Lead> {
  const going = { ...from };
  const known = resolved(from.settings, draftName, from.start) as unknown as Record<string, unknown>;
  const isKnown = (option: string) => from.start !== presets.v1 && known[option] !== undefined;
  const isGiven = ({ title, sets }: LeadStep) =>
    sets.some((option) => going.options[option] !== undefined) ||
    (title === 'Version' ? from.start.extends !== undefined : sets.some(isKnown));
  const isAddressGiven = going.options.baseUrl !== undefined || isKnown('baseUrl');
  for (const step of steps) {
    if (step.title === 'Address' && isAddressGiven) {
      await environmentOf(going);
      await tried(going);
    } else if (!unasked.includes(step.title) && !isGiven(step)) await step.ask(going);
  }
  if (going.options.bank === undefined)
    going.context.ports.notices.say(
      'If the bank runs on software that obk knows (obk bank list), choose it as Platform, or give --bank NAME.',
    );
  for (;;) {
    const shown = steps.map(
      (step) => [step.title, `${step.title.padEnd(12)}  ${valueOf(going, step)}`] as const,
    );
    const next = await choose(going, 'review', 'Is it right?', [
      ['save', 'yes: save it'],
      ...shown,
      ['stop', 'no: stop, and save nothing'],
    ]);
    if (next === 'save') return withShownEnvironment(going);
    if (next === 'stop') throw new ObkError({ code: 'NOT_CONFIRMED', title: 'No profile was created.' });
    await steps.find(({ title }) => title === next)?.ask(going);
  }
}

/** The environment that was shown is kept, even where nobody had to say it: an address that changes later would show another. */
function withShownEnvironment(lead: Lead): Lead {
  const own = made(lead);
  if (saysEnvironment(lead.settings, draftName, own)) return lead;
  const { environment } = resolved(lead.settings, draftName, own);
  return { ...lead, options: { ...lead.options, environment } };
}

function valueOf(lead: Lead, { title, sets }: LeadStep): string {
  const { options } = lead;
  if (title === 'Environment') return resolved(lead.settings, draftName, made(lead)).environment;
  if (title === 'Version') {
    const { framework, prefix } = resolved(lead.settings, draftName, made(lead));
    return `framework ${framework}, ${prefix === '' ? 'no prefix' : prefix}`;
  }
  const values = sets.flatMap((option) => {
    const value = options[option];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return values.length === 0 ? '-' : values.join(', ');
}

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
async function askTls(lead: Lead): Promise<void> {
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
function askSigning(lead: Lead): Promise<void> {
  return askCertificate(kinds.signing)(lead);
}
