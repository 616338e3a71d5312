/** Curves over the time of a load as a drawing without text, which scales to any width; the words stand around it. */
import { Html, html } from './html.ts';

/** One curve: a value for each point of time, null where there is none. */
export interface Curve {
  /** The class of its line. */
  name: string;
  points: readonly { x: number; y: number | null }[];
}

const [width, height, margin] = [1000, 300, 6] as const;

/** Draws curves from 0 to `most`, over the seconds from 0 to `endS`. */
export function loadDrawing(
  curves: readonly Curve[],
  { endS, most, label }: { endS: number; most: number; label: string },
): Html {
  const at = (part: number, room: number) => String(Math.round(part * room * 10) / 10);
  const place = (x: number, y: number) =>
    `${at(x / (endS || 1), width)} ${String(margin + Number(at(1 - y / (most || 1), height - 2 * margin)))}`;
  const lineOf = ({ points }: Curve) => {
    let isOpen = false;
    return points
      .map(({ x, y }) => {
        const step = y === null ? '' : `${isOpen ? 'L' : 'M'}${place(x, y)}`;
        isOpen = y !== null;
        return step;
      })
      .join('');
  };
  return html`<svg
    viewBox="0 0 ${width} ${height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${curves.map((curve) => html`<path class="${curve.name}" d="${new Html(lineOf(curve))}" />`)}
  </svg>`;
}
