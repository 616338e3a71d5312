import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { fakeClock, memoryFiles, memorySettings } from '../../../helpers/fakes/index.ts';
import { program } from '../../../helpers/program.ts';

interface Case {
  '@_name': string;
  failure?: { '@_type': string; '@_message': string; '#text'?: string };
  error?: { '@_type': string; '@_message': string; '#text'?: string };
}

/** Runs a command line with --report-junit; gives the exit code and the suite. */
async function reported(line: string, ports: object = {}) {
  const files = memoryFiles();
  const clock = fakeClock();
  const { code } = await program(`${line} --report-junit out.xml`, { ports: { files, clock, ...ports } });
  const text = Buffer.from(await files.read('out.xml')).toString('utf8');
  // Throws for what is not well-formed.
  new SaxesParser().write(text).close();
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'testcase' });
  const { testsuites } = parser.parse(text) as {
    testsuites: { testsuite: Record<string, string> & { testcase: Case[] } };
  };
  const { testcase: cases, ...suite } = testsuites.testsuite;
  return { code, suite, cases, text };
}

describe('--report-junit', () => {
  it('says that a run ended well', async () => {
    const { code, suite, cases } = await reported('version --expect version=1.2.3');
    expect(code).toBe(0);
    expect(suite).toEqual({
      '@_name': 'obk version',
      '@_tests': '2',
      '@_failures': '0',
      '@_errors': '0',
      '@_skipped': '0',
      '@_time': '0.000',
      '@_timestamp': '2026-11-21T10:00:00.000Z',
    });
    expect(cases.map((one) => one['@_name'])).toEqual(['exit code', 'version=1.2.3']);
  });

  it('has each expectation that failed, and no other failure for it', async () => {
    const { code, suite, cases } = await reported('version --expect version=2 --expect other=<a&b>');
    expect(code).toBe(10);
    expect([suite['@_failures'], suite['@_errors']]).toEqual(['2', '0']);
    expect(cases.map(({ failure }) => failure?.['@_message'])).toEqual([
      undefined,
      'expected 2, but it is 1.2.3',
      'expected <a&b>, but it is not there',
    ]);
  });

  it('has the error that ended a run', async () => {
    const { code, suite, cases } = await reported('explain none-such');
    expect(code).toBe(2);
    expect([suite['@_failures'], suite['@_errors']]).toEqual(['0', '1']);
    expect(cases[0]?.error).toMatchObject({
      '@_type': 'USAGE',
      '@_message': 'exit 2: obk does not know the word none-such.',
    });
  });

  it('takes a result that was not wanted for a failure, and cleans what a bank says', async () => {
    const refused = new ObkError({
      code: 'REFUSED',
      exit: 9,
      title: 'It \u001b[31mfailed\u0007.',
      detail: 'first\nsecond',
    });
    const settings = { ...memorySettings(), read: () => Promise.reject(refused) };
    const { code, suite, cases, text } = await reported('payment list', { settings });
    expect(code).toBe(9);
    expect([suite['@_failures'], suite['@_errors']]).toEqual(['1', '0']);
    expect(cases[0]?.failure).toMatchObject({
      '@_type': 'REFUSED',
      '@_message': 'exit 9: It \\x1b[31mfailed\\x07.',
    });
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
