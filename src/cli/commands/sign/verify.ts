import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { exitCodes } from '../../../base/errors.ts';
import { explainSignature } from '../../../client/evidence/explain-signature.ts';
import type { SignatureReport } from '../../../client/evidence/explain-signature.ts';
import type { Style } from '../../render/style.ts';
import { foldFor } from '../../render/wrap.ts';
import type { Context } from '../../context.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import { profileNamed } from '../profile/profile-name.ts';
import { wishedProfile } from '../run/with-target.ts';
import { integer } from '../flags/flag-values.ts';

/** Adds the flags of both commands of this noun. */
export const signOptions = (command: Flags) =>
  command
    .argument(
      '[source]',
      'a file (raw HTTP, curl, HAR, --dry-run --json), - for stdin; or of the journal: @last, a run, an X-Request-ID',
      '@last',
    )
    .optionsGroup('SIGNATURE FLAGS')
    .option('--certificate <FILE>', 'instead of the TPP-Signature-Certificate of the request')
    .option(
      '--entry <N>',
      'the request of that number (the last signed one)',
      integer('--entry', 1, 100_000),
    );

const flags = (command: Flags) => signOptions(command);

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Verify the signature of a request; where it fails, say which known variant fits',
      examples: ['obk sign verify @last', 'obk sign verify request.http'],
      exits: [10, 3],
      more: ['obk help sign explain'],
    },
    run,
  );

const run: Run<Options> = async (context, { source, certificate, entry }) => {
  const report = await explainSignature(context.ports, source, {
    certificate,
    entry,
    ...(await signingOf(context)),
  });
  return {
    kind: 'data',
    data: report,
    text: (style) => verdictLines(report, style).join('\n'),
    exit: report.verified ? exitCodes.ok : exitCodes.expectation,
    ...(report.verified ? {} : { next: [line`obk sign explain ${source}`] }),
  };
};

/** How the profile of this run signs, and its name where it was given: the active one need not be that of the request. */
export async function signingOf(
  context: Context,
): Promise<{ signing?: Profile['signing']; profile: string | undefined }> {
  const { profile } = context.globals;
  const settings = await context.ports.settings.read();
  const name = await wishedProfile(context, settings);
  return name === undefined ? { profile } : { signing: profileNamed(settings, name).signing, profile };
}

/** The verdict, what was checked, and what would explain a failure. */
export function verdictLines(report: SignatureReport, style: Style): string[] {
  const { verified, checks, explanations, notes, digest } = report;
  const failed = checks.filter(({ ok, needed }) => needed && !ok);
  // A masked body cannot be hashed: nothing is wrong, and nothing is proved.
  const isOpen =
    digest.sent !== null && digest.computed === null && failed.every(({ name }) => name === 'digest');
  const verdict = verified
    ? style.good('verified')
    : isOpen
      ? style.warn('cannot be verified whole')
      : style.bad('does not verify');
  return foldFor(style, [
    `${style.bold(cleanLine(`${report.method} ${report.target}`))}: ${verdict}`,
    ...checks.flatMap(({ ok, needed, text, hint }) => {
      const mark = ok ? style.good('ok') : needed ? style.bad('error') : style.warn('warning');
      const mend = hint === undefined ? [] : [`    ${style.dim(cleanLine(hint, 2000))}`];
      return [`  ${mark} ${cleanLine(text, 1000)}`, ...mend];
    }),
    ...explanations.map((text) => `  ${style.accent('found')} ${cleanLine(text)}`),
    ...notes.map((text) => `  ${style.dim(`note ${cleanLine(text)}`)}`),
    ...(explanations.length > 0 || !checks.some(({ ok, name }) => !ok && name === 'signature')
      ? []
      : ['  No known variant fits: another key, or another body or header.']),
  ]);
}
