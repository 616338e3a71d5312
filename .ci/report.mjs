// Reads the reports of the two runs of the tests (test/helpers/report.ts writes them).
//
//   node .ci/report.mjs skipped FIRST               the test files in which the first run left something out, a line each
//   node .ci/report.mjs sum FIRST SECOND [OTHER...] what stayed left out, what failed and why, and as the last line
//                                                   "N passed, N failed"
//
// OTHER is the name of another thing that failed, without a failed test in a report.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Tests that a machine may leave out, by the end of their names. */
const byDesign = [
  'on a full tmpfs', // not every container may mount one
  'that is taken on ::1 only is not half ours', // not every machine has IPv6
  // They need a second Node, from 22.13 on, beside the one that runs the tests.
  'in turns: each finds what the other has paid',
  'at once: one of two pays with one key, and nothing is lost',
];
/** What else may be left out where OBK_SPEC_DIR names no folder. */
const ofOfficialFiles = /official (OpenAPI )?files?/;
/** What is shown of one failure: the whole stands where the test ran. */
const shown = { lines: 15, columns: 300 };

const [, , task, firstFile = '', secondFile = '', ...others] = process.argv;
const first = read(firstFile);
if (task === 'skipped') {
  for (const { name, skipped } of first.files) if (skipped.length > 0) console.log(name);
} else sum(first, read(secondFile));

/** The files of a run with the tests that passed, failed and were skipped; a file or a hook that broke is a failure as well. */
function read(file) {
  if (!existsSync(file)) return { files: [], unhandled: [] };
  const { testResults, unhandledErrors } = JSON.parse(readFileSync(file, 'utf8'));
  const files = testResults.map(({ name, status, failureMessages, assertionResults }) => {
    const those = (wanted) => assertionResults.filter(wanted);
    const failed = those((test) => test.status === 'failed');
    if (failureMessages.length > 0 || (status === 'failed' && failed.length === 0))
      failed.unshift({ fullName: 'the file or a hook in it', failureMessages });
    return {
      name: relative('', name),
      passed: those((test) => test.status === 'passed'),
      failed,
      skipped: those((test) => test.status !== 'passed' && test.status !== 'failed'),
    };
  });
  return { files, unhandled: unhandledErrors };
}

/** A file that ran twice counts as it came out the second time, but what failed once has failed. */
function sum(once, twice) {
  const ranTwice = new Set(twice.files.map(({ name }) => name));
  const last = [...once.files.filter(({ name }) => !ranTwice.has(name)), ...twice.files];
  const count = (files, of) => files.reduce((total, file) => total + file[of].length, 0);
  const mayBeSkipped = (name) =>
    byDesign.some((end) => name.endsWith(end)) ||
    (process.env['OBK_SPEC_DIR'] === undefined && ofOfficialFiles.test(name));
  let unexpected = 0;
  for (const { fullName } of last.flatMap((file) => file.skipped)) {
    const mayBe = mayBeSkipped(fullName);
    if (!mayBe) unexpected += 1;
    console.log(`${mayBe ? 'skipped by design' : 'FAILED, because it was skipped'}: ${fullName}`);
  }
  tell('first', once);
  tell('second', twice);
  for (const name of others)
    console.log(`FAILED: ${name}, without a failed test: what it printed stands above`);
  const failed = count(once.files, 'failed') + count(twice.files, 'failed') + unexpected + others.length;
  const skipped = count(last, 'skipped') - unexpected;
  console.log(
    `${count(last, 'passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  process.exitCode = failed > 0 ? 1 : 0;
}

/** What failed in a run, for one who has the last lines of a log and nothing else. */
function tell(run, { files, unhandled }) {
  for (const { name, failed } of files)
    for (const { fullName, failureMessages } of failed) {
      console.log(`FAILED in the ${run} run: ${name} > ${fullName}`);
      for (const message of failureMessages) excerpt(message);
    }
  for (const message of unhandled) {
    console.log(`outside of any test in the ${run} run:`);
    excerpt(message);
  }
}

function excerpt(message) {
  const lines = message.split('\n');
  for (const line of lines.slice(0, shown.lines)) console.log(`    ${line.slice(0, shown.columns)}`);
  if (lines.length > shown.lines) console.log(`    (${lines.length - shown.lines} lines more)`);
}
