import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../../../src/client/orders/field-parts.ts';
import { readReporting } from '../../../../../src/client/orders/field-parts.ts';
import { good, lint } from '../../../standard/formats/pain001-linted.ts';
import { file, obk, profileWith } from './payments.ts';

const json = (country: string) =>
  JSON.stringify({
    debtorAccount: { iban: 'DE02120300000000202051' },
    instructedAmount: { currency: 'EUR', amount: '1.00' },
    creditorAccount: { iban: 'DE89370400440532013000' },
    creditorName: 'Shop',
    creditorAddress: { townName: 'Ort', country },
  });
const csv = (column: string, country: string) =>
  `creditor_name,creditor_iban,amount,creditor_city,creditor_country,reporting_country,reporting_code\n` +
  `Shop,DE89370400440532013000,12.50,Ort,${column === 'creditor' ? country : 'DE'},${column === 'reporting' ? country : 'FR'},150\n`;
const ofCsv = (column: string) => async (country: string) => {
  const line = [
    'payment',
    'init',
    '--service',
    'bulk-payments',
    '--product',
    'pain.001-cross-border-credit-transfers',
  ];
  const more = [
    '--debtor',
    'DE65990010000000002443',
    '--debtor-name',
    'Payer',
    '--profile',
    await profileWith(),
    '--dry-run',
  ];
  const { code, stderr } = await obk([...line, ...more, '--from-csv', file('c.csv', csv(column, country))]);
  return code === 0 ? '' : stderr;
};
const why = (read: { ok: true } | { ok: false; why: string }) => Promise.resolve(read.ok ? '' : read.why);

/** What each place at which a country is given says of one; '' where it is taken. */
const places: Readonly<Record<string, (country: string) => Promise<string>>> = {
  'an address of flags': (country) => why(readAddress(`city=Ort; country=${country}`)),
  'a report of flags': (country) => why(readReporting(`country=${country}; code=150`)),
  'the address of a CSV': ofCsv('creditor'),
  'the report of a CSV': ofCsv('reporting'),
  'a payment in JSON that is linted': async (country) => {
    // The interface leaves the code to the bank, so lint warns of it.
    const { stdout, code } = await obk(['payment', 'lint', '--strict', file('p.json', json(country))]);
    return code === 0 ? '' : stdout;
  },
  'a pain.001 that is linted': async (country) => {
    const xml = good.replace(
      '<Nm>Anna</Nm>',
      `<Nm>Anna</Nm><PstlAdr><TwnNm>Ort</TwnNm><Ctry>${country}</Ctry></PstlAdr>`,
    );
    return (await lint(xml)).findings.map(({ text }) => text).join();
  },
  'a residence in a pain.001 that is linted': async (country) => {
    const xml = good.replace('<Nm>Anna</Nm>', `<Nm>Anna</Nm><CtryOfRes>${country}</CtryOfRes>`);
    return (await lint(xml)).findings.map(({ text }) => text).join();
  },
};

describe.each(Object.entries(places))('%s', (_, judge) => {
  it.each(['DE', 'GB', 'CH', 'XK', 'GR', 'AX', 'GG', 'US', 'SX', 'BQ'])('takes %s', async (country) => {
    expect(await judge(country)).toBe('');
  });

  it.each(['XQ', 'ZZ', 'AN', 'EU', 'XX', 'QQ', 'AA'])('refuses %s, which is no country', async (country) => {
    expect(await judge(country)).toContain('which is no country of ISO 3166');
  });

  it('says which country was meant', async () => {
    expect(await judge('UK')).toContain('(GB is)');
    expect(await judge('EL')).toContain('(GR is)');
  });
});
