// Reads the reports of the two runs of the tests.
//
//   node .ci/report.mjs skipped FIRST            the test files in which the first run left something out, a line each
//   node .ci/report.mjs sum FIRST SECOND BROKEN  what stayed left out, and as the last line "N passed, N failed"
//
// BROKEN is the number of other things that failed.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Tests that a machine may leave out, by the end of their names. */
const byDesign = [
  'on a full tmpfs', // not every container may mount one
  'that is taken on ::1 only is not half ours', // not every machine has IPv6
];
/** What else may be left out where OBK_SPEC_DIR names no folder. */
const ofOfficialFiles = /official (OpenAPI )?files?/;

const [, , task, firstFile = '', secondFile = '', broken = '0'] = process.argv;
const first = read(firstFile);
if (task === 'skipped') {
  for (const { name, skipped } of first) if (skipped.length > 0) console.log(relative('', name));
} else sum(first, read(secondFile), Number(broken));

/** The test files of a run with the names of what passed, failed and was skipped; one that could not be loaded has failed. */
function read(file) {
  if (!existsSync(file)) return [];
  return JSON.parse(readFileSync(file, 'utf8')).testResults.map(({ name, status, assertionResults }) => {
    const those = (wanted) => assertionResults.filter(wanted).map((test) => test.fullName);
    const failed = those((test) => test.status === 'failed');
    return {
      name,
      passed: those((test) => test.status === 'passed'),
      failed: status === 'failed' && failed.length === 0 ? [`${name} could not be loaded`] : failed,
      skipped: those((test) => test.status !== 'passed' && test.status !== 'failed'),
    };
  });
}

/** A file that ran twice counts as it came out the second time, but what failed once has failed. */
function sum(once, twice, others) {
  const ranTwice = new Set(twice.map(({ name }) => name));
  const last = [...once.filter(({ name }) => !ranTwice.has(name)), ...twice];
  const count = (files, of) => files.reduce((total, file) => total + file[of].length, 0);
  const mayBeSkipped = (name) =>
    byDesign.some((end) => name.endsWith(end)) ||
    (process.env['OBK_SPEC_DIR'] === undefined && ofOfficialFiles.test(name));
  let unexpected = 0;
  for (const name of last.flatMap((file) => file.skipped)) {
    const mayBe = mayBeSkipped(name);
    if (!mayBe) unexpected += 1;
    console.log(`${mayBe ? 'skipped by design' : 'FAILED, because it was skipped'}: ${name}`);
  }
  const failed = count(once, 'failed') + count(twice, 'failed') + unexpected + others;
  const skipped = count(last, 'skipped') - unexpected;
  console.log(
    `${count(last, 'passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  process.exitCode = failed > 0 ? 1 : 0;
}
