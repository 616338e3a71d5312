import { defined } from '../../base/defined.ts';
import { buildConsent } from '../../client/consents/consent-body.ts';
import { createConsent, deleteConsent } from '../../client/consents/consent.ts';
import { bankTime } from '../../client/exchange/bank-time.ts';
import { preferenceHeaders } from '../../client/call/tpp-preferences.ts';
import { psuHeaders } from '../../client/call/psu-headers.ts';
import type { Case } from './case.ts';
import type { Called } from '../../client/call/call.ts';
import { cleaning, needed, ofPsu, tried } from './course.ts';
import type { Course } from './course.ts';

/** What creates something, and removes it. */
export const writes: readonly Case[] = [
  {
    name: 'a consent, made and deleted',
    about: 'A consent for one access is created, read, and deleted; it is never authorised.',
    operation: 'createConsent',
    kind: 'write',
    async run(course) {
      const { target } = course;
      const { framework } = target.variant;
      const { withBalances, validDays: days, ...takes } = target.profile.consent ?? {};
      const form = takes.types?.includes('global') === false ? { bankOffered: true } : { allPsd2: true };
      const body = buildConsent(form, framework, await bankTime(target), {
        ...defined({ withBalances, days }),
        takes,
      });
      const { resource } = await createConsent(target, body);
      try {
        const params = { consentId: resource.id };
        await tried(course, { operation: 'getConsentStatus', params });
        await tried(course, { operation: 'getConsentInformation', params });
      } finally {
        await deleteConsent(cleaning(course).target, resource);
      }
      course.known.endedConsent = resource.id;
      await tried(course, { operation: 'getConsentStatus', params: { consentId: resource.id } });
    },
  },
  {
    name: 'a payment, made and cancelled',
    about: 'A payment of 0.01 EUR is created, read, and cancelled; it is never authorised.',
    operation: 'initiatePayment',
    kind: 'write',
    run: (course) =>
      withPayment(
        course,
        async (params) => {
          await tried(course, { operation: 'getPaymentInitiationStatus', params });
          await tried(course, { operation: 'getPaymentInformation', params });
        },
        (params) => tried(course, { operation: 'getPaymentInitiationStatus', params }),
      ),
  },
  {
    name: 'a basket, made and deleted',
    about: 'A basket of two payments of 0.01 EUR is created, read, and deleted; it is never authorised.',
    operation: 'createSigningBasket',
    kind: 'write',
    run: (course) =>
      withPayment(course, (first) =>
        withPayment(course, (second) => withBasket(course, [first.paymentId, second.paymentId])),
      ),
  },
  {
    name: 'funds',
    about: 'Whether 0.01 EUR is there.',
    operation: 'checkAvailabilityOfFunds',
    kind: 'write',
    run: async (course) =>
      tried(course, {
        operation: 'checkAvailabilityOfFunds',
        body: {
          json: {
            account: { iban: needed(course.debtor, 'without --debtor') },
            instructedAmount: { currency: 'EUR', amount: '0.01' },
          },
        },
      }),
  },
];

const product = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' } as const;

/** Initiates a payment of 0.01 EUR, which nobody authorises. */
export function initiated(course: Course, creditorName = 'obk check'): Promise<Called> {
  const given = Object.entries({ '--debtor': course.debtor, '--creditor': course.creditor });
  const missing = given.filter(([, account]) => account === undefined).map(([flag]) => flag);
  const without = `without ${missing.join(' and ')}`;
  const [iban, creditor] = [needed(course.debtor, without), needed(course.creditor, without)];
  return tried(course, {
    operation: 'initiatePayment',
    params: product,
    headers: [
      ...psuHeaders(course.target),
      ofPsu(course),
      ...preferenceHeaders(course.target, 'initiatePayment', { explicit: true }),
    ],
    body: {
      json: {
        debtorAccount: { iban },
        instructedAmount: { currency: 'EUR', amount: '0.01' },
        creditorAccount: { iban: creditor },
        creditorName,
      },
    },
  });
}

type PaymentParams = typeof product & { paymentId: string };

/** The parameters of a payment that was created; undefined where none was. */
export function createdPayment(called: Called): PaymentParams | undefined {
  const paymentId = called.ok ? called.answer.ids.paymentId : undefined;
  return paymentId === undefined ? undefined : { ...product, paymentId };
}

/** Works with a payment that is cancelled whatever happens. */
async function withPayment(
  course: Course,
  work: (params: PaymentParams) => Promise<void>,
  after?: (params: PaymentParams) => Promise<unknown>,
): Promise<void> {
  const params = createdPayment(await initiated(course));
  if (params === undefined) return;
  try {
    await work(params);
  } finally {
    await tried(cleaning(course), { operation: 'cancelPayment', params });
  }
  await after?.(params);
}

async function withBasket(course: Course, paymentIds: readonly string[]): Promise<void> {
  const { target } = course;
  const called = await tried(course, {
    operation: 'createSigningBasket',
    headers: [
      ...psuHeaders(target),
      ofPsu(course),
      ...preferenceHeaders(target, 'createSigningBasket', { explicit: true }),
    ],
    body: { json: { paymentIds: [...paymentIds] } },
  });
  const basketId = called.ok ? called.answer.ids.basketId : undefined;
  if (basketId === undefined) return;
  const params = { basketId };
  try {
    await tried(course, { operation: 'getSigningBasketStatus', params });
    await tried(course, { operation: 'getSigningBasket', params });
  } finally {
    await tried(cleaning(course), { operation: 'deleteSigningBasket', params });
  }
  await tried(course, { operation: 'getSigningBasketStatus', params });
}
