import { describe, expect, it } from 'vitest';
import { whyNot } from '../../../../src/bank/notifications/wishes.ts';

const asked = (
  uri: string,
  names: readonly string[] = [],
  door: 'loopback' | 'certificate' | 'anywhere' = 'loopback',
) => whyNot(new URL(uri), names, door);

describe('the address of a push', () => {
  it.each(['http://127.0.0.1:8090/x', 'https://localhost:1/', 'http://[::1]:9/', 'http://127.1.2.3/'])(
    'needs no certificate and no permission on this machine: %s',
    (uri) => {
      expect(asked(uri)).toBeUndefined();
    },
  );

  it.each([
    'http://127.0.0.1.example.com/',
    'https://localhost.example.com/',
    'https://tpp.example/',
    'http://10.0.0.1/',
  ])('is on another host: %s', (uri) => {
    expect(asked(uri)).toMatch(/certificate/);
    expect(asked(uri, [], 'anywhere')).toBeUndefined();
  });

  it.each<[name: string, host: string]>([
    ['tpp.example', 'tpp.example'],
    ['example-TPP.com', 'www.example-tpp.com'],
    ['example-TPP.com', 'notifications.example-TPP.com'],
    ['tpp.example', 'a.b.tpp.example'],
    ['*.tpp.example', 'a.tpp.example'],
    ['tpp.example.', 'tpp.example.'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '[2001:db8::1]'],
  ])('is covered by the name %s: %s', (name, host) => {
    expect(asked(`https://${host}/push`, ['another.example', name], 'certificate')).toBeUndefined();
    expect(asked(`https://${host}/push`, ['another.example', name])).toMatch(/this machine only/);
  });

  it.each<[name: string, host: string]>([
    ['tpp.example', 'eviltpp.example'],
    ['tpp.example', 'tpp.example.evil.example'],
    ['a.tpp.example', 'tpp.example'],
    ['*.tpp.example', 'tpp.example'],
    ['example', 'tpp.example'],
    ['*.example', 'tpp.example'],
    ['*', 'tpp.example'],
    ['obk test TPP', 'tpp.example'],
    ['2.7', '192.0.2.7'],
    ['192.0.2.7', '192.0.2.8'],
  ])('is not covered by the name %s: %s', (name, host) => {
    expect(asked(`https://${host}/push`, [name], 'certificate')).toMatch(/No name/);
  });

  it('is https beyond this machine, and contains no password', () => {
    expect(asked('http://tpp.example/', ['tpp.example'], 'certificate')).toMatch(/https only/);
    expect(asked('http://user:secret@127.0.0.1/')).toMatch(/password/);
    expect(asked('ftp://127.0.0.1/', [], 'anywhere')).toMatch(/http or https/);
    expect(whyNot(undefined, [], 'anywhere')).toMatch(/http or https/);
  });
});
