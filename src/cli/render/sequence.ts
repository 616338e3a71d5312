import { cleanLine } from '../../base/clean.ts';
import type { Actor, TicketStep } from '../../settings/records/ticket.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';

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
export function sequenceDrawing(steps: readonly TicketStep[]): Html {
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
export function sequenceList(steps: readonly TicketStep[]): Html {
  const words = ({ from, to, text, exchange }: TicketStep) =>
    html`<li>
      <a href="#exchange-${exchange + 1}">${exchange + 1}</a> ${actors[from]} to ${actors[to]}:
      <strong>${cleanLine(text)}</strong>
    </li>`;
  return html`<ol class="sequence">
    ${steps.map(words)}
  </ol>`;
}
