/** The types of an entry of MT940 and MT942. Source: SWIFT User Handbook, category 9, field 61, sub-field 6. */
const types: ReadonlySet<string> = new Set(
  (
    'BNK BOE BRF CAR CAS CHG CHK CLR CMI CMN CMP CMS CMT CMZ COL COM CPN DCR DDT DIS DIV EQA ECK FEX FXT INT LBX LDP MAR ' +
    'MAT MGT MSC NWI ODC OPT PCH POP PRN REC RED RIG RTI SAL SEC SLE STO STP SUB SWP TAX TCK TCM TRA TRF TRN UWC VDA WAR'
  ).split(' '),
);

/** Whether three letters are a type that SWIFT has. */
export const isSwiftType = (letters: string): boolean => types.has(letters);
