import { describe, expect, it } from 'vitest';
import { accountBank } from '../account-bank.ts';

const path = '/v1/consents/con-1/status';

/** A bank that says these statuses of the consent, one after another. */
async function bankOf(...statuses: readonly string[]) {
  const bank = await accountBank();
  const saved = await bank.store.resources.find('acme', 'consent', 'con-1');
  await bank.store.resources.save({ ...saved!, status: 'received' });
  for (const consentStatus of statuses) {
    const tppMessages = [{ category: 'WARNING', code: 'WARNING', text: `It is ${consentStatus}` }];
    bank.http.expect('GET', path, { body: { consentStatus, tppMessages } });
  }
  return bank;
}

const ended = ['received', 'received', 'partiallyAuthorised', 'rejected'];

describe('a status that is watched', () => {
  it.each([
    ['--json', ['{"consentStatus":"received"}', '{"consentStatus":"partiallyAuthorised"}']],
    ['--jq .consentStatus', ['received', 'partiallyAuthorised']],
    ['--fields consentStatus', ['{"consentStatus":"received"}', '{"consentStatus":"partiallyAuthorised"}']],
    ['-o tsv --fields consentStatus', ['received', 'partiallyAuthorised']],
  ])('%s: each change on a line of its own', async (how, lines) => {
    const bank = await accountBank();
    for (const consentStatus of ['received', 'received', 'partiallyAuthorised', 'rejected'])
      bank.http.expect('GET', path, { body: { consentStatus } });
    const seen = await bank.run(`consent status con-1 --watch ${how}`);
    const last = lines[1]!.replace('partiallyAuthorised', 'rejected');
    expect(seen).toMatchObject({ code: 0, stdout: [...lines, last, ''].join('\n') });
    bank.http.verify();
  });

  it('by a pipe: one line per change, and what else there is to say after the last', async () => {
    const seen = await (await bankOf(...ended)).run('consent status con-1 --watch');
    const heads = seen.stdout.split('\n').filter((line) => line.startsWith('Consent con-1'));
    expect(heads).toEqual([
      expect.stringContaining('received'),
      expect.stringContaining('partiallyAuthorised'),
      expect.stringContaining('rejected'),
    ]);
  });

  it('by a person: one line that is drawn again', async () => {
    const env = { OBK_FORCE_TTY: '200', NO_COLOR: '1' };
    const { stdout } = await (await bankOf(...ended)).run('consent status con-1 --watch', env);
    expect(stdout.split('\n').filter((line) => line.includes('Consent con-1'))).toHaveLength(1);
    const drawn = stdout.split('\r\u001b[K');
    expect(drawn.map((line) => line.slice(0, 24).trimEnd())).toEqual([
      'Consent con-1: received',
      'Consent con-1: partially',
      'Consent con-1: rejected',
      'Consent con-1: rejected',
    ]);
    expect(stdout.endsWith('\n')).toBe(true);
  });

  it('is cut to the width, until it is whole at the end', async () => {
    const env = { OBK_FORCE_TTY: '20', NO_COLOR: '1' };
    const { stdout } = await (await bankOf(...ended)).run('consent status con-1 --watch', env);
    const drawn = stdout.split('\r\u001b[K');
    expect(drawn.slice(0, -1)).toEqual(['Consent con-1: rec…', 'Consent con-1: par…', 'Consent con-1: rej…']);
    expect(drawn.at(-1)).toMatch(/^Consent con-1: rejected/);
  });

  it.each([
    ['CI', { CI: '1' }],
    ['a screen reader', { OBK_ACCESSIBLE: '1' }],
    ['a dumb terminal', { TERM: 'dumb' }],
  ])('stays where it was written for %s', async (_, env) => {
    const { stdout } = await (
      await bankOf(...ended)
    ).run('consent status con-1 --watch', {
      OBK_FORCE_TTY: '200',
      NO_COLOR: '1',
      ...env,
    });
    expect(stdout).not.toContain('\r');
    expect(stdout.split('\n').filter((line) => line.startsWith('Consent con-1'))).toHaveLength(3);
  });

  it.each([
    [['received', 'valid'], '--until valid', 0],
    [['received', 'rejected'], '--until valid', 9],
    [['received', 'received'], '--until valid --timeout 5s', 8],
    [['received', 'rejected'], '--exit-status', 9],
    [['received', 'rejected'], '--expect consentStatus=rejected', 0],
    [['received', 'rejected'], '--expect consentStatus=valid', 10],
    [['received', 'rejected'], '--until valid --expect consentStatus=valid', 9],
  ])('%j with %s ends with %d', async (statuses, how, code) => {
    const bank = await bankOf(...statuses);
    if (statuses.includes('valid')) {
      const access = { accounts: [] };
      const whole = { access, recurringIndicator: false, validUntil: '2027-02-18', frequencyPerDay: 1 };
      bank.http.expect('GET', '/v1/consents/con-1', { body: { ...whole, consentStatus: 'valid' } });
    }
    const seen = await bank.run(`consent status con-1 --watch ${how} --json`);
    expect(seen.code, seen.stderr).toBe(code);
    const shown = new Set(statuses).size;
    expect(seen.stdout.trimEnd().split('\n')).toHaveLength(shown);
    bank.http.verify();
  });

  it('with --until alone is one document', async () => {
    const bank = await bankOf('received', 'rejected');
    const { code, stdout, notices } = await bank.run('consent status con-1 --until valid --json');
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 9, lines: 1 });
    expect(JSON.parse(stdout)).toMatchObject({ consentStatus: 'rejected' });
    expect(notices.said.join()).toContain('Consent con-1: rejected');
  });

  it('that cannot be read ends as any command', async () => {
    const bank = await accountBank();
    bank.http.expect('GET', path, { status: 403, body: {} });
    expect(await bank.run('consent status con-1 --watch --json')).toMatchObject({ code: 5, stdout: '' });
    const dry = await bank.run('consent status con-1 --watch --dry-run --json');
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.stdout)).toMatchObject({ method: 'GET' });
  });

  it('has no exact bytes', async () => {
    const bank = await accountBank();
    const refused = await bank.run('consent status con-1 --watch --raw');
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--until') });
  });
});
