import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../src/errors.ts';
import { needReplaceable } from '../../../src/program/replaceable.ts';
import { memoryFiles } from '../../helpers/fakes/index.ts';
import { program } from '../../helpers/program.ts';

const with_ = (content: string) => ({ ports: { files: memoryFiles({ 'a.file': content }) } }) as never;

describe('a file that is named for --trace or --report-junit', () => {
  it.each([
    ['{\n  "log": {\n    "version": "1.2",\n    "creator": { "name": "obk", "version": "1" }', 'trace', true],
    ['{"log":{"version":"1.2","creator":{"name":"Firefox"}', 'trace', false],
    ['{"password":"x"}', 'trace', false],
    ['#!/bin/sh', 'trace', false],
    ['my notes', 'reportJunit', false],
    ['', 'reportJunit', true],
  ] as const)('%j of %s may be replaced: %s', async (content, kind, may) => {
    const asked = needReplaceable(with_(content), { [kind]: 'a.file' });
    if (may) await expect(asked).resolves.toBeUndefined();
    else await expect(asked).rejects.toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
    await expect(needReplaceable(with_(content), { [kind]: 'a.file', force: true })).resolves.toBeUndefined();
  });

  it('is refused, forced or not, before anything is done, where it is no file', async () => {
    const files = memoryFiles({});
    const pipe = new ObkError({ code: 'INPUT_INVALID', title: 'A file is not written.' });
    files.beginning = () => Promise.reject(pipe);
    files.read = () => new Promise(() => undefined);
    for (const force of [true, false])
      await expect(needReplaceable({ ports: { files } } as never, { trace: 'a.file', force })).rejects.toBe(
        pipe,
      );
  });

  it('may be the report of an earlier run', async () => {
    const files = memoryFiles({});
    expect((await program('version --report-junit r.xml', { ports: { files } })).code).toBe(0);
    expect((await program('version --report-junit r.xml', { ports: { files } })).code).toBe(0);
  });
});
