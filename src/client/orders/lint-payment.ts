import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import {
  boundaryOf,
  multipartType,
  periodicDocuments,
  readMultipart,
} from '../../standard/formats/text/multipart.ts';
import { transferSchemes } from '../../standard/formats/payments/pain001.ts';
import type { ReadTransfer } from '../../standard/formats/payments/pain001-read.ts';
import { lintPain001 } from '../../standard/formats/payments/pain001-lint.ts';
import {
  checkBic,
  checkCharset,
  checkIban,
  checkIsoDate,
  ibanDoubt,
  outsideSepa,
} from '../../standard/xs2a/check.ts';
import { checkLei, isQrIban, referenceFault } from '../../standard/xs2a/creditor-reference.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import { identicalPayments, identicalTo } from './identical-payments.ts';
import { lintJsonPayment, lintStandingOrder } from './lint-json.ts';
import type { LintFinding, LintOptions } from './lint-json.ts';

/** The result of checking a payment file. */
export interface LintReport {
  format: 'json' | 'pain.001' | 'multipart';
  payments: number;
  sums: readonly { readonly currency: string; readonly amount: string }[];
  errors: number;
  warnings: number;
  findings: LintFinding[];
}

const maxFindings = 100;

const charsetOf = ({ charset, product = '' }: LintOptions): LintFinding['severity'] =>
  charset === 'error' && product.endsWith('sepa-credit-transfers') ? 'error' : 'warning';

/** Checks a payment file before it is sent; what is wrong in it is a finding and never thrown. */
export async function lintPayment(bytes: Uint8Array, options: LintOptions): Promise<LintReport> {
  const report = await lintAny(bytes, options);
  if (!options.strict) return report;
  return {
    ...report,
    errors: report.errors + report.warnings,
    warnings: 0,
    findings: report.findings.map((finding) => ({ ...finding, severity: 'error' })),
  };
}

async function lintAny(bytes: Uint8Array, options: LintOptions): Promise<LintReport> {
  const start = Buffer.from(bytes.subarray(0, 1000)).toString('utf8').trimStart();
  const boundary = boundaryOf(bytes);
  if (boundary !== undefined) return lintForm(bytes, boundary, options);
  return start.replace('\ufeff', '').trimStart().startsWith('<')
    ? lintXml(bytes, options)
    : lintJson(bytes, options);
}

async function lintXml(bytes: Uint8Array, options: LintOptions): Promise<LintReport> {
  const { service, product = '', today, pain } = options;
  const scheme = transferSchemes.find((name) => product.replace(/^pain\.001-/, '') === name);
  const earlier = identicalPayments(options.intentHash);
  const { findings, errors, warnings, summary } = await lintPain001(bytes, {
    checks: {
      iban: checkIban,
      ibanDoubt,
      ...(product.endsWith('sepa-credit-transfers') && { outsideSepa }),
      bic: checkBic,
      lei: checkLei,
      reference: referenceFault,
      isQrIban,
      date: checkIsoDate,
      charset: checkCharset,
    },
    identical(payment) {
      const same = earlier(paidIn(payment));
      return same === undefined ? undefined : identicalTo(`payment ${String(same + 1)} of the file`);
    },
    ...defined({ scheme }),
    single: service !== undefined && service !== 'bulk-payments' && pain?.bulkInSct !== true,
    ...(pain?.execDateSentinel !== undefined && { sentinel: pain.execDateSentinel }),
    today,
    charset: charsetOf(options),
    maxFindings,
  });
  return {
    format: 'pain.001',
    payments: summary.count,
    sums: summary.sums,
    errors,
    warnings,
    findings: [...findings],
  };
}

/** A payment of a pain.001, as far as it tells a payment from another. */
const paidIn = (payment: ReadTransfer) => ({
  account: payment.creditorAccount?.iban ?? payment.creditorAccount?.bban,
  currency: payment.instructedAmount?.currency,
  amount: payment.instructedAmount?.amount,
  text: payment.remittanceInformationUnstructured,
  reference: payment.remittanceInformationStructured?.reference,
  endToEnd: payment.endToEndIdentification,
});

function lintJson(bytes: Uint8Array, options: LintOptions): LintReport {
  const { value, finding } = parse(bytes);
  if (finding !== undefined) return reportOf('json', [finding], 0, []);
  const { findings, count, sums } = lintJsonPayment(value, options);
  const severity = charsetOf(options);
  const judged = findings.map((one) => (one.rule === 'charset' ? { ...one, severity } : one));
  return reportOf('json', judged, count, sums);
}

async function lintForm(bytes: Uint8Array, boundary: string, options: LintOptions): Promise<LintReport> {
  const documents = documentsIn(bytes, boundary);
  if ('path' in documents) return reportOf('multipart', [documents], 0, []);
  const xml = await lintXml(documents.xml, { ...options, service: 'periodic-payments' });
  const { value, finding } = parse(documents.json);
  const standing = finding === undefined ? lintStandingOrder(value, options) : [finding];
  const { errors, warnings, findings } = reportOf('multipart', standing, 0, []);
  return {
    ...xml,
    format: 'multipart',
    errors: xml.errors + errors,
    warnings: xml.warnings + warnings,
    findings: [...xml.findings, ...findings],
  };
}

function documentsIn(bytes: Uint8Array, boundary: string) {
  try {
    const found = periodicDocuments(readMultipart(multipartType(boundary), bytes, 'INPUT_INVALID'));
    return found ?? broken('form', 'it needs one XML part and one JSON part');
  } catch (error) {
    return broken('form', whyOf(error));
  }
}

function parse(bytes: Uint8Array) {
  try {
    return { value: readJson(bytes, { code: 'INPUT_INVALID', maxBytes: bytes.length, maxValues: Infinity }) };
  } catch (error) {
    return { value: null, finding: broken('json', whyOf(error)) };
  }
}

const broken = (rule: string, text: string): LintFinding => ({ path: '', rule, text, severity: 'error' });

function whyOf(error: unknown): string {
  if (!(error instanceof ObkError)) throw error;
  return error.detail ?? error.title;
}

function reportOf(
  format: LintReport['format'],
  findings: readonly LintFinding[],
  payments: number,
  sums: LintReport['sums'],
): LintReport {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return { format, payments, sums, errors, warnings, findings: findings.slice(0, maxFindings) };
}
