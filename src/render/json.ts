import { writeJson } from '../xs2a/json.ts';

/** JSON as printed: two spaces for a person, one line for a pipe. Numbers of a bank keep their digits. */
export function toJson(value: unknown, options: { pretty: boolean }): string {
  return writeJson(value, options.pretty ? 2 : 0);
}
