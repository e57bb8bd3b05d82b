/** The looks of the document: light and dark as the reader's system is, and on paper. */
export const DOCUMENT_STYLE: string = `:root {
  --paper: #ffffff; --panel: #f6f7f9; --line: #dfe3e8; --line-strong: #c3cad3;
  --ink: #17202b; --quiet: #525e6d; --accent: #0b57b7; --accent-soft: #e6effb; --code: #f0f2f5;
  --var: #8a3b12; --mark: #fff4cf; --tone: 38%; --tint: 95%; --tint-color: 60%; --shade: #1b27331f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --panel: #191f27; --line: #2b333e; --line-strong: #414c5a;
    --ink: #e6eaf0; --quiet: #a3aebc; --accent: #7fb4ff; --accent-soft: #1b2c44; --code: #222a34;
    --var: #f0ab7c; --mark: #3b3413; --tone: 68%; --tint: 16%; --tint-color: 32%; --shade: #00000066;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
header { padding: 2.25rem clamp(1rem, 3vw, 2.5rem) 1.5rem; border-bottom: 1px solid var(--line); background: var(--panel); }
.eyebrow { margin: 0; color: var(--quiet); font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: .1rem 0 0; font-size: clamp(1.6rem, 4vw, 2.2rem); line-height: 1.2; letter-spacing: -.015em; overflow-wrap: anywhere; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem; padding: 0 clamp(1rem, 3vw, 2.5rem) 5rem; max-width: 1560px; margin: 0 auto; }
nav { padding: 1rem 0 0; font-size: .9rem; }
nav summary { cursor: pointer; color: var(--quiet); font-weight: 600; padding: .25rem 0; }
nav ol { list-style: none; margin: .25rem 0 0; padding: 0; columns: 2; column-gap: 1rem; }
nav li { margin: 0; break-inside: avoid; }
nav a { display: block; padding: .28rem .6rem; border-radius: 6px; color: var(--ink); text-decoration: none; }
nav a:hover { background: var(--accent-soft); }
@media (min-width: 1120px) {
  .page { grid-template-columns: 13.5rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 0; }
  nav ol { columns: 1; border-left: 1px solid var(--line); }
  nav a { border-radius: 0 6px 6px 0; }
}
section { padding-top: 1.75rem; scroll-margin-top: 0; }
section + section { margin-top: 2rem; border-top: 1px solid var(--line); }
h2 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.25; letter-spacing: -.01em; }
h3 { margin: 1.9rem 0 .6rem; font-size: 1.05rem; line-height: 1.35; scroll-margin-top: 1rem; overflow-wrap: anywhere; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
h3 code { font-size: .95em; }
p, ul { margin: .5rem 0; max-width: 76ch; }
ul { padding-left: 1.2rem; }
li { margin: .28rem 0; overflow-wrap: anywhere; }
code, .name, .sort { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .87em; }
code { background: var(--code); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
var { font-style: normal; color: var(--var); }
sup { color: var(--quiet); font-size: .68em; line-height: 0; margin-left: .15em; font-variant-numeric: normal; }
.right .figure, dd .figure { white-space: nowrap; }
.legend { color: var(--quiet); font-size: .82rem; margin-top: .9rem; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; max-width: none; }
.entity { color: inherit; text-decoration: none; white-space: nowrap; font-weight: 550; }
.entity::before { content: ""; display: inline-block; width: .62em; height: .62em; margin-right: .38em; border-radius: 3px; background: hsl(var(--hue) 62% var(--tone)); }
.entity:hover { text-decoration: underline; }
.scroll {
  position: relative; overflow-x: auto; max-width: 100%; margin: .6rem 0; border: 1px solid var(--line); border-radius: 10px;
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / .8rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / .8rem 100% no-repeat scroll;
}
table { border-collapse: collapse; width: 100%; font-size: .88rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
th, td { padding: .55rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { background: var(--panel); color: var(--quiet); font-weight: 600; font-size: .78rem; white-space: nowrap; vertical-align: bottom; }
th .below { font-weight: 400; }
td .below { color: var(--quiet); font-size: .92em; margin-top: .15rem; }
td > div + div { margin-top: .15rem; }
td { min-width: 3.2rem; }
td:last-child:not(.right, .center) { min-width: 9.5rem; }
.sample td:last-child { min-width: 17rem; }
td code { white-space: nowrap; }
td code.long { white-space: normal; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.long span { white-space: nowrap; }
td strong { font-weight: 600; }
td.right, th.right { text-align: right; white-space: nowrap; }
td.center, th.center { text-align: center; }
tbody tr:hover { background: var(--panel); }
tbody tr:target { background: var(--mark); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); margin: 1rem 0; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.facts > div { padding: .7rem .95rem; min-width: 0; margin: 0 -1px -1px 0; border: 1px solid var(--line); border-width: 0 1px 1px 0; }
dt { color: var(--quiet); font-size: .78rem; font-weight: 600; }
dd { margin: .1rem 0 0; overflow-wrap: anywhere; }
figure { margin: .6rem 0; }
.collection { border: 1px solid var(--line-strong); border-radius: 12px; overflow: hidden; margin: .6rem 0 1.6rem; }
.collection figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .7rem; padding: .6rem .95rem; background: var(--panel); border-bottom: 1px solid var(--line); }
.collection figcaption h3 { margin: 0; font-weight: 600; }
.collection figcaption code { background: none; padding: 0; }
.collection .order { margin-left: auto; color: var(--quiet); font-size: .84rem; }
.collection ol { list-style: none; margin: 0; padding: .8rem .95rem; display: flex; flex-wrap: wrap; gap: .55rem 1.5rem; }
.collection li { position: relative; margin: 0; padding: .45rem .8rem .5rem; border-radius: 8px; border: 1px solid hsl(var(--hue) 45% var(--tone) / .55); border-left: 4px solid hsl(var(--hue) 62% var(--tone)); background: hsl(var(--hue) var(--tint-color) var(--tint)); }
.collection li + li::before { content: "→"; position: absolute; left: -1.45rem; top: 50%; transform: translateY(-50%); color: var(--quiet); }
.collection li code { background: none; padding: 0; }
.collection .sort { display: block; font-size: .95rem; }
.collection .who { display: flex; flex-wrap: wrap; gap: 0 .6rem; font-size: .84rem; }
.collection .who .entity::before { content: none; }
.collection .when { color: var(--quiet); }
.sample .scroll { margin: 0; border: 0; border-top: 1px solid var(--line); border-radius: 0; }
.relations { display: block; margin: 0 auto; font-size: 13px; }
.relations text { fill: var(--ink); font-family: inherit; }
.relations .title { font-weight: 650; font-size: 14px; }
.relations .key { font-weight: 600; }
.relations .type { fill: var(--quiet); text-anchor: end; font-size: 12px; }
.relations .box { fill: var(--panel); stroke: var(--line-strong); }
.relations .bar { fill: hsl(var(--hue) 62% var(--tone)); }
.relations .edge { fill: none; stroke: var(--quiet); stroke-width: 1.4; }
.relations .dot { fill: var(--paper); stroke: var(--quiet); stroke-width: 1.4; }
.relations .label { fill: var(--quiet); text-anchor: middle; font-size: 12px; paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
@media (max-width: 560px) {
  body { font-size: 14.5px; }
  .collection ol { flex-direction: column; gap: 1.3rem; }
  .collection li + li::before { content: "↓"; left: 50%; top: -1.35rem; transform: translateX(-50%); }
  .collection .order { margin-left: 0; }
}
@media print {
  :root { --paper: #fff; --panel: #f6f7f9; --line: #ccc; --line-strong: #999; --ink: #000; --quiet: #444; --accent: #000; --code: #f2f2f2; --var: #6b2d0d; --tone: 38%; --tint: 96%; }
  body { font-size: 9.5pt; }
  nav, .skip { display: none; }
  .page { display: block; padding: 0; max-width: none; }
  header { background: none; padding: 0 0 .5rem; }
  .scroll { overflow: visible; border: 0; }
  table, th { font-size: 7.5pt; }
  html { scroll-behavior: auto; }
  th, td { padding: .25rem .35rem; min-width: 0; }
  td code, .long span, .entity, .figure { white-space: normal; }
  .scroll { background: none; }
  .relations { max-width: 100%; height: auto; }
  h2, h3 { break-after: avoid; }
  tr, .collection li, .facts > div { break-inside: avoid; }
  a { text-decoration: none; }
}`
