export const long = (length: number) => 'x'.repeat(length);
export const pointer = (at: string) => ({ status: 400, pointer: at });

/** One call: a body as JSON, the status, and what the answer holds at least. */
export type Row = readonly [call: string, body: unknown, status: number, told?: object];
