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
const contents03: Readonly<Record<string, string>> = {
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
  Party: 'Nm? PstlAdr? Id:PartyId? CtryOfRes? CtctDtls?',
  PartyId: '| OrgId PrvtId:Any',
  OrgId: 'BICOrBEI? Othr:Any*',
  PstlAdr: 'AdrTp? Dept? SubDept? StrtNm? BldgNb? PstCd? TwnNm? CtrySubDvsn? Ctry? AdrLine*',
  Account: 'Id:AccountId! Tp:Any? Ccy? Nm?',
  AccountId: '| IBAN Othr',
  Agent: 'FinInstnId! BrnchId?',
  FinInstnId: 'BIC? ClrSysMmbId? Nm? PstlAdr? Othr?',
  RgltryRptg: 'DbtCdtRptgInd? Authrty:Any? Dtls:ReportingDetails*',
  ReportingDetails: 'Tp? Dt? Ctry? Cd? Amt:Any? Inf*',
  RmtInf: 'Ustrd* Strd*',
  Strd: 'RfrdDocInf:Any* RfrdDocAmt:Any? CdtrRefInf? Invcr:Party? Invcee:Party? AddtlRmtInf*',
  CdtrRefInf: 'Tp:CdtrRefTp? Ref?',
  CdtrRefTp: 'CdOrPrtry:Code! Issr?',
};

// What pain.001.001.09 has otherwise.
const contents09: Readonly<Record<string, string>> = {
  ...contents03,
  CstmrCdtTrfInitn: 'GrpHdr:Later! PmtInf:Later+ SplmtryData:Any*',
  PmtInf:
    'PmtInfId! PmtMtd! BtchBookg? NbOfTxs? CtrlSum? PmtTpInf? ReqdExctnDt:Day! PoolgAdjstmntDt? Dbtr:Party! ' +
    'DbtrAcct:Account! DbtrAgt:Agent! DbtrAgtAcct:Account? InstrForDbtrAgt? UltmtDbtr:Party? ChrgBr? ' +
    'ChrgsAcct:Account? ChrgsAcctAgt:Agent? CdtTrfTxInf:Later+',
  Day: '| Dt DtTm',
  PmtTpInf: 'InstrPrty? SvcLvl:Code* LclInstrm:Code? CtgyPurp:Code?',
  CdtTrfTxInf: `${contents03['CdtTrfTxInf'] ?? ''} SplmtryData:Any*`,
  PmtId: 'InstrId? EndToEndId! UETR?',
  OrgId: 'AnyBIC? LEI? Othr:Any*',
  PstlAdr:
    'AdrTp:Any? Dept? SubDept? StrtNm? BldgNb? BldgNm? Flr? PstBx? Room? PstCd? TwnNm? TwnLctnNm? DstrctNm? ' +
    'CtrySubDvsn? Ctry? AdrLine*',
  Account: 'Id:AccountId! Tp:Any? Ccy? Nm? Prxy:Any?',
  FinInstnId: 'BICFI? ClrSysMmbId? LEI? Nm? PstlAdr? Othr?',
  Strd: 'RfrdDocInf:Any* RfrdDocAmt:Any? CdtrRefInf? Invcr:Party? Invcee:Party? TaxRmt:Any? GrnshmtRmt:Any? AddtlRmtInf*',
};

interface Content {
  readonly choice: boolean;
  readonly names: ReadonlyMap<
    string,
    { readonly at: number; readonly content: string; readonly often: string }
  >;
}

const modelsOf = (contents: Readonly<Record<string, string>>) =>
  new Map<string, Content>(
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

const models03 = modelsOf(contents03);
const models09 = modelsOf(contents09);

/** The versions whose order and names are known whole. */
export const knownVersions: readonly string[] = ['001.03', '001.09'];

/**
 * Checks an element, and what is in it, against the content of that name in a version such as `001.09`; of a known version
 * order and unknown names, too.
 */
export function* structureFaults(
  element: XmlElement,
  path: string,
  content: string,
  version: string | undefined,
): Generator<StructureFault> {
  const strict = version !== undefined && knownVersions.includes(version);
  const models = Number(version?.slice(-2)) >= 8 ? models09 : models03;
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
      version,
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
