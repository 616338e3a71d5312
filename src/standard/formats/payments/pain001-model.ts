/** The structure of pain.001 as far as payments of the interface use it, and a check of elements against it. */
import type { XmlElement } from '../xml/xml-tree.ts';

/** Something that is wrong with the structure of an element: where, in which way, and a sentence. */
export interface StructureFault {
  readonly path: string;
  readonly element: XmlElement;
  readonly rule: 'required' | 'unexpected' | 'repeated' | 'order' | 'choice';
  readonly text: string;
}

// Children in the order of pain.001.001.03 (ISO 20022): `!` once, `?` at most once, `*` any number or, with a number behind it,
// at most so many, `+` at least one; `A:B` is a child A with the content B. A content that begins with `|` is a choice of one.
// What has no content here is not looked into; what is `Later` has a walk of its own.
const contents03: Readonly<Record<string, string>> = {
  Document: 'CstmrCdtTrfInitn:Later!',
  CstmrCdtTrfInitn: 'GrpHdr:Later! PmtInf:Later+',
  GrpHdr: 'MsgId! CreDtTm! Authstn:Code*2 NbOfTxs! CtrlSum? InitgPty:Party! FwdgAgt:Agent?',
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
    'RgltryRptg*10 Tax? RltdRmtInf*10 RmtInf?',
  Tax: 'Cdtr:TaxCreditor? Dbtr:TaxDebtor? AdmstnZn? RefNb? Mtd? TtlTaxblBaseAmt? TtlTaxAmt? Dt? SeqNb? Rcrd:TaxRecord*',
  TaxCreditor: 'TaxId? RegnId? TaxTp?',
  TaxDebtor: 'TaxId? RegnId? TaxTp? Authstn:TaxAuthorisation?',
  TaxAuthorisation: 'Titl? Nm?',
  TaxRecord: 'Tp? Ctgy? CtgyDtls? DbtrSts? CertId? FrmsCd? Prd:TaxPeriod? TaxAmt:TaxAmount? AddtlInf?',
  TaxPeriod: 'Yr? Tp? FrToDt:Days?',
  Days: 'FrDt! ToDt!',
  TaxAmount: 'Rate? TaxblBaseAmt? TtlAmt? Dtls:TaxDetails*',
  TaxDetails: 'Prd:TaxPeriod? Amt:Any!',
  PmtId: 'InstrId? EndToEndId!',
  Amt: '| InstdAmt EqvtAmt',
  EqvtAmt: 'Amt:Any! CcyOfTrf!',
  XchgRateInf: 'XchgRate? RateTp? CtrctId?',
  ChqInstr:
    'ChqTp? ChqNb? ChqFr:NamedAddress? DlvryMtd:Code? DlvrTo:NamedAddress? InstrPrty? ChqMtrtyDt? FrmsCd? MemoFld*2 ' +
    'RgnlClrZone? PrtLctn?',
  NamedAddress: 'Nm! Adr:PstlAdr!',
  InstrForCdtrAgt: 'Cd? InstrInf?',
  Party: 'Nm? PstlAdr? Id:PartyId? CtryOfRes? CtctDtls?',
  PartyId: '| OrgId PrvtId',
  OrgId: 'BICOrBEI? Othr*',
  PrvtId: 'DtAndPlcOfBirth? Othr*',
  DtAndPlcOfBirth: 'BirthDt! PrvcOfBirth? CityOfBirth! CtryOfBirth!',
  Othr: 'Id! SchmeNm:Code? Issr?',
  CtctDtls: 'NmPrfx? Nm? PhneNb? MobNb? FaxNb? EmailAdr? Othr:Any?',
  PstlAdr: 'AdrTp? Dept? SubDept? StrtNm? BldgNb? PstCd? TwnNm? CtrySubDvsn? Ctry? AdrLine*7',
  Account: 'Id:AccountId! Tp:Code? Ccy? Nm?',
  AccountId: '| IBAN Othr',
  Agent: 'FinInstnId! BrnchId?',
  FinInstnId: 'BIC? ClrSysMmbId? Nm? PstlAdr? Othr?',
  ClrSysMmbId: 'ClrSysId:Code? MmbId!',
  BrnchId: 'Id? Nm? PstlAdr?',
  RgltryRptg: 'DbtCdtRptgInd? Authrty? Dtls:ReportingDetails*',
  Authrty: 'Nm? Ctry?',
  ReportingDetails: 'Tp? Dt? Ctry? Cd? Amt:Any? Inf*',
  RltdRmtInf: 'RmtId? RmtLctnMtd? RmtLctnElctrncAdr? RmtLctnPstlAdr:NamedAddress?',
  RmtInf: 'Ustrd* Strd*',
  Strd: 'RfrdDocInf* RfrdDocAmt? CdtrRefInf? Invcr:Party? Invcee:Party? AddtlRmtInf*3',
  RfrdDocInf: 'Tp:NamedType? Nb? RltdDt?',
  RfrdDocAmt: 'DuePyblAmt? DscntApldAmt? CdtNoteAmt? TaxAmt? AdjstmntAmtAndRsn* RmtdAmt?',
  AdjstmntAmtAndRsn: 'Amt:Any! CdtDbtInd? Rsn? AddtlInf?',
  CdtrRefInf: 'Tp:NamedType? Ref?',
  NamedType: 'CdOrPrtry:Code! Issr?',
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
  XchgRateInf: 'UnitCcy? XchgRate? RateTp? CtrctId?',
  ChqInstr: `${contents03['ChqInstr'] ?? ''} Sgntr*5`,
  OrgId: 'AnyBIC? LEI? Othr*',
  CtctDtls:
    'NmPrfx? Nm? PhneNb? MobNb? FaxNb? EmailAdr? EmailPurp? JobTitl? Rspnsblty? Dept? Othr:Contact* PrefrdMtd?',
  Contact: 'ChanlTp! Id?',
  PstlAdr:
    'AdrTp:Any? Dept? SubDept? StrtNm? BldgNb? BldgNm? Flr? PstBx? Room? PstCd? TwnNm? TwnLctnNm? DstrctNm? ' +
    'CtrySubDvsn? Ctry? AdrLine*7',
  Account: 'Id:AccountId! Tp:Code? Ccy? Nm? Prxy:Proxy?',
  Proxy: 'Tp:Code? Id!',
  FinInstnId: 'BICFI? ClrSysMmbId? LEI? Nm? PstlAdr? Othr?',
  BrnchId: 'Id? LEI? Nm? PstlAdr?',
  RltdRmtInf: 'RmtId? RmtLctnDtls*',
  RmtLctnDtls: 'Mtd! ElctrncAdr? PstlAdr:NamedAddress?',
  Strd: 'RfrdDocInf* RfrdDocAmt? CdtrRefInf? Invcr:Party? Invcee:Party? TaxRmt? GrnshmtRmt? AddtlRmtInf*3',
  Tax: (contents03['Tax'] ?? '').replace('AdmstnZn?', 'AdmstnZone?'),
  TaxRmt: (contents03['Tax'] ?? '').replace('AdmstnZn?', 'UltmtDbtr:TaxDebtor? AdmstnZone?'),
  GrnshmtRmt:
    'Tp:NamedType! Grnshee:Party? GrnshmtAdmstr:Party? RefNb? Dt? RmtdAmt? FmlyMdclInsrncInd? MplyeeTermntnInd?',
  RfrdDocInf: 'Tp:NamedType? Nb? RltdDt? LineDtls*',
  LineDtls: 'Id:LineId+ Desc? Amt:RfrdDocAmt?',
  LineId: 'Tp:NamedType? Nb? RltdDt?',
  RfrdDocAmt:
    'DuePyblAmt? DscntApldAmt:TypedAmount* CdtNoteAmt? TaxAmt:TypedAmount* AdjstmntAmtAndRsn* RmtdAmt?',
  TypedAmount: 'Tp:Code? Amt:Any!',
};

/** Contents that are checked elsewhere, or not at all; any other one without a line above is a value. */
const notLookedInto: ReadonlySet<string> = new Set(['Any', 'Later']);

interface Content {
  readonly choice: boolean;
  readonly names: ReadonlyMap<
    string,
    { readonly at: number; readonly content: string; readonly often: string; readonly most: number }
  >;
}

const modelsOf = (contents: Readonly<Record<string, string>>) =>
  new Map<string, Content>(
    Object.entries(contents).map(([name, line]) => {
      const choice = line.startsWith('|');
      const names = new Map(
        [...line.matchAll(/([A-Za-z0-9]+)(?::([A-Za-z]+))?([!?*+]?)([0-9]*)/g)].map(
          ([, child = '', content = child, often = '?', number = ''], at) => {
            const most = number !== '' ? Number(number) : '*+'.includes(often) && often !== '' ? Infinity : 1;
            return [child, { at, content, often, most }] as const;
          },
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
    if (count === known.most + 1) {
      const often = count === 2 ? 'twice' : `more than ${String(known.most)} times`;
      yield fault('repeated', `${child.name} stands there ${often}`, child, place);
    }
    if (strict && !model.choice && known.at < last) {
      yield fault('order', `${child.name} must stand before ${lastName}`, child, place);
    }
    if (known.at >= last) [last, lastName] = [known.at, child.name];
    if (!models.has(known.content)) {
      const [inner] = child.children;
      if (strict && inner !== undefined && !notLookedInto.has(known.content))
        yield fault('unexpected', `${child.name} holds a value, and no ${inner.name}`, child, place);
      continue;
    }
    yield* structureFaults(
      child,
      known.most > 1 ? `${place}[${String(count)}]` : place,
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
