import { describe, expect, it } from 'vitest';
import { maskAccounts } from '../../../../src/client/redaction/masking.ts';
import {
  cutKnown,
  isSecretHeader,
  redactHeaders,
  redactMessage,
  redactText,
  redactUrl,
} from '../../../../src/client/redaction/redact.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { encodings } from '../encodings.ts';

describe('the removal of secrets by structure', () => {
  it.each([
    ['{"psuData":{"password":"hunter2"}}', '{"psuData":{"password":"[secret]"}}'],
    [
      '{"psuData" : { "encryptedPassword" : "a\\"b\\\\" } }',
      '{"psuData" : { "encryptedPassword" : "[secret]" } }',
    ],
    ['{"psuData":{"additionalPassword":"x"}}', '{"psuData":{"additionalPassword":"[secret]"}}'],
    [
      '{"psuData":{"additionalEncryptedPassword":"x"}}',
      '{"psuData":{"additionalEncryptedPassword":"[secret]"}}',
    ],
    ['{"scaAuthenticationData":"1"}', '{"scaAuthenticationData":"[secret]"}'],
    ['{"scaAuthenticationData":123456,"a":1}', '{"scaAuthenticationData":[secret],"a":1}'],
    ['{"confirmationCode":"1"}', '{"confirmationCode":"[secret]"}'],
    [
      '{"access_token":"x","refresh_token":"y","id_token":"z"}',
      '{"access_token":"[secret]","refresh_token":"[secret]","id_token":"[secret]"}',
    ],
    ['{"client_secret":"x","code_verifier":"y"}', '{"client_secret":"[secret]","code_verifier":"[secret]"}'],
    // Damaged and cut off.
    ['{"password":"hunt', '{"password":"[secret]"'],
    // The codes of the interface are no secrets.
    ['{"tppMessages":[{"code":"FORMAT_ERROR"}]}', '{"tppMessages":[{"code":"FORMAT_ERROR"}]}'],
    ['{"passwordHint":"x","otpFormat":"integer"}', '{"passwordHint":"x","otpFormat":"integer"}'],
  ])('cuts the member: %s', (text, expected) => {
    expect(redactText(text).replace(/"$/, '')).toBe(expected.replace(/"$/, ''));
  });

  it.each([
    ['https://b/cb?code=abc&state=xyz&x=1', 'https://b/cb?code=[secret]&state=[secret]&x=1'],
    ['https://b/cb?x=1#access_token=abc', 'https://b/cb?x=1#access_token=[secret]'],
    ['https://b/cb?confirmationCode=abc', 'https://b/cb?confirmationCode=[secret]'],
    ['https://b/cb?barcode=abc', 'https://b/cb?barcode=abc'],
    ['https://b/cb?CODE=abc#x', 'https://b/cb?CODE=[secret]#x'],
    ['code=abc', 'code=[secret]'],
    ['"https://b/cb?code=abc" of it', '"https://b/cb?code=[secret]" of it'],
    ['https://b/cb?code=abc of it', 'https://b/cb?code=[secret] of it'],
  ])('cuts the parameter: %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });

  it.each([
    ...['password', 'encryptedPassword', 'additionalPassword', 'additionalEncryptedPassword'],
    ...['scaAuthenticationData', 'confirmationCode', 'confirmationcode', 'access_token', 'refresh_token'],
    ...['id_token', 'client_secret', 'code', 'code_verifier', 'assertion', 'state'],
  ])('cuts %s in a URL', (name) => {
    expect(redactUrl(`https://b/cb?x=1&${name}=abc`)).toBe(`https://b/cb?x=1&${name}=[secret]`);
  });

  it('cuts secrets in headers', () => {
    const bearer = new Secret('Bearer tok-header-0001');
    expect(
      redactHeaders([
        ['Authorization', bearer],
        ['authorization', 'Basic x'],
        ['Cookie', 'a=b'],
        ['Set-Cookie', 'a=b'],
        ['PSD2-AUTHORIZATION', 'x'],
        ['X-Echo', 'it was Bearer tok-header-0001'],
        ['Location', 'https://b/cb?code=abc'],
        ['Referer', 'https://b/cb?code=abc'],
        ['Content-Location', 'https://b/cb?code=abc'],
        ['Location-Of', 'https://b/cb?code=abc'],
        ['X-Plain', new Secret('of-no-known-name')],
        ['PSU-ID', 'anna'],
      ]),
    ).toEqual([
      ['Authorization', '[secret]'],
      ['authorization', '[secret]'],
      ['Cookie', '[secret]'],
      ['Set-Cookie', '[secret]'],
      ['PSD2-AUTHORIZATION', '[secret]'],
      ['X-Echo', 'it was [secret]'],
      ['Location', 'https://b/cb?code=[secret]'],
      ['Referer', 'https://b/cb?code=[secret]'],
      ['Content-Location', 'https://b/cb?code=abc'],
      ['Location-Of', 'https://b/cb?code=abc'],
      ['X-Plain', '[secret]'],
      ['PSU-ID', 'anna'],
    ]);
    expect(isSecretHeader('Proxy-Authorization')).toBe(true);
    expect(isSecretHeader('Accept')).toBe(false);
  });

  it('never cuts the return address, which must be sent again unchanged', () => {
    const uri = 'http://127.0.0.1:9901/abc?state=s-1';
    expect(redactHeaders([['TPP-Redirect-URI', uri]])).toEqual([['TPP-Redirect-URI', uri]]);
  });
});

describe('the removal of secrets by value', () => {
  it.each(['739184', '52918374', 'A-739184'])('cuts an encoded OTP such as %s at every alignment', (otp) => {
    new Secret(otp);
    for (const before of ['', 'x', 'xy', 'xyz']) {
      for (const after of ['', '!', '!!', '!!!']) {
        for (const name of ['hex', 'HEX', 'base64', 'base64url']) {
          const text = encodings[name]?.(otp, before, after) ?? '';
          expect(`${name} ${before} ${after} ${redactText(text)}`).toContain('[secret]');
        }
      }
    }
  });

  it.each([
    ['739185', '{"otp":"739185"}', '{"otp":"[secret]"}'],
    ['739185', 'the code 739185 is wrong', 'the code [secret] is wrong'],
    ['739185', 'otp=739185&x=1', 'otp=[secret]&x=1'],
    ['739185', '739185', '[secret]'],
    ['739185', '(739185), 739185.', '([secret]), [secret].'],
    ['739185', '{"text":"code:\\n739185\\r\\n"}', '{"text":"code:\\n[secret]\\r\\n"}'],
    ['739185', '-739185', '-[secret]'],
    ['739185', ' -739185', ' -[secret]'],
    ['739185', 'pay-739185', 'pay-739185'],
    ['4711', 'PIN 4711, 34373131, NDcxMQ', 'PIN [secret], 34373131, NDcxMQ'],
    ['elevenchars', 'an elevenchars, aelevenchars', 'an [secret], aelevenchars'],
    ['twelve-chars', 'atwelve-charsb', 'a[secret]b'],
    // Parts of ids, amounts and dates are no secrets.
    ['739185', 'pay-739185-x', 'pay-739185-x'],
    ['739185', '7391850', '7391850'],
    ['739185', 'x739185', 'x739185'],
    ['739185', '739185.00 EUR', '739185.00 EUR'],
    ['739185', 'DE40739185', 'DE40739185'],
    ['4000', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001'],
    ['4000', '/v1/payments/4000_1/status', '/v1/payments/4000_1/status'],
    ['2031', '2031-11-21', '2031-11-21'],
    ['a.c+', 'a.c+ abc+', '[secret] abc+'],
  ])('cuts a short secret (%s) where it stands by itself: %s', (value, text, expected) => {
    new Secret(value);
    expect(redactText(text)).toBe(expected);
  });

  it('cuts a value with escaped characters as a whole in each form', () => {
    const value = 'p+ss/w"rd é~key';
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const forms: [string, string][] = [
      ['as it is', 'p+ss/w"rd é~key'],
      ['in a URL', 'p%2Bss%2Fw%22rd%20%C3%A9~key'],
      ['in a URL, in small letters', 'p%2bss%2fw%22rd%20%c3%a9~key'],
      ['in a form', 'p%2Bss%2Fw%22rd+%C3%A9%7Ekey'],
      ['in a form, in small letters', 'p%2bss%2fw%22rd+%c3%a9%7ekey'],
      ['in JSON', 'p+ss/w\\"rd é~key'],
      ['in JSON with slashes escaped', 'p+ss\\/w\\"rd é~key'],
      ['in JSON of ASCII', 'p+ss/w\\"rd \\u00e9~key'],
      ['in JSON of ASCII with slashes escaped', 'p+ss\\/w\\"rd \\u00e9~key'],
      ['in JSON in JSON', 'p+ss/w\\\\\\"rd é~key'],
      ['in JSON of ASCII in JSON', 'p+ss/w\\\\\\"rd \\\\u00e9~key'],
      ['in JSON in JSON, with slashes escaped', 'p+ss\\\\/w\\\\\\"rd é~key'],
      ['in hex', '702b73732f7722726420c3a97e6b6579'],
      ['in HEX', '702B73732F7722726420C3A97E6B6579'],
      ['URL-encoded, in hex', hex('p%2Bss%2Fw%22rd%20%C3%A9~key')],
      ['in JSON, in HEX', hex('p+ss/w\\"rd é~key').toUpperCase()],
      ['in hex, in hex', hex(hex(value))],
    ];
    new Secret(value);
    const left = forms.filter(([, form]) => redactText(`a${form}b`) !== 'a[secret]b');
    expect(left).toEqual([]);
  });

  it('cuts base64 in a URL as a whole', () => {
    new Secret('>>>?>>???~~~+++');
    expect(redactText('a%2BPj4+Pz4+Pz8/fn5+Kysrb')).toBe('a%2B[secret]b');
    expect(redactText('aPj4%2BPz4%2BPz8%2Ffn5%2BKysrb')).toBe('a[secret]b');
  });

  // Plus and slash stand in base64 of the first, and in none of the second.
  it.each(['>>>?>>???~~~>>>', 'Kl0nd1ke-Zz'])(
    'leaves of base64 no more than a neighbour reveals: %s',
    (value) => {
      new Secret(value);
      for (const encoding of ['base64', 'base64url'] as const) {
        for (const before of [0, 1, 2]) {
          for (const after of [0, 1, 2]) {
            const text = Buffer.from('x'.repeat(before) + value + 'x'.repeat(after)).toString(encoding);
            const start = Math.ceil((before * 8) / 6);
            const end = Math.floor(((before + value.length) * 8) / 6);
            expect(redactText(`!${text}!`)).toBe(`!${text.slice(0, start)}[secret]${text.slice(end)}!`);
          }
        }
      }
    },
  );

  it('finds each of several secrets, wherever they stand', () => {
    new Secret('first-of-several');
    new Secret('other-of-several');
    expect(redactText('first-of-severalother-of-several')).toBe('[secret][secret]');
  });

  it.each([
    'The password is wrong; attempts left: 4.',
    '{"tppMessages":[{"text":"The password is wrong.","path":"psuData.password"}]}',
    '{"tppMessages":[{"text":"password: wrong"}]}',
    'The member "password" is missing. Wrong password!',
    '<Text>password is wrong</Text>',
  ])('leaves the words of a bank where a secret is one of them: %s', (text) => {
    for (const word of ['password', 'wrong']) new Secret(word);
    expect(cutKnown(text)).toBe(text);
  });

  it.each([
    ['password', '[secret]'],
    ['{"echo":"password","password": 1}', '{"echo":"[secret]","password": 1}'],
    ['{"all":["wrong", "password"]}', '{"all":["[secret]", "[secret]"]}'],
    [String.raw`{"said":"{\"is\":\"password\"}"}`, String.raw`{"said":"{\"is\":\"[secret]\"}"}`],
    ['<Echo>password</Echo>', '<Echo>[secret]</Echo>'],
    ['https://b/?given=password&then=wrong', 'https://b/?given=[secret]&then=[secret]'],
    ['It got password: password.', 'It got password: [secret].'],
  ])('cuts such a secret where it is a value: %s', (text, expected) => {
    for (const word of ['password', 'wrong']) new Secret(word);
    expect(cutKnown(text)).toBe(expected);
  });

  it('cuts any other secret word out of sentences, too', () => {
    new Secret('sunshine');
    expect(cutKnown('The password sunshine is wrong.')).toBe('The password [secret] is wrong.');
  });

  it('skips a value that is too short: it would blacken everything', () => {
    new Secret('123');
    expect(redactText('123 123')).toBe('123 123');
  });

  it.each(['abc', 'DE40', '12.50', '{"a":1}', 'RCVD', '€'])(
    'leaves what is not a secret as it is: %s',
    (text) => {
      expect(redactText(text)).toBe(text);
    },
  );

  it('puts a mark of the caller in place of each', () => {
    new Secret('long-enough-value');
    const mark = (member?: string) => `<${member ?? 'value'}>`;
    expect(redactText('{"password":"x"} long-enough-value $& ', mark)).toBe(
      '{"password":"<password>"} <value> $& ',
    );
    expect(redactUrl('https://b/?code=1', mark)).toBe('https://b/?code=<code>');
  });

  it('adds nothing to what a bank says', () => {
    expect(redactMessage({ category: 'ERROR', code: 'X' })).toStrictEqual({ category: 'ERROR', code: 'X' });
  });

  it('covers what a bank says', () => {
    new Secret('long-enough-value');
    expect(
      redactMessage({
        category: 'ERROR',
        code: 'X',
        path: 'long-enough-value',
        text: 'not long-enough-value',
      }),
    ).toEqual({ category: 'ERROR', code: 'X', path: '[secret]', text: 'not [secret]' });
  });
});

describe('the masking of accounts in records', () => {
  it.each([
    ['{"iban":"DE40100100103307118608"}', '{"iban":"DE40…8608"}'],
    ['NL91ABNA0417164300', 'NL91…4300'],
    ['MT84MALT011000012345MTLCAST001S', 'MT84…001S'],
    ['OBK0123456789ABCDEF0123456789ABC', 'OBK0123456789ABCDEF0123456789ABC'],
    ['0000-DE40', '0000-DE40'],
  ])('applies to: %s', (text, expected) => {
    expect(maskAccounts(text)).toBe(expected);
  });
});

describe('a long text', () => {
  const filler = '<Cd>SEPA</Cd><Nm>Payee of the month</Nm>\n'.repeat(4000);
  const value = 'Wh0le-l0ng+s/cret';
  const secret = new Secret(value);

  it('is unchanged without a secret', () => {
    expect(redactText(filler)).toBe(filler);
  });

  it.each([
    ['plain', value],
    ['as base64', Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -1)],
    ['as hex', Buffer.from(value).toString('hex')],
    ['in a URL', encodeURIComponent(value)],
  ])('loses a secret that stands at its end %s', (_, form) => {
    expect(secret.reveal()).toBe(value);
    const cut = redactText(`${filler}<Ustrd>${form}</Ustrd>`);
    expect(cut.slice(filler.length)).toMatch(/^<Ustrd>\[secret\].?<\/Ustrd>$/);
    expect(cut.startsWith(filler)).toBe(true);
  });

  it('loses a secret member by its name', () => {
    expect(redactText(`${filler}{"password":"x"}`)).toBe(`${filler}{"password":"[secret]"}`);
  });
});
