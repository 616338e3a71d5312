/** Account reports in text: MT940 and MT942, with SWIFT blocks or without. */
import { ObkError } from '../errors.ts';
import { parseAmount } from './amount.ts';
import { entryRow, sumText, swiftBalance, swiftSum } from './mt940-entry.ts';
import { readInformation } from './mt940-information.ts';
import { StatementSums } from './report-sums.ts';
import type { ReportHints, ReportItem, ReportReader } from './report.ts';
import type { FaultCode } from './text-source.ts';
import type { TransactionRow } from './transaction-row.ts';

const maxField = 64 * 1024;
const balanceTypes = new Map([
  ['60F', 'openingBooked'],
  ['60M', 'interimBooked'],
  ['62F', 'closingBooked'],
  ['62M', 'interimBooked'],
  ['64', 'closingAvailable'],
  ['65', 'forwardAvailable'],
]);

/** Reads MT940 or MT942 piece by piece and gives its items to `give`. Throws as `readReport`. */
export function mtReport(hints: ReportHints, give: (item: ReportItem) => void): ReportReader {
  const code = hints.code ?? 'ANSWER_UNREADABLE';
  const report = new MtReport(hints.account, give);
  let rest = '';
  let line = 0;
  let field: { tag: string; lines: string[]; size: number } | undefined;
  let messages = 0;
  const flush = (): void => {
    if (field !== undefined) report.field(field.tag, field.lines);
    field = undefined;
  };
  const read = (text: string): void => {
    line += 1;
    const bare = text.replace(/^\{1:.*\{4:/, '').trimEnd();
    const block2 = /\{2:[IO](94[0-9])/.exec(text)?.[1];
    if (block2 !== undefined) report.type = block2;
    if (bare === '' || bare === '-' || /^-\}/.test(bare) || /^\{[1-35]:/.test(bare)) {
      if (bare !== '') {
        flush();
        report.end();
      }
      return;
    }
    const [, tag, value = ''] = /^:([0-9]{2}[A-Z]?):(.*)$/.exec(bare) ?? [];
    if (tag !== undefined) {
      flush();
      if (tag !== '86') report.entryEnds();
      if (tag === '20') {
        report.end();
        messages += 1;
      } else if (messages === 0) fail(code, line, 'a field stands before :20:');
      field = { tag, lines: [value], size: value.length };
      return;
    }
    if (field === undefined) fail(code, line, `${JSON.stringify(bare.slice(0, 40))} belongs to no field`);
    field.lines.push(bare);
    field.size += bare.length;
    if (field.size > maxField) fail(code, line, `a field is longer than ${String(maxField)} characters`);
  };
  return {
    write: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const each of lines) read(each.endsWith('\r') ? each.slice(0, -1) : each);
      if (rest.length > maxField)
        fail(code, line + 1, `a line is longer than ${String(maxField)} characters`);
    },
    end: () => {
      if (rest !== '') read(rest);
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

/** What is known of the message that is being read. */
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
  #begun = false;
  #closed = false;
  #counts = new Map<'D' | 'C', { count: number; minor: bigint }>();

  constructor(account: string | undefined, give: (item: ReportItem) => void) {
    this.#asked = account;
    this.#account = account;
    this.#give = give;
  }

  /** Whether a message has begun that is to end with a closing balance and has none yet. */
  get open(): boolean {
    return this.#begun && !this.#closed && this.type !== '942';
  }

  field(tag: string, lines: readonly string[]): void {
    const [first = ''] = lines;
    if (tag === '86' && this.#row !== undefined) readInformation(this.#row, lines);
    const balanceType = balanceTypes.get(tag);
    if (tag === '20') this.#begun = true;
    else if (tag === '25' || tag === '25P') this.#account = first.trim();
    else if (tag === '34F') {
      this.type = '942';
      this.#currency = first.slice(0, 3);
    } else if (tag === '13D') this.type = '942';
    else if (tag === '61') {
      this.#tellAccount();
      this.#position += 1;
      this.#row = entryRow(lines, {
        account: this.#account,
        currency: this.#currency,
        status: this.type === '942' ? 'pending' : 'booked',
        position: this.#position,
      });
    } else if (balanceType !== undefined) this.#balance(tag, balanceType, first);
    else if (tag === '90D' || tag === '90C') this.#total(tag === '90D' ? 'D' : 'C', first);
  }

  /** Ends a message: gives what is held, and says what does not fit. */
  end(): void {
    this.entryEnds();
    const difference = this.#sums.difference();
    if (difference !== undefined) this.#give(difference);
    this.type = undefined;
    this.#account = this.#asked;
    this.#told = false;
    this.#currency = '';
    this.#sums = new StatementSums();
    this.#counts = new Map();
    this.#begun = false;
    this.#closed = false;
  }

  /** Gives the row of the entry that was read last: no field 86 follows it any more. */
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

  /** The account is told when its currency is known, which banks also write behind its number. */
  #tellAccount(): void {
    if (this.#told || this.#account === undefined) return;
    this.#told = true;
    const currency = this.#currency;
    if (currency !== '' && new RegExp(`[0-9]${currency}$`).test(this.#account)) {
      this.#account = this.#account.slice(0, -currency.length);
    }
    this.#give({ kind: 'account', account: { account: this.#account, ...(currency && { currency }) } });
  }

  #balance(tag: string, balanceType: string, text: string): void {
    const found = swiftBalance(text);
    if (tag.startsWith('62')) this.#closed = true;
    if (found === undefined) {
      const detail = `the balance :${tag}: is ${JSON.stringify(text.slice(0, 40))}, which is no amount`;
      this.#give({ kind: 'problem', problem: { code: 'balance-malformed', detail } });
      return;
    }
    if (tag.startsWith('60')) {
      this.#currency = found.currency;
      this.#sums.balance('opening', found.amount, found.currency);
    }
    if (tag.startsWith('62')) this.#sums.balance('closing', found.amount, found.currency);
    this.#tellAccount();
    const account = this.#account;
    this.#give({
      kind: 'balance',
      balance: { ...(account !== undefined && { account }), balanceType, ...found },
    });
  }

  #total(side: 'D' | 'C', text: string): void {
    const told = swiftSum(text);
    if (told === undefined) return;
    const { count, minor } = this.#counts.get(side) ?? { count: 0, minor: 0n };
    if (told.count === count && told.minor === minor) return;
    const detail = `:90${side}: tells of ${sumText(told.count, told.minor, told.currency)}, and there are ${sumText(count, minor, told.currency)}`;
    this.#give({ kind: 'problem', problem: { code: 'count-differs', detail } });
  }
}
