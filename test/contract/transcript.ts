import type { Header } from '../../src/settings/records/wire.ts';

/** One request and its answer, typed by hand; `step` is what the conversation must want next. */
export interface Exchange {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query as sent. */
  path: string;
  /** Headers that must be there; an undefined value must not. */
  headers: readonly (readonly [name: string, value: string | undefined])[];
  /** Undefined where the transcript does not care; the empty string for none. */
  body: string | undefined;
  status: number;
  answerHeaders: readonly Header[];
  answer: string;
  step: string | undefined;
}

/** A conversation from its creation to its end, as a text file. */
export interface Transcript {
  settings: ReadonlyMap<string, string>;
  /** What the PSU types, by question, in order. */
  answers: readonly (readonly [question: string, answer: string])[];
  exchanges: readonly Exchange[];
  /** What the PSU must have been shown. */
  said: readonly string[];
  warned: readonly string[];
  /** `success STATUS`, `failure STATUS` or `error CODE`. */
  end: string | undefined;
}

interface Draft {
  settings: Map<string, string>;
  answers: [string, string][];
  exchanges: (Exchange & { headers: [string, string | undefined][]; answerHeaders: Header[] })[];
  said: string[];
  warned: string[];
  end: string | undefined;
}

/**
 * Reads a transcript. `#` comments; `set NAME VALUE`; `answer QUESTION TEXT`; `> METHOD PATH` begins an exchange, further
 * `>` lines are a header, a header that must be absent (`!`), the body or `(no body)`; `<` lines are status and headers
 * of the answer, the lines after them its body; `= STEP`, `said TEXT`, `warned TEXT`, `end RESULT`.
 */
export function readTranscript(text: string): Transcript {
  const draft: Draft = {
    settings: new Map(),
    answers: [],
    exchanges: [],
    said: [],
    warned: [],
    end: undefined,
  };
  for (const line of text.split('\n')) readLine(draft, line);
  return draft;
}

function readLine(draft: Draft, line: string): void {
  const last = draft.exchanges.at(-1);
  const [word = '', ...rest] = line.split(' ');
  const text = rest.join(' ');
  if (word === '>' && /^[A-Z]+ \//.test(text)) {
    const [method, path = ''] = rest;
    draft.exchanges.push({
      method: method as Exchange['method'],
      path,
      headers: [],
      body: undefined,
      status: 0,
      answerHeaders: [],
      answer: '',
      step: undefined,
    });
  } else if (word === '>' && last !== undefined) {
    if (text.startsWith('{')) last.body = text;
    else if (text === '(no body)') last.body = '';
    else if (text.startsWith('!')) last.headers.push([text.slice(1), undefined]);
    else last.headers.push(header(text));
  } else if (word === '<' && last !== undefined) {
    if (/^\d{3}$/.test(text)) last.status = Number(text);
    else last.answerHeaders.push(header(text));
  } else if (word === '=' && last !== undefined) last.step = text;
  else if (word === 'set') draft.settings.set(rest[0] ?? '', rest.slice(1).join(' '));
  else if (word === 'answer') draft.answers.push([rest[0] ?? '', rest.slice(1).join(' ')]);
  else if (word === 'said') draft.said.push(text);
  else if (word === 'warned') draft.warned.push(text);
  else if (word === 'end') draft.end = text;
  else if (line !== '' && word !== '#') {
    if (last === undefined || last.status === 0) throw new Error(`a line out of place: ${line}`);
    last.answer += `${line}\n`;
  }
}

function header(text: string): [string, string] {
  const at = text.indexOf(': ');
  if (at < 0) throw new Error(`no header: ${text}`);
  return [text.slice(0, at), text.slice(at + 2)];
}
