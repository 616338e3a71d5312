// The jobs for CI servers that the guides print, run as a server runs them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { blocksOf, projectRoot } from '../helpers/guides.ts';
import { createObk } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8');

interface Workflow {
  jobs: Record<
    string,
    {
      strategy?: { matrix: { suite: string[] } };
      env: Record<string, string>;
      steps: { uses?: string; run?: string; if?: string }[];
    }
  >;
}
interface GitlabJob {
  variables: Record<string, string>;
  script: string[];
  after_script: string[];
  retry: { exit_codes: number[] };
  allow_failure: { exit_codes: number[] };
  artifacts: { reports: { junit: string[] } };
}

/** A file that a block of the page writes with a here-document. */
function fileOf(page: string, name: string): string {
  const [, text] =
    new RegExp(`^cat > ${name.replaceAll('.', '\\.')} <<'END'\\n([^]*?)^END$`, 'm').exec(page) ?? [];
  expect(text).toBeDefined();
  return text ?? '';
}

/** Puts obk where `npm ci` would put it. */
function install(obk: Obk): void {
  const bin = join(obk.folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(projectRoot, 'bin/obk.js')}' "$@"\n`;
  writeFileSync(join(bin, 'obk'), program, { mode: 0o755 });
}

/** The values of `${{ NAME }}` in a workflow of GitHub. */
const filledWith = (known: Readonly<Record<string, string>>) => (value: string) =>
  value.replace(/\$\{\{ (\S+) \}\}/g, (_all, name: string) => {
    expect(known).toHaveProperty([name]);
    return known[name] ?? '';
  });

/** One shell of a job: bash that ends at the first line which fails. */
function shell(obk: Obk, script: string, env: NodeJS.ProcessEnv) {
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
    cwd: obk.folder,
    env: { ...obk.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, output: `${script}\n${stdout}${stderr}` };
}

/** The steps of a workflow of GitHub, each in a shell that the next one does not know; what needs a registry is left out. */
function githubSteps(obk: Obk, steps: readonly { run?: string }[], fill: (value: string) => string) {
  const paths = join(obk.home, 'github-path');
  writeFileSync(paths, '');
  return {
    step: (wanted: { run?: string }, env: NodeJS.ProcessEnv) => {
      const added = readFileSync(paths, 'utf8').trim().split('\n').reverse();
      const PATH = [...added, process.env['PATH'] ?? ''].filter(Boolean).join(':');
      return shell(obk, fill(wanted.run ?? ''), { ...env, PATH, GITHUB_PATH: paths });
    },
    all: steps.filter(({ run }) => run !== undefined && run !== 'npm ci'),
  };
}

it('the workflow of docs/bank/ci.md starts a bank, runs the suite of one of its jobs and ends the bank', () => {
  const page = read('docs/bank/ci.md');
  const obk = createObk();
  try {
    const [text = ''] = blocksOf(page, 'yaml');
    const { strategy, env, steps } = (parse(text) as Workflow).jobs['bank']!;
    expect(strategy?.matrix.suite).toHaveLength(4);
    const fill = filledWith({
      'matrix.suite': strategy?.matrix.suite[2] ?? '',
      'github.run_id': '4711',
      'github.run_attempt': '1',
    });
    writeFileSync(join(obk.folder, 'bank.test.mjs'), fileOf(page, 'bank.test.mjs'));
    install(obk);

    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
    const ran: string[] = [];
    const { all, step } = githubSteps(obk, steps, fill);
    for (const one of all) {
      const { status, stdout, output } = step(one, own);
      expect(status, output).toBe(0);
      ran.push(stdout);
    }
    expect(JSON.parse(readFileSync(join(obk.folder, 'first.json'), 'utf8'))).toMatchObject({
      name: 'payments-4711-1',
    });
    expect(ran.join('')).toMatch(/^# pass 1$|^ℹ pass 1$/m);
    const status = shell(obk, 'node_modules/.bin/obk sandbox status --jq .running', {});
    expect(status.stdout.trim(), status.output).toBe('false');
    expect(existsSync(join(obk.env['XDG_STATE_HOME'] ?? '', 'obk/sandbox/banks/payments-4711-1'))).toBe(
      false,
    );
  } finally {
    obk.close();
  }
}, 60_000);

describe('a job of docs/ci.md', () => {
  const page = read('docs/ci.md');
  const [github = '', gitlab = ''] = blocksOf(page, 'yaml');
  const [jenkins = ''] = blocksOf(page, 'groovy');

  const stateOf = (obk: Obk): string => join(obk.home, 'runner');

  /** A home with the script of the page, and what the CI server knows of a customer. */
  function prepared(psuId: string): { obk: Obk; secrets: Record<string, string> } {
    const obk = createObk();
    install(obk);
    writeFileSync(join(obk.folder, 'pay.sh'), fileOf(page, 'pay.sh').replaceAll('embedded-one', psuId));
    const { stdout, output, status } = shell(
      obk,
      `node_modules/.bin/obk sandbox people ${psuId} --jq '.accounts[0].iban, .password, .otp'`,
      { OBK_STATE_DIR: stateOf(obk) },
    );
    expect(status, output).toBe(0);
    const [IBAN = '', PSU_PASSWORD = '', PSU_OTP = ''] = stdout.trim().split('\n');
    return { obk, secrets: { IBAN, PSU_PASSWORD, PSU_OTP } };
  }

  const paid = (obk: Obk): string =>
    shell(obk, 'node_modules/.bin/obk payment list --profile sandbox -o name | wc -l', {
      OBK_STATE_DIR: stateOf(obk),
    }).stdout.trim();

  it('for GitHub Actions pays once in two runs', () => {
    const { obk, secrets } = prepared('embedded-one');
    try {
      const { env, steps } = (parse(github) as Workflow).jobs['pay']!;
      expect(env['OBK_STATE_DIR']).toBe('/var/lib/obk');
      const fill = filledWith({
        'vars.IBAN': secrets['IBAN'] ?? '',
        'secrets.PSU_PASSWORD': secrets['PSU_PASSWORD'] ?? '',
        'secrets.PSU_OTP': secrets['PSU_OTP'] ?? '',
      });
      const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
      const { all, step } = githubSteps(obk, steps, fill);
      for (let run = 0; run < 2; run += 1)
        for (const one of all.filter((step) => !('if' in step))) {
          const { status, output } = step(one, { ...own, OBK_STATE_DIR: stateOf(obk) });
          expect(status, output).toBe(0);
        }
      expect(paid(obk)).toBe('1');
      expect(readFileSync(join(obk.folder, 'status.xml'), 'utf8')).toContain('<testsuite');
    } finally {
      obk.close();
    }
  }, 120_000);

  it('for GitLab fails at a customer whom the bank has blocked, and leaves the page for the ticket', () => {
    const { obk, secrets } = prepared('locked');
    try {
      const job = (parse(gitlab) as { pay: GitlabJob }).pay;
      const env = { ...job.variables, ...secrets, OBK_STATE_DIR: stateOf(obk) };
      const lines = job.script.filter((line) => line !== 'npm ci').join('\n');
      const { status, output } = shell(obk, lines, env);
      expect(status, output).toBe(9);
      expect([...job.allow_failure.exit_codes, ...job.retry.exit_codes]).not.toContain(9);
      const after = shell(obk, job.after_script.join('\n'), { ...env, CI_JOB_STATUS: 'failed' });
      expect(after.status, after.output).toBe(0);
      expect(existsSync(join(obk.folder, 'ticket.html'))).toBe(true);
    } finally {
      obk.close();
    }
  }, 120_000);

  it('for GitLab shows the payment as JUnit', () => {
    const { obk, secrets } = prepared('embedded-one');
    try {
      const job = (parse(gitlab) as { pay: GitlabJob }).pay;
      const env = { ...job.variables, ...secrets, OBK_STATE_DIR: stateOf(obk) };
      const { status, output } = shell(obk, job.script.filter((line) => line !== 'npm ci').join('\n'), env);
      expect(status, output).toBe(0);
      for (const report of job.artifacts.reports.junit)
        expect(readFileSync(join(obk.folder, report), 'utf8')).toContain('<testsuite');
    } finally {
      obk.close();
    }
  }, 120_000);

  it('for Jenkins has lines for a shell that pay, and write the page for the ticket', () => {
    const { obk, secrets } = prepared('embedded-one');
    try {
      const [, variables = ''] = /environment \{\n([^]*?)\n {2}\}/.exec(jenkins) ?? [];
      const env = Object.fromEntries(
        [...variables.matchAll(/(\w+) = '([^']*)'/g)].map(([, name = '', value]) => [name, value]),
      );
      expect(env).toMatchObject({
        OBK_PROFILE: 'sandbox',
        OBK_STATE_DIR: '/var/lib/obk',
        ORDER: 'order-4711',
      });
      const [, pay = ''] = /script: '([^']*)'/.exec(jenkins) ?? [];
      const [, ticket = ''] = /failure \{ sh '([^']*)' \}/.exec(jenkins) ?? [];
      const own = { ...env, ...secrets, OBK_STATE_DIR: stateOf(obk) };
      const { status, output } = shell(obk, pay, own);
      expect(status, output).toBe(0);
      expect(paid(obk)).toBe('1');
      shell(obk, 'node_modules/.bin/obk payment get unknown-payment --product sepa-credit-transfers', own);
      const written = shell(obk, ticket, own);
      expect(written.status, written.output).toBe(0);
    } finally {
      obk.close();
    }
  }, 120_000);
});
