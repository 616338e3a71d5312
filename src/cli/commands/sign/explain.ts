import { clean, cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { explainSignature, visible } from '../../../client/evidence/explain-signature.ts';
import type { SignatureReport } from '../../../client/evidence/explain-signature.ts';
import type { Style } from '../../render/style.ts';
import { signingOf, signOptions, verdictLines } from './verify.ts';

const flags = (command: Flags) => signOptions(command);

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show how the signature of a request is made: digest input, signing string, keyId',
      examples: ['obk sign explain @last', 'obk sign explain request.http --json'],
      exits: [3],
      more: ['obk help sign verify', 'obk help log show'],
    },
    run,
  );

const run: Run<Options> = async (context, { source, certificate, entry }) => {
  const report = await explainSignature(context.ports, source, {
    certificate,
    entry,
    ...(await signingOf(context)),
  });
  return { kind: 'data', data: report, text: (style) => explanation(report, style) };
};

function explanation(report: SignatureReport, style: Style): string {
  const { digest, certificate, signedHeaders } = report;
  const more = digest.bytes * 2 > digest.hex.length ? ' …' : '';
  const block = (title: string, ...lines: string[]) => [
    '',
    style.bold(title),
    ...lines.flatMap((line) => clean(line).split('\n')).map((line) => `  ${line}`),
  ];
  return [
    ...verdictLines(report, style),
    ...block(
      `Digest input: ${String(digest.bytes)} bytes`,
      ...(digest.bytes === 0 ? [] : [digest.text, `${digest.hex}${more}`]),
    ),
    ...block(
      'Digest',
      `sent      ${digest.sent ?? 'none'}`,
      `computed  ${digest.computed ?? 'not known: parts of the body are masked'}`,
    ),
    ...block(`Signing string: ${signedHeaders.join(' ')}`, visible(report.signingString)),
    ...block('keyId', cleanLine(report.keyId, 2000)),
    ...block('Algorithm', report.algorithm),
    ...block('Signature', report.signature),
    ...block(
      'Certificate',
      certificate.subject,
      `serial ${certificate.serial}, ${certificate.keyType.toUpperCase()} key, from ${certificate.from}`,
    ),
  ].join('\n');
}
