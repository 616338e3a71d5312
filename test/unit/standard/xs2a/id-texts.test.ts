import { expect, it } from 'vitest';
import { withIdTexts } from '../../../../src/standard/xs2a/id-texts.ts';
import { readJson, writeJson } from '../../../../src/standard/xs2a/json.ts';

it.each([
  ['{"paymentId":4711}', '{"paymentId":"4711"}', ['/paymentId']],
  ['{"consentId":12345678901234567890}', '{"consentId":"12345678901234567890"}', ['/consentId']],
  [
    '{"basketId":0,"authorisationId":7}',
    '{"basketId":"0","authorisationId":"7"}',
    ['/basketId', '/authorisationId'],
  ],
  [
    '{"scaMethods":[{"authenticationMethodId":901}]}',
    '{"scaMethods":[{"authenticationMethodId":"901"}]}',
    ['/scaMethods/0/authenticationMethodId'],
  ],
  [
    '{"chosenScaMethod":{"authenticationMethodId":1}}',
    '{"chosenScaMethod":{"authenticationMethodId":"1"}}',
    ['/chosenScaMethod/authenticationMethodId'],
  ],
  ['{"authorisationIds":[1,"b",3]}', '{"authorisationIds":["1","b","3"]}', ['/authorisationIds/0']],
  [
    '{"accounts":[{"resourceId":5,"iban":"x"}]}',
    '{"accounts":[{"resourceId":"5","iban":"x"}]}',
    ['/accounts/0/resourceId'],
  ],
  // neither a fraction, an exponent nor a sign is an id, and other members stay
  ['{"paymentId":1.5}', '{"paymentId":1.5}', []],
  ['{"paymentId":1e3}', '{"paymentId":1e3}', []],
  ['{"paymentId":-1}', '{"paymentId":-1}', []],
  ['{"paymentId":"p-1","frequencyPerDay":4}', '{"paymentId":"p-1","frequencyPerDay":4}', []],
  ['{"transactions":{"booked":[{"paymentId":1}]}}', '{"transactions":{"booked":[{"paymentId":1}]}}', []],
])('an id in a number is read as a text: %s is read as %s', (sent, read, places) => {
  const noted: string[] = [];
  const json = withIdTexts(readJson(Buffer.from(sent)), (at, what) => {
    if (!noted.some((one) => one.endsWith(what))) noted.push(`${at} ${what}`);
  });
  expect(writeJson(json)).toBe(read);
  expect(noted.map((one) => one.split(' ')[0])).toEqual(places);
});
