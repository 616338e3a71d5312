/** The values of `-o`. */
export const formats = ['table', 'wide', 'tsv', 'csv', 'json', 'ndjson', 'yaml', 'name'] as const;
export type Format = (typeof formats)[number];
