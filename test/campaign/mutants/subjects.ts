/** A file in which every change must be noticed, and the tests that must notice it. */
export interface Subject {
  readonly file: string;
  readonly tests: readonly string[];
}

/** What money and secrets hang on; the quick ones first, because a small budget takes those. */
export const subjects: readonly Subject[] = [
  {
    file: 'src/base/clean.ts',
    tests: ['test/unit/base/clean.test.ts'],
  },
  {
    file: 'src/standard/formats/money/amount.ts',
    tests: ['test/unit/standard/formats/money/amount.test.ts'],
  },
  {
    file: 'src/base/command-line.ts',
    tests: ['test/unit/base/command-line-words.test.ts'],
  },
  {
    file: 'src/client/resources/intent-state.ts',
    tests: ['test/unit/client/resources/intent-state.test.ts'],
  },
  { file: 'src/client/resources/intent.ts', tests: ['test/unit/client/resources/intent.test.ts'] },
  {
    file: 'src/client/resources/settle-intent.ts',
    tests: ['test/unit/client/resources/settle-intent.test.ts'],
  },
  { file: 'src/client/resources/duplicate.ts', tests: ['test/unit/client/resources/duplicate.test.ts'] },
  {
    file: 'src/client/redaction/redact.ts',
    tests: ['test/unit/client/redaction/redact.test.ts'],
  },
  {
    file: 'src/standard/xs2a/links.ts',
    tests: ['test/unit/standard/xs2a/links.test.ts', 'test/unit/standard/xs2a/link-policy.test.ts'],
  },
  {
    file: 'src/client/exchange/judge.ts',
    tests: ['test/unit/client/exchange/judge.test.ts', 'test/unit/client/exchange/judge-words.test.ts'],
  },
];
