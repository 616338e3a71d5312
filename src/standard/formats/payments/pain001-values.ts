/** The checks of single values of a pain.001, by the name of their element. */
import { isCurrencyCode, isUetr } from '../../../base/values.ts';
import type { StructuredRemittance } from '../../xs2a/wire.ts';
import { checkCountry } from '../../xs2a/countries.ts';
import { checkPaymentAmount } from '../money/amount.ts';
import type { XmlElement } from '../xml/xml-tree.ts';

/** A check of one value: `ok` with its canonical form, or why it is wrong. */
export type ValueCheck = (
  text: string,
) => { readonly ok: true; readonly value: string } | { readonly ok: false; readonly why: string };

/** The checks that this room does not own. */
export interface Pain001Checks {
  readonly iban: ValueCheck;
  /** Returns why an IBAN that is right may be wrong all the same. */
  readonly ibanDoubt?: (iban: string) => string | undefined;
  /** Returns why the product does not reach an IBAN; given where its payments stay within SEPA. */
  readonly outsideSepa?: (iban: string) => string | undefined;
  readonly bic: ValueCheck;
  readonly lei?: ValueCheck;
  /** Returns what is wrong with a structured reference for the creditor with an IBAN. */
  readonly reference?: (structured: StructuredRemittance, iban?: string) => string | undefined;
  /** Tells whether an IBAN is one of Switzerland that takes QR references alone. */
  readonly isQrIban?: (iban: string) => boolean;
  readonly date: ValueCheck;
  /** Returns the first character outside the minimum set and its position, from 0. */
  readonly charset: (text: string) => { readonly at: number; readonly character: string } | undefined;
}

/** Something that is wrong with a value. */
export interface ValueFault {
  readonly rule:
    | 'iban'
    | 'iban-national'
    | 'outside-sepa'
    | 'bic'
    | 'date'
    | 'amount'
    | 'empty'
    | 'length'
    | 'value'
    | 'charset';
  readonly text: string;
}

// Max35Text and its like, as pain.001.001.03 has them for what payments of the interface use.
const longest: ReadonlyMap<string, number> = new Map(
  Object.entries({
    MsgId: 35,
    PmtInfId: 35,
    InstrId: 35,
    EndToEndId: 35,
    Nm: 140,
    Ustrd: 140,
    AddtlRmtInf: 140,
    Ref: 35,
    Issr: 35,
    Prtry: 35,
    StrtNm: 70,
    BldgNb: 16,
    PstCd: 16,
    TwnNm: 35,
    CtrySubDvsn: 35,
    AdrLine: 70,
    Dept: 70,
    SubDept: 70,
    BldgNm: 35,
    Flr: 70,
    PstBx: 16,
    Room: 70,
    TwnLctnNm: 35,
    DstrctNm: 35,
    Id: 35,
    ...{ TaxId: 35, RegnId: 35, TaxTp: 35, AdmstnZn: 35, AdmstnZone: 35, RefNb: 140, Mtd: 35, Titl: 35 },
    ...{
      Nb: 35,
      Inf: 35,
      MmbId: 35,
      CityOfBirth: 35,
      PrvcOfBirth: 35,
      InstrInf: 140,
      RmtId: 35,
      CtrctId: 35,
    },
    ...{ MemoFld: 35, RgnlClrZone: 35, PrtLctn: 35, ChqNb: 35 },
    ...{ Ctgy: 35, CtgyDtls: 35, DbtrSts: 35, CertId: 35, FrmsCd: 35, AddtlInf: 140, Desc: 2048 },
  }),
);

/** What a value must fit, and the words for it. */
type Form = readonly [form: { test: (text: string) => boolean }, words: string];

const patterns: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    CreDtTm: [
      /^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?\s*$/,
      'a date-time is written 2026-11-21T10:00:00Z',
    ],
    NbOfTxs: [/^[0-9]{1,15}$/, 'it is a number of at most 15 digits'],
    CtrlSum: [/^\s*[0-9]{1,18}(\.[0-9]{1,17})?\s*$/, 'it is a decimal number such as 12.50'],
    PmtMtd: [/^(TRF|CHK|TRA)$/, 'it is TRF for transfers'],
    // Blanks around a boolean, a number or a date-time are none of its value (XML Schema, white space).
    BtchBookg: [/^\s*(true|false|1|0)\s*$/, 'it is true or false'],
    ChrgBr: [/^(DEBT|CRED|SHAR|SLEV)$/, 'it is one of DEBT, CRED, SHAR, SLEV'],
    InstrPrty: [/^(HIGH|NORM)$/, 'it is HIGH or NORM'],
    UETR: [{ test: isUetr }, 'it is a UUID of version 4 in small letters'],
    Ccy: [{ test: isCurrencyCode }, 'a currency is three capital letters'],
    FmlyMdclInsrncInd: [/^\s*(true|false|1|0)\s*$/, 'it is true or false'],
    MplyeeTermntnInd: [/^\s*(true|false|1|0)\s*$/, 'it is true or false'],
    SeqNb: [/^\s*[+-]?[0-9]{1,18}\s*$/, 'it is a whole number'],
    Rate: [/^\s*[+-]?[0-9]{1,11}(\.[0-9]{0,10})?\s*$/, 'it is a decimal number such as 19'],
  }),
);

const oneOf = (codes: string): readonly [RegExp, string] => [
  new RegExp(`^(?:${codes.replaceAll(' ', '|')})$`),
  `it is one of ${codes.replaceAll(' ', ', ')}`,
];
const upTo = (max: number): readonly [RegExp, string] => [
  new RegExp(`^[^]{1,${String(max)}}$`, 'u'),
  `it has 1 to ${String(max)} characters`,
];

/** What a code may be, by where it stands; the first that fits. */
const codes: readonly (readonly [RegExp, readonly [RegExp, string]])[] = [
  [
    /\/RfrdDocInf\/Tp\/CdOrPrtry\/Cd$/,
    oneOf('MSIN CNFA DNFA CINV CREN DEBN HIRI SBIN CMCN SOAC DISP BOLD VCHR AROI TSUT PUOR'),
  ],
  [/\/CdtrRefInf\/Tp\/CdOrPrtry\/Cd$/, oneOf('RADM RPIN FXDR DISP PUOR SCOR')],
  [/\/RgltryRptg\/Dtls\/Cd$/, upTo(10)],
  [/\/LclInstrm\/Cd$/, upTo(35)],
  [/\/ClrSysId\/Cd$/, upTo(5)],
  [/\/Cd$/, upTo(4)],
];

const countries: ReadonlySet<string> = new Set(['Ctry', 'CtryOfRes', 'CtryOfBirth']);

/** Days besides those of an execution, which may have a time zone (XML Schema). */
const days: ReadonlySet<string> = new Set(['RltdDt', 'FrDt', 'ToDt', 'BirthDt', 'ChqMtrtyDt', 'Yr']);
/** Amounts besides what is instructed: of documents, taxes and garnishments. */
const amounts: ReadonlySet<string> = new Set(
  'DuePyblAmt DscntApldAmt CdtNoteAmt RmtdAmt TtlTaxblBaseAmt TtlTaxAmt TaxblBaseAmt TtlAmt'.split(' '),
);

/** Checks the value of an element without children, which stands at this path. */
export function* valueFaults(
  { name, text, attributes }: XmlElement,
  path: string,
  checks: Pain001Checks,
): Generator<ValueFault> {
  const pattern = name === 'Cd' ? codes.find(([place]) => place.test(path))?.[1] : patterns.get(name);
  if (name === 'IBAN') {
    yield* canonical('iban', text, checks.iban);
    const doubt = checks.ibanDoubt?.(text);
    if (doubt !== undefined) yield { rule: 'iban-national', text: `${shown(text)}: ${doubt}` };
    const outside = checks.outsideSepa?.(text);
    if (outside !== undefined) yield { rule: 'outside-sepa', text: `${shown(text)}: ${outside}` };
  } else if (name === 'BIC' || name === 'BICFI') yield* canonical('bic', text, checks.bic);
  else if (countries.has(name)) {
    const country = checkCountry(text);
    if (!country.ok) yield { rule: 'value', text: `${name} ${shown(text)}: ${country.why}` };
  } else if (name === 'LEI' && checks.lei !== undefined) yield* canonical('value', text, checks.lei);
  else if (name === 'ReqdExctnDt' || name === 'Dt') yield* canonical('date', text, checks.date);
  else if (name === 'InstdAmt') {
    const amount = checkPaymentAmount(text, attributes.get('Ccy') ?? '');
    if (!amount.ok) yield { rule: 'amount', text: `${name} ${shown(text)}: ${amount.why}` };
  } else if (days.has(name)) {
    const day = checks.date(text.trim().replace(/(?:Z|[+-][0-9]{2}:[0-9]{2})$/, ''));
    if (!day.ok) yield { rule: 'date', text: `${name} ${shown(text)}: ${day.why}` };
  } else if (amounts.has(name)) {
    if (!/^\s*\+?[0-9]{1,18}(\.[0-9]{0,5})?\s*$/.test(text) || !isCurrencyCode(attributes.get('Ccy') ?? ''))
      yield {
        rule: 'amount',
        text: `${name} ${shown(text)}: an amount is a number such as 12.50 without a sign, with its currency in Ccy`,
      };
  } else if (pattern !== undefined) {
    if (!pattern[0].test(text)) yield { rule: 'value', text: `${name} ${shown(text)}: ${pattern[1]}` };
  } else yield* textFaults(name, text, checks);
}

function* textFaults(name: string, text: string, { charset }: Pain001Checks): Generator<ValueFault> {
  const max = longest.get(name);
  if (max === undefined) return;
  const length = [...text].length;
  if (text.trim() === '') yield { rule: 'empty', text: `${name} is empty` };
  if (length > max)
    yield {
      rule: 'length',
      text: `${name} has ${String(length)} characters, at most ${String(max)} are allowed`,
    };
  const foreign = charset(text);
  if (foreign === undefined) return;
  const point = (foreign.character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const place = `character ${String(foreign.at + 1)} of ${name}`;
  yield {
    rule: 'charset',
    text: `${place} is ${shown(foreign.character)} (U+${point}), outside the set that every bank takes`,
  };
}

function* canonical(
  rule: 'iban' | 'bic' | 'date' | 'value',
  text: string,
  check: ValueCheck,
): Generator<ValueFault> {
  const result = check(text);
  if (!result.ok) yield { rule, text: `${shown(text)}: ${result.why}` };
  else if (result.value !== text) yield { rule, text: `${shown(text)} must be written ${result.value}` };
}

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
