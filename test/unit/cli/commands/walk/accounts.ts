import { answers } from './walk.ts';
import type { Cases, Walk } from './walk.ts';

const own = '--account DE65990010000000002443';

/** A consent to everything, valid and active. */
export async function access(walk: Walk): Promise<string> {
  const made = (await walk.json(
    `consent create --all-psd2 --recurring --psu-id embedded-choice ${answers}`,
  )) as { consentId: string };
  return made.consentId;
}

const reading =
  (words: string) =>
  async (walk: Walk): Promise<string> =>
    `${words} --consent ${await access(walk)}`;

/** The card of a PSU, at a profile of the whole framework, with a consent that shows it. */
const card =
  (words: (pan: string) => string) =>
  async (walk: Walk): Promise<string> => {
    const { bank } = walk;
    const { psuId, cards, password, otp } = bank.person('cards');
    await walk.run(['profile', 'delete', 'whole', '--yes']);
    await walk.json(
      `profile create whole --base-url ${bank.baseUrl} --certificate ${bank.certificatePath} --key ${bank.keyPath} --surface framework --psu-ip 192.0.2.1`,
    );
    const secrets = `--psu-password-from file:${walk.file('password', password)} --otp-from file:${walk.file('otp', otp)}`;
    const { consentId } = (await walk.json(
      `consent create --all-psd2 --recurring --psu-id ${psuId} ${secrets} --profile whole`,
    )) as { consentId: string };
    return `${words(`masked-pan:${cards[0]!.maskedPan}`)} --consent ${consentId} --profile whole`;
  };

/** A profile of the bare service, which reads no card account further than the list. */
const service =
  (words: string) =>
  async (walk: Walk): Promise<string> => {
    await walk.run(['profile', 'create', 'service', '--base-url', walk.bank.baseUrl, '--signing', 'none']);
    return `${words} --profile service`;
  };

export const accounts: Cases = {
  'consent create': {
    runs: [
      { words: '--all-psd2 --psu-id redirect' },
      { words: `--all-psd2 --recurring --psu-id embedded-choice ${answers}` },
      { words: '--all-psd2 --psu-id redirect --authorise-later --explicit yes' },
      { words: '--all-psd2 --psu-id redirect --wait --timeout 50ms', exit: 8 },
    ],
    fails: [
      { words: '', exit: 2, code: 'USAGE' },
      { words: '--iban DE00', exit: 2, code: 'INPUT_INVALID' },
    ],
  },
  'consent authorise': {
    runs: [
      { words: async (walk) => `${await walk.consent('embedded-choice')} ${answers}` },
      { words: (walk) => walk.consent(), exit: 8 },
    ],
    fails: [{ words: (walk) => walk.consent('embedded-choice'), exit: 2, code: 'INTERACTION_NEEDED' }],
  },
  'consent get': {
    runs: [{ words: access }],
    fails: [{ words: 'none-such', exit: 4, code: 'AUTH_NEEDED' }],
  },
  'consent status': {
    runs: [
      { words: access },
      {
        words: async (walk) => `${await walk.consent()} --until valid --timeout 50ms --interval 10ms`,
        exit: 8,
      },
    ],
    fails: [{ words: 'none-such', exit: 4, code: 'AUTH_NEEDED' }],
  },
  'consent list': {
    runs: [{ words: '' }],
    fails: [{ words: '--profile none-such', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'consent use': {
    runs: [{ words: access }],
    fails: [{ words: (walk) => walk.consent(), exit: 4, code: 'CONSENT_NEEDED' }],
  },
  'consent renew': {
    runs: [{ words: async (walk) => `${await access(walk)} ${answers}` }],
    fails: [{ words: async (walk) => `${await access(walk)} --frequency 0`, exit: 2, code: 'USAGE' }],
  },
  'consent delete': {
    runs: [{ words: async (walk) => `${await access(walk)} --yes` }],
    fails: [{ words: 'none-such --yes', exit: 4, code: 'AUTH_NEEDED' }],
  },
  'accounts list': {
    runs: [{ words: reading('') }, { words: reading('--with-balance') }],
    fails: [{ words: '--consent none-such', exit: 4, code: 'AUTH_NEEDED' }],
  },
  'accounts get': {
    runs: [{ words: reading('DE65990010000000002443') }],
    fails: [{ words: 'DE65990010000000002443 --consent none-such', exit: 4, code: 'AUTH_NEEDED' }],
  },
  'accounts balances': {
    runs: [{ words: reading('DE65990010000000002443') }],
    fails: [{ words: 'DE65990010000000002443 --consent none-such', exit: 4, code: 'AUTH_NEEDED' }],
  },
  'transactions list': {
    runs: [{ words: reading(`${own} --all`) }],
    fails: [{ words: `${own} --consent none-such`, exit: 4, code: 'AUTH_NEEDED' }],
  },
  'transactions get': {
    runs: [
      {
        words: async (walk) => {
          const consent = await access(walk);
          const [row] = (await walk.json(`transactions list ${own} --limit 1 --consent ${consent}`)) as {
            transactionId: string;
          }[];
          return `${row?.transactionId ?? ''} ${own} --consent ${consent}`;
        },
      },
    ],
    fails: [{ words: reading(`none-such ${own}`), exit: 5, code: 'REFUSED' }],
  },
  'transactions read': {
    runs: [
      { words: (walk) => walk.file('statement.xml', statement) },
      { words: (walk) => `${walk.file('statement.xml', statement)} --meta` },
    ],
    fails: [{ words: (walk) => walk.file('statement.txt', 'no report'), exit: 2, code: 'INPUT_INVALID' }],
  },
  'cards list': {
    runs: [{ words: card((_) => '') }],
    fails: [{ words: '--consent none-such', exit: 4, code: 'AUTH_NEEDED' }],
  },
  'cards get': {
    runs: [{ words: card((pan) => pan) }, { words: card((pan) => `${pan} --with-balance`) }],
    fails: [{ words: service('x'), exit: 2, code: 'NOT_OFFERED' }],
  },
  'cards balances': {
    runs: [{ words: card((pan) => pan) }],
    fails: [{ words: service('x'), exit: 2, code: 'NOT_OFFERED' }],
  },
  'cards transactions': {
    runs: [{ words: card((pan) => `--account ${pan} --all`) }],
    fails: [{ words: service('--account x'), exit: 2, code: 'NOT_OFFERED' }],
  },
  'funds check': {
    runs: [
      { words: `${own} --amount 12.50` },
      { words: `${own} --amount 99999999.00 --exit-status`, exit: 9 },
    ],
    fails: [{ words: own, exit: 2, code: 'USAGE' }],
  },
};

const statement = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-02</Dt></BookgDt></Ntry>
</Stmt></BkToCstmrStmt></Document>`;
