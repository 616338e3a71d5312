import { defineConfig } from 'vitest/config';

const setupFiles = ['test/helpers/setup.ts'];

/** Whole processes and browsers are heavy: two at a time at most, so that bounds on time stay honest. */
const processes = {
  setupFiles,
  testTimeout: 20_000,
  hookTimeout: 20_000,
  pool: 'forks',
  maxWorkers: 2,
} as const;

export default defineConfig({
  test: {
    reporters: process.env['OBK_TEST_REPORT'] ? ['default', 'json'] : ['default'],
    ...(process.env['OBK_TEST_REPORT'] ? { outputFile: { json: process.env['OBK_TEST_REPORT'] } } : {}),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
    projects: [
      {
        test: {
          ...processes,
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'],
        },
      },
      { test: { ...processes, name: 'contract', include: ['test/contract/**/*.test.ts'] } },
      { test: { ...processes, name: 'e2e', include: ['test/e2e/**/*.test.ts'] } },
      { test: { ...processes, name: 'browser', include: ['test/browser/**/*.test.ts'] } },
    ],
  },
});
