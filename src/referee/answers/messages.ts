import { messageCode } from '../../standard/xs2a/codes.ts';
import { isJsonObject, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { codesAt } from '../../standard/xs2a/message-places.ts';
import type { AnsweredCall } from './answer.ts';
import { quoted } from './finding.ts';
import type { AnswerPlace } from './finding.ts';
import { judgeLinkForms } from './links.ts';
import { judgeObject } from './members.ts';

/** Judges the body of a refusal: tppMessages, or a problem of RFC 7807. */
export function judgeRefusal(at: AnswerPlace, call: AnsweredCall, json: JsonValue): void {
  const messages = isJsonObject(json) ? json['tppMessages'] : undefined;
  if (isJsonObject(json) && messages !== undefined) judgeMessages(at, call, json, messages);
  else if (isJsonObject(json) && json['code'] !== undefined) judgeProblem(at, call, json);
  else at.add('answer-message-missing', 'Neither tppMessages nor the code of a problem is there.');
}

function judgeProblem(at: AnswerPlace, call: AnsweredCall, problem: JsonObject): void {
  judgeObject(at, 'problem', problem);
  judgeCode(at, call, problem);
  const further = problem['additionalErrors'];
  if (!Array.isArray(further)) return;
  for (const [index, one] of further.entries()) judgeCode(at.in('additionalErrors').in(index), call, one);
}

function judgeMessages(at: AnswerPlace, call: AnsweredCall, json: JsonObject, messages: JsonValue): void {
  if (isJsonObject(json['_links'])) judgeLinkForms(at.in('_links'), json['_links']);
  const list = at.in('tppMessages');
  if (!Array.isArray(messages)) {
    list.add('answer-member-type', 'tppMessages is no list.');
    return;
  }
  if (messages.length === 0) list.add('answer-message-missing', 'tppMessages is empty.');
  for (const [index, message] of messages.entries()) {
    const place = list.in(index);
    if (isJsonObject(message)) {
      judgeObject(place, 'tppMessage', message);
      judgeCode(place, call, message);
    } else place.add('answer-member-type', 'A message is no object.');
  }
  const categories = messages.map((message) => stringMember(message, 'category'));
  if (categories.length > 0 && categories.every((one) => one === 'WARNING'))
    list.in(0).in('category').add('answer-message-category', 'A refusal has warnings alone.');
}

/** Judges the messages that stand beside a result. */
export function judgeWarnings(at: AnswerPlace, call: AnsweredCall, json: JsonObject): void {
  const messages = json['tppMessages'];
  if (!Array.isArray(messages)) return;
  for (const [index, message] of messages.entries()) {
    const place = at.in('tppMessages').in(index);
    if (stringMember(message, 'category') === 'ERROR')
      place
        .in('category')
        .add('answer-message-category', `An ERROR comes with ${String(call.answer.status)}.`);
    else judgeCode(place, call, message);
  }
}

function judgeCode(place: AnswerPlace, { operation, answer }: AnsweredCall, message: JsonValue): void {
  const code = stringMember(message, 'code');
  if (code === undefined) return;
  const at = place.in('code');
  const fact = messageCode(code);
  if (fact === undefined || fact.foreign === true) {
    at.add('answer-message-code', `${quoted(code)} is no code of the framework.`);
    return;
  }
  const { status } = answer;
  if (codesAt(at.framework, operation, status).includes(code)) return;
  const places = fact.http.map(String).join(', ');
  at.add(
    'answer-message-place',
    `${code} does not come with ${String(status)} of ${operation.id}${places === '' ? '' : `, but with ${places}`}.`,
  );
}
