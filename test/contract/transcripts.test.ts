import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../src/base/errors.ts';
import { authorise } from '../../src/client/sca/authorise.ts';
import { cancelPayment } from '../../src/client/payments/cancel.ts';
import { initiatePayment } from '../../src/client/payments/pay.ts';
import { buildPayment } from '../../src/client/orders/single-body.ts';
import { scaAnswer, scaRefusal } from '../../src/client/resources/sca-answer.ts';
import { nextStep } from '../../src/standard/sca/next-step.ts';
import { absorb, newConversation } from '../../src/standard/sca/state.ts';
import type { Conversation, Parent, ScaAnswer } from '../../src/standard/sca/state.ts';
import { headerOf, readAnswer } from '../../src/standard/xs2a/answer.ts';
import { matchRequest } from '../../src/standard/xs2a/request.ts';
import { readErrorBody } from '../../src/standard/xs2a/tpp-messages.ts';
import { presets } from '../../src/standard/xs2a/variants.ts';
import type { Variant } from '../../src/standard/xs2a/variants.ts';
import { fakePerson } from '../helpers/fakes/index.ts';
import { world } from '../helpers/world.ts';
import type { World } from '../helpers/world.ts';
import { saved } from '../unit/client/orders.ts';
import { readTranscript } from './transcript.ts';
import type { Exchange, Transcript } from './transcript.ts';

// Typed by hand from the message sequences of the guidelines, never produced by a bank of ours.
const folder = join(import.meta.dirname, 'transcripts');
const transcripts = readdirSync(folder).map(
  (file) => [file.replace('.txt', ''), readTranscript(readFileSync(join(folder, file), 'utf8'))] as const,
);

function variantOf({ settings }: Transcript): Variant {
  const variant = presets[settings.get('variant') === 'v136' ? 'v136' : 'v1'];
  return settings.get('surface') === 'framework' ? { ...variant, surface: 'framework' } : variant;
}

describe('the pure conversation', () => {
  it.each(transcripts)('follows the transcript %s', (_, transcript) => {
    const variant = variantOf(transcript);
    const base = new URL(transcript.settings.get('base') ?? 'https://bank.example').pathname.replace(
      /\/$/,
      '',
    );
    let conversation: Conversation | undefined;
    for (const exchange of transcript.exchanges) {
      const { method, path } = exchange;
      const answer = answerOf(variant, base, exchange);
      conversation =
        conversation === undefined
          ? newConversation(parentOf(exchange), answer, '2026-11-21T10:00:00.000Z')
          : absorb(conversation, answer);
      // Another process must come to the same conclusion.
      const saved = JSON.parse(JSON.stringify(conversation)) as Conversation;
      expect(saved).toEqual(conversation);
      if (exchange.step !== undefined)
        expect(`${method} ${path}: ${stepText(saved)}`).toBe(`${method} ${path}: ${exchange.step}`);
      conversation = saved;
    }
    expect(conversation).toBeDefined();
  });
});

function answerOf(variant: Variant, base: string, exchange: Exchange): ScaAnswer {
  const { method, path, status, answerHeaders } = exchange;
  const body = Buffer.from(exchange.answer);
  const headers = [...answerHeaders, ['Content-Type', 'application/json'] as const];
  if (status >= 400) {
    return scaRefusal(
      method,
      status,
      readErrorBody(body, { contentType: headerOf(headers, 'content-type') }),
    );
  }
  const match = matchRequest(variant, method, path.slice(base.length));
  if (!('operation' in match)) throw new Error(`${method} ${path} is no operation`);
  return scaAnswer(method, readAnswer(match.operation, variant, { status, headers, body }));
}

function parentOf({ method, path, answer }: Exchange): Parent {
  const ids = JSON.parse(answer) as Record<string, string | undefined>;
  if (ids['consentId'] !== undefined) return { kind: 'consent', id: ids['consentId'] };
  if (ids['basketId'] !== undefined) return { kind: 'basket', id: ids['basketId'] };
  const id = ids['paymentId'] ?? path.split('/').at(-1) ?? '';
  const kind = method === 'DELETE' ? 'cancellation' : 'payment';
  return { kind, id, service: 'payments', product: 'sepa-credit-transfers' };
}

function stepText(conversation: Conversation): string {
  const step = nextStep(conversation);
  switch (step.kind) {
    case 'send':
      return `send ${step.method} ${step.link} ${step.need}`;
    case 'redirect':
    case 'oauth':
      return `${step.kind} ${step.url}`;
    case 'done':
      return `done ${step.scaStatus}`;
    case 'stuck':
      return `stuck ${step.links.join(',')}`;
    case 'wait':
      return 'wait';
  }
}

const driven = transcripts.filter(([, { settings }]) => settings.get('engine') !== 'only');

describe('the driver', () => {
  it.each(driven)('sends only what the transcript contains: %s', async (_, transcript) => {
    const there = await worldOf(transcript);
    await expect(runAll(there, transcript)).resolves.toBe(transcript.end);
    for (const line of transcript.said) expect(there.notices.said.join('\n')).toContain(line);
    for (const line of transcript.warned) {
      expect(there.notices.warned.some((warned) => warned.includes(line))).toBe(true);
    }
    there.verify();
  });
});

async function worldOf(transcript: Transcript): Promise<World> {
  const { settings, answers, exchanges } = transcript;
  const person = fakePerson();
  for (const [question, answer] of answers) person.answer(question, answer);
  const psuId = settings.get('psu-id');
  const token = settings.get('token');
  const there = await world({
    person,
    profile: {
      ...variantOf(transcript),
      baseUrl: settings.get('base') ?? 'https://bank.example',
      redirectUri: 'https://tpp.example/cb',
      nokRedirectUri: 'https://tpp.example/nok',
      psu: { ipAddress: '192.0.2.7', ...(psuId === undefined ? {} : { id: psuId }) },
    },
    ...(token === undefined ? {} : { token }),
  });
  for (const { method, path, headers, body, status, answerHeaders, answer } of exchanges) {
    there.http.expect(method, path, {
      status,
      headers: [...answerHeaders, ['Content-Type', 'application/json']],
      body: answer,
      check: (request) => {
        for (const [name, value] of headers) {
          expect(`${method} ${name}: ${String(request.header(name))}`).toBe(
            `${method} ${name}: ${String(value)}`,
          );
        }
        if (body === '') expect(request.body).toBe('');
        else if (body !== undefined) expect(request.json()).toEqual(JSON.parse(body));
      },
    });
  }
  return there;
}

async function runAll({ target }: World, { exchanges }: Transcript): Promise<string> {
  try {
    const start =
      exchanges[0]?.method === 'DELETE'
        ? await cancelPayment(target, saved)
        : await initiatePayment(target, order, {
            intent: { hash: 'a'.repeat(64), key: 'k', chosen: true, allowDuplicate: false },
          });
    if (!('conversation' in start) || start.conversation === undefined) return 'nothing to authorise';
    const { success, resource } = await authorise(target, start.resource, start.conversation, {
      wait: true,
      timeoutMs: 60_000,
      browser: 'never',
      resumed: false,
    });
    const result = success === undefined ? 'open' : success ? 'success' : 'failure';
    return `${result} ${resource.status ?? ''}`;
  } catch (error) {
    if (error instanceof ObkError) return `error ${error.code}`;
    throw error;
  }
}

const order = buildPayment(
  { service: 'payments', product: 'sepa-credit-transfers' },
  {
    debtor: 'DE40100100103307118608',
    creditorAccount: 'DE02100100109307118603',
    creditorName: 'Shop',
    amount: '12.50',
  },
  { intentHash: 'a'.repeat(64) },
);
