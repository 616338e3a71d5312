import { appendFileSync } from 'node:fs';

const file = process.env['OBK_TEST_TRACE'];

/** Writes who did what and when into the file that OBK_TEST_TRACE names, one line for all processes of a fleet; nothing without it. */
export function traced(who: string, what: string): void {
  if (file !== undefined) appendFileSync(file, `${new Date().toISOString()} ${who} ${what}\n`);
}

/** Traces when an action begins and how it ends, with how long it took. */
export async function tracedWhile<T>(who: string, what: string, action: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const end = (how: string) => {
    traced(who, `${what} ${how} after ${String(Math.round(performance.now() - begun))} ms`);
  };
  traced(who, `${what} begins`);
  try {
    const result = await action();
    end('ends');
    return result;
  } catch (error) {
    end(`fails (${String((error as { code?: unknown }).code ?? error)})`);
    throw error;
  }
}
