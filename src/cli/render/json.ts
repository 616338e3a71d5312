import { cleanJson } from '../../base/clean.ts';
import { writeJson } from '../../standard/xs2a/json.ts';

/**
 * JSON as printed: indented for a person, one line for a pipe, without control characters. Numbers of a bank keep their
 * digits.
 */
export function toJson(value: unknown, options: { pretty: boolean }): string {
  return options.pretty ? cleanJson(writeJson(value, 2)) : writeJson(value, 0);
}
