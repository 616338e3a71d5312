import { cleanLine } from '../../base/clean.ts';
import { XmlPiece, xml } from '../../standard/formats/xml/xml-writer.ts';
import type { XmlValue } from '../../standard/formats/xml/xml-writer.ts';

/** How a case ended that did not pass. */
export interface JunitEnd {
  kind: 'failure' | 'error' | 'skipped';
  type?: string;
  /** On one line, clean and as long as it may be. */
  message: string;
  text?: XmlValue;
}

interface JunitCase {
  name: string;
  durationMs?: number;
  end?: JunitEnd | undefined;
}

interface JunitSuite {
  name: string;
  file?: string;
  durationMs?: number;
  /** ISO 8601, UTC. */
  at?: string;
  cases: readonly JunitCase[];
}

/** The suites as a document of JUnit XML; `all` names what they have in common, and then counts all of them. */
export function junitDocument(suites: readonly JunitSuite[], all?: { name: string; at: string }): string {
  const head =
    all &&
    attributes({
      ...namedAndCounted(
        all.name,
        suites.flatMap((one) => one.cases),
      ),
      timestamp: all.at,
    });
  const document = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites${head}>
${suites.map(suiteXml)}</testsuites>
`;
  return document.text;
}

function suiteXml({ name, file, durationMs, at, cases }: JunitSuite): XmlPiece {
  const own = { ...namedAndCounted(name, cases, file), time: seconds(durationMs), timestamp: at };
  return xml`  <testsuite${attributes(own)}>
${cases.map((one) => caseXml(name, one))}  </testsuite>
`;
}

function caseXml(suite: string, { name, durationMs, end }: JunitCase): XmlPiece {
  const head = attributes({ classname: suite, name, time: seconds(durationMs) });
  return xml`    <testcase${head}>${end && endXml(end)}</testcase>
`;
}

function endXml({ kind, type, message, text }: JunitEnd): XmlPiece {
  const head = xml`${new XmlPiece(kind)}${attributes({ type, message })}`;
  return text === undefined ? xml`<${head}/>` : xml`<${head}>${text}</${new XmlPiece(kind)}>`;
}

function namedAndCounted(name: string, cases: readonly JunitCase[], file?: string) {
  const ended = (kind: JunitEnd['kind']) => String(cases.filter(({ end }) => end?.kind === kind).length);
  return {
    ...{ name, file, tests: String(cases.length) },
    ...{ failures: ended('failure'), errors: ended('error'), skipped: ended('skipped') },
  };
}

const seconds = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : (ms / 1000).toFixed(3);

function attributes(all: Readonly<Record<string, string | undefined>>): XmlValue {
  return Object.entries(all).map(([name, value]) =>
    value === undefined
      ? undefined
      : xml` ${new XmlPiece(name)}="${name === 'message' ? value : cleanLine(value)}"`,
  );
}
