/** The style sheet of a ticket: light, dark, narrow and on paper; it fetches nothing. */
export const ticketStyle = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1d21; --soft: #53575f; --line: #8a9099; --shade: #f2f3f5;
  --link: #0b4fb3; --bad: #a01818; --good: #17602c; }
@media (prefers-color-scheme: dark) { :root { --paper: #15171a; --ink: #eceef1; --soft: #b3b8c0; --line: #7d848e;
  --shade: #22252a; --link: #8db9ff; --bad: #ff9c94; --good: #8fdca5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 75rem; margin: 0 auto; padding: 1rem; }
h1, h2, h3, dd, p, li, summary, .headers td, .found td { overflow-wrap: anywhere; }
.found td { min-width: 4.5rem; }
.rows td { overflow-wrap: break-word; } .rows td:nth-child(n + 3) { overflow-wrap: anywhere; }
.rows td:nth-child(3) { min-width: 10rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
dl { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: .25rem 1rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; } .headers { table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .2rem .5rem .2rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } .headers th { overflow-wrap: anywhere; }
pre { background: var(--shade); color: var(--ink); padding: .75rem; margin: 0; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; }
.headers { font: 13px/1.45 ui-monospace, monospace; } .headers th { width: 14rem; }
details { border: 1px solid var(--line); border-radius: 4px; margin: .5rem 0; padding: 0 .75rem .75rem; }
summary { cursor: pointer; padding: .75rem 0 0; font-weight: 600; }
.mark { border: 2px solid var(--bad); padding: .5rem .75rem; }
.bad { color: var(--bad); } .good { color: var(--good); } .soft { color: var(--soft); }
svg { max-width: 100%; height: auto; color: var(--ink); }
svg rect { fill: var(--shade); stroke: var(--line); } svg line { stroke: var(--ink); } svg path { fill: var(--ink); }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; text-anchor: middle; }
svg .actor { font-weight: 600; } svg .life { stroke: var(--line); stroke-dasharray: 2 4; }
svg .answer { stroke-dasharray: 7 4; } svg .unseen { stroke-dasharray: 2 3; }
@media (min-width: 60rem) { .sequence { display: none; } }
@media not all and (min-width: 60rem) { svg { display: none; } .rows thead, .found thead { display: none; }
  .rows, .rows tbody, .rows tr, .rows td, .found, .found tbody, .found tr, .found td { display: block; }
  .rows td, .found td { border: 0; overflow-wrap: anywhere; }
  .rows tr, .found tr { border-bottom: 1px solid var(--line); padding: .25rem 0; }
  .rows td::before, .found td::before { content: attr(data-title); display: block; color: var(--soft); font-size: .85rem; } }
@media (max-width: 45rem) { dl { grid-template-columns: minmax(0, 1fr); } dd { margin-bottom: .5rem; }
  .headers th, .headers td { display: block; width: 100%; border: 0; padding: 0; }
  .headers td { border-bottom: 1px solid var(--line); margin-bottom: .25rem; } }
@media print { :root { --paper: #fff; --ink: #000; --soft: #333; --line: #777; --shade: #fff; --link: #000; --bad: #000;
  --good: #000; } details::details-content { content-visibility: visible; block-size: auto; } summary { list-style: none; }
  pre { border: 1px solid #777; } h2, h3, summary { break-after: avoid; } }
`;
