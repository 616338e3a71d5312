// Apart from bulk-body.ts, so that the help of --from-csv does not load what reads a file.
export { csvColumns } from '../../formats/csv-row.ts';
