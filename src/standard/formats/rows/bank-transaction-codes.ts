/** The bank transaction codes of ISO 20022 in words. Source: its external code sets of bank transaction codes. */

const words = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split('; ').map((pair) => pair.split('=') as [string, string]));

const domains = words(
  'PMNT=Payments; CAMT=Cash Management; DERV=Derivatives; LDAS=Loans, Deposits & Syndications; ' +
    'FORX=Foreign Exchange; PMET=Precious Metal; CMDT=Commodities; TRAD=Trade Services; SECU=Securities; ' +
    'ACMT=Account Management; XTND=Extended Domain',
);

const families = words(
  'RCDT=Received Credit Transfers; ICDT=Issued Credit Transfers; RRCT=Received Real-Time Credit Transfers; ' +
    'IRCT=Issued Real-Time Credit Transfers; RCCN=Received Cash Concentration Transactions; ' +
    'ICCN=Issued Cash Concentration Transactions; RDDT=Received Direct Debits; IDDT=Issued Direct Debits; ' +
    'RCHQ=Received Cheques; ICHQ=Issued Cheques; CCRD=Customer Card Transactions; ' +
    'MCRD=Merchant Card Transactions; LBOX=Lockbox Transactions; CNTR=Counter Transactions; DRFT=Drafts; ' +
    'CAPL=Cash Pooling; ACCB=Account Balancing; OCRD=OTC Credit Derivatives; ' +
    'OIRT=OTC Interest Rate Derivatives; OEQT=OTC Equity Derivatives; OBND=OTC Bond Derivatives; ' +
    'OSED=OTC Structured Exotic Derivatives; OSWP=OTC Swaps; LFUT=Listed Futures; LOPT=Listed Options; ' +
    'FTLN=Fixed Term Loans; NTLN=Notice Loans; FTDP=Fixed Term Deposits; NTDP=Notice Deposits; ' +
    'MGLN=Mortgage Loans; CSLN=Consumer Loans; SYDN=Syndications; SPOT=Spots; FWRD=Forwards; SWAP=Swaps; ' +
    'FTUR=Futures; NDFX=Non-Deliverable; OPTN=Options; DLVR=Delivery; LOCT=Stand-By Letters of Credit; ' +
    'DCCT=Documentary Credit; CLNC=Clean Collection; DOCC=Documentary Collection; GUAR=Guarantees; ' +
    'SETT=Trade, Clearing and Settlement; NSET=Non-Settled Transactions; BLOC=Blocked Transactions; ' +
    'OTHB=CSD Blocked Transactions; COLL=Collateral Management; CORP=Corporate Actions; CUST=Custody; ' +
    'COLC=Custody Collection; LACK=Lack; CASH=Miscellaneous Securities Operations; OPCL=Opening & Closing; ' +
    'ACOP=Additional Miscellaneous Credit Operations; ADOP=Additional Miscellaneous Debit Operations; ' +
    'MCOP=Miscellaneous Credit Operations; MDOP=Miscellaneous Debit Operations; OTHR=Other; ' +
    'NTAV=Not Available',
);

const subFamilies = words(
  'BOOK=Internal Book Transfer; STDO=Standing Order; XBST=Cross-Border Standing Order; ' +
    'ESCT=SEPA Credit Transfer; DMCT=Domestic Credit Transfer; XBCT=Cross-Border Credit Transfer; ' +
    'VCOM=Credit Transfer with Agreed Commercial Information; FICT=Financial Institution Credit Transfer; ' +
    'PRCT=Priority Credit Transfer; SALA=Payroll/Salary Payment; XBSA=Cross-Border Payroll/Salary Payment; ' +
    'SDVA=Same Day Value Credit Transfer; RPCR=Reversal due to Payment Cancellation Request; ' +
    'RRTN=Reversal due to Payment Return; AUTT=Automatic Transfer; ATXN=ACH Transaction; ' +
    'ACOR=ACH Corporate Trade; APAC=ACH Pre-Authorised; ASET=ACH Settlement; ARET=ACH Return; ' +
    'AREV=ACH Reversal; ACDT=ACH Credit; ADBT=ACH Debit; TTLS=Treasury Tax and Loan Service; ' +
    'COAT=Corporate Own Account Transfer; ICCT=Intra-Company Transfer; ' +
    'XICT=Cross-Border Intra-Company Transfer; FIOA=Financial Institution Own Account Transfer; ' +
    'BACT=Branch Account Transfer; ACON=ACH Concentration; PMDD=Direct Debit; URDD=Direct Debit under Reserve; ' +
    'ESDD=SEPA Core Direct Debit; BBDD=SEPA B2B Direct Debit; XBDD=Cross-Border Direct Debit; ' +
    'OODD=One-Off Direct Debit; PADD=Pre-Authorised Direct Debit; FIDD=Financial Institution Direct Debit; ' +
    'RCDD=Reversal due to Payment Cancellation Request; UPDD=Reversal due to Return/Unpaid Direct Debit; ' +
    'PRDD=Reversal due to Payment Reversal; CCHQ=Cheque; URCQ=Cheque under Reserve; UPCQ=Unpaid Cheque; ' +
    'CQRV=Cheque Reversal; CCCH=Certified Customer Cheque; CLCQ=Circular Cheque; ' +
    'NPCC=Non-Presented Circular Cheque; CRCQ=Crossed Cheque; ORCQ=Order Cheque; OPCQ=Open Cheque; ' +
    'BCHQ=Bank Cheque; XBCQ=Foreign Cheque; XRCQ=Foreign Cheque under Reserve; XPCQ=Unpaid Foreign Cheque; ' +
    'CDIS=Controlled Disbursement; ARPD=ARP Debit; CASH=Cash Letter; CSHA=Cash Letter Adjustment; ' +
    'CWDL=Cash Withdrawal; CDPT=Cash Deposit; XBCW=Cross-Border Cash Withdrawal; ' +
    'POSD=Point-of-Sale Payment, Debit Card; POSC=Credit Card Payment; POSP=Point-of-Sale Payment; ' +
    'XBCP=Cross-Border Credit Card Payment; SMRT=Smart-Card Payment; SMCD=Smart-Card Payment; ' +
    'UPCT=Unpaid Card Transaction; BCDP=Branch Deposit; BCWD=Branch Withdrawal; CHKD=Cheque Deposit; ' +
    'MIXD=Mixed Deposit; MSCD=Miscellaneous Deposit; FCDP=Foreign Currency Deposit; ' +
    'FCWD=Foreign Currency Withdrawal; TCDP=Travellers Cheques Deposit; TCWD=Travellers Cheques Withdrawal; ' +
    'LBCA=Credit Adjustment; LBDB=Debit; LBDP=Deposit; STAM=Settlement at Maturity; ' +
    'STLR=Settlement under Reserve; DDFT=Discounted Draft; UDFT=Dishonoured/Unpaid Draft; ' +
    'DMCG=Draft Maturity Change; XBRD=Cross-Border; ZABA=Zero Balancing; SWEP=Sweeping; TOPG=Topping; ' +
    'DSBR=Controlled Disbursement; ODFT=Overdraft; SWUF=Upfront Payment; SWRS=Reset Payment; ' +
    'SWPP=Partial Payment; SWFP=Final Payment; SWCC=Client-Owned Collateral; DDWN=Drawdown; RNEW=Renewal; ' +
    'PPAY=Principal Payment; DPST=Deposit; RPMT=Repayment; FRZF=Freeze of Funds; ' +
    'SOSI=Settlement of Sight Import Document; SOSE=Settlement of Sight Export Document; ' +
    'SABG=Settlement against Bank Guarantee; STAC=Settlement after Collection; STLM=Settlement; PAIR=Pair-Off; ' +
    'TRAD=Trade; NETT=Netting; TRPO=Triparty Repo; TRVO=Triparty Reverse Repo; RVPO=Reverse Repo; REPU=Repo; ' +
    'SECB=Securities Borrowing; SECL=Securities Lending; BSBO=Buy Sell Back; BSBC=Sell Buy Back; ' +
    'FCTA=Factor Update; ISSU=Depositary Receipt Issue; INSP=Inspeci/Share Exchange; ' +
    'OWNE=External Account Transfer; OWNI=Internal Account Transfer; NSYN=Non-Syndicated; PLAC=Placement; ' +
    'PORT=Portfolio Move; SYND=Syndicated; TBAC=TBA Closing; TURN=Turnaround; REDM=Redemption; ' +
    'SUBS=Subscription; CROS=Cross Trade; SWIC=Switch; REAA=Redemption Asset Allocation; ' +
    'SUAA=Subscription Asset Allocation; PRUD=Principal Pay-Down/Pay-Up; TOUT=Transfer Out; TRIN=Transfer In; ' +
    'XCHC=Exchange-Traded CCP; XCHG=Exchange-Traded; XCHN=Exchange-Traded Non-CCP; OTCC=OTC CCP; OTCG=OTC; ' +
    'OTCN=OTC Non-CCP; MARG=Margin Payments; OPBC=Option Broker-Owned Collateral; ' +
    'OPCC=Option Client-Owned Collateral; FWBC=Forwards Broker-Owned Collateral; ' +
    'FWCC=Forwards Client-Owned Collateral; MGCC=Margin Client-Owned Cash Collateral; ' +
    'SWBC=Swap Broker-Owned Collateral; EQCO=Equity Mark Client-Owned; EQBO=Equity Mark Broker-Owned; ' +
    'CMCO=Corporate Mark Client-Owned; CMBO=Corporate Mark Broker-Owned; ' +
    'SLBC=Lending Broker-Owned Cash Collateral; SLCC=Lending Client-Owned Cash Collateral; ' +
    'CPRB=Corporate Rebate; BIDS=Repurchase Offer/Issuer Bid/Reverse Rights; ' +
    'BONU=Bonus Issue/Capitalisation Issue; BPUT=Put Redemption; CAPG=Capital Gains Distribution; ' +
    'CONV=Conversion; DECR=Decrease in Value; DRAW=Drawing; DRIP=Dividend Reinvestment; DTCH=Dutch Auction; ' +
    'DVCA=Cash Dividend; DVOP=Dividend Option; EXOF=Exchange; EXRI=Call on Intermediate Securities; ' +
    'EXWA=Warrant Exercise/Warrant Conversion; LIQU=Liquidation Payment; MCAL=Full Call/Early Redemption; ' +
    'MRGR=Merger; ODLT=Odd Lot Sale/Purchase; PCAL=Partial Redemption with Reduction of Nominal Value; ' +
    'PRED=Partial Redemption without Reduction of Nominal Value; PRII=Interest Payment with Principal; ' +
    'PRIO=Priority Issue; RHTS=Rights Issue; SHPR=Equity Premium Reserve; TEND=Tender; TREC=Tax Reclaim; ' +
    'RWPL=Redemption Withdrawing Plan; SSPL=Subscription Savings Plan; CSLI=Cash in Lieu; CHAR=Charge/Fees; ' +
    'BKFE=Bank Fees; CLAI=Compensation/Claims; MNFE=Management Fees; OVCH=Overdraft Charge; ' +
    'TRFE=Transaction Fees; UNCO=Underwriting Commission; WITH=Withholding Tax; BROK=Brokerage Fee; ' +
    'PRIN=Interest Payment with Principal; GEN1=Withdrawal/Distribution; GEN2=Deposit/Contribution; ' +
    'ERWI=Borrowing Fee; ERWA=Lending Income; SWAP=Swap Payment; FUTU=Future Variation Margin; ' +
    'RESI=Futures Residual Amount; FUCO=Futures Commission; INFD=Fixed Deposit Interest Amount; ' +
    'ACCO=Account Opening; ACCC=Account Closing; ACCT=Account Transfer; VALD=Value Date; BCKV=Back Value; ' +
    'YTDA=Year-to-Date Adjustment; FLTA=Float Adjustment; ERTA=Exchange Rate Adjustment; PSTE=Posting Error; ' +
    'FEES=Fees; COMM=Commission; COME=Commission Excluding Taxes; COMI=Commission Including Taxes; ' +
    'COMT=Non-Taxable Commissions; TAXE=Taxes; CHRG=Charges; INTR=Interest; RIMB=Reimbursements; ' +
    'ADJT=Adjustments; DAJT=Credit Adjustments; CAJT=Debit Adjustments; ' +
    'IADD=Invoice Accepted with Deferred Due Date; FCTI=Fees, Commission, Taxes, Charges and Interest; ' +
    'OTHR=Other; NTAV=Not Available',
);

/** Sub-families that mean something else in one family. */
const ofFamily = words(
  'CASH-STAM=Stamp Duty; CORP-REDM=Final Maturity; CUST-REDM=Final Maturity; CORP-INTR=Interest Payment; ' +
    'CUST-INTR=Interest Payment; IDDT-FIDD=Financial Institution Direct Debit Payment',
);

const remembered = new Map<string, string | undefined>();

/** The parts of a code, between which banks write other signs, or none. */
const partsOf = (code: string): readonly string[] =>
  /^(?:[A-Z]{8}|[A-Z]{12})$/.test(code) ? (code.match(/.{4}/g) ?? []) : code.split(/[-/.:_ ]+/);

/**
 * Returns a code such as PMNT-RCDT-ESCT in words (Payments / Received Credit Transfers / SEPA Credit Transfer); a part that
 * is not known stays as it was sent, and undefined is returned where the domain is none.
 */
export function bankTransactionWords(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (remembered.has(code)) return remembered.get(code);
  const [domain = '', family, subFamily] = partsOf(code.toUpperCase());
  const first = domains.get(domain.trim());
  const told = [
    first,
    family && (families.get(family) ?? family),
    subFamily && (ofFamily.get(`${family ?? ''}-${subFamily}`) ?? subFamilies.get(subFamily) ?? subFamily),
  ];
  const text = first === undefined ? undefined : told.filter(Boolean).join(' / ');
  // A report has few of them; one with a code of its own in each entry would fill the memory.
  if (remembered.size < 1000) remembered.set(code, text);
  return text;
}
