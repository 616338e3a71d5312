// Who has to agree before a basket is deleted: --yes outside production, and in production nothing but the name of the profile.
import { expect, it } from 'vitest';
import { createScriptedPerson } from '../../../../../src/adapters/terminal/scripted-person.ts';
import type { Person, Question } from '../../../../../src/client/ports/person.ts';
import { fakePerson } from '../../../../helpers/fakes/index.ts';
import { accountBank } from '../account-bank.ts';
import { payment } from '../../../client/payer.ts';

const one = '/v1/signing-baskets/b-1';

async function bankWith<P extends Person>(environment: 'test' | 'production', person: P) {
  const there = await accountBank({ consent: 'none', surface: 'framework', environment, person });
  await there.store.resources.save({
    ...payment,
    profile: 'acme',
    environment,
    noun: 'basket',
    id: 'b-1',
    baseUrl: 'https://bank.example',
    basket: { paymentIds: ['pay-1'], consentIds: [] },
  });
  return { ...there, person };
}

it.each([
  ['test', '--yes'],
  ['test', '-y'],
  ['production', '--confirm acme'],
] as const)('without a person, in %s %s deletes it', async (environment, flags) => {
  const there = await bankWith(environment, fakePerson({ present: false }));
  there.http.expect('DELETE', one, { status: 204 });
  const { code, stdout, stderr } = await there.run(`basket delete b-1 ${flags} --json`);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ basketId: 'b-1' });
  expect(there.person.asked).toEqual([]);
  there.http.verify();
});

it('without --yes a person is asked, and No sends nothing', async () => {
  const there = await bankWith('test', fakePerson().answer('yes', false));
  expect((await there.run('basket delete b-1')).code).toBe(2);
  expect(there.http.requests).toEqual([]);
});

it('with --yes a person is not asked', async () => {
  const human = fakePerson();
  const agreed = ({ flag }: Question) => flag === '--yes';
  const script = { answer: () => undefined, agreed, secrets: undefined as never, human };
  const there = await bankWith('test', createScriptedPerson(script));
  there.http.expect('DELETE', one, { status: 204 });
  const { code, stderr } = await there.run('basket delete b-1 --yes');
  expect(code, stderr).toBe(0);
  expect(human.asked).toEqual([]);
});

it('in production --yes is not enough', async () => {
  const there = await bankWith('production', fakePerson({ present: false }));
  const { code, stderr } = await there.run('basket delete b-1 --yes');
  expect(code).toBe(2);
  expect(stderr).toContain('--confirm acme');
  expect(there.http.requests).toEqual([]);
});
