/** The looks of the document: light and dark as the reader's system is, on phones, and on paper. */
export const DOCUMENT_STYLE: string = `:root {
  --paper: #ffffff; --side: #f8f9fb; --panel: #f5f7fa; --line: #e3e7ed; --line-strong: #c9d0da;
  --ink: #141b26; --quiet: #556072; --accent: #3538cd; --accent-soft: #eceefd; --code: #eff2f6;
  --var: #9a3412; --text: #0b6b4f; --mark: #fff6d6; --tone: 40%; --tint: 96%; --tint-color: 70%; --shade: #1b273322;
  --lift: 0 1px 2px #1018280d, 0 1px 3px #10182814;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f131a; --side: #0b0f15; --panel: #171d27; --line: #262e3a; --line-strong: #3b4657;
    --ink: #e7ebf2; --quiet: #a2adbd; --accent: #a4abff; --accent-soft: #20264a; --code: #1e2632;
    --var: #fdba8c; --text: #6fd6ae; --mark: #3b3413; --tone: 68%; --tint: 15%; --tint-color: 34%; --shade: #00000077;
    --lift: 0 1px 2px #00000066;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.58 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; text-decoration-color: color-mix(in srgb, currentColor 35%, transparent); }
a:hover { text-decoration-color: currentColor; }
:is(a, summary, .scroll, button, input):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.page { display: grid; grid-template-columns: minmax(0, 1fr); }
main { padding: 0 clamp(1rem, 3.5vw, 3.25rem) 6rem; min-width: 0; max-width: 1480px; }
header { padding: 2.75rem 0 .5rem; }
.eyebrow { margin: 0; color: var(--accent); font-size: .76rem; font-weight: 650; letter-spacing: .09em; text-transform: uppercase; }
h1 { margin: .15rem 0 0; font-size: clamp(1.8rem, 4vw, 2.6rem); line-height: 1.15; letter-spacing: -.025em; overflow-wrap: anywhere; }
nav { padding: 1rem clamp(1rem, 3.5vw, 3.25rem); font-size: .88rem; background: var(--side); border-bottom: 1px solid var(--line); }
nav ol { list-style: none; margin: 0; padding: 0; }
nav > ol { columns: 2; column-gap: 1rem; }
nav li { margin: 0; break-inside: avoid; }
nav a { display: block; padding: .3rem .6rem; border-radius: 7px; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { background: var(--accent-soft); color: var(--accent); }
nav summary { display: flex; align-items: center; gap: .3rem; cursor: pointer; list-style: none; border-radius: 7px; }
nav summary::-webkit-details-marker { display: none; }
nav summary a { flex: 1; }
nav summary::after { content: "›"; color: var(--quiet); width: 1rem; text-align: center; transition: transform .15s; }
nav details[open] > summary::after { transform: rotate(90deg); }
nav .count { color: var(--quiet); font-size: .76rem; font-variant-numeric: tabular-nums; }
nav details ol { margin: .1rem 0 .4rem .6rem; border-left: 1px solid var(--line-strong); }
nav details li a { padding: .2rem .6rem; color: var(--quiet); border-radius: 0 7px 7px 0; font-size: .84rem; }
nav code { background: none; padding: 0; }
#find { position: relative; margin-bottom: .8rem; }
#find input { width: 100%; padding: .55rem 2.4rem .55rem .75rem; border: 1px solid var(--line-strong); border-radius: 9px; background: var(--paper); color: var(--ink); font: inherit; font-size: .88rem; box-shadow: var(--lift); }
#find input::placeholder { color: var(--quiet); opacity: 1; }
#find input::-webkit-search-cancel-button { display: none; }
#find kbd { position: absolute; right: .6rem; top: .5rem; padding: 0 .4rem; border: 1px solid var(--line-strong); border-radius: 5px; color: var(--quiet); font: .74rem/1.5 var(--mono); }
#find output { display: block; padding: .3rem .2rem 0; color: var(--quiet); font-size: .78rem; }
#find output:empty { display: none; }
@media (min-width: 1120px) {
  .page { grid-template-columns: 17.5rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 3rem 1.25rem; border: 0; border-right: 1px solid var(--line); scrollbar-width: thin; }
  nav > ol { columns: 1; }
}
section { padding-top: 2.4rem; }
section + section { margin-top: 2.4rem; border-top: 1px solid var(--line); }
h2 { margin: 0 0 .8rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.018em; }
h3 { margin: 2rem 0 .6rem; font-size: 1.05rem; line-height: 1.35; overflow-wrap: anywhere; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover::after, h3 a:hover::after { content: " #"; color: var(--quiet); font-weight: 400; }
h3 code { font-size: .95em; }
p, ul { margin: .5rem 0; max-width: 76ch; }
ul { padding-left: 1.2rem; }
li { margin: .28rem 0; overflow-wrap: anywhere; }
code, .sort { font-family: var(--mono); font-size: .86em; }
code { background: var(--code); border-radius: 5px; padding: .12em .38em; overflow-wrap: anywhere; }
var { font-style: normal; color: var(--var); }
sup { color: var(--quiet); font-size: .68em; line-height: 0; margin-left: .15em; font-variant-numeric: normal; }
.right .figure, dd .figure { white-space: nowrap; }
.legend { color: var(--quiet); font-size: .8rem; margin-top: .9rem; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; max-width: none; }
.entity { color: inherit; text-decoration: none; white-space: nowrap; font-weight: 550; }
.entity::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .38em; border-radius: 50%; background: hsl(var(--hue) 62% var(--tone)); }
.entity:hover { text-decoration: underline; }
.scroll {
  position: relative; overflow-x: auto; max-width: 100%; margin: .7rem 0; border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--lift);
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) left / .8rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) right / .8rem 100% no-repeat scroll;
}
table { border-collapse: collapse; width: 100%; font-size: .87rem; line-height: 1.48; font-variant-numeric: tabular-nums; }
th, td { padding: .65rem .8rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { background: var(--panel); color: var(--quiet); font-weight: 600; font-size: .76rem; white-space: nowrap; vertical-align: bottom; }
th .below { font-weight: 400; }
td .below { color: var(--quiet); font-size: .94em; margin-top: .2rem; }
td > div + div, td > div > div + div { margin-top: .2rem; }
td [data-label="Fix"]::before { content: "Fix: "; font-weight: 600; }
td { min-width: 3.2rem; }
td:last-child:not(.right, .center) { min-width: 9.5rem; }
.sample td:last-child { min-width: 17rem; }
td code { white-space: nowrap; }
td code.long { white-space: normal; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.long span { white-space: nowrap; }
td strong { font-weight: 620; }
td.none { color: var(--quiet); }
td.right, th.right { text-align: right; white-space: nowrap; }
td.center, th.center { text-align: center; }
tbody tr:hover { background: var(--panel); }
tbody tr:target { background: var(--mark); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: .8rem; margin: 1.1rem 0; }
.facts > div { padding: .85rem 1.05rem; min-width: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); box-shadow: var(--lift); }
dt { color: var(--quiet); font-size: .74rem; font-weight: 600; }
dd { margin: .15rem 0 0; overflow-wrap: anywhere; }
figure { margin: .6rem 0; }
.call { margin: .55rem 0; border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--lift); scroll-margin-top: 1rem; }
.call summary { display: flex; flex-wrap: wrap; align-items: center; gap: .2rem .8rem; padding: .7rem 1.05rem; cursor: pointer; list-style: none; border-radius: 12px; }
.call summary::-webkit-details-marker { display: none; }
.call summary::before { content: "›"; color: var(--quiet); width: .6rem; transition: transform .15s; }
.call[open] summary::before { transform: rotate(90deg); }
.call summary:hover { background: var(--panel); }
.call .operation { margin-left: auto; padding: .08rem .6rem; border-radius: 99px; background: var(--accent-soft); color: var(--accent); font-size: .76rem; font-weight: 600; }
.call > p { margin: 0; padding: 0 1.05rem; color: var(--quiet); font-size: .86rem; }
.codes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: .8rem; padding: .7rem 1.05rem 1.05rem; }
.code { margin: 0; min-width: 0; display: flex; flex-direction: column; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: var(--panel); }
.code figcaption { display: flex; justify-content: space-between; padding: .35rem .8rem; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: .76rem; font-weight: 600; }
.code button { border: 0; padding: 0 .2rem; background: none; color: var(--accent); font: inherit; cursor: pointer; }
.code pre { flex: 1; margin: 0; padding: .75rem .9rem; border: 0; border-radius: 0; box-shadow: none; background: none; font: .8rem/1.6 var(--mono); }
.code .name { color: var(--accent); } .code .text { color: var(--text); } .code .word { color: var(--var); }
.collection { border: 1px solid var(--line); border-radius: 14px; overflow: hidden; margin: .8rem 0 1.8rem; box-shadow: var(--lift); }
.collection figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .7rem; padding: .75rem 1.05rem; background: var(--panel); border-bottom: 1px solid var(--line); }
.collection figcaption h3 { margin: 0; font-weight: 620; }
.collection figcaption code { background: none; padding: 0; }
.collection .order { margin-left: auto; color: var(--quiet); font-size: .82rem; }
.collection ol { list-style: none; margin: 0; padding: 1rem 1.05rem; display: flex; flex-wrap: wrap; gap: .6rem 1.5rem; }
.collection li { position: relative; margin: 0; padding: .5rem .85rem .55rem; border-radius: 9px; border: 1px solid hsl(var(--hue) 45% var(--tone) / .4); border-left: 4px solid hsl(var(--hue) 62% var(--tone)); background: hsl(var(--hue) var(--tint-color) var(--tint)); }
.collection li + li::before { content: "→"; position: absolute; left: -1.45rem; top: 50%; transform: translateY(-50%); color: var(--quiet); }
.collection li code { background: none; padding: 0; }
.collection .sort { display: block; font-size: .95rem; }
.collection .who { display: flex; flex-wrap: wrap; gap: 0 .6rem; font-size: .84rem; }
.collection .who .entity::before { content: none; }
.collection .when { color: var(--quiet); }
.collection .readers { margin: 0; max-width: none; padding: 0 1.05rem .9rem; color: var(--quiet); font-size: .86rem; }
.sample .scroll { margin: 0; border: 0; border-top: 1px solid var(--line); border-radius: 0; box-shadow: none; }
.relations { display: block; margin: 0 auto; height: auto; font-size: 13px; }
.relations text { fill: var(--ink); font-family: inherit; }
.relations .title { font-weight: 650; font-size: 14px; }
.relations .key { font-weight: 600; }
.relations .type { fill: var(--quiet); text-anchor: end; font-size: 12px; }
.relations .box { fill: var(--paper); stroke: var(--line-strong); }
.relations .head { fill: hsl(var(--hue) var(--tint-color) var(--tint)); }
.relations .bar { fill: hsl(var(--hue) 62% var(--tone)); }
.relations .edge { fill: none; stroke: hsl(var(--hue) 40% var(--tone)); stroke-width: 1.5; }
.relations .dot { fill: var(--paper); stroke: hsl(var(--hue) 40% var(--tone)); stroke-width: 1.5; }
.relations .label { fill: var(--quiet); text-anchor: middle; font-size: 12px; paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
@media (max-width: 640px) {
  body { font-size: 15px; }
  header { padding-top: 1.75rem; }
  .collection ol { flex-direction: column; gap: 1.3rem; }
  .collection li + li::before { content: "↓"; left: 50%; top: -1.35rem; transform: translateX(-50%); }
  .collection .order { margin-left: 0; }
  .scroll:has(> table) { overflow: visible; background: none; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  tr:last-child { border-bottom: 0; }
  td, td:last-child:not(.right, .center), .sample td:last-child { min-width: 0; padding: .22rem 1rem; border: 0; }
  td.none { display: none; }
  td.right, td.center { text-align: left; white-space: normal; }
  td > div { position: relative; padding-left: 6.4rem; min-height: 1.3rem; }
  td > div[data-label]::before { content: attr(data-label); position: absolute; left: 0; top: .1rem; width: 6rem; color: var(--quiet); font-size: .74rem; font-weight: 600; line-height: 1.3; }
  td .below { color: inherit; font-size: 1em; margin-top: .35rem; }
  td code, td code.long, .long span, td .entity, td .figure { white-space: normal; overflow-wrap: anywhere; }
  td > div { overflow-wrap: anywhere; }
}
@media print {
  :root { --paper: #fff; --side: #fff; --accent-soft: #eee; --mark: #fff; --tint-color: 70%; --panel: #f6f7f9; --line: #ccc; --line-strong: #999; --ink: #000; --quiet: #444; --accent: #000; --code: #f2f2f2; --var: #6b2d0d; --text: #063; --tone: 38%; --tint: 96%; --lift: none; }
  body { font-size: 9.5pt; }
  nav, .skip, .code button { display: none; }
  .page { display: block; }
  main { padding: 0; max-width: none; }
  header { padding: 0 0 .5rem; }
  .scroll { overflow: visible; border: 0; background: none; }
  table, th { font-size: 7.5pt; }
  html { scroll-behavior: auto; }
  th, td { padding: .25rem .35rem; min-width: 0; }
  td code, .long span, .entity, .figure, pre { white-space: pre-wrap; }
  .relations { max-width: 100%; min-width: 0 !important; }
  .call::details-content { content-visibility: visible; block-size: auto; }
  h2, h3 { break-after: avoid; }
  tr, .collection li, .facts > div, .code { break-inside: avoid; }
  a { text-decoration: none; }
}`
