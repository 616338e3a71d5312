import { operations } from '../../standard/xs2a/operations.ts';

const options = ['*', ...operations.map(({ id }) => id)]
  .map((id) => `<option value="${id}"></option>`)
  .join('');

/** The page before anything is known: what stands in it for ever, and the places that the script fills. */
export const shell = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>obk test bank</title>
    <link rel="stylesheet" href="window/window.css">
    <script type="module" src="window/main.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <p class="name"><strong>obk test bank</strong> <span>not a real bank, no real money</span></p>
      <p id="state" role="status">Starting</p>
      <div id="tenants" hidden></div>
      <nav id="nav" aria-label="Parts of the bank" hidden></nav>
    </header>
    <main id="main" tabindex="-1">
      <h1>The window of the bank</h1>
      <noscript><p>This page needs its scripts, which come from this bank alone.</p></noscript>
    </main>
    <p id="said" role="alert"></p>
    <datalist id="operations">${options}</datalist>
  </body>
</html>
`;
