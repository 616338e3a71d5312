/** The structure of pain.001 as far as payments of the interface use it, and a check of elements against it. */
import type { XmlElement } from './xml-tree.ts';

/** Something that is wrong with the structure of an element: where, in which way, and a sentence. */
export interface StructureFault {
  readonly path: string;
  readonly element: XmlElement;
  readonly rule: 'required' | 'unexpected' | 'repeated' | 'order' | 'choice';
  readonly text: string;
}

// Children in the order of pain.001.001.03 (ISO 20022): `!` once, `?` at most once, `*` any number, `+` at least one;
// `A:B` is a child A with the content B. A content that begins with `|` is a choice of one. What has no content here
// (documents of a remittance, taxes, contacts) is not looked into; what is `Later` has a walk of its own.
const contents: Readonly<Record<string, string>> = {
  Document: 'CstmrCdtTrfInitn:Later!',
  CstmrCdtTrfInitn: 'GrpHdr:Later! PmtInf:Later+',
  GrpHdr: 'MsgId! CreDtTm! Authstn* NbOfTxs! CtrlSum? InitgPty:Party! FwdgAgt:Agent?',
  PmtInf:
    'PmtInfId! PmtMtd! BtchBookg? NbOfTxs? CtrlSum? PmtTpInf? ReqdExctnDt! PoolgAdjstmntDt? Dbtr:Party! ' +
    'DbtrAcct:Account! DbtrAgt:Agent! DbtrAgtAcct:Account? UltmtDbtr:Party? ChrgBr? ChrgsAcct:Account? ' +
    'ChrgsAcctAgt:Agent? CdtTrfTxInf:Later+',
  PmtTpInf: 'InstrPrty? SvcLvl:Code? LclInstrm:Code? CtgyPurp:Code?',
  Code: '| Cd Prtry',
  CdtTrfTxInf:
    'PmtId! PmtTpInf? Amt! XchgRateInf? ChrgBr? ChqInstr? UltmtDbtr:Party? IntrmyAgt1:Agent? IntrmyAgt1Acct:Account? ' +
    'IntrmyAgt2:Agent? IntrmyAgt2Acct:Account? IntrmyAgt3:Agent? IntrmyAgt3Acct:Account? CdtrAgt:Agent? ' +
    'CdtrAgtAcct:Account? Cdtr:Party? CdtrAcct:Account? UltmtCdtr:Party? InstrForCdtrAgt* InstrForDbtrAgt? Purp:Code? ' +
    'RgltryRptg* Tax? RltdRmtInf* RmtInf?',
  PmtId: 'InstrId? EndToEndId!',
  Amt: '| InstdAmt EqvtAmt',
  Party: 'Nm? PstlAdr? Id:Any? CtryOfRes? CtctDtls?',
  PstlAdr: 'AdrTp? Dept? SubDept? StrtNm? BldgNb? PstCd? TwnNm? CtrySubDvsn? Ctry? AdrLine*',
  Account: 'Id:AccountId! Tp:Any? Ccy? Nm?',
  AccountId: '| IBAN Othr',
  Agent: 'FinInstnId! BrnchId?',
  FinInstnId: 'BIC? ClrSysMmbId? Nm? PstlAdr? Othr?',
  RmtInf: 'Ustrd* Strd*',
  Strd: 'RfrdDocInf:Any* RfrdDocAmt:Any? CdtrRefInf? Invcr:Party? Invcee:Party? AddtlRmtInf*',
  CdtrRefInf: 'Tp:CdtrRefTp? Ref?',
  CdtrRefTp: 'CdOrPrtry:Code! Issr?',
};

interface Content {
  readonly choice: boolean;
  readonly names: ReadonlyMap<
    string,
    { readonly at: number; readonly content: string; readonly often: string }
  >;
}

const models = new Map<string, Content>(
  Object.entries(contents).map(([name, line]) => {
    const choice = line.startsWith('|');
    const names = new Map(
      [...line.matchAll(/([A-Za-z0-9]+)(?::([A-Za-z]+))?([!?*+]?)/g)].map(
        ([, child = '', content = child, often = '?'], at) => [child, { at, content, often }] as const,
      ),
    );
    return [name, { choice, names }];
  }),
);

/** Checks an element, and what is in it, against the content of that name; `strict` also reports order and unknown names. */
export function* structureFaults(
  element: XmlElement,
  path: string,
  content: string,
  strict: boolean,
): Generator<StructureFault> {
  const model = models.get(content);
  if (model === undefined) return;
  const fault = (rule: StructureFault['rule'], text: string, at = element, place = path): StructureFault => ({
    path: place,
    element: at,
    rule,
    text,
  });
  const seen = new Map<string, number>();
  let last = -1;
  let lastName = '';
  for (const child of element.children) {
    const known = model.names.get(child.name);
    const place = `${path}/${child.name}`;
    if (known === undefined) {
      if (strict) yield fault('unexpected', `${child.name} does not belong in ${element.name}`, child, place);
      continue;
    }
    const count = (seen.get(child.name) ?? 0) + 1;
    seen.set(child.name, count);
    if (count === 2 && '!?'.includes(known.often))
      yield fault('repeated', `${child.name} stands there twice`, child, place);
    if (strict && !model.choice && known.at < last) {
      yield fault('order', `${child.name} must stand before ${lastName}`, child, place);
    }
    if (known.at >= last) [last, lastName] = [known.at, child.name];
    if (!models.has(known.content)) continue;
    yield* structureFaults(
      child,
      '*+'.includes(known.often) ? `${place}[${String(count)}]` : place,
      known.content,
      strict,
    );
  }
  if (model.choice) {
    if (seen.size !== 1)
      yield fault('choice', `${element.name} has one of ${[...model.names.keys()].join(', ')}`);
    return;
  }
  for (const [name, { often }] of model.names) {
    if ('!+'.includes(often) && !seen.has(name)) yield fault('required', `${element.name} has no ${name}`);
  }
}
