import { send } from './tpp.ts';
import type { TestAnswer } from './tpp.ts';

/** A browser without scripts: it keeps cookies by path, follows no redirect by itself, and sends forms. */
export function browser() {
  const cookies = new Map<string, { value: string; path: string }>();
  const visit = async (url: string, fields?: Readonly<Record<string, string>>): Promise<TestAnswer> => {
    const { pathname } = new URL(url);
    const sent = [...cookies].filter(([, cookie]) => pathname.startsWith(cookie.path));
    const answer = await send(
      url,
      fields === undefined ? 'GET' : 'POST',
      {
        ...(sent.length > 0 && { Cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') }),
        ...(fields !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      Buffer.from(fields === undefined ? '' : new URLSearchParams(fields).toString()),
    );
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/' });
    }
    return answer;
  };
  /** Sends the form of a page with what it hides and these fields; follows a redirect within the bank. */
  const submit = async (
    url: string,
    shown: TestAnswer,
    fields: Readonly<Record<string, string>>,
  ): Promise<TestAnswer> => {
    const action = /action="([^"]*)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const hidden = [...shown.text.matchAll(/type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g)];
    const all = {
      ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
      ...fields,
    };
    const answer = await visit(new URL(action, url).href, all);
    const location = answer.headers['location'];
    return answer.status === 303 && String(location).startsWith('/')
      ? visit(new URL(String(location), url).href)
      : answer;
  };
  return { visit, submit };
}
