/** One message MT940 or MT942 at a time, from its fields to the items of a report. */
import { parseAmount } from '../money/amount.ts';
import { sumText, bareBalance, swiftBalance, swiftSum } from './mt940-amount.ts';
import { readEntry, settleAmount } from './mt940-entry.ts';
import type { Entry } from './mt940-entry.ts';
import { readInformation, readNational } from './mt940-information.ts';
import { withoutSlash } from './mt940-text.ts';
import type { ReportItem, ReportProblem } from '../rows/report-reader.ts';
import { StatementSums } from '../rows/report-sums.ts';
import { StatementValues } from '../rows/statement-values.ts';
import { place } from '../rows/transaction-row.ts';

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

/** Entries that wait for a balance to tell their currency; where there are more, none has one. */
const mostHeld = 5000;

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));

/** The known facts of the message being read. */
export class MtMessage {
  type: string | undefined;
  readonly #give: (item: ReportItem) => void;
  readonly #asked: string | undefined;
  #account: string | undefined;
  #told = false;
  #currency = '';
  #entry: Entry | undefined;
  /** Entries that are whole and wait for their currency. */
  #held: Entry[] = [];
  #position = 0;
  #sums = new StatementSums();
  #values = new StatementValues();
  /** The type that the block before the message names, and those blocks. */
  nextType: string | undefined;
  #nextBlocks: string[] = [];
  #begun: number | undefined;
  #closed = false;
  /** The account of a page that ends with :62M:, for one behind it that names none. */
  #accountOfPage: string | undefined;
  /** A field :13D: says at what time the report was made. */
  #hasTime = false;
  #counts = new Map<'D' | 'C', { count: number; minor: bigint }>();
  #tags = new Set<string>();

  constructor(account: string | undefined, give: (item: ReportItem) => void) {
    this.#asked = account;
    this.#account = account;
    this.#give = give;
  }

  /** Whether a message has begun that is to end with a closing balance and has none yet. */
  get open(): boolean {
    return this.#begun !== undefined && !this.#closed && !this.#isInterim;
  }

  /** Whether it is an MT942: by its block, its floor limit, or a time where no statement with balances has begun. */
  get #isInterim(): boolean {
    return this.type === '942' || (this.type === undefined && this.#hasTime && !this.#tags.has('60'));
  }

  /** Whether its closing balance was read. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether it is an MT941, which has balances and sums of entries that it does not list. */
  get #isSummary(): boolean {
    return this.type === '941' || (this.#tags.has('60') && this.#tags.has('90') && !this.#tags.has('61'));
  }

  /** Whether this field is the first one of a further message, or of the first: banks leave out :20:. */
  beginsWith(tag: string): boolean {
    if (tag === '20' || this.#begun === undefined) return true;
    if (tag === '25' || tag === '25P') return this.#tags.has('25') || this.#closed;
    return tag.startsWith('60') && this.#closed;
  }

  /** Begins a message with its first field in this line. */
  begins(line: number): void {
    this.#begun = line;
    this.type = this.nextType;
    this.nextType = undefined;
    const blocks = this.#nextBlocks;
    this.#nextBlocks = [];
    for (const text of blocks) this.#keepBlock(text);
  }

  /** Takes a block of SWIFT without fields: a trailer is of the message before it, any other of the next one. */
  block(text: string): void {
    if (/^\{[5S]/.test(text)) this.#keepBlock(text);
    else this.#nextBlocks.push(text);
  }

  #keepBlock(text: string): void {
    this.#values.add(`${text.slice(0, '{1:'.length)}}`, text.slice('{1:'.length).replace(/\}$/, ''));
  }

  field(tag: string, lines: readonly string[], line: number): void {
    const [first = ''] = lines;
    // Nearly all fields are of these two.
    if (tag === '86' || tag === 'NS') {
      this.#information(tag, lines);
      return;
    }
    this.#tags.add(tag === '61' ? tag : tag.slice(0, 2));
    if (tag.startsWith('61')) {
      this.#readEntry(lines);
      return;
    }
    const balanceType = balanceTypeOf(tag);
    const isAccount = tag === '25' || tag === '25P';
    if (balanceType === undefined) this.#values.add(`:${tag}:`, isAccount ? first : lines.join('\n'));
    if (isAccount) {
      this.#setAccount(first);
      // The identifier code of the owner (25P), or whatever else a bank writes there.
      if (lines.length > 1) this.#information(tag, lines.slice(1));
    } else if (tag === '34F') this.#floor(first, line);
    else if (tag === '13D') this.#hasTime = true;
    else if (balanceType !== undefined) this.#balance(tag, balanceType, lines, line);
    else if (tag === '90D' || tag === '90C') this.#total(tag === '90D' ? 'D' : 'C', first, line);
    else if (!/^(?:13|20|21|28)[CDP]?$/.test(tag))
      this.#problem('field-unknown', line, `nothing is known of :${tag}:${quoted(lines.join(' '))}`);
  }

  #readEntry(lines: readonly string[]): void {
    this.#position += 1;
    this.#entry = readEntry(lines, {
      account: this.#account,
      status: this.#isInterim ? 'pending' : 'booked',
      position: this.#position,
    });
  }

  /** Ends a message: passes on the held items, and reports what does not fit. `cutOff` says that the report ends here too. */
  end(cutOff = false): void {
    this.entryEnds();
    this.#giveHeld();
    this.#values.giveTo(this.#give, this.#account);
    this.#values = new StatementValues();
    const difference = this.#sums.difference();
    if (difference !== undefined && !this.#isSummary) this.#give(difference);
    if (this.open) {
      const why = 'the message that begins here has no closing balance (:62F: or :62M:)';
      this.#problem(cutOff ? 'cut-off' : 'balance-missing', this.#begun ?? 0, why);
    }
    this.type = undefined;
    this.#account = this.#asked;
    this.#told = false;
    this.#currency = '';
    this.#sums = new StatementSums();
    this.#counts = new Map();
    this.#begun = undefined;
    this.#closed = false;
    this.#hasTime = false;
    this.#tags = new Set();
  }

  /** Passes on the entry that was read last: no field 86 follows it any more. */
  entryEnds(): void {
    const entry = this.#entry;
    if (entry === undefined) return;
    this.#entry = undefined;
    if (this.#currency === '' && entry.amount !== undefined && entry.amount.currency === '') {
      this.#held.push(entry);
      if (this.#held.length >= mostHeld) this.#giveHeld();
    } else if (this.#held.length > 0) {
      this.#giveHeld();
      this.#giveEntry(entry);
    } else this.#giveEntry(entry);
  }

  #giveHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const entry of held) this.#giveEntry(entry);
  }

  #giveEntry(entry: Entry): void {
    this.#tellAccount();
    settleAmount(entry, this.#currency);
    const { row } = entry;
    if (row.account !== undefined && this.#account !== undefined) row.account = this.#account;
    const parsed = parseAmount(row.amount ?? '', row.currency ?? '');
    const minor = parsed.ok ? parsed.value.minor : undefined;
    if (row.bookingStatus === 'booked') {
      place(row, this.#sums.place);
      this.#sums.minor(minor, row.currency);
    }
    if (minor !== undefined) this.#count(minor);
    this.#give({ kind: 'row', row });
  }

  /** Adds up what the sums of the message are compared with. */
  #count(signed: bigint): void {
    const side = signed < 0n ? 'D' : 'C';
    let total = this.#counts.get(side);
    if (total === undefined) {
      total = { count: 0, minor: 0n };
      this.#counts.set(side, total);
    }
    total.count += 1;
    total.minor += signed < 0n ? -signed : signed;
  }

  /** The currency of the entries, which wait for it. */
  #setCurrency(currency: string): void {
    this.#currency = currency;
    this.entryEnds();
    this.#giveHeld();
  }

  #setAccount(text: string): void {
    this.#account = withoutSlash(text.trim());
    // Until a balance says it, and where none can be read.
    const behind = /[0-9][\s/]?([A-Z]{3})$/.exec(this.#account)?.[1];
    if (this.#currency === '' && behind !== undefined) this.#currency = behind;
  }

  /** The information of an entry; of the statement as a whole where none is open. */
  #information(tag: string, lines: readonly string[]): void {
    const entry = this.#entry;
    if (entry !== undefined && tag === 'NS') readNational(entry.row, lines);
    else if (entry !== undefined) readInformation(entry.row, lines, entry.side ?? 'credit');
    else if (lines.join('').trim() !== '') {
      const account = this.#account;
      const text = lines.map((line) => line.trimEnd()).join('\n');
      this.#give({ kind: 'note', note: { ...(account !== undefined && { account }), text } });
    }
  }

  #floor(text: string, line: number): void {
    this.type = '942';
    const currency = /^\s*([A-Z]{3})(?![A-Z]{2})/.exec(text)?.[1];
    if (currency === undefined)
      this.#problem('sum-malformed', line, `:34F: is ${quoted(text)}, which names no currency`);
    else this.#setCurrency(currency);
  }

  /** Reports the account once its currency is known: some banks append the currency to the account number. */
  #tellAccount(): void {
    if (this.#told || this.#account === undefined) return;
    this.#told = true;
    const currency = this.#currency;
    if (currency !== '')
      this.#account = this.#account.replace(new RegExp(`(?<=[0-9])[\\s/]?${currency}$`), '');
    this.#give({ kind: 'account', account: { account: this.#account, ...(currency && { currency }) } });
  }

  #problem(code: ReportProblem['code'], line: number, why: string): void {
    this.#give({ kind: 'problem', problem: { code, detail: `line ${String(line)}: ${why}` } });
  }

  #balance(tag: string, balanceType: string, lines: readonly string[], line: number): void {
    const [first = ''] = lines;
    const whole = lines.join('');
    const one = swiftBalance(first);
    const told = one.amount === undefined ? whole : first;
    const { amount, currency, referenceDate, signUnknown, unusual } =
      one.amount === undefined ? (bareBalance(whole, this.#currency) ?? swiftBalance(whole)) : one;
    if (tag.startsWith('62')) this.#closed = true;
    if (tag === '60M' && !this.#tags.has('25')) this.#account = this.#accountOfPage ?? this.#account;
    this.#accountOfPage = tag === '62M' ? this.#account : undefined;
    // The entries have the currency of the opening balance, whatever else of it cannot be read, or of the next that says one.
    if (currency !== undefined && (tag.startsWith('60') || this.#currency === ''))
      this.#setCurrency(currency);
    const says = (code: ReportProblem['code'], why: string): void => {
      this.#problem(code, line, `the balance :${tag}: is ${quoted(told)}, ${why}`);
      this.#values.add(`:${tag}:`, told);
    };
    if (amount === undefined || currency === undefined) {
      const signed = /[A-Z]{3}\s*[+-]\s*[0-9]/i.test(told);
      says('balance-malformed', signed ? 'whose amount has a sign of its own' : 'which is not an amount');
      return;
    }
    if (signUnknown) says('balance-malformed', 'which does not say whether it is a debit or a credit');
    if (referenceDate === undefined) says('balance-malformed', 'whose day is not in the calendar');
    if (unusual) says('balance-unusual', `which is read as ${amount} ${currency}`);
    if (!signUnknown && tag.startsWith('60')) this.#sums.balance('opening', amount, currency);
    if (!signUnknown && tag.startsWith('62')) this.#sums.balance('closing', amount, currency);
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
        ...(signUnknown && { marks: ['sign-unknown'] }),
      },
    });
  }

  #total(side: 'D' | 'C', text: string, line: number): void {
    const told = swiftSum(text);
    if (told === undefined) {
      this.#problem('sum-malformed', line, `the sum :90${side}: is ${quoted(text)}, which is not an amount`);
      return;
    }
    if (this.#currency === '') this.#setCurrency(told.currency);
    if (this.#isSummary || told.count === undefined) return;
    const { count, minor } = this.#counts.get(side) ?? { count: 0, minor: 0n };
    if (told.count === count && told.minor === minor) return;
    const are = sumText(count, minor, told.currency);
    const why = `:90${side}: announces ${sumText(told.count, told.minor, told.currency)}, but there are ${are}`;
    this.#problem('count-differs', line, why);
  }
}
