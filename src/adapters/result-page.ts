const texts = {
  ok: ['Back from the bank', 'obk has noticed and goes on in the terminal. You can close this page.'],
  nok: [
    'Not approved',
    'The bank says that nothing was approved. obk goes on in the terminal. You can close this page.',
  ],
  nothing: ['Nothing here', 'This address is not one that obk waits for.'],
  method: ['Not this way', 'Only GET is answered here.'],
} as const;

/** What the PSU's browser shows after the redirect: fixed text, nothing of the request, nothing from elsewhere. */
export function page(kind: keyof typeof texts): string {
  const [title, text] = texts[kind];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
<p>${text}</p>
`;
}
