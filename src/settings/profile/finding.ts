/** A fault or an oddity in settings; `setting` is its dotted key. */
export interface SettingFinding {
  readonly setting: string;
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

export const error = (setting: string, text: string): SettingFinding => ({
  setting,
  severity: 'error',
  text,
});

export const warning = (setting: string, text: string): SettingFinding => ({
  setting,
  severity: 'warning',
  text,
});

/** A key as it is shown: of a file that is something else altogether it may be very long. */
export const shownKey = (setting: string): string =>
  setting.length > 120 ? `${setting.slice(0, 119)}…` : setting;

/** True for an object in the sense of JSON: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
