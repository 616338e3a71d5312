import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pairedRatio } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';

const pairs = 15;

/** P5: one signed read at the standalone bank, beside Node doing nothing and beside bash with curl and openssl. */
export async function signedRequest(machine: Machine): Promise<Figure[]> {
  const { bank } = machine;
  const { baseUrl } = bank;
  const { certificatePath, keyPath } = bank;
  // A profile as for any other bank: the built-in one would also look for the bank it carries.
  bank.obk(
    'profile',
    'create',
    'bench',
    '--base-url',
    baseUrl,
    '--variant',
    'v1',
    '--environment',
    'sandbox',
    '--certificate',
    certificatePath,
    '--key',
    keyPath,
  );
  const created = JSON.parse(
    bank.obk(...paymentArgs, '--profile', 'bench', '--debtor', bank.payer().iban, '--json'),
  ) as { paymentId: string };
  const status = ['payment', 'status', created.paymentId, '--profile', 'bench', '--json'];
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  const script = join(folder, 'signed-status.sh');
  writeFileSync(
    script,
    bashScript({
      certificate: certificatePath,
      key: keyPath,
      url: `${baseUrl}/v1/payments/sepa-credit-transfers/${created.paymentId}/status`,
    }),
  );
  const nothing = machine.node(['-e', '0']);
  const bash = { argv: ['bash', script], env: machine.env } as const;
  const obk = await pairedRatio(machine.obk(status), nothing, pairs);
  const beside = await pairedRatio(machine.obk(status), bash, pairs);
  const shell = await pairedRatio(bash, nothing, pairs);
  rmSync(folder, { recursive: true, force: true });
  return [
    {
      id: 'P5',
      what: 'obk payment status (signed, http) / node -e 0',
      ratio: obk.ratio,
      goal: 3.8,
      note: 'stretch 2.80',
    },
    {
      id: 'P5',
      what: 'obk payment status / the same call by bash, curl, openssl',
      ratio: beside.ratio,
      goal: Number.NaN,
    },
    { id: 'P5', what: 'bash, curl, openssl / node -e 0', ratio: shell.ratio, goal: Number.NaN },
  ];
}

/** A payment that waits for its PSU: what the benches read and write. */
export const paymentArgs = [
  'payment',
  'init',
  '--product',
  'sepa-credit-transfers',
  '--no-input',
  '--creditor-account',
  'DE89370400440532013000',
  '--creditor-name',
  'Shop',
  '--amount',
  '1.00',
] as const;

function bashScript({ certificate, key, url }: { certificate: string; key: string; url: string }): string {
  return `set -eu
digest="SHA-256=$(printf '' | openssl dgst -sha256 -binary | base64 -w0)"
id="$(cat /proc/sys/kernel/random/uuid)"
serial="$(openssl x509 -in '${certificate}' -noout -serial | cut -d= -f2 | tr 'A-F' 'a-f' | sed 's/^0*//')"
issuer="$(openssl x509 -in '${certificate}' -noout -issuer -nameopt RFC2253 | sed 's/^issuer=//; s/ /%20/g')"
signature="$(printf 'digest: %s\\nx-request-id: %s' "$digest" "$id" | openssl dgst -sha256 -sign '${key}' -binary | base64 -w0)"
certificate="$(openssl x509 -in '${certificate}' -outform der | base64 -w0)"
algorithm="$(openssl pkey -in '${key}' -noout -text | grep -q 'ASN1 OID' && echo ecdsa-sha256 || echo rsa-sha256)"
curl -sS --fail --max-redirs 0 -o /dev/null '${url}' \\
  -H "X-Request-ID: $id" -H "Date: $(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')" -H "Digest: $digest" -H 'Accept: application/json' \\
  -H "Signature: keyId=\\"SN=$serial,CA=$issuer\\",algorithm=\\"$algorithm\\",headers=\\"digest x-request-id\\",signature=\\"$signature\\"" \\
  -H "TPP-Signature-Certificate: $certificate"
`;
}
