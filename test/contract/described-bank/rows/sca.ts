import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { consentOf, paymentOf, payments } from '../../../helpers/described-bank.ts';
import type { DescribedBank, Told } from '../../../helpers/described-bank.ts';
import { pay } from './row.ts';
import type { Row } from './row.ts';

interface Made {
  paymentId: string;
  _links: Record<string, { href: string } | undefined>;
}

const madeBy = async (bank: DescribedBank, psuId: string): Promise<Made> => {
  const { json } = await bank.ask('POST', payments, {
    headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': 'https://tpp.example/back' },
    json: paymentOf(bank, psuId),
  });
  return json as Made;
};

/** The start of an authorisation by a password, or by what is given in its place. */
const startBy =
  (psuId: string, psuDataOf?: (bank: DescribedBank, made: Made) => Promise<object>): Row['ask'] =>
  async (bank) => {
    const made = await madeBy(bank, psuId);
    const psuData = (await psuDataOf?.(bank, made)) ?? { password: bank.bank.person(psuId).password };
    const path = `${payments}/${made.paymentId}/authorisations`;
    return bank.ask('POST', path, { headers: { 'PSU-ID': psuId }, json: { psuData } });
  };

/** The status of an authorisation at its link, once the PSU has done this. */
const scaStatus =
  (after?: (bank: DescribedBank, made: Made) => void): Row['ask'] =>
  async (bank) => {
    const made = await madeBy(bank, 'redirect');
    after?.(bank, made);
    return bank.ask('GET', made._links['scaStatus']?.href ?? '/none');
  };

/** A compact JWE (RFC 7516) under the certificate at a path. */
const encryptedAt = (path: string, alg: 'RSA-OAEP' | 'RSA-OAEP-256') => async (bank: DescribedBank) => {
  const certificate = await bank.ask('GET', path);
  if (certificate.status !== 200) return {};
  const part = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
  const head = part(JSON.stringify({ alg, enc: 'A256GCM' }));
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  const wrapped = publicEncrypt(
    {
      key: createPublicKey(certificate.text),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: alg === 'RSA-OAEP' ? 'sha1' : 'sha256',
    },
    key,
  );
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(head));
  const text = Buffer.concat([cipher.update(bank.bank.person('embedded-one').password), cipher.final()]);
  return {
    encryptedPassword: [head, part(wrapped), part(iv), part(text), part(cipher.getAuthTag())].join('.'),
  };
};
const own = '/sandbox/password-certificate';
const encrypted = (more: object) => ({ sca: { passwordEncryption: more } });
const explicitly = { sca: { startMode: 'encrypted' } };

/** The page to which a link leads, so long after it was given. */
const pageLater =
  (later: string): Row['ask'] =>
  async (bank): Promise<Told> => {
    const { _links } = await madeBy(bank, 'redirect');
    bank.bank.clock(later);
    return bank.ask('GET', new URL(_links['scaRedirect']?.href ?? bank.bank.baseUrl).pathname);
  };

/** The banks of single settings of the strong customer authentication. */
export const scaRows: readonly Row[] = [
  {
    always: explicitly,
    settings: encrypted({ kind: 'RSA-OAEP' }),
    ask: startBy('embedded-one', encryptedAt(own, 'RSA-OAEP')),
    told: /^201.*scaMethodSelected/,
  },
  {
    always: explicitly,
    settings: encrypted({ certificateLink: 'passwordCertificate' }),
    ask: ({ ask, bank }) =>
      ask('POST', payments, {
        headers: { 'PSU-ID': 'embedded-one' },
        json: paymentOf({ ask, bank }, 'embedded-one'),
      }),
    told: /"passwordCertificate":\{"href":/,
  },
  {
    always: explicitly,
    settings: encrypted({ certificatePath: '/pb/password.pem' }),
    ask: startBy('embedded-one', encryptedAt('/pb/password.pem', 'RSA-OAEP-256')),
    told: /^201.*scaMethodSelected/,
  },
  {
    settings: { sca: { authorisationIdFrom: 'resourceId' } },
    ask: pay(),
    told: /"scaStatus":\{"href":"[^"]*\/([0-9a-f-]+)\/authorisations\/\1"/,
  },
  { settings: { sca: { statusFrom: 'resource' } }, ask: scaStatus(), told: /^40[45]/ },
  {
    settings: { sca: { statusAliases: { DONE: 'finalised' } } },
    ask: scaStatus((bank, { paymentId }) => bank.bank.decide('approve', paymentId, 'redirect')),
    told: /"scaStatus":"DONE"/,
  },
  {
    settings: { sca: { authTypeAliases: { PUSH_TAN: 'SMS_OTP' } } },
    ask: startBy('embedded-choice'),
    told: /"authenticationType":"PUSH_TAN"/,
  },
  {
    settings: { sca: { challengeData: 'text' } },
    ask: startBy('embedded-one'),
    told: /"challengeData":\{[^}]*"data":"/,
  },
  {
    settings: { decode: { otpAsString: true } },
    ask: startBy('embedded-one'),
    told: /"otpMaxLength":"\d+"/,
  },
  {
    settings: { sca: { redirectLifetimeS: 30 } },
    ask: pageLater('+31s'),
    told: /^\d+ (?![^]*<title>Log in)/,
  },
  {
    settings: { sca: { confirmationCode: true } },
    ask: scaStatus((bank, { paymentId }) => bank.bank.decide('approve', paymentId, 'redirect')),
    told: /"scaStatus":"unconfirmed"/,
  },
  {
    settings: { consent: { deleteNeedsSca: true } },
    ask: async (bank) => bank.ask('DELETE', `/v1/consents/${await consentOf(bank)}`),
    told: /^202/,
  },
];
