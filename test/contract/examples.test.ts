// Every answer that the official files give as an example, read as obk reads those of a bank: nothing is refused, and nothing
// that an answer means is dropped, although many examples depart from their own schemas.
import { describe, expect, it } from 'vitest';
import { stateOf } from '../../src/client/resources/payment-state.ts';
import { readReport } from '../../src/standard/formats/reports/report.ts';
import { readAnswer } from '../../src/standard/xs2a/answer.ts';
import { readJson, toPlain } from '../../src/standard/xs2a/json.ts';
import { readErrorBody } from '../../src/standard/xs2a/tpp-messages.ts';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { exampleFiles, examplesIn } from '../helpers/examples.ts';
import type { ExampleAnswer } from '../helpers/examples.ts';

type Members = Readonly<Record<string, unknown>>;

const bytes = (text: string) => new TextEncoder().encode(text);
const membersOf = ({ body }: ExampleAnswer) => toPlain(readJson(body)) as Members;
const titleOf = ({ operation, status, media }: ExampleAnswer) => `${operation.id} ${String(status)} ${media}`;
const isJson = ({ media, body }: ExampleAnswer) => media.endsWith('json') && body.trim() !== '';

/** What the reader takes from an answer, by the member that says it. */
const taken = ['transactionStatus', 'consentStatus', 'scaStatus', 'psuMessage', 'authorisationId'] as const;

const isAbsent = exampleFiles.length === 0;
const each = isAbsent ? ['the official files, which are not here'] : exampleFiles;

describe.skipIf(isAbsent).each(each)('the examples of %s', (file) => {
  const all = isAbsent ? [] : examplesIn(file);
  const good = all.filter(({ status }) => status < 300);

  it('exist', () => {
    expect(good.length).toBeGreaterThan(40);
  });

  it.each(good.filter(isJson).map((one) => [titleOf(one), one] as const))(
    'are right: %s',
    (_title, example) => {
      const { operation, status, media, body } = example;
      const raw = { status, headers: [['Content-Type', media]] as const, body: bytes(body) };
      const answer = readAnswer(operation, presets.v136, raw);
      const sent = membersOf(example);
      for (const name of taken) expect(answer[name] ?? null).toEqual(sent[name] ?? answer[name] ?? null);
      for (const name of ['paymentId', 'consentId', 'basketId'] as const)
        expect(answer.ids[name]).toBe(sent[name]);
      expect(answer.unknownLinks).toEqual([]);
      expect(Object.keys(answer.links)).toHaveLength(
        Object.keys((sent['_links'] as object | undefined) ?? {}).length,
      );
      if (sent['chosenScaMethod'] !== undefined)
        expect(answer.chosenScaMethod).toMatchObject(sent['chosenScaMethod'] as object);
      if (sent['scaMethods'] !== undefined) expect(answer.scaMethods).toEqual(sent['scaMethods']);
      const challenge = Object.keys((sent['challengeData'] as object | undefined) ?? {});
      expect(Object.keys(answer.challengeData ?? {}).sort()).toEqual(challenge.sort());
      if (typeof sent['fundsAvailable'] === 'string')
        expect(toPlain(answer.json ?? null)).toMatchObject({
          fundsAvailable: sent['fundsAvailable'] === 'true',
        });
    },
  );

  it.each(
    good
      .filter(({ operation }) => /TransactionList$/.test(operation.id))
      .map((one) => [titleOf(one), one] as const),
  )('are right for the rows of %s', async (_title, example) => {
    const pieces = (async function* () {
      yield bytes(example.body);
    })();
    const items = [];
    for await (const some of readReport(pieces)) items.push(...some);
    const rows = items.filter(({ kind }) => kind === 'row');
    if (!isJson(example)) return;
    const lists = Object.values(
      membersOf(example)['transactions'] ?? membersOf(example)['cardTransactions'] ?? {},
    ).filter((list) => Array.isArray(list)) as unknown[][];
    expect(rows).toHaveLength(lists.flat().length);
  });

  it.each(
    good
      .filter(
        ({ operation, media }) => operation.id === 'getPaymentInitiationStatus' && media.endsWith('xml'),
      )
      .map((one) => [titleOf(one), one] as const),
  )('are right for the state of %s', async (_title, { operation, status, media, body }) => {
    const raw = { status, headers: [['Content-Type', media]] as const, body: bytes(body) };
    const state = await stateOf(readAnswer(operation, presets.v136, raw));
    expect(state.transactionStatus).toBeDefined();
  });

  it('name a code in refusals', () => {
    for (const example of all.filter((one) => one.status >= 400 && isJson(one))) {
      const { messages } = readErrorBody(bytes(example.body), { contentType: example.media });
      expect(messages[0]?.code, titleOf(example)).toMatch(/^[A-Z_]+$/);
    }
  });
});
