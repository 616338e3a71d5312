/** Checks a pain.001 file before it is sent, streaming: structure, values, counts and control sums. */
import { checkPaymentAmount } from '../money/amount.ts';
import { addDecimals, TotalsCounter } from './credit-transfer.ts';
import type { TransferTotals } from './credit-transfer.ts';
import { addressFault, lastUnstructured } from './pain001-address.ts';
import { isSepa } from './pain001-input.ts';
import type { TransferScheme } from './pain001-input.ts';
import { knownVersions, structureFaults } from './pain001-model.ts';
import { batchOf, groupOf, pain001Containers, pain001Version, transferOf } from './pain001-read.ts';
import type { Pain001Batch, Pain001Group, ReadTransfer } from './pain001-read.ts';
import { batchFaults, groupFaults, paymentFaults, remittanceFaults } from './pain001-scheme.ts';
import type { SchemeFault } from './pain001-scheme.ts';
import { valueFaults } from './pain001-values.ts';
import type { Pain001Checks } from './pain001-values.ts';
import type { ByteSource } from '../text/text-source.ts';
import { XmlFault } from '../xml/xml-fault.ts';
import { walkXml } from '../xml/xml.ts';
import { childOf, elementAt } from '../xml/xml-tree.ts';
import type { XmlElement } from '../xml/xml-tree.ts';

export type { Pain001Checks } from './pain001-values.ts';

/** One thing that is wrong or remarkable: where (path of element names, line and column from 1), which rule, and why. */
export interface Pain001Finding {
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly rule: string;
  readonly text: string;
  readonly severity: 'error' | 'warning';
}

/** The content of a message, for a look before it is sent. */
export interface Pain001Summary extends TransferTotals {
  /** Such as `001.03`; undefined where the root is none of pain.001. */
  readonly version: string | undefined;
  readonly group: Pain001Group;
  /** The first five batches and payments. */
  readonly batches: readonly Pain001Batch[];
  readonly payments: readonly ReadTransfer[];
}

/** The findings in the order of the file (the first `maxFindings`), how many there were, and the summary. */
export interface Pain001Report {
  readonly findings: readonly Pain001Finding[];
  readonly errors: number;
  readonly warnings: number;
  readonly summary: Pain001Summary;
}

/** The checks of other rooms, and what is expected of the message. */
export interface LintPain001Options {
  readonly checks: Pain001Checks;
  /** Adds the rules of a scheme. */
  readonly scheme?: TransferScheme;
  /** One payment only, as the service `payments` has it. */
  readonly single?: boolean;
  /** An ISO date: execution dates before it are a warning. */
  readonly today?: string;
  /** The day that stands for "at once" at a bank, besides 1999-01-01. */
  readonly sentinel?: string;
  /** The severity of a character outside the minimum set; `warning` by default. */
  readonly charset?: 'error' | 'warning';
  readonly maxFindings?: number;
  /** Says of a payment that it is the same as one before it. */
  readonly identical?: (payment: ReadTransfer) => string | undefined;
}

/** Checks a pain.001 in constant memory; never throws for what is in the file, malformed XML is a finding too. */
export async function lintPain001(source: ByteSource, options: LintPain001Options): Promise<Pain001Report> {
  const lint = new Lint(options);
  try {
    for await (const { kind, element } of walkXml(source, pain001Containers, { code: 'INPUT_INVALID' })) {
      lint.see(kind, element);
    }
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    lint.broken(error);
  }
  return lint.report();
}

const kept = 5;
const doubts: ReadonlySet<string> = new Set(['iban-national', 'outside-sepa']);
// Namespaces, and what XML Schema takes in any element.
const ofNamespaces = /^(?:xmlns(?::.*)?|[^:]+:(?:schemaLocation|noNamespaceSchemaLocation|type|nil))$/;

/** The path of element names, and where in the text what is wrong begins. */
type LintPlace = readonly [
  path: string,
  { readonly line?: number | undefined; readonly column?: number | undefined },
];

/** A container that is being walked through: its children as far as its structure needs them, and what was counted. */
interface Walked {
  readonly element: XmlElement;
  readonly path: string;
  readonly children: XmlElement[];
  count: number;
  /** The exact sum of the amounts; undefined once one of them could not be read. */
  sum: string | undefined;
}

class Lint {
  readonly #options: LintPain001Options;
  readonly #findings: Pain001Finding[] = [];
  readonly #found = { error: 0, warning: 0 };
  readonly #totals = new TotalsCounter();
  readonly #walked: Walked[] = [];
  readonly #batches: Pain001Batch[] = [];
  readonly #payments: ReadTransfer[] = [];
  #version: string | undefined;
  #group: Pain001Group = {};
  readonly #batchIds = new Map<string, string>();
  #batchCount = 0;
  #count = 0;

  constructor(options: LintPain001Options) {
    this.#options = options;
  }

  see(kind: 'open' | 'element' | 'close', element: XmlElement): void {
    if (kind === 'open') this.#open(element);
    else if (kind === 'close') this.#close();
    else this.#element(element);
  }

  broken({ why, line, column }: XmlFault): void {
    this.#add('error', 'xml', [this.#walked.at(-1)?.path ?? '', { line, column }], why);
  }

  report(): Pain001Report {
    const { sums } = this.#totals.totals;
    return {
      findings: this.#findings.toSorted(
        (one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0),
      ),
      errors: this.#found.error,
      warnings: this.#found.warning,
      summary: {
        version: this.#version,
        group: this.#group,
        batches: this.#batches,
        payments: this.#payments,
        count: this.#count,
        sums,
      },
    };
  }

  #open(element: XmlElement): void {
    const parent = this.#walked.at(-1);
    if (parent !== undefined) addChild(parent, element);
    else {
      this.#version = pain001Version(element);
      const found = `${element.name} in the namespace ${element.ns ?? '(none)'}`;
      if (this.#version === undefined)
        this.#add('error', 'root', [element.name, element], `${found} is no pain.001`);
      else if (!knownVersions.includes(this.#version)) {
        const text = `version ${this.#version}: only ${knownVersions.join(' and ')} are checked for order and unknown elements`;
        this.#add('warning', 'version', [element.name, element], text);
      }
    }
    if (element.name === 'PmtInf') this.#batchCount += 1;
    const path = element.name === 'PmtInf' ? `PmtInf[${String(this.#batchCount)}]` : element.name;
    this.#walked.push({ element, path, children: [], count: 0, sum: '0' });
  }

  #element(element: XmlElement): void {
    const parent = this.#walked.at(-1);
    if (parent === undefined || this.#version === undefined) return;
    const inBatch = parent.element.name === 'PmtInf';
    if (inBatch && element.name === 'CdtTrfTxInf') {
      this.#payment(element, parent);
      return;
    }
    const path = inBatch ? `${parent.path}/${element.name}` : element.name;
    addChild(parent, element);
    this.#values(element, path);
    if (element.name !== 'GrpHdr') return;
    this.#structure(element, path, 'GrpHdr');
    this.#group = groupOf(element);
    this.#scheme(groupFaults(this.#group, this.#options.scheme), element, path);
  }

  #payment(element: XmlElement, batch: Walked): void {
    if (batch.count === 0) addChild(batch, element);
    batch.count += 1;
    this.#count += 1;
    const path = `${batch.path}/CdtTrfTxInf[${String(batch.count)}]`;
    this.#structure(element, path, 'CdtTrfTxInf');
    this.#values(element, path);
    const payment = transferOf(element);
    const { scheme, checks, identical } = this.#options;
    const same = identical?.(payment);
    if (same !== undefined) this.#add('warning', 'identical', [path, element], same);
    this.#scheme(paymentFaults(payment, scheme), element, path);
    this.#scheme(remittanceFaults(element, payment, scheme, checks), element, path);
    const { instructedAmount: { currency, amount } = { currency: '', amount: '' } } = payment;
    if (checkPaymentAmount(amount, currency).ok) {
      this.#totals.add({ currency, amount });
      for (const walked of this.#walked) walked.sum = walked.sum && addDecimals([walked.sum, amount]);
    } else for (const walked of this.#walked) walked.sum = undefined;
    if (this.#payments.length < kept) this.#payments.push(payment);
  }

  #close(): void {
    const walked = this.#walked.pop();
    if (walked === undefined || this.#version === undefined) return;
    const { element, path, children } = walked;
    const whole: XmlElement = { ...element, children };
    this.#stray(whole, path);
    this.#attributes(whole, path);
    this.#structure(whole, path, element.name);
    if (element.name === 'PmtInf') {
      const batch = batchOf(children);
      this.#scheme(batchFaults(batch, this.#options), whole, path);
      this.#sums(batch, walked, whole);
      this.#batchId(whole, path);
      if (this.#batches.length < kept) this.#batches.push(batch);
    } else if (element.name === 'CstmrCdtTrfInitn') {
      const header = childOf(whole, 'GrpHdr');
      if (header !== undefined)
        this.#sums(this.#group, { ...walked, path: 'GrpHdr', count: this.#count }, header);
      if (this.#options.single === true && this.#count !== 1) {
        this.#add(
          'error',
          'single',
          [path, element],
          `it has ${String(this.#count)} payments, the service takes one`,
        );
      }
    }
  }

  /** Compares the written count and control sum with what was counted; an unreadable amount is a finding of its own. */
  #sums(written: Pain001Group | Pain001Batch, { path, count, sum }: Walked, within: XmlElement): void {
    const { numberOfTransactions: number, controlSum } = written;
    if (number !== undefined && /^[0-9]+$/.test(number) && BigInt(number) !== BigInt(count)) {
      const text = `NbOfTxs says ${number}, but there are ${String(count)} payments`;
      this.#add('error', 'count', [`${path}/NbOfTxs`, childOf(within, 'NbOfTxs') ?? within], text);
    }
    if (controlSum === undefined || sum === undefined || !/^[0-9]+(\.[0-9]+)?$/.test(controlSum)) return;
    if (plain(controlSum) === plain(sum)) return;
    const text = `CtrlSum says ${controlSum}, the payments add up to ${sum}`;
    this.#add('error', 'control-sum', [`${path}/CtrlSum`, childOf(within, 'CtrlSum') ?? within], text);
  }

  #structure(element: XmlElement, path: string, content: string): void {
    for (const fault of structureFaults(element, path, content, this.#version)) {
      this.#add('error', fault.rule, [fault.path, fault.element], fault.text);
    }
  }

  #scheme(faults: Iterable<SchemeFault>, element: XmlElement, path: string): void {
    for (const { severity, rule, at, text } of faults) {
      this.#add(severity, rule, [`${path}/${at}`, elementAt(element, at) ?? element], text);
    }
  }

  #values(element: XmlElement, path: string): void {
    if (element.ns !== this.#walked[0]?.element.ns) {
      this.#add(
        'error',
        'namespace',
        [path, element],
        `${element.name} is in another namespace than its message`,
      );
    }
    this.#attributes(element, path);
    if (element.children.length > 0) {
      this.#stray(element, path);
      if (element.name === 'PstlAdr') this.#address(element, path);
      for (const child of element.children) this.#values(child, `${path}/${child.name}`);
      return;
    }
    const { checks, charset = 'warning' } = this.#options;
    for (const { rule, text } of valueFaults(element, path, checks)) {
      const severity = rule === 'charset' ? charset : doubts.has(rule) ? 'warning' : 'error';
      this.#add(severity, rule, [path, element], text);
    }
  }

  /** Attributes, of which ISO 20022 has the currency of an amount alone. */
  #attributes(element: XmlElement, path: string): void {
    for (const name of element.attributes.keys()) {
      if (ofNamespaces.test(name) || (name === 'Ccy' && /Amt$/.test(element.name))) continue;
      this.#add('error', 'unexpected', [path, element], `${element.name} has no attribute ${name}`);
    }
  }

  /** Text beside elements, which no element of the message may have. */
  #stray(element: XmlElement, path: string): void {
    const text = element.text.trim();
    if (text === '') return;
    const shown = JSON.stringify(text.slice(0, 40));
    this.#add('error', 'stray-text', [path, element], `${element.name} has ${shown} beside its elements`);
  }

  /** Tells of a batch that is named as one before it, of which a bank may take the first alone. */
  #batchId(batch: XmlElement, path: string): void {
    const element = childOf(batch, 'PmtInfId');
    const id = element?.text.trim() ?? '';
    if (element === undefined || id === '') return;
    const first = this.#batchIds.get(id);
    if (first === undefined) this.#batchIds.set(id, path);
    else
      this.#add(
        'warning',
        'duplicate',
        [`${path}/PmtInfId`, element],
        `${JSON.stringify(id)} is the id of ${first}, too; a bank may refuse the second batch (DU02)`,
      );
  }

  #address(element: XmlElement, path: string): void {
    const fault = addressFault(element);
    if (fault === undefined) return;
    const { scheme, today = '' } = this.#options;
    const isOver =
      fault.isUnstructured && scheme !== undefined && isSepa(scheme) && today >= lastUnstructured;
    this.#add(isOver ? 'error' : 'warning', 'address', [path, element], fault.text);
  }

  #add(severity: 'error' | 'warning', rule: string, [path, { line, column }]: LintPlace, text: string): void {
    this.#found[severity] += 1;
    if (this.#findings.length >= (this.#options.maxFindings ?? 100)) return;
    this.#findings.push({ path, line, column, rule, text, severity });
  }
}

// Twice the same in a row says as much about the structure as a million times, and is kept in memory.
function addChild({ children }: Walked, child: XmlElement): void {
  if (children.at(-1)?.name !== child.name || children.at(-2)?.name !== child.name) children.push(child);
}

/** A decimal without what does not change its value. */
function plain(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  return `${whole.replace(/^0+(?=.)/, '')}.${fraction.replace(/0+$/, '')}`;
}
