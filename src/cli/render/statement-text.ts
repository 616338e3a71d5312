import type { ReportStatement } from '../../standard/formats/rows/report-reader.ts';

/** The values of a statement in one text, each behind its name. */
export const statementText = ({ values }: ReportStatement): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
