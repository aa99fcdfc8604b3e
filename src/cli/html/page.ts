/**
 * The frame of a report: one page that holds everything, runs nothing and fetches nothing.
 *
 * @module
 */

import { visible } from "../../text/visible.ts";
import { VERSION } from "../../version.ts";

/** Text that was made safe to stand in a page. */
export interface Markup {
  /** The HTML. */
  readonly html: string;
}

/** Fills a template: texts are escaped, {@linkcode Markup} stands as it is, lists are joined. */
export function markup(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Markup | readonly Markup[])[]
): Markup {
  const html = parts.reduce((text, part, index) => text + toHtml(values[index - 1]!) + part);
  return { html };
}

function toHtml(value: string | number | Markup | readonly Markup[]): string {
  if (typeof value === "string") return escaped(value);
  if (typeof value === "number") return String(value);
  return "html" in value ? value.html : value.map(({ html }) => html).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** `text` with what means something in HTML written as entities, and invisible characters made visible. */
function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

const STYLE = `
:root { color-scheme: light dark; --line: #d5d9de; --faint: #5f6b7a; --bar: #4f7cd0; --back: #fff; --ink: #1a2230; }
@media (prefers-color-scheme: dark) { :root { --line: #3a4250; --faint: #9aa6b5; --back: #14181f; --ink: #e6eaf0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 72rem; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; }
p { margin: .25rem 0; } .faint { color: var(--faint); } code { font-family: ui-monospace, monospace; font-size: .9em; }
.cards { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem 1rem; min-width: 8rem; }
.card b { display: block; font-size: 1.35rem; } .warn { border-left: .3rem solid #d08a1a; padding: .5rem .9rem; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: anywhere; } td.number, th.number { text-align: right; white-space: nowrap; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1.5rem; }
.bars { display: grid; grid-template-columns: fit-content(55%) minmax(3rem, 1fr) auto; gap: .3rem .6rem; align-items: center; }
.bars b { text-align: right; } .bars span { overflow-wrap: anywhere; } .bars i { display: block; height: .9rem; background: var(--bar); border-radius: .2rem; }
svg { width: 100%; height: auto; display: block; border-radius: .4rem; } svg text { font: 12px system-ui, sans-serif; fill: #fff; }
svg rect { stroke: var(--back); stroke-width: 1.5; }
details { border-bottom: 1px solid var(--line); padding: .5rem 0; } summary { cursor: pointer; }
li { overflow-wrap: anywhere; } .narrow { display: none; }
@media (max-width: 40rem) {
  .wide { display: none; } .narrow { display: block; } ul { padding-left: 1.1rem; } .charts { gap: 0; }
  th { display: none; } tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td, td.number { display: block; padding: 0; border: 0; text-align: left; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--faint); }
}
`;

/** A whole page. It allows itself no script, no picture, no connection: only its own styles. */
export function page(title: string, body: Markup): string {
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
${body}
<p class="faint">agentsweep ${VERSION}, ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC</p>
</body>
</html>`.html;
}

/** A number that matters, with what it is. */
export function card(value: string, label: string): Markup {
  return markup`<div class="card"><b>${value}</b>${label}</div>`;
}

/** A chart of labelled bars. */
export function bars(entries: readonly (readonly [string, number])[]): Markup {
  const most = Math.max(1, ...entries.map(([, count]) => count));
  return markup`<div class="bars">${
    entries.map(([label, count]) =>
      markup`<span>${label}</span><i style="width:${
        count === 0 ? 0 : Math.max(1, Math.round(100 * count / most))
      }%"></i><b>${count}</b>`
    )
  }</div>`;
}
