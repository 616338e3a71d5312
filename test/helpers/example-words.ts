/** The words of an example of a help page as a shell reads them; the variables that stand before its program are apart. */
export function wordsOf(example: string): {
  program: string;
  args: string[];
  env: Record<string, string>;
} {
  const all = (example.replace(/\s+#.*$/, '').match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^["'](.*)["']$/, '$1'),
  );
  const at = all.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const [program = '', ...args] = all.slice(at);
  const env = Object.fromEntries(all.slice(0, at).map((word) => word.split(/=(.*)/s).slice(0, 2)));
  return { program, args, env: env as Record<string, string> };
}
