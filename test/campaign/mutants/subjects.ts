/** A file in which every change must be noticed, and the tests that must notice it. */
export interface Subject {
  readonly file: string;
  readonly tests: readonly string[];
}

/** What money and secrets hang on; the quick ones first, because a small budget takes those. */
export const subjects: readonly Subject[] = [
  {
    file: 'src/clean.ts',
    tests: ['test/unit/clean.test.ts'],
  },
  {
    file: 'src/formats/money/amount.ts',
    tests: ['test/unit/formats/amount.test.ts'],
  },
  {
    file: 'src/command-line.ts',
    tests: ['test/unit/command-line-words.test.ts'],
  },
  { file: 'src/flows/resources/intent-state.ts', tests: ['test/unit/flows/resources/intent-state.test.ts'] },
  { file: 'src/flows/resources/intent.ts', tests: ['test/unit/flows/resources/intent.test.ts'] },
  {
    file: 'src/flows/resources/settle-intent.ts',
    tests: ['test/unit/flows/resources/settle-intent.test.ts'],
  },
  { file: 'src/flows/resources/duplicate.ts', tests: ['test/unit/flows/resources/duplicate.test.ts'] },
  { file: 'src/adapters/state/journal-lines.ts', tests: ['test/unit/adapters/journal-lines.test.ts'] },
  {
    file: 'src/flows/redaction/redact.ts',
    tests: ['test/unit/flows/redaction/redact.test.ts', 'test/unit/flows/redaction/redact-structure.test.ts'],
  },
  {
    file: 'src/xs2a/links.ts',
    tests: ['test/unit/xs2a/links.test.ts', 'test/unit/xs2a/link-policy.test.ts'],
  },
  {
    file: 'src/flows/exchange/judge.ts',
    tests: ['test/unit/flows/exchange/judge.test.ts', 'test/unit/flows/exchange/judge-words.test.ts'],
  },
];
