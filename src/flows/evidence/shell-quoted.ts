/** A word for a POSIX shell, as it is. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
