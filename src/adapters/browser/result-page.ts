import { createHash } from 'node:crypto';

const texts = {
  ok: ['Back from the bank', 'obk has noticed and goes on in the terminal. You can close this page.'],
  nok: [
    'Not approved',
    'The bank says that nothing was approved. obk goes on in the terminal. You can close this page.',
  ],
  nothing: ['Nothing here', 'This address is not one that obk waits for.'],
  method: ['Not this way', 'Only GET is answered here.'],
} as const;

const css = `
:root { color-scheme: light dark; background: #ffffff; color: #1b1b1f; }
@media (prefers-color-scheme: dark) { :root { background: #16161a; color: #ececf1; } }
body { margin: 0; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 15vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.75rem; line-height: 1.25; }
`;

/** The source expression by which a browser takes this style and nothing else. */
export const styleSource = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/**
 * The page that the PSU's browser shows after the redirect: fixed text, nothing from the request or from other servers.
 */
export function page(kind: keyof typeof texts): string {
  const [title, text] = texts[kind];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · obk</title>
<style>${css}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
}
