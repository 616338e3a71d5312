import { describe, expect, it } from 'vitest';
import { isOfAnotherPsu, unusedVariables } from '../../../../../src/cli/commands/flags/psu-variables.ts';

const env = { OBK_PSU_ID: 'anna', OBK_PSU_PASSWORD_FROM: 'env:P', OBK_OTP_FROM: 'env:O', OBK_TOKEN: 't' };

describe('a variable with a secret', () => {
  it.each<[string, string | undefined, Record<string, string>, boolean]>([
    ['OBK_PSU_PASSWORD_FROM', 'bert', env, true],
    ['OBK_PSU_ADDITIONAL_ENCRYPTED_PASSWORD_FROM', 'bert', env, true],
    ['OBK_OTP_FROM', 'bert', env, true],
    ['OBK_OTP_FROM', 'anna', env, false],
    ['OBK_OTP_FROM', undefined, env, false],
    ['OBK_OTP_FROM', 'bert', { OBK_OTP_FROM: 'env:O' }, false],
    ['OBK_OTP_FROM', 'bert', { ...env, OBK_PSU_ID: '' }, false],
    ['OBK_KEY_PASSPHRASE_FROM', 'bert', env, false],
    ['OBK_SCA_METHOD', 'bert', env, false],
  ])('%s is another’s for --psu-id %s', (variable, psuId, variables, expected) => {
    expect(isOfAnotherPsu(variable, psuId, variables)).toBe(expected);
  });

  it('is named where it is not used', () => {
    expect(unusedVariables('bert', env)).toBe(
      'OBK_OTP_FROM, OBK_PSU_PASSWORD_FROM go with OBK_PSU_ID (anna) and are not used for bert.',
    );
    expect(unusedVariables('anna', env)).toBeUndefined();
  });
});
