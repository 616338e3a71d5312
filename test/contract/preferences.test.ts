// What a TPP tells the bank of the PSU's device and of its own wishes, from flags, variables and the profile, as it arrives:
// with obk and the bank inside this process; each exchange is held against the official files.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOfficialFiles } from '../helpers/contract.ts';
import { sent, startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';

const device = {
  'PSU-Accept-Language': 'de-DE',
  'PSU-User-Agent': 'Mozilla/5.0 (X11; Linux) obk=1',
  'PSU-Device-ID': '99435c7e-ad88-49ec-a2ad-99ddcb1f5555',
  'PSU-Geo-Location': 'GEO:52.506931;13.144558',
  'PSU-Http-Method': 'POST',
  'PSU-IP-Port': '1234',
};
const wishes = {
  'TPP-Redirect-Preferred': 'false',
  'TPP-Explicit-Authorisation-Preferred': 'true',
  'TPP-Rejection-NoFunds-Preferred': 'true',
  'TPP-Notification-URI': 'https://tpp.example/news',
  'TPP-Notification-Content-Preferred': 'status=SCA, LAST',
};
const names = [...Object.keys(device), ...Object.keys(wishes), 'TPP-Brand-Logging-Information', 'Consent-ID'];

describe.each(['v1', 'v136'] as const)('the preferences in %s', (variant) => {
  let tpp: Tpp;
  beforeAll(async () => {
    tpp = await startTpp(variant);
  });
  afterAll(() => tpp.close());
  const none = Object.fromEntries(names.map((name) => [name, undefined]));
  const of = (made: Parameters<typeof sent>[0]) =>
    Object.fromEntries(names.map((name) => [name, sent(made, name)]));

  it('are not sent unasked', async () => {
    tpp.take();
    expect(await tpp.pay('embedded-one')).toMatchObject({ code: 0 });
    for (const made of tpp.take()) expect(of(made)).toEqual(none);
  });

  it('are sent by flags, in any spelling of the names; the device on every call', async () => {
    tpp.take();
    const context = Object.entries(device).flatMap(([name, value], at) => [
      '--psu-context',
      `${at % 2 === 0 ? name.slice(4).toLowerCase() : name}=${value}`,
    ]);
    const flags = ['--redirect', 'no', '--explicit', 'yes', '--reject-no-funds'];
    const news = [
      '--notification-uri',
      'https://tpp.example/news',
      '--notification-content',
      'status=SCA, LAST',
    ];
    const made = await tpp.pay('embedded-choice', ...flags, ...news, ...context, '--sca-method', 'sms');
    expect(made).toMatchObject({ code: 0, document: { sca: { scaStatus: 'finalised' } } });
    const [init, ...later] = tpp.take();
    expect(of(init)).toEqual({ ...none, ...device, ...wishes });
    expect(later.length).toBeGreaterThan(3);
    // The start of an authorisation declares them as well, and nothing behind it.
    const {
      'TPP-Explicit-Authorisation-Preferred': _,
      'TPP-Rejection-NoFunds-Preferred': _no,
      ...atStart
    } = wishes;
    for (const one of later) {
      const starts = one.method === 'POST';
      expect(of(one)).toEqual({ ...none, ...device, ...(starts ? atStart : {}) });
    }
    expect(later.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('send the consent of a session with the payment only', async () => {
    tpp.take();
    await tpp.pay('embedded-one', '--consent', 'consent-4711');
    const [init, ...later] = tpp.take();
    expect(of(init)).toEqual({ ...none, 'Consent-ID': 'consent-4711' });
    for (const one of later) expect(of(one)).toEqual(none);
  });

  it('come from the profile, before it from the variable, before both from the flag', async () => {
    const set = [
      '--redirect',
      'yes',
      '--explicit',
      'no',
      '--reject-no-funds',
      'no',
      '--psu-context',
      'accept=a/b',
    ];
    const brand = ['--brand-logging', 'Acme', '--notification-uri', 'https://tpp.example/news'];
    expect(await tpp.run(['profile', 'edit', 'tpp', ...set, ...brand])).toMatchObject({ code: 0 });
    tpp.env['OBK_EXPLICIT'] = 'yes';
    try {
      tpp.take();
      await tpp.pay(
        'redirect',
        '--reject-no-funds',
        '--psu-context',
        'accept=',
        '--psu-context',
        'user-agent=x',
      );
      const [init] = tpp.take();
      expect(of(init)).toEqual({
        ...none,
        'TPP-Redirect-Preferred': 'true',
        'TPP-Explicit-Authorisation-Preferred': 'true',
        'TPP-Rejection-NoFunds-Preferred': 'true',
        'TPP-Notification-URI': 'https://tpp.example/news',
        'PSU-User-Agent': 'x',
        'TPP-Brand-Logging-Information': variant === 'v136' ? 'Acme' : undefined,
      });
    } finally {
      delete tpp.env['OBK_EXPLICIT'];
    }
    const away = ['--redirect', '--explicit', '--reject-no-funds', '--brand-logging', '--notification-uri'];
    const empty = [...away.flatMap((flag) => [flag, '']), '--psu-context', 'accept='];
    const { document } = await tpp.run(['profile', 'edit', 'tpp', ...empty]);
    expect(Object.keys(document)).not.toEqual(expect.arrayContaining(['prefer']));
    expect(document.notification ?? document.brandLogging ?? document.psu?.context).toBeUndefined();
  });

  it('hold at the creation for an authorisation that a later run starts', async () => {
    const later = await tpp.pay('embedded-one', '--redirect', 'no', '--explicit', 'yes', '--authorise-later');
    expect(later.code, later.stderr).toBe(0);
    expect(of(tpp.take()[0])['TPP-Redirect-Preferred']).toBe('false');
    await tpp.run(['payment', 'authorise', '@last'], 'embedded-one');
    const start = tpp.take().find(({ method }) => method === 'POST');
    expect(of(start)['TPP-Redirect-Preferred']).toBe('false');
  });

  it('send the name of a brand where the framework has it, and nothing where it has not', async () => {
    const { code, stderr } = await tpp.pay('redirect', '--brand-logging', 'Acme');
    const calls = tpp.take();
    if (variant === 'v136') {
      expect(of(calls[0])['TPP-Brand-Logging-Information']).toBe('Acme');
    } else {
      expect({ code, calls }).toEqual({ code: 2, calls: [] });
      expect(stderr).toContain('TPP-Brand-Logging-Information cannot be sent here');
    }
  });

  it.each([
    [['--psu-context', 'Geo-Location=GEO:52.5;13.1'], 'six decimals'],
    [['--psu-context', 'Device-ID=7'], 'not a UUID'],
    [['--psu-context', 'Http-Method=HEAD'], 'not GET, POST'],
    [['--psu-context', 'Acept-Language=de'], "--psu-context 'Accept-Language=de'"],
    [['--psu-context', 'IP-Address=192.0.2.1'], '--psu-ip 192.0.2.1'],
    [['--psu-context', 'User-Agent'], 'NAME=VALUE'],
    [['--notification-content', 'status=SCA,SCA'], 'SCA, PROCESS, LAST'],
    [['--notification-uri', 'news'], 'not a URI'],
    [['--nok-redirect-uri', 'nok'], 'not a URI'],
    [['--consent', '..'], 'dot segment'],
    [['--redirect', 'maybe'], 'takes yes, no'],
  ])('are refused before anything is sent: %s', async (flags, why) => {
    const { code, document, stderr } = await tpp.pay('redirect', ...flags);
    expect({ code, document, calls: tpp.take() }).toEqual({ code: 2, document: {}, calls: [] });
    expect(JSON.parse(stderr).error).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain(why.replaceAll('"', '\\"'));
  });

  it.skipIf(!hasOfficialFiles())('are as the official files say', () => {
    expect(tpp.findings()).toEqual([]);
  });
});
