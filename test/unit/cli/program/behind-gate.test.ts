import { describe, expect, it } from 'vitest';
import { askedBehind, behindGate } from '../../../../src/cli/program/behind-gate.ts';
import { createGate } from '../../../../src/client/ports/gate.ts';
import { fakeBrowser, fakeClock, fakeHttp, fakeNotices, fakePerson } from '../../../helpers/fakes/index.ts';

/** A gate that holds something, and tells when it was written. */
function held() {
  const gate = createGate(() => Promise.resolve());
  const told: string[] = [];
  const holder = {
    commit: () => {
      told.push('written');
      gate.release(holder);
      return Promise.resolve();
    },
  };
  gate.hold(holder);
  return { gate, told };
}

describe('what leaves a run', () => {
  it('leaves once what was learned is written, and a write takes that with it', async () => {
    const { gate, told } = held();
    const http = fakeHttp();
    const ports = {
      http,
      person: fakePerson({ present: false }),
      browser: fakeBrowser(),
      clock: fakeClock(),
    };
    const behind = behindGate(gate, { ...ports, notices: fakeNotices() } as never);
    http.expect('POST', '/p', { status: 204 });
    http.expect('GET', '/p', { status: 204 });
    const request = { url: 'https://bank.example/p', headers: [], body: new Uint8Array() };
    const options = { limits: {} as never, connection: {}, fresh: true };
    await behind.http.send(
      { ...request, method: 'POST' },
      { ...options, onSending: () => Promise.resolve() },
    );
    expect(told).toEqual([]);
    await behind.http.send({ ...request, method: 'GET' }, options);
    expect(told).toEqual(['written']);
  });

  it('tells nothing before, and then in its order', async () => {
    const { gate, told } = held();
    const notices = fakeNotices();
    const ports = {
      http: fakeHttp(),
      person: fakePerson(),
      browser: fakeBrowser(),
      clock: fakeClock(),
      notices,
    };
    const behind = behindGate(gate, ports as never);
    behind.notices.warn('one');
    behind.notices.warn('two');
    expect(notices.warned).toEqual([]);
    await behind.clock.sleep(1);
    expect([told, notices.warned]).toEqual([['written'], ['one', 'two']]);
    behind.notices.warn('three');
    expect(notices.warned).toHaveLength(3);
  });

  it('asks a person once it is written', async () => {
    const { gate, told } = held();
    const person = askedBehind(gate, fakePerson({ answers: ['yes'] } as never));
    await person.ask({ id: 'x', flag: '--x', env: 'X', text: 'x' }).catch(() => undefined);
    expect(told).toEqual(['written']);
  });
});
