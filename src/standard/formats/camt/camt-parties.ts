/** The parties of a transaction of camt and their banks: as columns, and what else is said of them under the names of their elements. */
import { accountAt, at, child, childText, joined, textAt } from './camt-node.ts';
import { textsOf } from './camt-others.ts';
import { setText } from './camt-texts.ts';
import { keep } from '../rows/report-values.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

/** The name of a party, which later versions have in a further element, and which may be a bank. */
const nameOf = (party: XmlNode | undefined): string | undefined =>
  textAt(party, 'Nm') ??
  textAt(party, 'Pty', 'Nm') ??
  textAt(party, 'Agt', 'FinInstnId', 'Nm') ??
  textAt(party, 'Agt', 'FinInstnId', 'BICFI') ??
  textAt(party, 'Agt', 'FinInstnId', 'LEI');

/** The name of a party, or else its identification. */
function partyAt(node: XmlNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  const party = at(node, 'Pty') ?? node;
  const id = at(party, 'Id', 'OrgId') ?? at(party, 'Id', 'PrvtId');
  const codes = ['LEI', 'AnyBIC', 'BICOrBEI'].map((name) => textAt(id, name));
  return nameOf(node) ?? codes.find((code) => code !== undefined) ?? textAt(id, 'Othr', 'Id');
}

/** The identification of a bank: BIC, number of a clearing system, LEI, another one, or its name. */
function agentAt(agent: XmlNode | undefined): string | undefined {
  const bank = child(agent, 'FinInstnId');
  return (
    childText(bank, 'BICFI') ??
    childText(bank, 'BIC') ??
    textAt(bank, 'ClrSysMmbId', 'MmbId') ??
    childText(bank, 'LEI') ??
    textAt(bank, 'Othr', 'Id') ??
    childText(bank, 'Nm')
  );
}

type Side = 'Dbtr' | 'Cdtr';
const accountOf = { Dbtr: 'DbtrAcct', Cdtr: 'CdtrAcct' } as const;
const sideOf = new Map<string, Side>([
  ['Dbtr', 'Dbtr'],
  ['DbtrAcct', 'Dbtr'],
  ['Cdtr', 'Cdtr'],
  ['CdtrAcct', 'Cdtr'],
]);

/** Names the party on the other side: not the account itself, nor its owner by name where no account is given. */
export function setParties(
  row: TransactionRow,
  detail: XmlNode | undefined,
  owner: string | undefined,
  toCreditor: boolean,
): void {
  const parties = child(detail, 'RltdPties');
  const agents = child(detail, 'RltdAgts');
  const sides = toCreditor ? (['Cdtr', 'Dbtr'] as const) : (['Dbtr', 'Cdtr'] as const);
  const side = sides.find((name) => {
    const account = accountAt(child(parties, accountOf[name]));
    if (account !== undefined) return account !== row.account;
    const party = child(parties, name);
    return party !== undefined && (owner === undefined || nameOf(party) !== owner);
  });
  if (parties !== undefined) {
    setText(row, 'ultimateDebtor', partyAt(child(parties, 'UltmtDbtr')));
    setText(row, 'ultimateCreditor', partyAt(child(parties, 'UltmtCdtr')));
  }
  if (side !== undefined) {
    const name = nameOf(child(parties, side)) ?? nameOf(child(parties, `Ultmt${side}`));
    setText(row, 'counterpartyName', name ?? textAt(parties, accountOf[side], 'Nm'));
    setText(row, 'counterpartyAccount', accountAt(child(parties, accountOf[side])));
    const creditor = child(parties, 'Cdtr');
    const id = at(creditor, 'Id', 'PrvtId', 'Othr') ?? at(creditor, 'Pty', 'Id', 'PrvtId', 'Othr');
    setText(row, 'creditorId', textAt(id, 'Id'));
  }
  // A bank may be named where no party is.
  const bankOf = side ?? (sides.some((name) => isNamed(parties, name)) ? undefined : sides[0]);
  if (bankOf !== undefined) setText(row, 'counterpartyAgent', agentAt(child(agents, `${bankOf}Agt`)));
  for (let one = parties?.first; one !== undefined; one = one.next) {
    const of = sideOf.get(one.name);
    if (of === undefined) keepParty(row, one);
    else if (of !== side) keepOwn(row, one, child(parties, accountOf[of]), owner);
    else if (!isColumn(one, row.counterpartyName, row.counterpartyAccount)) keepRest(row, one);
  }
  keepAgents(row, agents, bankOf);
}

const isNamed = (parties: XmlNode | undefined, side: Side): boolean =>
  child(parties, side) !== undefined || child(parties, accountOf[side]) !== undefined;

/** Keeps of the account itself and its owner only what the report has otherwise. */
function keepOwn(
  row: TransactionRow,
  one: XmlNode,
  account: XmlNode | undefined,
  owner: string | undefined,
): void {
  const number = accountAt(account);
  if (number !== undefined && number !== row.account) keepRest(row, one);
  else if (owner !== undefined && one !== account) {
    const name = nameOf(one);
    if (name !== undefined && name !== owner) keep(row, `${one.name} ${name}`);
  }
}

/** Keeps what a party without a side of its own has beyond its column, where it has one, such as who initiated a payment or traded. */
function keepParty(row: TransactionRow, one: XmlNode): void {
  if (one.name === 'UltmtDbtr' || one.name === 'UltmtCdtr') keepRest(row, one);
  else {
    const party = one.name === 'Prtry' ? (child(one, 'Pty') ?? one) : one;
    keepRest(row, one, [textAt(one, 'Tp'), partyAt(party)]);
  }
}

/** Keeps of the banks what has no column, such as those between; that of the account itself is told by the report. */
function keepAgents(row: TransactionRow, agents: XmlNode | undefined, side: string | undefined): void {
  for (let one = agents?.first; one !== undefined; one = one.next) {
    const { name } = one;
    if (name === 'DbtrAgt' || name === 'CdtrAgt') {
      if (side === undefined || (name === `${side}Agt` && !isColumn(one, row.counterpartyAgent)))
        keepRest(row, one);
    } else keepRest(row, one, [childText(one, 'Tp'), agentAt(child(one, 'Agt') ?? one)]);
  }
}

/** Whether an element holds one text alone, as nearly all do, and that one is in a column. */
function isColumn(node: XmlNode, ...columns: readonly (string | undefined)[]): boolean {
  let found: XmlNode | undefined = node;
  while (found.first !== undefined) {
    if (found.first.next !== undefined) return false;
    found = found.first;
  }
  return columns.includes(found.text.trim());
}

/** Keeps the texts of an element under its name, those that matter most in front, without those that stand in a column. */
function keepRest(row: TransactionRow, node: XmlNode, first: readonly (string | undefined)[] = []): void {
  const known = [
    ...[row.counterpartyName, row.counterpartyAccount, row.counterpartyAgent, row.currency],
    ...[row.ultimateDebtor, row.ultimateCreditor, row.creditorId, 'NOTPROVIDED', ...first],
  ];
  // The scheme of the identifier of a creditor, which has a column.
  if (row.creditorId !== undefined) known.push('SEPA');
  const told = joined([...first, ...textsOf(node).filter((text) => !known.includes(text))]);
  if (told !== undefined) keep(row, `${node.name} ${told}`);
}
