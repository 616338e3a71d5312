import { messageCode } from '../../standard/xs2a/codes.ts';
import { isJsonObject, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { codesAt } from '../../standard/xs2a/message-places.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { quoted } from './finding.ts';
import type { AnswerFindings } from './finding.ts';
import { judgeLinkForms } from './links.ts';
import { judgeObject } from './members.ts';

/** Judges the body of a refusal: tppMessages, or a problem of RFC 7807. */
export function judgeRefusal(
  found: AnswerFindings,
  framework: Framework,
  operation: Operation,
  status: number,
  json: JsonValue,
): void {
  const messages = isJsonObject(json) ? json['tppMessages'] : undefined;
  const isProblem = isJsonObject(json) && messages === undefined && json['code'] !== undefined;
  if (!isJsonObject(json) || (messages === undefined && !isProblem)) {
    found.add(
      'answer-message-missing',
      'body',
      '',
      'Neither tppMessages nor the code of a problem is there.',
    );
    return;
  }
  if (isProblem) {
    judgeObject(found, framework, 'problem', json);
    judgeCode(found, framework, operation, status, json, '');
    const further = json['additionalErrors'];
    if (Array.isArray(further))
      for (const [at, one] of further.entries())
        judgeCode(found, framework, operation, status, one, `/additionalErrors/${String(at)}`);
    return;
  }
  if (isJsonObject(json['_links'])) judgeLinkForms(found, '/_links', json['_links']);
  if (!Array.isArray(messages)) {
    found.add('answer-member-type', 'body', '/tppMessages', 'tppMessages is no list.');
    return;
  }
  if (messages.length === 0)
    found.add('answer-message-missing', 'body', '/tppMessages', 'tppMessages is empty.');
  for (const [at, message] of messages.entries()) {
    const pointer = `/tppMessages/${String(at)}`;
    if (isJsonObject(message)) {
      judgeObject(found, framework, 'tppMessage', message, pointer);
      judgeCode(found, framework, operation, status, message, pointer);
    } else found.add('answer-member-type', 'body', pointer, 'A message is no object.');
  }
  const categories = messages.map((message) => stringMember(message, 'category'));
  if (categories.length > 0 && categories.every((one) => one === 'WARNING'))
    found.add('answer-message-category', 'body', '/tppMessages/0/category', 'A refusal has warnings alone.');
}

/** Judges the messages that stand beside a result. */
export function judgeWarnings(
  found: AnswerFindings,
  framework: Framework,
  operation: Operation,
  status: number,
  json: JsonObject,
): void {
  const messages = json['tppMessages'];
  if (!Array.isArray(messages)) return;
  for (const [at, message] of messages.entries()) {
    const pointer = `/tppMessages/${String(at)}`;
    if (stringMember(message, 'category') === 'ERROR')
      found.add(
        'answer-message-category',
        'body',
        `${pointer}/category`,
        `An ERROR comes with ${String(status)}.`,
      );
    else judgeCode(found, framework, operation, status, message, pointer);
  }
}

function judgeCode(
  found: AnswerFindings,
  framework: Framework,
  operation: Operation,
  status: number,
  message: JsonValue,
  pointer: string,
): void {
  const code = stringMember(message, 'code');
  if (code === undefined) return;
  const at = `${pointer}/code`;
  const fact = messageCode(code);
  if (fact === undefined || fact.foreign === true) {
    found.add('answer-message-code', 'body', at, `${quoted(code)} is no code of the framework.`);
    return;
  }
  const known = codesAt(framework, operation, status);
  if (known.includes(code)) return;
  const places = fact.http.map(String).join(', ');
  found.add(
    'answer-message-place',
    'body',
    at,
    `${code} does not come with ${String(status)} of ${operation.id}${places === '' ? '' : `, but with ${places}`}.`,
  );
}
