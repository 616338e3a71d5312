/** Account reports in text: MT940 and MT942, with SWIFT blocks or without. */
import { ObkError } from '../../../base/errors.ts';
import { isKnownTag, lineOf, tagPattern, unclosedTag } from './mt940-line.ts';
import type { MtLine } from './mt940-line.ts';
import { MtMessage } from './mt940-message.ts';
import type { ReportHints, ReportItem, ReportReader } from '../rows/report-reader.ts';
import type { FaultCode } from '../text/text-source.ts';

const maxField = 64 * 1024;
/** Fields whose text may have any number of lines, and any words. */
const texts = new Set(['61', '86', 'NS']);

interface Field {
  readonly tag: string;
  readonly lines: string[];
  size: number;
  readonly line: number;
  /** A mark of an end came behind it, which is text where text goes on. */
  ended: boolean;
  mark: string;
}

/** Two of these signs end a line of MT940 from HBCI, where line ends were lost; a field comes next. */
const atEnds = /^[^\n]*?:[0-9]{2}[A-Z]?:[^\n@]*@@(?:@@)?[:-]/;

const endIn = (text: string) => (atEnds.test(text) ? /@@|\n/ : text.includes('\n') ? '\n' : undefined);

/** Reads MT940 or MT942 piece by piece and passes its items to `give`. Throws as `readReport`. */
export function mtReport(hints: ReportHints, give: (item: ReportItem) => void): ReportReader {
  const file = new MtFile(hints, give);
  let rest = '';
  let end: string | RegExp | undefined;
  return {
    write: (text) => {
      const whole = rest + text;
      // The first end of a line tells those of the file; what it is made of may still be on its way.
      end ??= endIn(whole.trimStart());
      const lines = whole.split(end ?? '\n');
      rest = lines.pop() ?? '';
      for (const each of lines) file.line(each.endsWith('\r') ? each.slice(0, -1) : each);
      file.checkLine(rest);
    },
    end: () => {
      if (rest !== '') file.line(rest);
      file.end();
    },
  };
}

/** So many lines of the transport, and characters of each, are told; a file of nothing else would fill the memory. */
const [mostSkipped, longestSkipped] = [10, 200];

/** The lines of a file become fields, and these messages; other lines outside of messages are skipped and told. */
class MtFile {
  readonly #code: FaultCode;
  readonly #give: (item: ReportItem) => void;
  readonly #message: MtMessage;
  #line = 0;
  #field: Field | undefined;
  /** Whether something told what the file is: a field :20: or an opening balance. */
  #isStatement = false;
  /** Whether a block of SWIFT was opened. */
  #isFramed = false;
  /** The lines that stand outside of fields, as far as they are told, and how many more there are. */
  readonly #skipped = new Map<string, number>();
  #furtherSkipped = 0;

  constructor(hints: ReportHints, give: (item: ReportItem) => void) {
    this.#code = hints.code ?? 'ANSWER_UNREADABLE';
    this.#give = give;
    this.#message = new MtMessage(hints.account, give);
  }

  /** Takes a line without its end; one of old systems may have several within it. */
  line(text: string): void {
    this.#line += 1;
    if (!text.includes('\r')) this.#read(text);
    else for (const each of text.split('\r')) this.#read(each);
  }

  checkLine(text: string): void {
    if (text.length > maxField)
      this.#fail(this.#line + 1, `a line is longer than ${String(maxField)} characters`);
  }

  end(): void {
    const ended = this.#field?.ended !== false;
    this.#flush();
    this.#message.end(!ended);
    this.#tellSkipped();
    if (!this.#isStatement)
      this.#fail(this.#line, 'there is neither a field :20: nor an opening balance :60F:');
  }

  #read(text: string): void {
    this.#isFramed ||= text.includes('{4');
    // A brace alone ends nothing where no block was opened.
    const isText = !this.#isFramed && text.trim() === '}' && this.#isText();
    const { bare, type, blocks, ends, endsAfter }: MtLine = isText
      ? { bare: text, ends: false }
      : lineOf(text);
    if (ends) this.#ends(text.slice(0, text.length - bare.length));
    if (type !== undefined) {
      this.#flush();
      this.#message.entryEnds();
      this.#message.nextType = type;
    }
    if (blocks !== undefined) for (const block of blocks) this.#message.block(block);
    if (bare.trim() !== '') this.#content(bare);
    if (endsAfter === true) this.#ends(text.slice(text.lastIndexOf('-}')));
  }

  #ends(mark: string): void {
    if (this.#field === undefined) return;
    this.#field.ended = true;
    this.#field.mark = mark.trim();
  }

  #content(text: string): void {
    const [, sent, value = ''] = (text.startsWith(':') ? this.#tagOf(text) : null) ?? [];
    const tag = sent?.toUpperCase();
    if (tag !== undefined && (isKnownTag(tag) || !this.#isText())) this.#begin(tag, value);
    else if (this.#goesOn(text)) this.#add(text);
    else this.#skip(text);
  }

  #tagOf(text: string): RegExpExecArray | null {
    const found = tagPattern.exec(text);
    const unclosed = found === null ? unclosedTag.exec(text) : null;
    if (unclosed !== null) {
      const detail = `line ${String(this.#line)}: ${JSON.stringify(text.slice(0, 40))} has no colon behind its tag`;
      this.#give({ kind: 'problem', problem: { code: 'balance-unusual', detail } });
    }
    return found ?? unclosed;
  }

  #begin(tag: string, value: string): void {
    const message = this.#message;
    const ended = this.#field?.ended === true;
    this.#flush();
    if (!texts.has(tag) || tag === '61' || (ended && message.closed)) message.entryEnds();
    if (message.beginsWith(tag)) {
      message.end();
      message.begins(this.#line);
    }
    this.#isStatement ||= tag === '20' || tag.startsWith('60');
    this.#field = { tag, lines: [value], size: value.length, line: this.#line, ended: false, mark: '' };
  }

  #isText(): boolean {
    return this.#field !== undefined && texts.has(this.#field.tag) && !this.#field.ended;
  }

  /** Whether a line without a tag belongs to the field before it. */
  #goesOn(text: string): boolean {
    const field = this.#field;
    if (field === undefined) return false;
    const { tag, lines, ended } = field;
    if (ended) {
      // A dash alone in a text ends no message that is still open, unless what follows is of the transport.
      return texts.has(tag) && this.#message.open && !/^[A-Z0-9]{3,}$/.test(text.trim());
    }
    if (texts.has(tag) || tag === '25P' || !isKnownTag(tag) || lines.join('').trim() === '') return true;
    // A balance or sum may be broken; after a whole one comes what the transport wrote.
    return /^(?:6|90|34)/.test(tag) && !/[0-9][,.][0-9]*$/.test(lines.join('').trim());
  }

  #add(text: string): void {
    const field = this.#field;
    if (field === undefined) return;
    if (field.ended) field.lines.push(field.mark);
    field.ended = false;
    field.lines.push(text);
    field.size += text.length;
    if (field.size > maxField)
      this.#fail(this.#line, `a field is longer than ${String(maxField)} characters`);
  }

  #skip(text: string): void {
    const told = text.trim();
    const shown = told.length > longestSkipped ? `${told.slice(0, longestSkipped)}…` : told;
    // A bank writes the same around each of its messages.
    if (this.#skipped.has(shown) || this.#skipped.size === mostSkipped) this.#furtherSkipped += 1;
    else this.#skipped.set(shown, this.#line);
  }

  #tellSkipped(): void {
    const [first, ...others] = Array.from(
      this.#skipped,
      ([text, line]) => `line ${String(line)}: ${JSON.stringify(text)}`,
    );
    if (first === undefined) return;
    const parts = [`${first} stands outside of a field and was skipped`];
    if (others.length > 0) parts.push(`so ${others.length === 1 ? 'was' : 'were'} ${others.join(', ')}`);
    if (this.#furtherSkipped === 1) parts.push('so was a further line');
    else if (this.#furtherSkipped > 1) parts.push(`so were ${String(this.#furtherSkipped)} further lines`);
    this.#give({ kind: 'problem', problem: { code: 'text-skipped', detail: parts.join('; ') } });
  }

  #flush(): void {
    const field = this.#field;
    this.#field = undefined;
    if (field === undefined) return;
    const { tag, lines, line } = field;
    // Some banks write a tag alone in its line.
    const isAlone = lines.length > 1 && lines[0]?.trim() === '' && tag !== '86';
    this.#message.field(tag, isAlone ? lines.slice(1) : lines, line);
  }

  #fail(line: number, why: string): never {
    const detail = `Line ${String(line)}: ${why}.`;
    throw new ObkError({ code: this.#code, title: 'The MT940 or MT942 cannot be read.', detail });
  }
}
