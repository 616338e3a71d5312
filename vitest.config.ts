import { defineConfig } from 'vitest/config';

const room = (name: string, ...include: string[]) => ({ extends: true as const, test: { name, include } });

export default defineConfig({
  test: {
    setupFiles: ['test/helpers/setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Processes, not threads: a test file owns its environment and time zone. Three on two cores, because half of the
    // time goes into waiting for banks, shells and browsers.
    pool: 'forks',
    maxWorkers: 3,
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
    projects: [
      room('unit', 'test/unit/**/*.test.ts', 'test/architecture.test.ts'),
      room('contract', 'test/contract/**/*.test.ts'),
      room('e2e', 'test/e2e/**/*.test.ts'),
      room('browser', 'test/browser/**/*.test.ts'),
    ],
  },
});
