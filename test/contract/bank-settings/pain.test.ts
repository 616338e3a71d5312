import { describe, expect, it } from 'vitest';
import { atBank } from '../../helpers/bank-settings.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import { file, order, takes, unnamed, unnamedBulk, urn } from './banks/pain.ts';

describe('the names in a pain.001', () => {
  const named = (starts: string, pays: string) =>
    takes(new RegExp(`<InitgPty><Nm>${starts}</Nm></InitgPty>`), new RegExp(`<Dbtr><Nm>${pays}</Nm></Dbtr>`));
  const profile = ['--debtor-name', 'M&M', '--initiating-party', 'Treasury Ltd'];
  const env = { OBK_DEBTOR_NAME: 'Variable' };
  it.each([
    ['of the profile', unnamed, 'Treasury Ltd', 'M&amp;M', profile, {}],
    ['of the profile, of a bulk', unnamedBulk(), 'Treasury Ltd', 'M&amp;M', profile, {}],
    ['of the payer, who starts it', unnamedBulk(), 'M&amp;M', 'M&amp;M', profile.slice(0, 2), {}],
    ['of a variable', unnamed, 'Treasury Ltd', 'Variable', profile, env],
    ['of flags', order(), 'Treasury Ltd', 'Payer AG', profile, env],
    ['of flags alone', [...unnamed, '--debtor-name', 'A', '--initiating-party', 'B'], 'B', 'A', [], {}],
  ] as const)('are of the version: %s', async (_, run, starts, pays, flags, more) => {
    const bank = await typedBank(named(starts, pays));
    const { code, stderr } = await atBank(bank, {}, [run], { flags, more });
    await bank.close();
    expect(code, stderr).toBe(0);
  });

  it.each([
    ['one', unnamed],
    ['a bulk', unnamedBulk()],
    ['an empty one', [...unnamed, '--debtor-name', '']],
  ] as const)('are reported as missing for %s', async (_, run) => {
    const bank = await typedBank(takes());
    const { code, stderr, name } = await atBank(bank, {}, [run]);
    expect(bank.asked).toEqual([]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Missing --debtor-name/);
    const [, line = ''] = /(config set debtorName NAME --profile \w+)/.exec(stderr) ?? [];
    const then = await atBank(bank, {}, [line.split(' ').slice(0, -2), unnamed], { name });
    expect(then.code, then.stderr).toBe(0);
    await bank.close();
  });

  it('are not part of JSON', async () => {
    const bank = await typedBank(takes());
    const json = [...unnamed.map((word) => word.replace('pain.001-', '')), '--initiating-party', 'B'];
    const { code, stderr } = await atBank(bank, {}, [json], { flags: profile });
    await bank.close();
    expect([code, stderr]).toEqual([2, expect.stringContaining('--initiating-party') as string]);
  });
});

describe('--schema', () => {
  const nine = [
    new RegExp(`xmlns="${urn}09"`),
    /<ReqdExctnDt><Dt>\d{4}-\d\d-\d\d<\/Dt><\/ReqdExctnDt>/,
    /<CdtrAgt><FinInstnId><BICFI>COBADEFF<\/BICFI>/,
  ];
  const abroad = ['--creditor-agent', 'COBADEFF'];
  const cross = 'pain.001-cross-border-credit-transfers';
  it.each([
    ['writes 09 where the bank says nothing', {}, 'pain.001.001.09', nine],
    [
      'writes 09 where the bank has 03 in its own namespace',
      { namespace: 'urn:bank:3', schemaLocation: 'urn:bank:3 a.xsd' },
      'pain.001.001.09',
      nine,
    ],
    [
      'writes 03 where the bank has 09',
      { version: 'pain.001.001.09' },
      'pain.001.001.03',
      [new RegExp(`xmlns="${urn}03"`), /<BIC>COBADEFF</, /<ReqdExctnDt>\d/],
    ],
  ] as const)('%s', async (_, pain, version, forms) => {
    const bank = await typedBank(takes(...forms));
    const run = [...order(cross), ...abroad, '--schema', version];
    const { code, stderr } = await atBank(bank, { payments: { pain } }, [run]);
    await bank.close();
    expect(code, stderr).toBe(0);
  });

  it.each([
    ['another version', [...order(), '--schema', 'pain.001.001.3'], /one of pain\.001\.001\.03, /],
    ['a file', [...file('schema.xml'), '--schema', 'pain.001.001.09'], /--input is sent as it is/],
    [
      'JSON',
      [...unnamed.map((word) => word.replace('pain.001-', '')), '--schema', 'pain.001.001.09'],
      /goes with pain\.001/,
    ],
  ] as const)('is refused for %s', async (_, run, tells) => {
    const bank = await typedBank(takes());
    const { code, stderr } = await atBank(bank, {}, [run]);
    await bank.close();
    expect(code).toBe(2);
    expect(stderr).toMatch(tells);
    expect(bank.asked).toEqual([]);
  });
});
