import { describe, expect, it } from 'vitest';
import { accountBank } from '../account-bank.ts';

const list = '/v1/consents/con-1/authorisations';

/** A consent with these authorisations, each with its scaStatus at one reading after another; those that are over are read once. */
async function bankOf(readings: readonly Readonly<Record<string, string>>[]) {
  const bank = await accountBank();
  const saved = await bank.store.resources.find('acme', 'consent', 'con-1');
  await bank.store.resources.save({ ...saved!, status: 'received' });
  for (const reading of readings) {
    bank.http.expect('GET', list, { body: { authorisationIds: [...Object.keys(readings[0]!)] } });
    for (const [id, scaStatus] of Object.entries(reading))
      bank.http.expect('GET', `${list}/${id}`, { body: { scaStatus } });
  }
  return bank;
}

describe('sca status --until', () => {
  it.each<[string, Record<string, string>[], number]>([
    ['finalised', [{ a: 'received' }, { a: 'finalised' }], 0],
    ['psuAuthenticated', [{ a: 'received' }, { a: 'psuAuthenticated' }], 0],
    ['finalised', [{ a: 'finalised', b: 'received' }, { b: 'finalised' }], 0],
    ['finalised', [{ a: 'received', b: 'failed' }], 9],
    ['finalised', [{ a: 'received' }, { a: 'exempted' }], 9],
    ['failed', [{ a: 'received' }, { a: 'failed' }], 0],
    ['finalised', [{ a: 'received' }, { a: 'started' }], 8],
  ])('%s: %j ends with %d', async (until, readings, code) => {
    const line = `sca status con-1 --until ${until} --timeout 5s --json`;
    const alone = await bankOf(readings);
    const once = await alone.run(line);
    expect(once.code, once.stderr).toBe(code);
    const rows = JSON.parse(once.stdout) as { authorisationId: string; scaStatus: string }[];
    const last = Object.assign({}, ...readings) as Record<string, string>;
    expect(Object.fromEntries(rows.map((row) => [row.authorisationId, row.scaStatus]))).toEqual(last);
    const changes = readings.flatMap((reading) => Object.values(reading));
    expect(once.notices.said.join('\n').match(/^Authorisation /gm)).toHaveLength(changes.length);
    alone.http.verify();

    const watched = await bankOf(readings);
    const each = await watched.run(`${line} --watch`);
    expect(each.code, each.stderr).toBe(code);
    const lines = each.stdout.trimEnd().split('\n');
    expect(lines.map((one) => (JSON.parse(one) as { scaStatus: string }).scaStatus)).toEqual(changes);
    watched.http.verify();
  });

  it('takes the statuses of an authorisation only', async () => {
    const bank = await accountBank();
    const { code, stdout, stderr } = await bank.run('sca status con-1 --until finalized');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--until finalised');
    expect(bank.http.requests).toEqual([]);
  });
});
