import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { exitCodes } from '../../../base/errors.ts';
import { lintSets, psd2Roles } from '../../../client/certificates/certificate-lint.ts';
import type { CertificateLint, Psd2Role } from '../../../client/certificates/certificate-lint.ts';
import type { Style } from '../../render/style.ts';
import { foldFor } from '../../render/wrap.ts';
import { days, oneOf, usageError } from '../flags/flag-values.ts';
import { openCertificates, passphraseOf, sourceOptions } from './certificate-source.ts';
import { useNames } from './inspect.ts';

const flags = (command: Flags) =>
  sourceOptions(command)
    .option(
      '--as <USE>',
      'qwac or qsealc: check it for this use (told from the certificate)',
      oneOf('--as', ['qwac', 'qsealc']),
    )
    .option('--needs <ROLES>', 'roles that it must have: PI,AI,IC', rolesOf('--needs'))
    .option('--key <FILE>', 'private key (PEM) that must belong to it')
    .option('--within <DAYS>', 'warn when it expires within these days (30d)', days('--within'))
    .option('--strict', 'a warning is an error');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Say what a bank would refuse of a certificate, and why',
      examples: [
        'obk cert lint',
        'obk cert lint certificates/qsealc.pem --as qsealc --needs PI,AI --key certificates/qsealc-key.pem',
      ],
      exits: [10, 3, 7],
      more: ['obk help cert inspect', 'obk help cert expiry'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const sets = await openCertificates(context, options);
  const report = await lintSets(context.ports, sets, {
    as: options.as,
    needs: options.needs ?? [],
    soonDays: options.within ?? 30,
    keyPath: options.key,
    passphrase: () => passphraseOf(context, options),
    strict: options.strict === true,
  });
  return {
    kind: 'data',
    data: report,
    text: (style) => reportText(report, style),
    exit: report.errors > 0 ? exitCodes.expectation : exitCodes.ok,
  };
};

function reportText({ certificates, findings, errors, warnings }: CertificateLint, style: Style): string {
  const blocks = certificates.map(({ source, as, subject }) => {
    const own = findings.filter((finding) => finding.source === source);
    const head = `${style.bold(cleanLine(source))} as ${useNames[as]}: ${cleanLine(subject)}`;
    const lines = own.flatMap(({ severity, certificate, text, rule, bankCode, hint }) => {
      const level =
        severity === 'error'
          ? style.bad(severity)
          : severity === 'warning'
            ? style.warn(severity)
            : style.dim(severity);
      const place = certificate === 1 ? '' : `certificate ${String(certificate)}: `;
      const code = bankCode === undefined ? '' : `, bank: ${bankCode}`;
      return [
        `  ${level} ${cleanLine(`${place}${text} [${rule}${code}]`)}`,
        `    ${style.dim(cleanLine(hint))}`,
      ];
    });
    return [head, ...(lines.length === 0 ? [style.good('  nothing found')] : lines)].join('\n');
  });
  const total = errors + warnings === 0 ? [] : [`errors: ${String(errors)}, warnings: ${String(warnings)}`];
  return foldFor(style, [...blocks.flatMap((block) => block.split('\n')), ...total]).join('\n');
}

/** Reads roles separated by commas, with or without PSP_. */
export function rolesOf(flag: string): (text: string) => readonly Psd2Role[] {
  return (text) =>
    text.split(',').map((word) => {
      const wanted = word
        .trim()
        .toUpperCase()
        .replace(/^(PSP_)?/, 'PSP_');
      const role = psd2Roles.find((known) => known === wanted);
      if (role !== undefined) return role;
      throw usageError(`${flag} takes roles such as PI,AI,IC; not ${JSON.stringify(word)}.`);
    });
}
