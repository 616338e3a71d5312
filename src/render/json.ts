import { cleanJson } from '../clean.ts';
import { writeJson } from '../xs2a/json.ts';

/** JSON as printed: two spaces for a person, and nothing that a terminal would obey; one line for a pipe. Numbers of a bank keep their digits. */
export function toJson(value: unknown, options: { pretty: boolean }): string {
  return options.pretty ? cleanJson(writeJson(value, 2)) : writeJson(value, 0);
}
