/** The values of `-o`; `html` is of those commands alone whose `Page` says so. */
export const formats = ['table', 'wide', 'tsv', 'csv', 'json', 'ndjson', 'yaml', 'name', 'html'] as const;
export type Format = (typeof formats)[number];
