import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';

interface Failure {
  message?: string;
  diff?: string;
  stacks?: readonly { file: string; line: number; column: number }[];
}

/**
 * A run of the tests as JSON in a file. Vitest's own report has the same shape, but leaves out what is needed where nobody saw
 * the run: the difference, that a test ran out of time, a hook of a suite that failed, and errors that belong to no test.
 */
export function fileReport(file: string): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      writeFileSync(
        file,
        JSON.stringify({ testResults: modules.map(fileOf), unhandledErrors: unhandled.map(textOf) }),
      );
    },
  };
}

function fileOf(module: TestModule) {
  const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return {
    name: module.moduleId,
    status: module.state(),
    failureMessages: suites.flatMap((suite) => suite.errors().map(textOf)),
    assertionResults: [...module.children.allTests()].map((test) => {
      const { state, errors = [] } = test.result();
      return { fullName: test.fullName, status: state, failureMessages: errors.map(textOf) };
    }),
  };
}

/** The message, the place in the tests, and the difference: the first lines say most. */
function textOf({ message = '', diff, stacks = [] }: Failure): string {
  const place = stacks.find((frame) => !frame.file.includes('node_modules'));
  const lines = [
    message,
    place === undefined ? '' : `at ${place.file}:${place.line}:${place.column}`,
    stripVTControlCharacters(diff ?? ''),
  ];
  return lines.filter((line) => line !== '').join('\n');
}
