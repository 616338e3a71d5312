import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverAddress } from '../../../../src/adapters/postgres/server-address.ts';
import { ObkError } from '../../../../src/base/errors.ts';
import { Secret } from '../../../../src/base/secret.ts';

const of = (url: string) => serverAddress(new Secret(url));

function refused(url: string): ObkError {
  try {
    of(url);
  } catch (error) {
    if (error instanceof ObkError) return error;
  }
  throw new Error('it was taken');
}

describe('the URL of a database', () => {
  it('names host, port, user, password and database, and shows neither user nor password', () => {
    expect(of('postgres://me:p%40ss@db.example:6432/state')).toEqual({
      ...{ host: 'db.example', port: 6432, user: 'me', password: 'p@ss', database: 'state' },
      ...{ tls: { ca: undefined }, shown: 'db.example:6432/state' },
    });
    expect(of('postgresql://me@[2001:db8::1]/state')).toMatchObject({
      ...{ host: '2001:db8::1', port: 5432, shown: '[2001:db8::1]:5432/state', tls: { ca: undefined } },
    });
  });

  it('leads to a pooler on a socket, in both ways of libpq', () => {
    for (const url of [
      'postgres://me@:6432/state?host=/run/pgbouncer',
      'postgres://me@/state?host=/run/pgbouncer&port=6432',
    ])
      expect(of(url)).toMatchObject({
        ...{ host: '/run/pgbouncer', port: 6432, tls: false, shown: '/run/pgbouncer:6432/state' },
      });
    expect(of('postgres://me@/state?host=/run/postgresql').shown).toBe('/run/postgresql/state');
  });

  it.each([
    ['postgres://me@/state?host=/run/postgresql', false],
    ['postgres://me@/state?host=%2Frun%2Fpostgresql', false],
    ['postgres://me@localhost/state', false],
    ['postgres://me@127.0.0.1/state?sslmode=disable', false],
    ['postgres://me@[::1]/state', false],
    ['postgres://me@127.0.0.1/state?sslmode=verify-full', true],
    ['postgres://me@127.example/state', true],
    ['postgres://me@localhost.example/state', true],
    ['postgres://me@10.0.0.1/state', true],
    ['postgres://me@localhost/state?host=db.example', true],
  ])('sets TLS: %s: TLS %s', (url, tls) => {
    expect(of(url).tls !== false).toBe(tls);
  });

  it('is refused where it would be called without TLS', () => {
    expect(refused('postgres://me:pass@db.example/state?sslmode=disable')).toMatchObject({
      code: 'CONNECTION_INSECURE',
      exit: 3,
    });
  });

  it.each([
    ['?connect_timeout=5', 5_000],
    ['?connect_timeout=0', undefined],
    ['', undefined],
  ])('limits an attempt to connect: %s', (query, ms) => {
    expect(of(`postgres://me@db.example/state${query}`).connectMs).toBe(ms);
  });

  it('names a CA of its own', () => {
    const file = join(process.env['HOME'] ?? '', 'ca.pem');
    writeFileSync(file, 'a certificate');
    expect(of(`postgres://me@db.example/state?sslrootcert=${file}`).tls).toEqual({ ca: 'a certificate' });
  });

  it.each([
    '',
    'https://me:sesame@db.example/state',
    'postgres://',
    'postgres://:sesame@db.example/state',
    'postgres://me:sesame@db.example',
    'postgres://me:sesame@db.example/a/b',
    'postgres://me:sesame@/state',
    'postgres://me:sesame@db.example:port/state',
    'postgres://me:sesame@db.example/state?port=0',
    'postgres://me:sesame@db.example/state?port=65536',
    'postgres://me:sesame@db.example/state?connect_timeout=soon',
    'postgres://me:sesame@db.example/state?connect_timeout=-1',
    'postgres://me:sesame@:6432/state',
    'postgres://me:sesame%@db.example/state',
    'postgres://me:sesame@db.example/state?sslmode=require',
    'postgres://me:sesame@db.example/state?sslmode=no-verify',
    'postgres://me:sesame@db.example/state?options=-csearch_path%3Dpublic',
    'postgres://me:sesame@db.example/state?sslrootcert=/nowhere',
  ])('is refused: %s', (url) => {
    const error = refused(url);
    expect(error).toMatchObject({ code: 'PROFILE_INVALID', exit: 3 });
    expect(`${error.title} ${error.detail ?? ''} ${error.hint.join(' ')}`).not.toContain('sesame');
  });
});
