import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Terminal } from '../../helpers/obk.ts';
import { startTraveller } from './traveller.ts';
import type { Traveller } from './traveller.ts';
import { ways } from './ways.ts';
import type { Way } from './ways.ts';

let traveller: Traveller;
let seen: Terminal | undefined;

beforeAll(async () => {
  traveller = await startTraveller('v136');
});
afterEach(() => {
  seen?.kill();
});
afterAll(() => traveller.close());

/** One of each approach, as a person at a terminal goes through it. */
const approaches = ['redirect', 'oauth', 'decoupled', 'embedded-none', 'embedded-one', 'embedded-choice'];

describe('a person at a terminal', () => {
  it.each(ways.filter(({ psuId }) => approaches.includes(psuId)).map((way) => [way.psuId, way] as const))(
    'pays as %s',
    async (psuId, way) => {
      const before = traveller.bank.payments().length;
      seen = traveller.obk.terminal([...traveller.pay(way), '--psu-id', psuId, '--yes'], {
        env: { CI: '', OBK_BROWSER: 'never' },
        columns: 1000,
      });
      if (way.approach === 'embedded') await answers(seen, way);
      else await acts(seen, way, before);
      await seen.see('ACSC');
      expect(await seen.ended).toBe(0);
      const made = traveller.bank.payments();
      expect(made).toHaveLength(before + 1);
      expect(made.at(-1)).toMatchObject({ status: 'ACSC', bookings: 1 });
      const { password, otp } = traveller.bank.person(psuId);
      for (const secret of [password, otp]) expect(seen.raw()).not.toContain(secret);
    },
  );
});

/** The PSU types password, method and one-time password, as far as the bank wants them. */
async function answers(terminal: Terminal, { psuId }: Way): Promise<void> {
  const { password, otp, methods } = traveller.bank.person(psuId);
  await terminal.see('Password of the PSU');
  terminal.write(`${password}\r`);
  if (methods.length > 1) {
    await terminal.see('How do you want to confirm?');
    terminal.write('\r');
  }
  if (methods.length === 0) return;
  await terminal.see('One-time password');
  terminal.write(`${otp}\r`);
}

/** The PSU acts elsewhere: in a browser that is led back to the listener of obk, or on the phone. */
async function acts(terminal: Terminal, { psuId, approach }: Way, before: number): Promise<void> {
  if (approach === 'decoupled') {
    await terminal.see('Waiting for the PSU');
    traveller.bank.decide('approve', traveller.bank.payments()[before]?.paymentId ?? '', psuId);
    return;
  }
  await terminal.see('Open this link to approve:');
  await terminal.see(/http:\/\/127\.0\.0\.1:\d+\/\S+/);
  const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/(?:sca|oauth)\/\S+/.exec(terminal.text()) ?? [];
  const { redirectedTo } = traveller.bank.decide('approve', link, psuId);
  expect((await fetch(redirectedTo ?? '')).status).toBe(200);
}
