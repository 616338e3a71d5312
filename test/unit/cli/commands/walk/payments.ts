import { answers, order } from './walk.ts';
import type { Cases, Walk } from './walk.ts';
import { painOf } from '../../../../helpers/pain.ts';

const unknown = 'none-such --product sepa-credit-transfers';

/** A payment whose PSU waits at the password, or is behind it. */
const atPassword = (walk: Walk) => walk.payment('embedded-choice');
const behindPassword = (walk: Walk, more = '') =>
  walk.payment('embedded-choice', `--psu-password-from env:PASSWORD ${more}`);

/** A payment whose PSU has approved it on the page of the bank, unseen by obk. */
async function approved(walk: Walk): Promise<string> {
  const id = await walk.payment();
  walk.bank.decide('approve', id);
  return id;
}

const member = (walk: Walk, psuId: string) => walk.payment(psuId, '--explicit yes --authorise-later');

export async function basket(walk: Walk, psuId = 'redirect'): Promise<string> {
  const [one, other] = [await member(walk, psuId), await member(walk, psuId)];
  const made = (await walk.json(`basket create --payment ${one} --payment ${other} --psu-id ${psuId}`)) as {
    basketId: string;
  };
  return made.basketId;
}

/** The entry of a payment of which nobody knows whether the bank has it. */
async function unknownPayment(walk: Walk): Promise<string> {
  walk.bank.fault({ operation: 'initiatePayment', kind: 'drop-after-commit' });
  await walk.run(['payment', 'init', ...order.split(' '), '--allow-duplicate']);
  return ((await walk.json('pending list')) as { id: string }[])[0]?.id ?? '';
}

async function pain(walk: Walk): Promise<string> {
  const iban = walk.bank.person('redirect').accounts[0]?.iban ?? '';
  return walk.file('pain.xml', painOf(iban));
}

export const payments: Cases = {
  'payment init': {
    runs: [
      { words: `${order} --psu-id redirect` },
      { words: `${order} --allow-duplicate --psu-id embedded-choice ${answers}` },
      {
        words: async (walk) =>
          `--product pain.001-sepa-credit-transfers --input ${await pain(walk)} --psu-id redirect`,
      },
      { words: `${order} --allow-duplicate --psu-id redirect --wait --timeout 50ms`, exit: 8 },
      {
        words: `${order} --allow-duplicate --psu-id embedded-one --psu-password-from env:PASSWORD`,
        env: { PASSWORD: 'wrong' },
        exit: 9,
        code: 'DECLINED',
      },
    ],
    fails: [
      { words: '--product sepa-credit-transfers', exit: 2, code: 'USAGE' },
      { words: order.replace('1.00', '1e3'), exit: 2, code: 'INPUT_INVALID' },
    ],
  },
  'payment get': {
    runs: [{ words: (walk) => walk.payment() }],
    fails: [{ words: unknown, exit: 5, code: 'REFUSED' }],
  },
  'payment status': {
    runs: [
      { words: (walk) => walk.payment() },
      {
        words: async (walk) => `${await walk.payment()} --until ACSC --timeout 50ms --interval 10ms`,
        exit: 8,
      },
      { words: async (walk) => `${await rejected(walk)} --exit-status`, exit: 9 },
    ],
    fails: [{ words: unknown, exit: 5, code: 'REFUSED' }],
  },
  'payment authorise': {
    runs: [
      { words: approved },
      { words: async (walk) => `${await atPassword(walk)} ${answers}` },
      { words: (walk) => walk.payment(), exit: 8 },
      { words: rejected, exit: 9 },
    ],
    fails: [{ words: atPassword, exit: 2, code: 'INTERACTION_NEEDED' }],
  },
  'payment cancel': {
    runs: [
      { words: async (walk) => `${await walk.payment()} --yes` },
      { words: async (walk) => `${await settled(walk)} --yes`, exit: 9 },
    ],
    fails: [{ words: unknown, exit: 5, code: 'REFUSED' }],
  },
  'payment authorisations': {
    runs: [{ words: (walk) => walk.payment() }],
    fails: [{ words: unknown, exit: 5, code: 'REFUSED' }],
  },
  'payment lint': {
    runs: [
      { words: pain },
      { words: (walk) => walk.file('bad.json', '{"instructedAmount":{"amount":1}}'), exit: 10 },
    ],
    fails: [{ words: 'none.xml', exit: 2, code: 'INPUT_INVALID' }],
  },
  'payment csv-template': {
    runs: [{ words: '' }, { words: '--product pain.001-sepa-credit-transfers --decimal comma --example' }],
    fails: [{ words: '--decimal point', exit: 2, code: 'USAGE' }],
  },
  'payment list': {
    runs: [{ words: '' }, { words: '--limit 2' }],
    fails: [{ words: '--profile none-such', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'basket create': {
    runs: [
      {
        words: async (walk) =>
          `--payment ${await member(walk, 'redirect')} --payment ${await member(walk, 'redirect')} --psu-id redirect`,
      },
    ],
    fails: [{ words: '--payment none-such', exit: 5, code: 'REFUSED' }],
  },
  'basket get': {
    runs: [{ words: (walk) => basket(walk) }],
    fails: [{ words: 'none-such', exit: 5, code: 'REFUSED' }],
  },
  'basket status': {
    runs: [
      { words: (walk) => basket(walk) },
      { words: async (walk) => `${await basket(walk)} --watch --timeout 50ms --interval 10ms`, exit: 8 },
    ],
    fails: [{ words: 'none-such', exit: 5, code: 'REFUSED' }],
  },
  'basket authorise': {
    runs: [
      { words: async (walk) => `${await basket(walk, 'embedded-choice')} ${answers}` },
      { words: (walk) => basket(walk), exit: 8 },
    ],
    fails: [{ words: (walk) => basket(walk, 'embedded-choice'), exit: 2, code: 'INTERACTION_NEEDED' }],
  },
  'basket delete': {
    runs: [{ words: (walk) => basket(walk, 'embedded-choice') }],
    fails: [{ words: 'none-such', exit: 5, code: 'REFUSED' }],
  },
  'basket list': {
    runs: [{ words: '' }],
    fails: [{ words: '--profile none-such', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'sca status': {
    runs: [
      { words: (walk) => walk.payment() },
      { words: (walk) => walk.consent() },
      { words: (walk) => basket(walk) },
      {
        words: async (walk) => `${await walk.payment()} --until finalised --timeout 50ms --interval 10ms`,
        exit: 8,
      },
    ],
    fails: [{ words: 'none-such', exit: 2, code: 'RESOURCE_NOT_SAVED' }],
  },
  'sca methods': {
    runs: [{ words: behindPassword }, { words: (walk) => behindPassword(walk, '--sca-method sms') }],
    fails: [{ words: 'none-such', exit: 2, code: 'RESOURCE_NOT_SAVED' }],
  },
  'sca select': {
    runs: [{ words: async (walk) => `${await behindPassword(walk)} --sca-method sms` }],
    fails: [
      {
        words: async (walk) => `${await atPassword(walk)} --sca-method sms`,
        exit: 2,
        code: 'STEP_NOT_ALLOWED',
      },
    ],
  },
  'sca submit': {
    runs: [
      { words: async (walk) => `${await atPassword(walk)} --psu-password-from env:PASSWORD` },
      { words: async (walk) => `${await behindPassword(walk, '--sca-method sms')} --otp-from env:OTP` },
      {
        words: async (walk) => `${await atPassword(walk)} --psu-password-from env:PASSWORD`,
        env: { PASSWORD: 'wrong' },
        exit: 9,
        code: 'DECLINED',
      },
    ],
    fails: [{ words: atPassword, exit: 2, code: 'INTERACTION_NEEDED' }],
  },
  'sca open': {
    runs: [
      { words: (walk) => walk.payment() },
      { words: async (walk) => `${await walk.payment()} --wait --timeout 50ms`, exit: 8 },
    ],
    fails: [{ words: atPassword, exit: 2, code: 'STEP_NOT_ALLOWED' }],
  },
  'pending list': {
    runs: [
      {
        words: async (walk) => {
          await unknownPayment(walk);
          await walk.consent('embedded-choice');
          await basket(walk);
          return '';
        },
      },
    ],
    fails: [{ words: '--profile none-such', exit: 3, code: 'PROFILE_UNKNOWN' }],
  },
  'pending show': {
    runs: [{ words: unknownPayment }, { words: atPassword }],
    fails: [{ words: 'none-such', exit: 2, code: 'RESOURCE_NOT_SAVED' }],
  },
  'pending resume': {
    runs: [{ words: approved }, { words: (walk) => walk.payment(), exit: 8 }],
    fails: [{ words: atPassword, exit: 2, code: 'INTERACTION_NEEDED' }],
  },
  'pending resolve': {
    runs: [
      { words: async (walk) => `${await unknownPayment(walk)} --not-created --reason seen --dry-run` },
      { words: async (walk) => `${await unknownPayment(walk)} --payment-id made-1 --reason seen` },
      { words: async (walk) => `${await unknownPayment(walk)} --not-created --reason seen` },
    ],
    fails: [{ words: 'none-such --not-created --reason seen', exit: 2, code: 'RESOURCE_NOT_SAVED' }],
  },
};

async function rejected(walk: Walk): Promise<string> {
  const id = await walk.payment();
  walk.bank.decide('refuse', id);
  return id;
}

/** A payment that is executed, and so cannot be cancelled any more. */
const settled = (walk: Walk) => walk.payment('embedded-choice', answers);
