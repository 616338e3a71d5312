import { shownValue } from '../../standard/xs2a/psu-names.ts';
import { signedLine } from './exchange.ts';
import type { NamedValue } from '../../settings/records/exchange.ts';
import type { Ticket, TicketExchange, Actor, TicketStep } from '../../settings/records/ticket.ts';
import { Html, filePage, html } from './html.ts';
import { ticketStyle } from './ticket-style.ts';
import { cleanLine } from '../../base/clean.ts';

/** The ticket as one HTML page without scripts or other files, to send to the bank. */
export function ticketPage(ticket: Ticket, made: { at: string; version: string }): string {
  const { id, exchanges, steps, statuses } = ticket;
  const title = `${kindOf(ticket).replace(/^./, (first) => first.toUpperCase())} ${id}`;
  const main = html`${ticket.verdict === null ? null : html`<p><strong>Verdict: ${ticket.verdict}</strong></p>`}
    ${ticket.unmasked ? unmaskedMark : null}
    <p class="soft">
      Written by obk ${made.version} at ${made.at} (UTC) from its journal. Secrets are cut
      out${ticket.unmasked ? '.' : ' and account numbers masked.'}
    </p>
    ${facts(ticket)}
    <h2>Statuses</h2>
    ${statuses.length === 0 ? html`<p>No answer stated a status.</p>` : statusTable(statuses)}
    <h2>Requests</h2>
    ${requestTable(exchanges)}
    <h2>Sequence</h2>
    ${sequenceDrawing(steps)} ${sequenceList(steps)}
    <h2>Exchanges</h2>
    ${exchanges.map(exchangeDetails)}`;
  return filePage(title, main, { name: ' - obk report', style: ticketStyle });
}

/** What the id is of: where nothing is saved of it, a run or something of the bank. */
function kindOf({ noun, id, runs }: Ticket): string {
  return noun ?? (runs.some(({ run }) => run.startsWith(id)) ? 'run' : 'resource');
}

const unmaskedMark = html`<p class="mark">
  <strong>With account numbers.</strong> This file holds personal data: give it to the bank alone, and delete
  it afterwards.
</p>`;

/** Where the calls were made, if that is not one home alone. */
function hosts({ runs }: Ticket): string | null {
  if (runs.every(({ host }) => host === undefined)) return null;
  return runs.map(({ run, host }) => (typeof host === 'string' ? `${run} on ${host}` : run)).join('; ');
}

function facts(ticket: Ticket): Html {
  const known: [string, string | null][] = [
    ['Status', ticket.status],
    ['Fees', ticket.fees.length === 0 ? null : ticket.fees.join('; ')],
    ['Environment', ticket.environment],
    ['Profile', ticket.profile],
    ['Bank', ticket.baseUrl],
    ['Framework', ticket.framework],
    ['Product', ticket.product],
    ['Certificate', ticket.certificate === null ? null : readable(ticket.certificate)],
    ['Runs', hosts(ticket)],
    ['Exchanges', String(ticket.exchanges.length)],
  ];
  return html`<dl>
    ${known.map(([name, value]) =>
      value === null
        ? html``
        : html`<dt>${name}</dt>
            <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** Decodes the percent-encoding of a keyId; a malformed one stays as it is. */
function readable(keyId: string): string {
  try {
    return decodeURIComponent(keyId);
  } catch {
    return keyId;
  }
}

const statusTitles = ['Time (UTC)', 'Name', 'Status', 'Meaning, and what the bank said', 'Exchange'] as const;
const requestTitles = ['Exchange', 'Our X-Request-ID', "The bank's", "The bank's trace and Date"] as const;

/** A cell that says its column itself, for a page too narrow for columns. */
const cell = (title: string, content: Html | string): Html => html`<td data-title="${title}">${content}</td>`;

function statusTable(statuses: Ticket['statuses']): Html {
  const rows = statuses.map(
    ({ at, name, value, meaning, told, exchange }) =>
      html`<tr>
        ${cell(statusTitles[0], at)} ${cell(statusTitles[1], name)}
        ${cell(statusTitles[2], html`<strong>${value}</strong>`)}
        ${cell(statusTitles[3], html`${meaning}${told === null ? null : html`<div class="soft">${told}</div>`}`)}
        ${cell(statusTitles[4], html`<a href="#exchange-${exchange + 1}">${exchange + 1}</a>`)}
      </tr>`,
  );
  return table(statusTitles, rows);
}

function requestTable(exchanges: Ticket['exchanges']): Html {
  const rows = exchanges.map(
    ({ requestId, bankRequestId, trace }, at) =>
      html`<tr>
        ${cell(requestTitles[0], html`<a href="#exchange-${at + 1}">${at + 1}</a>`)}
        ${cell(requestTitles[1], requestId)} ${cell(requestTitles[2], bankRequestId ?? 'the same or none')}
        ${cell(requestTitles[3], html`${trace.map(({ name, value }) => html`<div>${name}: ${value}</div>`)}`)}
      </tr>`,
  );
  return table(requestTitles, rows);
}

function table(titles: readonly string[], rows: readonly Html[]): Html {
  return html`<table class="rows">
    <thead>
      <tr>
        ${titles.map((title) => html`<th scope="col">${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function exchangeDetails(exchange: TicketExchange, at: number): Html {
  const { method, operation, request, answer, failure, outcome = '', durationMs, url } = exchange;
  const status = answer?.status ?? failure?.status;
  const refused = outcome !== 'DONE';
  const { tls } = answer ?? {};
  return html`<details id="exchange-${at + 1}" ${refused ? new Html('open') : null}>
    <summary>
      ${at + 1} ${method} ${operation}:
      <span class="${refused ? 'bad' : 'good'}">${status ?? 'no answer'} ${outcome}</span>
    </summary>
    <p>
      ${exchange.at ?? ''},
      ${durationMs === undefined ? 'not ended' : `${String(durationMs)} ms`}${
        tls === undefined ? null : `, ${tls.protocol} ${tls.cipher}, peer ${tls.peer}`
      }
    </p>
    ${failure === undefined ? null : html`<p class="bad">${failure.why}</p>`}
    ${exchange.resolution === undefined ? null : html`<p>Settled: ${exchange.resolution}</p>`}
    <h3>Request</h3>
    <pre>${`${method} ${url}`}</pre>
    ${headerTable(request.headers)} ${block(request.body)}
    ${
      request.signingString === null
        ? null
        : html`<h3>Signing string</h3>
            ${block(request.signingString.split('\n').map(signedLine).join('\n'))}`
    }
    <h3>Answer</h3>
    ${status === undefined ? html`<p>None.</p>` : html`<pre>${status}</pre>`}
    ${headerTable(answer?.headers ?? failure?.headers ?? [])} ${block(answer?.body ?? '')}
  </details>`;
}

function headerTable(headers: readonly NamedValue[]): Html | null {
  if (headers.length === 0) return null;
  return html`<table class="headers">
    <tbody>
      ${headers.map(
        ({ name, value }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${breakable(shownValue(name, value))}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A value that may be broken after its commas; a browser copies it as it is. */
const breakable = (value: string): Html[] =>
  value.split(/(?<=,)/).map((part, at) => (at === 0 ? html`${part}` : html`<wbr />${part}`));

/** A body or signing string as it is; the first newline is there because HTML drops it. */
function block(text: string): Html | null {
  return text === '' ? null : html`<pre>${new Html('\n')}${text}</pre>`;
}

/** The participants, in the order of the lanes. */
const actors: Readonly<Record<Actor, string>> = {
  tpp: 'TPP (obk)',
  browser: "PSU's browser",
  aspsp: 'ASPSP',
  oauth: 'OAuth server',
};

const lane = 250;
const row = 38;
const top = 56;
/** The approximate width of a character of 12 px. */
const character = 6.6;

/** The sequence as a drawing: SVG whose description says all of it, no script. */
function sequenceDrawing(steps: readonly TicketStep[]): Html {
  const lanes = (Object.keys(actors) as Actor[]).filter((actor) =>
    steps.some(({ from, to }) => from === actor || to === actor),
  );
  const middle = (actor: Actor) => lane / 2 + lanes.indexOf(actor) * lane;
  const [width, height] = [lanes.length * lane, top + steps.length * row + 16];
  const names = lanes.map((actor) => actors[actor]).join(', ');
  return html`<svg
    role="img"
    aria-labelledby="sequence-title sequence-about"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
    xmlns="http://www.w3.org/2000/svg"
  >
    <title id="sequence-title">Sequence of the exchanges</title>
    <desc id="sequence-about">
      ${steps.length} messages between ${names}. ${steps.map(spoken).join('. ')}.
    </desc>
    ${lanes.map(
      (actor) =>
        html`<rect x="${middle(actor) - 80}" y="6" width="160" height="30" rx="4" />
          <text x="${middle(actor)}" y="26" class="actor">${actors[actor]}</text>
          <line class="life" x1="${middle(actor)}" y1="36" x2="${middle(actor)}" y2="${height - 4}" />`,
    )}
    ${steps.map((step, at) => arrow(step, middle(step.from), middle(step.to), top + at * row + 20))}
  </svg>`;
}

function arrow({ text, answer, seen, exchange }: TicketStep, from: number, to: number, y: number): Html {
  const back = to < from ? 8 : -8;
  const room = Math.floor((Math.abs(to - from) + 60) / character);
  const label = cleanLine(`${String(exchange + 1)}  ${text}`, room);
  const kind = seen ? (answer ? 'answer' : 'request') : 'unseen';
  return html`<line class="${kind}" x1="${from}" y1="${y}" x2="${to}" y2="${y}" />
    <path d="M${to} ${y} l${back} -4 v8 z" />
    <text x="${(from + to) / 2}" y="${y - 6}">${label}</text>`;
}

const spoken = ({ from, to, text, exchange }: TicketStep) =>
  `${String(exchange + 1)}: ${actors[from]} to ${actors[to]}: ${cleanLine(text)}`;

/** The sequence as a list, for a page too narrow for the drawing; the style sheet shows one of the two. */
function sequenceList(steps: readonly TicketStep[]): Html {
  const words = ({ from, to, text, exchange }: TicketStep) =>
    html`<li>
      <a href="#exchange-${exchange + 1}">${exchange + 1}</a> ${actors[from]} to ${actors[to]}:
      <strong>${cleanLine(text)}</strong>
    </li>`;
  return html`<ol class="sequence">
    ${steps.map(words)}
  </ol>`;
}
