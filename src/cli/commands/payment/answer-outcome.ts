import { clean, cleanLine } from '../../../base/clean.ts';
import type { call } from '../../../client/call/call.ts';
import type { DataOutcome } from '../../outcome.ts';
import { flatten } from '../../render/fields.ts';
import { cellText } from '../../render/table.ts';
import { definitions } from '../../render/wrap.ts';

type Answer = Awaited<ReturnType<typeof call>>;

/** An answer of the bank as a result: its JSON verbatim, or its bytes where it is something else. */
export function answerOutcome(answer: Answer, options: { id: string; raw: boolean }): DataOutcome {
  const { json, body } = answer;
  const text = Buffer.from(body).toString('utf8');
  return {
    kind: 'data',
    data: json ?? text,
    text: (style) =>
      json === undefined
        ? clean(text)
        : definitions(
            flatten(json)
              .filter(([name]) => !name.startsWith('_links.'))
              .map(([name, value]) => [cleanLine(name), cleanLine(cellText(value))] as const),
            { indent: 0, width: Math.max(style.width, 40) },
          ).join('\n'),
    name: options.id,
    ...(options.raw ? { raw: body } : {}),
  };
}
