/** The balances of a camt report. */
import { isCurrencyCode } from '../../../base/values.ts';
import { dayAt } from './camt-dates.ts';
import { signedAmountAt } from './camt-money.ts';
import { all, at, currencyOf, joined, textAt } from './camt-node.ts';
import { elementText } from './camt-others.ts';
import { hasTime, reportDay } from '../rows/report-dates.ts';
import type { ReportItem } from '../rows/report-reader.ts';
import type { StatementSums } from '../rows/report-sums.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

// The guidelines write the names of ISO 20022 in this way; they know the first six.
const balanceTypes = new Map([
  ['OPBD', 'openingBooked'],
  ['CLBD', 'closingBooked'],
  ['ITBD', 'interimBooked'],
  ['ITAV', 'interimAvailable'],
  ['FWAV', 'forwardAvailable'],
  ['XPCD', 'expected'],
  ['OPAV', 'openingAvailable'],
  ['CLAV', 'closingAvailable'],
  ['PRCD', 'previouslyClosedBooked'],
]);

/** The balances that the booked entries of a statement lead from and to. */
const endOf = new Map<string, 'opening' | 'closing'>([
  ['OPBD', 'opening'],
  ['PRCD', 'opening'],
  ['CLBD', 'closing'],
]);

/** The parts of a balance that it has beside its amount, its day and its lines of credit. */
export function moreOfBalance(node: XmlNode): string | undefined {
  const type = at(node, 'Tp');
  const parts = [...all(type), ...all(node)].filter(({ name }) => !ofBalance.has(name));
  const texts = parts.map(elementText).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : `Bal ${joined([typeOf(node), ...texts]) ?? ''}`;
}
const ofBalance: ReadonlySet<string> = new Set(
  'Tp CdOrPrtry Cd Prtry Amt CdtDbtInd Dt CdtLine Avlbty'.split(' '),
);

/** Why the amount of a balance cannot be read. */
function whyNoBalance(node: XmlNode, held: string | undefined): string {
  const text = textAt(node, 'Amt') ?? '';
  if (/^[+-]/.test(text) && textAt(node, 'CdtDbtInd') !== undefined)
    return 'which has a sign beside its direction';
  const currency = currencyOf(at(node, 'Amt')) || (held ?? '');
  if (!/^[+-]?[0-9]{1,18}(?:\.[0-9]+)?$/.test(text)) return 'which is not an amount';
  if (currency === '') return 'which names no currency';
  return isCurrencyCode(currency) ? `which has more decimals than ${currency}` : 'whose currency is no code';
}

/** The code of a balance, or the bank's own word. */
const typeOf = (node: XmlNode): string =>
  textAt(node, 'Tp', 'CdOrPrtry', 'Cd') ??
  textAt(node, 'Tp', 'CdOrPrtry', 'Prtry') ??
  textAt(node, 'Tp', 'Cd') ??
  '';

const noDay = 'whose day is not in the calendar';

/** The balance of an element Bal, with the problems that it has; `sums` takes it where the entries lead from it or to it. */
export function balanceItems(
  node: XmlNode,
  account: string | undefined,
  held: string | undefined,
  sums: StatementSums,
): ReportItem[] {
  const type = typeOf(node);
  const told = signedAmountAt(node, held);
  const problem = (why: string, of = ''): ReportItem => {
    const sent = JSON.stringify(joined([textAt(node, 'Amt'), currencyOf(at(node, 'Amt'))]) ?? '');
    const detail = `the balance ${type} is ${sent}${of}, ${why}`;
    return { kind: 'problem', problem: { code: 'balance-malformed', detail } };
  };
  if (told === undefined) return [problem(whyNoBalance(node, held))];
  const { amount, currency, signUnknown } = told;
  const end = endOf.get(type);
  if (!signUnknown && end !== undefined) sums.balance(end, amount, currency);
  const sentDay = dayAt(at(node, 'Dt')) ?? '';
  const day = reportDay(sentDay);
  const item: ReportItem = {
    kind: 'balance',
    balance: {
      ...(account !== undefined && { account }),
      balanceType: balanceTypes.get(type) ?? type,
      amount,
      currency,
      ...(day !== undefined && { referenceDate: day }),
      ...(day !== undefined && hasTime(sentDay) && { referenceDateTime: sentDay }),
      ...(signUnknown && { marks: ['sign-unknown'] }),
    },
  };
  return [
    ...(signUnknown ? [problem('which does not say whether it is a debit or a credit')] : []),
    ...(day === undefined && sentDay !== '' ? [problem(noDay, ` of ${JSON.stringify(sentDay)}`)] : []),
    item,
  ];
}
