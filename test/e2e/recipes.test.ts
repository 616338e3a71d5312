import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createObk } from '../helpers/obk.ts';
import { runScript } from '../helpers/script.ts';

/** The recipes that scripts are promised, as they stand; what goes before them is what they name. */
const recipes = `
id=$(obk payment init --product sepa-credit-transfers --debtor "$MINE" --creditor-account "$IBAN" --creditor-name Shop --amount 1.00 --no-input --jq .paymentId)
obk payment authorise "$id" --sca-method sms --psu-password-from env:PSU_PW --otp-from cmd:my-otp --wait --timeout 2m || case $? in 8) exit 48;; 9) exit 49;; *) exit 50;; esac
obk accounts -o name | xargs -I{} obk transactions --account {} --date-from 2026-11-01 -o csv
obk payment status @last --watch --until ACSC --timeout 5m --json
obk api POST v1/consents --input body.json --dry-run --curl
obk report @last --output ticket.html
`;

const before = `
export OBK_PROFILE=sandbox OBK_PSU_ID=embedded-choice
export MINE=$(obk sandbox people embedded-choice --jq '.accounts[0].iban') IBAN=DE89370400440532013000
export PSU_PW=$(obk sandbox people embedded-choice --field password)
printf '#!/bin/sh\\nexec obk sandbox people embedded-choice --field otp\\n' > ../bin/my-otp
chmod +x ../bin/my-otp
obk consent create --iban "$MINE" --recurring --sca-method sms --psu-password-from env:PSU_PW --otp-from cmd:my-otp -o name >&2
`;

it('the recipes work verbatim', async () => {
  const obk = createObk();
  try {
    const wish = { access: { allPsd2: 'allAccounts' }, recurringIndicator: false, validUntil: '2099-12-31' };
    const body = { ...wish, frequencyPerDay: 1, combinedServiceIndicator: false };
    writeFileSync(join(obk.folder, 'body.json'), JSON.stringify(body));
    const { code, stdout, stderr } = await runScript(obk, `set -euo pipefail\n${before}\n${recipes}`);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('bookingDate,valueDate,amount,');
    expect(stdout).toContain('{"transactionStatus":"ACSC"}\n');
    expect(stdout).toContain("curl --request POST 'http://127.0.0.1:");
    expect(existsSync(join(obk.folder, 'ticket.html'))).toBe(true);
  } finally {
    obk.close();
  }
}, 60_000);
