import { rowsByKey } from '../../settings/keys.ts';

/** A setting that makes obk read or run something of this machine: a reference to a secret, or a program that signs. */
export interface SettingReference {
  /** Its dotted key. */
  setting: string;
  reference: string;
  /** The header that it fills, where it is that of a rule. */
  header?: string;
}

/** Every reference in settings of any shape, in their order: whatever ends in From, and the signer. */
export function referencesIn(settings: unknown, at = ''): readonly SettingReference[] {
  if (typeof settings !== 'object' || settings === null) return [];
  const { name: header } = settings as { name?: unknown };
  return Object.entries(settings).flatMap(([name, value]: [string, unknown]) => {
    const setting = Array.isArray(settings) ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`;
    if (typeof value !== 'string') return referencesIn(value, setting);
    const isPlain = (rowsByKey.get(setting)?.kind ?? 'reference') !== 'reference';
    if ((!/From$/.test(name) || isPlain) && name !== 'signer') return [];
    return [
      {
        setting,
        reference: value,
        ...(name === 'valueFrom' && typeof header === 'string' ? { header } : {}),
      },
    ];
  });
}

/** The name of the setting or header that a reference fills, for people. */
export function referenceName({ setting, header }: SettingReference): string {
  return header === undefined ? setting : `header ${header}`;
}
