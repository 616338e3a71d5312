// Names that a bank, a file or a person gives, and that every object of JavaScript has too.
import { describe, expect, it } from 'vitest';
import { readCurl } from '../../../src/client/captures/read-curl.ts';
import { needAll } from '../../../src/client/call/bank-headers.ts';
import { rolesText } from '../../../src/client/doctor/examine.ts';
import { lintPayment } from '../../../src/client/orders/lint-payment.ts';
import { operation } from '../../../src/standard/xs2a/operations.ts';
import { fieldsOf } from '../../../src/standard/xs2a/products.ts';
import { readLinks } from '../../../src/standard/xs2a/links.ts';
import { world } from '../../helpers/world.ts';

const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];
const options = { framework: '1.3.2', today: '2026-11-21', strict: false } as const;

describe.each(names)('what is called %s', (name) => {
  it('is a role of a certificate like any other that nobody knows', () => {
    const psd2 = { roles: [{ name: 'PSP_PI' }, { name }] };
    expect(rolesText({ qcStatements: { psd2 } } as never)).toBe(`, for payments, ${name}`);
  });

  it('is a link of a bank that is kept', () => {
    const { unknown } = readLinks({ [name]: { href: '/v1/elsewhere' } });
    expect(Object.entries(unknown)).toEqual([[name, '/v1/elsewhere']]);
  });

  it('is an element that pain.001 does not have', async () => {
    const xml = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn><GrpHdr><${name}>1</${name}></GrpHdr></CstmrCdtTrfInitn></Document>`;
    const { findings } = await lintPayment(Buffer.from(xml), options);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ text }) => !text.includes(`${name} has`))).toBe(true);
  });

  it('is a member that no product has', async () => {
    const body = {
      debtorAccount: { iban: 'DE40100100103307118608' },
      instructedAmount: { currency: 'EUR', amount: '1.00' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Shop',
      [name]: 'x',
    };
    const product = 'sepa-credit-transfers';
    const { findings } = await lintPayment(Buffer.from(JSON.stringify(body)), { ...options, product });
    expect(findings).toMatchObject([{ severity: 'warning', path: name, rule: 'product' }]);
    expect((fieldsOf(product) as Readonly<Record<string, unknown>>)[name]).toBeUndefined();
  });

  it('is a word of a curl command and no header', () => {
    expect(readCurl(['curl', name, '--url', 'https://bank.example/v1/consents'])).toMatchObject({
      headers: [],
    });
  });

  it('is a header that no flag gives', async () => {
    const { target } = await world();
    const missing = { missing: [{ name }] } as never;
    const need = () => {
      needAll(target, operation('getAccountList'), missing, { operation: 'getAccountList', params: {} });
    };
    expect(need).toThrow(`requires ${name} with getAccountList`);
  });
});
