import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { needReplaceable } from '../../../../src/cli/program/replaceable.ts';
import { memoryFiles } from '../../../helpers/fakes/index.ts';
import { program } from '../../../helpers/program.ts';

const with_ = (content: string) => ({ ports: { files: memoryFiles({ 'a.file': content }) } }) as never;

describe('a file that is named for a report', () => {
  it.each([
    ['{\n  "log": {\n    "version": "1.2",\n    "creator": { "name": "obk", "version": "1" }', 'trace', true],
    ['{"log":{"version":"1.2","creator":{"name":"Firefox"}', 'trace', false],
    ['{"password":"x"}', 'trace', false],
    ['#!/bin/sh', 'trace', false],
    ['my notes', 'reportJunit', false],
    ['', 'reportJunit', true],
    ['<?xml version="1.0"?>\n<testsuites name="obk check">', 'junit', true],
    ['journey: Pay', 'junit', false],
    ['<!doctype html>\n<html>', 'html', true],
    ['journey: Pay', 'html', false],
  ] as const)('%j of %s may be replaced: %s', async (content, kind, may) => {
    const asked = needReplaceable(with_(content), kind, { [kind]: 'a.file' });
    if (may) await expect(asked).resolves.toBeUndefined();
    else await expect(asked).rejects.toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
    const forced = needReplaceable(with_(content), kind, { [kind]: 'a.file', force: true });
    await expect(forced).resolves.toBeUndefined();
  });

  it('is refused, forced or not, before anything is done, where it is no file', async () => {
    const files = memoryFiles({});
    const pipe = new ObkError({ code: 'INPUT_INVALID', title: 'A file is not written.' });
    files.beginning = () => Promise.reject(pipe);
    files.read = () => new Promise(() => undefined);
    for (const force of [true, false]) {
      const asked = needReplaceable({ ports: { files } } as never, 'trace', { trace: 'a.file', force });
      await expect(asked).rejects.toBe(pipe);
    }
  });

  it('stays as it is where it is refused, and the report of the run tells of the other one', async () => {
    const files = memoryFiles({ 'notes.txt': 'my notes', 'notes.har': 'my notes' });
    const notes = (path: string) => Buffer.from(files.contents.get(`/cwd/${path}`) ?? []).toString();
    expect((await program('version --report-junit notes.txt', { ports: { files } })).code).toBe(2);
    expect(notes('notes.txt')).toBe('my notes');
    expect((await program('version --report-junit r.xml --trace notes.har', { ports: { files } })).code).toBe(
      2,
    );
    expect(notes('notes.har')).toBe('my notes');
    expect(notes('r.xml')).toContain('notes.har exists already');
  });

  it.each([
    'journey run pay-redirect --junit x/r.xml',
    'journey run pay-redirect --html x/r.html',
    'check --html x/r.html',
    'version --trace x/r.har',
    'version --report-junit x/r.xml',
  ])('is looked for before anything is done: %s', async (words) => {
    const lost = new ObkError({ code: 'OUTPUT_LOST', title: 'x/r could not be written.' });
    const files = { ...memoryFiles({}), needPlace: () => Promise.reject(lost) };
    const http = { exchange: () => Promise.reject(new Error('nothing may be sent')) } as never;
    const { code, stderr } = await program(`${words} --profile sandbox`, { ports: { files, http } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('x/r could not be written')]);
  });

  it('may be the report of an earlier run', async () => {
    const files = memoryFiles({});
    expect((await program('version --report-junit r.xml', { ports: { files } })).code).toBe(0);
    expect((await program('version --report-junit r.xml', { ports: { files } })).code).toBe(0);
  });
});
