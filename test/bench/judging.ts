import { createHash, verify, X509Certificate } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { judge } from '../../src/referee/judge.ts';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { median } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';
import { paymentArgs } from './signed-request.ts';

const rounds = 9;
const calls = 300;

/** What a dry run tells of a request. */
interface Signed {
  method: string;
  url: string;
  headers: { name: string; value: string }[];
  body: string | null;
}

/**
 * P15: what the referee adds to a call at the bank inside, beside what the bank cannot do without: to verify digest and
 * signature, which is done once for both. A read, and a payment with its body.
 */
export async function judging(machine: Machine): Promise<Figure[]> {
  const { bank } = machine;
  const dryRun = (...args: string[]) =>
    JSON.parse(bank.obk(...args, '--profile', 'sandbox', '--dry-run', '--json')) as Signed;
  const read = dryRun('accounts', '--psu-id', 'redirect', '--consent', 'any-consent');
  const payment = dryRun(...paymentArgs, '--debtor', bank.payer().iban, '--allow-duplicate');
  return [
    { id: 'P15', what: 'judging a signed read / verifying it', ratio: await ratioOf(read), goal: 0.5 },
    { id: 'P15', what: 'judging a signed payment / verifying it', ratio: await ratioOf(payment), goal: 1 },
  ];
}

async function ratioOf({ method, url, headers, body }: Signed): Promise<number> {
  const bytes = Buffer.from(body ?? '');
  const { pathname, search } = new URL(url);
  const request = {
    method,
    target: pathname + search,
    headers: headers.map(({ name, value }): [string, string] => [name, value]),
    body: bytes,
  };
  const terms = { variant: presets.v1, now: new Date(), signatureMistakes: [] };
  const { operation, findings } = await judge(request, terms);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (operation === undefined || errors.length > 0)
    throw new Error(`the referee finds fault with ${method} ${url}: ${JSON.stringify(errors)}`);

  const sent = new Map(headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const of = (name: string) => sent.get(name) ?? '';
  const key = new X509Certificate(Buffer.from(of('tpp-signature-certificate'), 'base64')).publicKey;
  const verified = (): boolean => {
    const right = `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`;
    const [, names = '', signature = ''] =
      /headers="([^"]*)".*signature="([^"]*)"/.exec(of('signature')) ?? [];
    const signed = names.split(' ').map((name) => `${name}: ${of(name)}`);
    const good = verify('sha256', Buffer.from(signed.join('\n')), key, Buffer.from(signature, 'base64'));
    return good && of('digest') === right;
  };
  if (!verified()) throw new Error(`the signature of ${method} ${url} is wrong`);

  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    for (let call = 0; call < calls; call += 1) await judge(request, terms);
    const between = performance.now();
    for (let call = 0; call < calls; call += 1) verified();
    // The first round warms both up.
    if (round > 0) ratios.push((between - started) / (performance.now() - between));
  }
  return median(ratios);
}
