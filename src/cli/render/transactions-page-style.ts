/** What a page of transactions has besides the style of a report. */
export const transactionsPageStyle = `
h2, h3 { overflow-wrap: anywhere; }
.num, .rows .num { text-align: right; font-variant-numeric: tabular-nums; }
.rows td:nth-child(3) { min-width: 0; }
.rows td[data-title="With"], .rows td[data-title="Account"] { overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption { color: var(--soft); }
.balance { border: 1px solid var(--line); background: var(--shade); }
.balance svg { display: block; width: 100%; height: 16rem; }
.balance path { fill: none; stroke-width: 2px; vector-effect: non-scaling-stroke; }
.balance .booked { stroke: var(--link); } .balance .pending { stroke: var(--link); stroke-dasharray: 4 4; }
.balance .zero { stroke: var(--line); stroke-width: 1px; }
.scale { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: .25rem 0; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; }
.tools input, .tools select { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line);
  border-radius: 4px; padding: .35rem .5rem; min-height: 2.5rem; max-width: 100%; }
.tools input { flex: 0 1 20rem; min-width: 0; }
.rows tr[hidden] { display: none; } [role=status]:empty { margin: 0; }
nav ul { padding-left: 1.25rem; }
@media not all and (min-width: 60rem) { .rows .num { text-align: left; } }
@media print { .tools { display: none; } tr { break-inside: avoid; } figure { break-inside: avoid; } }
`;
