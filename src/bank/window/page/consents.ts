// Consents and their life.
import { ask } from './api.ts';
import type { AnswerAt } from './api.ts';
import { decide, waiting } from './authorisations.ts';
import { callList } from './calls.ts';
import { box, button, el, facts, foreign, put, sideBySide } from './dom.ts';
import { accessFacts } from './order.ts';
import { refreshing } from './refreshing.ts';
import { back, life, lifeText, newest, section, showList, status } from './resource-list.ts';
import { callsOf, consents } from './store.ts';

type Consent = AnswerAt<'GET /consents/{consentId}'>;

function lineOf(one: Consent) {
  const { consentId: id, psuId, tpp, recurring, frequencyPerDay, validUntil, access } = one;
  const steps = consents.get(id) ?? [];
  const seen = accessFacts(access).map(([name, value]) => `${name}: ${value}`);
  const is = [foreign(psuId ?? 'A PSU not known yet'), ' lets ', foreign(tpp), ` see ${seen.join('; ')}`];
  const more = [lifeText(steps), recurring ? `${frequencyPerDay} a day` : 'once', `until ${validUntil}`, id];
  return { id, at: steps[0]?.at, is, state: one.status, more };
}

export const showConsents = (main: Element, id?: string) =>
  id === undefined
    ? showList(main, {
        title: 'Consents',
        what: 'consents',
        read: async () => (await ask('GET /consents', { query: newest })).consents.map(lineOf),
      })
    : showConsent(main, id);

function showConsent(main: Element, id: string): () => void {
  const place = el('div');
  put(main, back('consents'), el('h1', `Consent ${id}`), place);
  const draw = async () => {
    const one = await ask('GET /consents/{consentId}', { path: { consentId: id } });
    const revoke = () => decide({ id, decision: 'revoke', psuId: one.psuId }, draw);
    put(
      place,
      factsOf(one),
      await waiting(id, draw),
      one.status === 'valid' &&
        sideBySide(button('Revoke as the PSU', revoke, { id: 'revoke', class: 'second' })),
      section('Life', life(consents.get(id) ?? [{ status: one.status }])),
      section('Access', box(JSON.stringify(one.access, null, 2), 'Access')),
      section('Calls', callList(callsOf(id).reverse())),
    );
  };
  return refreshing(['consent', 'authorisation', 'decision', 'call', 'reset'], draw);
}

const factsOf = (one: Consent) =>
  facts([
    ['consentStatus', status(one.status)],
    ...accessFacts(one.access),
    ['PSU', one.psuId],
    ['TPP', one.tpp],
    ['Kind', one.recurring ? `recurring, ${one.frequencyPerDay} a day` : 'once'],
    ['Valid until', one.validUntil],
  ]);
