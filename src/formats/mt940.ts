/** Account reports in text: MT940 and MT942, with SWIFT blocks or without. */
import { ObkError } from '../errors.ts';
import { parseAmount } from './amount.ts';
import { entryRow, sumText, swiftBalance, swiftSum } from './mt940-entry.ts';
import { readInformation } from './mt940-information.ts';
import { lineOf, tagPattern } from './mt940-line.ts';
import type { ReportHints, ReportItem, ReportProblem, ReportReader } from './report-reader.ts';
import { StatementSums } from './report-sums.ts';
import type { FaultCode } from './text-source.ts';
import type { TransactionRow } from './transaction-row.ts';

const maxField = 64 * 1024;
/** The type of a balance in words of the guidelines; a letter of its own, or none, makes no other field of it. */
function balanceTypeOf(tag: string): string | undefined {
  if (tag === '60M' || tag === '62M') return 'interimBooked';
  return balanceTypes.get(tag.slice(0, 2));
}

const balanceTypes = new Map([
  ['60', 'openingBooked'],
  ['62', 'closingBooked'],
  ['64', 'closingAvailable'],
  ['65', 'forwardAvailable'],
]);

/** Reads MT940 or MT942 piece by piece and passes its items to `give`. Throws as `readReport`. */
export function mtReport(hints: ReportHints, give: (item: ReportItem) => void): ReportReader {
  const code = hints.code ?? 'ANSWER_UNREADABLE';
  const report = new MtReport(hints.account, give);
  let rest = '';
  let line = 0;
  let field: { tag: string; lines: string[]; size: number; line: number } | undefined;
  let messages = 0;
  const flush = (): void => {
    if (field !== undefined) report.field(field.tag, field.lines, field.line);
    field = undefined;
  };
  const read = (text: string): void => {
    const { bare, type, ends } = lineOf(text);
    if (ends) {
      flush();
      report.entryEnds();
    }
    if (type !== undefined) report.nextType = type;
    if (bare === '') return;
    const [, sent, value = ''] = tagPattern.exec(bare) ?? [];
    if (sent !== undefined) {
      const tag = sent.toUpperCase();
      flush();
      if (tag !== '86') report.entryEnds();
      if (tag === '20') {
        report.end();
        report.begins(line);
        messages += 1;
      } else if (messages === 0) fail(code, line, 'a field comes before :20:');
      field = { tag, lines: [value], size: value.length, line };
      return;
    }
    // Before the first message stands what the transport wrote.
    if (messages === 0) return;
    if (field === undefined) fail(code, line, `${JSON.stringify(bare.slice(0, 40))} belongs to no field`);
    field.lines.push(bare);
    field.size += bare.length;
    if (field.size > maxField) fail(code, line, `a field is longer than ${String(maxField)} characters`);
  };
  const readLine = (text: string): void => {
    line += 1;
    if (!text.includes('\r')) read(text);
    else for (const each of text.split('\r')) read(each);
  };
  return {
    write: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const each of lines) readLine(each.endsWith('\r') ? each.slice(0, -1) : each);
      if (rest.length > maxField)
        fail(code, line + 1, `a line is longer than ${String(maxField)} characters`);
    },
    end: () => {
      if (rest !== '') readLine(rest);
      flush();
      const open = report.open;
      report.end();
      if (messages === 0) fail(code, line, 'there is no field :20:');
      if (open) fail(code, line, 'it ends within a message: there is no closing balance (:62F: or :62M:)');
    },
  };
}

function fail(code: FaultCode, line: number, why: string): never {
  const detail = `Line ${String(line)}: ${why}.`;
  throw new ObkError({ code, title: 'The MT940 or MT942 cannot be read.', detail });
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));

/** The known facts of the message being read. */
class MtReport {
  type: string | undefined;
  readonly #give: (item: ReportItem) => void;
  readonly #asked: string | undefined;
  #account: string | undefined;
  #told = false;
  #currency = '';
  #row: TransactionRow | undefined;
  #position = 0;
  #sums = new StatementSums();
  /** The type that the block before the message names. */
  nextType: string | undefined;
  #begun: number | undefined;
  #closed = false;
  #counts = new Map<'D' | 'C', { count: number; minor: bigint }>();

  constructor(account: string | undefined, give: (item: ReportItem) => void) {
    this.#asked = account;
    this.#account = account;
    this.#give = give;
  }

  /** Whether a message has begun that is to end with a closing balance and has none yet. */
  get open(): boolean {
    return this.#begun !== undefined && !this.#closed && this.type !== '942';
  }

  /** Begins a message with its field 20 in this line. */
  begins(line: number): void {
    this.#begun = line;
    this.type = this.nextType;
    this.nextType = undefined;
  }

  field(tag: string, lines: readonly string[], line: number): void {
    const [first = ''] = lines;
    if (tag === '86' && this.#row !== undefined) readInformation(this.#row, lines);
    const balanceType = balanceTypeOf(tag);
    if (tag === '25' || tag === '25P') {
      this.#account = first.trim();
      // Until a balance says it, and where none can be read.
      if (this.#currency === '') this.#currency = /[0-9]([A-Z]{3})$/.exec(this.#account)?.[1] ?? '';
    } else if (tag === '34F') {
      this.type = '942';
      const currency = /^([A-Z]{3})(?![A-Z]{2})/.exec(first.trim())?.[1];
      if (currency === undefined)
        this.#problem('sum-malformed', line, `:34F: is ${quoted(first)}, which names no currency`);
      else this.#currency = currency;
    } else if (tag === '13D') this.type = '942';
    else if (tag.startsWith('61')) {
      this.#tellAccount();
      this.#position += 1;
      this.#row = entryRow(lines, {
        account: this.#account,
        currency: this.#currency,
        status: this.type === '942' ? 'pending' : 'booked',
        position: this.#position,
      });
    } else if (balanceType !== undefined) this.#balance(tag, balanceType, lines, line);
    else if (tag === '90D' || tag === '90C') this.#total(tag === '90D' ? 'D' : 'C', first, line);
  }

  /** Ends a message: passes on the held items, and reports what does not fit. */
  end(): void {
    this.entryEnds();
    const difference = this.#sums.difference();
    if (difference !== undefined) this.#give(difference);
    if (this.open) {
      const why = 'the message that begins here has no closing balance (:62F: or :62M:)';
      this.#problem('balance-missing', this.#begun ?? 0, why);
    }
    this.type = undefined;
    this.#account = this.#asked;
    this.#told = false;
    this.#currency = '';
    this.#sums = new StatementSums();
    this.#counts = new Map();
    this.#begun = undefined;
    this.#closed = false;
  }

  /** Returns the row of the entry that was read last: no field 86 follows it any more. */
  entryEnds(): void {
    const row = this.#row;
    if (row === undefined) return;
    this.#row = undefined;
    if (row.bookingStatus === 'booked') this.#sums.entry(row.amount, row.currency);
    const parsed = parseAmount(row.amount ?? '', row.currency ?? '');
    if (parsed.ok) {
      const side = parsed.value.minor < 0n ? 'D' : 'C';
      const { count, minor } = this.#counts.get(side) ?? { count: 0, minor: 0n };
      this.#counts.set(side, {
        count: count + 1,
        minor: minor + (side === 'D' ? -1n : 1n) * parsed.value.minor,
      });
    }
    this.#give({ kind: 'row', row });
  }

  /** Reports the account once its currency is known: some banks append the currency to the account number. */
  #tellAccount(): void {
    if (this.#told || this.#account === undefined) return;
    this.#told = true;
    const currency = this.#currency;
    if (currency !== '' && new RegExp(`[0-9]${currency}$`).test(this.#account)) {
      this.#account = this.#account.slice(0, -currency.length);
    }
    this.#give({ kind: 'account', account: { account: this.#account, ...(currency && { currency }) } });
  }

  #problem(code: ReportProblem['code'], line: number, why: string): void {
    this.#give({ kind: 'problem', problem: { code, detail: `line ${String(line)}: ${why}` } });
  }

  #balance(tag: string, balanceType: string, lines: readonly string[], line: number): void {
    const [first = ''] = lines;
    const whole = lines.join('');
    const one = swiftBalance(first);
    const { amount, currency, referenceDate } = one.amount === undefined ? swiftBalance(whole) : one;
    if (tag.startsWith('62')) this.#closed = true;
    // The entries have the currency of the opening balance, whatever else of it cannot be read.
    if (tag.startsWith('60') && currency !== undefined) this.#currency = currency;
    const told = amount === undefined ? whole : first;
    if (amount === undefined || currency === undefined) {
      this.#problem(
        'balance-malformed',
        line,
        `the balance :${tag}: is ${quoted(told)}, which is not an amount`,
      );
      return;
    }
    if (referenceDate === undefined)
      this.#problem(
        'balance-malformed',
        line,
        `the balance :${tag}: is ${quoted(told)}, whose day is not in the calendar`,
      );
    if (tag.startsWith('60')) this.#sums.balance('opening', amount, currency);
    if (tag.startsWith('62')) this.#sums.balance('closing', amount, currency);
    this.#tellAccount();
    const account = this.#account;
    this.#give({
      kind: 'balance',
      balance: {
        ...(account !== undefined && { account }),
        balanceType,
        amount,
        currency,
        ...(referenceDate !== undefined && { referenceDate }),
      },
    });
  }

  #total(side: 'D' | 'C', text: string, line: number): void {
    const told = swiftSum(text);
    if (told === undefined) {
      this.#problem('sum-malformed', line, `the sum :90${side}: is ${quoted(text)}, which is not an amount`);
      return;
    }
    const { count, minor } = this.#counts.get(side) ?? { count: 0, minor: 0n };
    if (told.count === count && told.minor === minor) return;
    const are = sumText(count, minor, told.currency);
    const why = `:90${side}: announces ${sumText(told.count, told.minor, told.currency)}, but there are ${are}`;
    this.#problem('count-differs', line, why);
  }
}
