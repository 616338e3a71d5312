import type { Context } from 'hono';
import { html, page } from './html.ts';

/** A page for a link that leads to nothing. */
export function nothingPage(c: Context, why: string): Response {
  const content = html`<p>${why}</p>
    <p>Please go back to where you came from and start again.</p>`;
  return c.html(page('Nothing to decide', content), 404);
}
