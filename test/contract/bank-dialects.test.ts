// The bank inside as the banks of each platform that obk brings a template for: obk fails there as at a standard bank, and with
// the template every journey of a TPP passes, without an error that the referee finds.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankTemplates } from '../../src/settings/banks/templates.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import { shop } from '../helpers/obk.ts';
import { fieldsOf, found, platforms } from './platforms.ts';
import { part, ranTable, trials } from '../helpers/trials.ts';
import { inTurns } from '../helpers/turns.ts';
import { paymentServices, products } from '../../src/standard/xs2a/products.ts';

type Line = readonly string[];
interface Ran {
  code: number | null;
  document: Record<string, unknown>;
  rows: Record<string, unknown>[];
  stderr: string;
}

/** Every service with every product. */
const kinds = paymentServices.flatMap((service) => products.map((product) => ({ service, product })));
const task = trials('platforms', 1);
// The campaign has every platform.
const tried = task.count > 1 ? platforms : part(platforms, 3, 1);
describe.each(tried.map((platform, index) => ({ ...platform, index })))(
  'a bank like those of $name',
  (platform) => {
    const { name, index, psuId = 'embedded-choice', lacks = [] } = platform;
    const settings = bankTemplates.find((template) => template.name === name)?.settings ?? {};
    const turn = inTurns(2, index);
    let bank: TestBank;
    const home = mkdtempSync(join(tmpdir(), 'obk-platform-'));
    beforeAll(async () => {
      bank = await startBank({ bank: name });
      writeFileSync(
        join(home, 'payments.csv'),
        'creditor_name,creditor_iban,amount\nShop,DE89370400440532013000,1.00\n',
      );
      for (const [profile, more] of [
        ['described', ['--bank', name, ...(platform.flags ?? [])]],
        ['plain', ['--framework', String(settings.framework), '--prefix', String(settings.prefix)]],
      ] as const) {
        const made = await obk(['profile', 'create', profile, ...more, ...common()]);
        expect(made.code, made.stderr).toBe(0);
      }
      // A login before any call comes back only to an address that the bank knows.
      const client = { clientId: 'PSDDE-BAFIN-999999', redirectUris: ['https://tpp.example/back'] };
      if (platform.logsIn === true) await bank.bank.addClient(client);
    });
    afterAll(async () => {
      ranTable(`the journeys at ${name}`);
      await bank.close();
      rmSync(home, { recursive: true, force: true });
    });

    const common = (): Line => [
      ...['--base-url', bank.baseUrl, '--environment', 'sandbox', '--surface', 'framework'],
      ...['--certificate', bank.certificatePath, '--key', bank.keyPath, '--psu-ip', '192.0.2.1'],
      ...['--redirect-uri', 'https://tpp.example/back', '--oauth-issuer', bank.baseUrl],
    ];

    async function obk(line: Line, who = psuId, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
      const { password = '', otp = '' } = bank.people.find((one) => one.psuId === who) ?? {};
      const { code, stdout, stderr } = await runInside([...line, '--json', '--no-input'], {
        env: {
          ...process.env,
          OBK_CONFIG_DIR: join(home, 'config'),
          OBK_STATE_DIR: join(home, 'state'),
          PASSWORD: password,
          OTP: otp,
          GATEWAY_KEY: 'k-1',
          ...more,
        },
        cwd: home,
        input: '',
      });
      const document = (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown>;
      return { code, document, rows: Array.isArray(document) ? document : [], stderr };
    }

    const iban = (who = psuId) => bank.person(who).accounts[0]?.iban ?? '';
    const as = (who = psuId): Line => {
      const [method] = bank.person(who).methods;
      return [
        ...['--psu-id', who, '--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP'],
        ...(method === undefined ? [] : ['--sca-method', method.id]),
      ];
    };
    const pay = async (profile: string, who = psuId, flags = as(who)) => {
      if (profile === 'described') await logIn(who);
      return obk(
        [
          ...['payment', 'init', ...shop, '--debtor', iban(who), '--amount', '1.00', '--allow-duplicate'],
          ...[...flags, '--profile', profile],
        ],
        who,
      );
    };

    const loggedIn = new Set<string>();
    /** Where the PSU logs in before all else. */
    async function logIn(who = psuId, must = platform.logsIn === true): Promise<void> {
      if (!must || loggedIn.has(who)) return;
      loggedIn.add(who);
      const login = ['auth', 'login', '--psu-id', who, '--profile', 'described'];
      const begun = await obk(login);
      const { redirectedTo = '' } = bank.decide('approve', String(begun.document['url']), who);
      const done = await obk([...login, '--return-url-from', 'env:RETURN_URL'], who, {
        RETURN_URL: redirectedTo,
      });
      expect(done.code, done.stderr).toBe(0);
    }

    /** What is begun is led to its end; the PSU approves what the bank asks for itself. */
    async function led(kind: 'payment' | 'consent' | 'basket', begun: Ran, who = psuId): Promise<Ran> {
      const id = String(begun.document[`${kind}Id`]);
      expect(id, begun.stderr).not.toBe('undefined');
      const status = begun.document['transactionStatus'] ?? begun.document['consentStatus'];
      if (!['RCVD', 'received'].includes(String(status))) return begun;
      const sca = begun.document['sca'] as { url?: string } | undefined;
      const again = [kind, 'authorise', id, ...as(who), '--profile', 'described'];
      if (sca?.url?.includes('/oauth/authorize') === true) {
        const { redirectedTo = '' } = bank.decide('approve', sca.url, who);
        return obk([...again, '--return-url-from', 'env:RETURN_URL'], who, { RETURN_URL: redirectedTo });
      }
      await bank.bank.decide('approve', id, who).catch(() => undefined);
      return obk(again, who);
    }

    const consent = async (profile: string, who = psuId, access: Line = ['--iban', iban(who)]) => {
      if (profile === 'described') await logIn(who);
      return obk(['consent', 'create', ...access, '--recurring', ...as(who), '--profile', profile], who);
    };

    async function valid(begun: Ran, who: string): Promise<Ran> {
      const made = await led('consent', begun, who);
      expect(made.document, made.stderr).toMatchObject({ consentStatus: 'valid' });
      return made;
    }

    async function errors(since: number): Promise<string[]> {
      const log = await bank.bank.log(since);
      return log.flatMap(({ method, path, findings }) =>
        findings
          .filter(({ severity }) => severity === 'error')
          .map(({ what }) => `${method} ${path}: ${what}`),
      );
    }
    const last = async () => (await bank.bank.log(0)).at(-1)?.number ?? 0;

    turn('is not got on with as with a standard bank', { timeout: 60_000 }, async () => {
      const before = await last();
      const failed = await failing();
      if (platform.code !== undefined) expect(failed.code, failed.stderr).toBe(platform.code);
      expect(failed.stderr + JSON.stringify(failed.document)).toMatch(platform.says);
      if (platform.fails !== 'told') expect(await errors(before)).not.toEqual([]);
    });

    async function failing(): Promise<Ran> {
      if (platform.fails === 'pay') return pay('plain');
      if (platform.fails === 'nobody') return pay('plain', psuId, []);
      const { document } = await led('consent', await consent('described'));
      const under = ['--consent', String(document['consentId']), '--account', iban()];
      return obk(['transactions', 'list', ...under, '--profile', 'plain', '-v']);
    }

    it('receives a payment that is read', { timeout: 60_000 }, async () => {
      const before = await last();
      const paid = await led('payment', await pay('described'));
      expect(paid.code, paid.stderr).toBe(0);
      const id = String(paid.document['paymentId']);
      const status = await obk(['payment', 'status', id, '--profile', 'described']);
      expect(status.document, status.stderr).toMatchObject({ transactionStatus: 'ACSC' });
      const read = await obk(['payment', 'get', id, '--profile', 'described']);
      expect(read.document, read.stderr).toMatchObject({ instructedAmount: { amount: '1.00' } });
      expect(await errors(before)).toEqual([]);
    });

    // Where the other platforms differ is tried above: for them there is nothing to leave out here.
    if (platform.fails === 'nobody')
      it('receives a payment of an unknown customer', { timeout: 60_000 }, async () => {
        const { document, stderr } = await pay('described', psuId, []);
        expect(document, stderr).toMatchObject({ transactionStatus: 'RCVD' });
      });

    // Besides what is its own, each platform does one of three things more here, and all of them in the campaign.
    const isTurn = (of: number): boolean => task.count > 1 || index % 3 === of;

    // Each platform takes others here; the campaign has all at each.
    const some = Array.from(
      { length: task.count },
      (_, at) => kinds[(index * task.count + at) % kinds.length] ?? kinds[0]!,
    );
    if (isTurn(0))
      it('receives payments of other kinds and approaches', { timeout: task.timeout(60_000) }, async () => {
        const before = await last();
        await logIn();
        for (const { service, product } of some) {
          const what = `${service}/${product}`;
          const sent = await obk([
            ...['payment', 'init', '--service', service, '--product', product, '--debtor', iban()],
            ...['--authorise-later', '--allow-duplicate', ...as(), '--profile', 'described'],
            ...fieldsOf(service, product),
          ]);
          expect(sent.document['paymentId'], what + sent.stderr).toBeDefined();
          const id = String(sent.document['paymentId']);
          const read = await obk(['payment', 'get', id, '--profile', 'described']);
          expect(read.code, what + read.stderr).toBe(0);
        }
        const people = ['redirect', 'decoupled', 'embedded-one'].filter((who) => mayCome(who));
        for (const who of task.count < kinds.length
          ? people.slice(index % people.length).slice(0, 1)
          : people) {
          const paid = await led('payment', await pay('described', who), who);
          expect(paid.document, who + paid.stderr).toMatchObject({
            transactionStatus: expect.stringMatching(/^AC/),
          });
        }
        expect(await errors(before)).toEqual([]);
        task.report(
          `${name}: payments of ${String(some.length)} kinds and ${String(people.length)} approaches`,
          some.length,
        );
      });

    /** A bank that knows a part of the PSU-ID finds one person by it alone, and takes one approach where it has but one. */
    function mayCome(who: string): boolean {
      const first = settings.headers?.psuId?.first;
      const isOne =
        first === undefined ||
        bank.people.filter((one) => one.psuId.startsWith(who.slice(0, first))).length === 1;
      return isOne && (settings.sca?.approaches === undefined || who === psuId);
    }

    if (isTurn(1))
      it('cancels what waits for its day', { timeout: 60_000 }, async () => {
        const before = await last();
        bank.scenario({ lifeCycle: 'next-day' });
        const paid = await led('payment', await pay('described'));
        const id = String(paid.document['paymentId']);
        const cancelled = await obk(['payment', 'cancel', id, '--yes', ...as(), '--profile', 'described']);
        await led('payment', {
          ...cancelled,
          document: { ...cancelled.document, paymentId: id, transactionStatus: 'RCVD' },
        });
        const status = await obk(['payment', 'status', id, '--profile', 'described']);
        expect(status.document, status.stderr).toMatchObject({ transactionStatus: 'CANC' });
        expect(await errors(before)).toEqual([]);
        bank.scenario({ lifeCycle: 'by-person' });
      });

    /** A call covers a few days where the bank wants it so. */
    const window = (): Line =>
      settings.ais?.history?.windowDays === undefined ? [] : ['--date-from', day(bank.clock(), -10)];

    turn('shows accounts under a consent, until it is deleted', { timeout: 60_000 }, async () => {
      const before = await last();
      // Where the PSU must agree to the deletion, it is one who does so at the bank.
      const who = settings.consent?.deleteNeedsSca === true ? 'redirect' : psuId;
      const made = await consent('described', who);
      const id = String(lacks.includes('consents') || (await valid(made, who)).document['consentId']);
      if (lacks.includes('consents')) {
        expect([made.code, made.stderr]).toEqual([2, expect.stringMatching(/has no consents/)]);
        await logIn(who, true);
      }
      const under = [
        ...(lacks.includes('consents') ? ['--psu-id', who] : ['--consent', id]),
        '--profile',
        'described',
      ];
      const accounts = await obk(['accounts', '--with-balance', ...under]);
      expect(accounts.rows, accounts.stderr).toContainEqual(expect.objectContaining({ iban: iban(who) }));
      const balances = await obk(['accounts', 'balances', iban(who), ...under]);
      expect(balances.rows.length, balances.stderr).toBeGreaterThan(0);
      bank.scenario({ pages: 'of-1' });
      const list = await obk([
        'transactions',
        'list',
        '--all',
        '--account',
        iban(who),
        ...window(),
        ...under,
      ]);
      bank.scenario({ pages: 'of-1000' });
      expect(list.code, list.stderr).toBe(0);
      const isJson = settings.ais?.transactionFormats === undefined;
      // Pages of one: all of them were followed.
      if (isJson) expect(list.rows.length, list.stderr).toBeGreaterThan(1);
      for (const row of list.rows)
        expect(row).toMatchObject({ amount: expect.stringMatching(/^-?\d+\.\d\d$/) });
      const details = list.rows[0]?.['transactionId'];
      if (typeof details === 'string' && isJson && !lacks.includes('consents')) {
        const one = await obk(['transactions', 'get', details, '--account', iban(who), ...under]);
        if (lacks.includes('details')) expect(one.stderr).toMatch(/does not have getTransactionDetails/);
        else expect(one.document, one.stderr).toMatchObject({ transactionId: details });
      }
      if (lacks.includes('consents')) {
        expect(await errors(before)).toEqual([]);
        return;
      }
      expect(found(await obk(['check', '--profile', 'described', '--writes']))).toEqual([]);
      const deleted = await obk(['consent', 'delete', id, '--profile', 'described']);
      if (settings.consent?.deleteNeedsSca === true) {
        expect([deleted.code, deleted.document['consentStatus']]).toEqual([8, 'valid']);
        bank.decide('approve', id, who);
        await obk(['consent', 'authorise', id, ...as(who), '--profile', 'described']);
      }
      const after = await obk(['consent', 'status', id, '--profile', 'described']);
      expect(after.document, deleted.stderr + after.stderr).toMatchObject({
        consentStatus: 'terminatedByTpp',
      });
      expect(await errors(before)).toEqual([]);
    });

    if (isTurn(2) || lacks.length > 0)
      it('answers on funds, cards and baskets, or that it has none', { timeout: 60_000 }, async () => {
        let before = await last();
        const asked = ['funds', 'check', '--account', iban(), '--amount', '1.00'];
        const funds = await obk([...asked, '--profile', 'described']);
        expect(funds.document, funds.stderr).toEqual({ fundsAvailable: true });
        if (lacks.includes('cards')) {
          const cards = await obk(['api', 'getCardAccount', '-H', 'Consent-ID: c', '--profile', 'described']);
          expect([cards.code, cards.stderr]).toEqual([
            2,
            expect.stringMatching(/does not have getCardAccount/),
          ]);
          const asked = await obk(['api', 'getCardAccount', '-H', 'Consent-ID: c', '--profile', 'plain']);
          expect([asked.code, asked.stderr]).toEqual([5, expect.stringMatching(/405|SERVICE_INVALID/)]);
          before = await last();
        } else {
          const made = await led('consent', await consent('described', 'cards', ['--all-psd2']), 'cards');
          const under = ['--consent', String(made.document['consentId']), '--profile', 'described'];
          const cards = await obk(['cards', ...under], 'cards');
          expect(cards.rows.length, made.stderr + cards.stderr).toBeGreaterThan(0);
          const rows = await obk(
            [
              'cards',
              'transactions',
              '--account',
              String(cards.rows[0]?.['resourceId']),
              ...window(),
              ...under,
            ],
            'cards',
          );
          expect(rows.code, rows.stderr).toBe(0);
        }
        const later = [...as(), '--explicit', 'yes', '--authorise-later'];
        const members = [await pay('described', psuId, later), await pay('described', psuId, later)];
        const basket = await obk([
          ...['basket', 'create', ...as(), '--profile', 'described'],
          ...members.flatMap(({ document }) => ['--payment', String(document['paymentId'])]),
        ]);
        if (lacks.includes('baskets')) {
          expect([basket.code, basket.stderr]).toEqual([
            2,
            expect.stringMatching(/does not have createSigningBasket/),
          ]);
          const [{ document }] = members as [Ran];
          const asked = await obk([
            ...['basket', 'create', '--payment', String(document['paymentId'])],
            ...[...as(), '--profile', 'plain'],
          ]);
          expect([asked.code, asked.stderr]).toEqual([5, expect.stringMatching(/405|SERVICE_INVALID/)]);
          return;
        } else {
          const signed = await led('basket', basket);
          expect(signed.document, signed.stderr).toMatchObject({ transactionStatus: 'ACTC' });
        }
        expect(await errors(before)).toEqual([]);
      });
  },
);

const day = (now: string, days: number): string =>
  new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);

it('every template but the one for files only is tried here', () => {
  expect(platforms.map(({ name }) => name).sort()).toEqual(
    bankTemplates
      .map(({ name }) => name)
      .filter((name) => name !== 'adorsys-xs2a')
      .sort(),
  );
});
