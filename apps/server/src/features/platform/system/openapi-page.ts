import type { RouteKey, RouteSpec, RouteTable } from '@yardarm/contract';
import { describeAccess, statusesOf } from './openapi.ts';

/** The page has a style sheet of its own, and loads its icon only. */
export const openApiPagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the HTTP API as a page without scripts: every route with its permission, answers and events. The usual
 * package for such a page runs a telemetry script when it is installed.
 */
export function openApiPage(table: RouteTable, version: string): string {
  const tags = [...new Set(Object.values(table).map((spec) => spec.tag))].sort();
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<title>Yardarm ${version}: the HTTP API</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  nav a { margin-right: 1rem; }
  article { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .75rem 0; }
  h3 { font: 600 1rem ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
  p { margin: .25rem 0; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: .25rem 0; font-size: .9rem; }
  dt { opacity: .75; }
  dd { margin: 0; overflow-wrap: anywhere; }
</style>
<p><a href="./">Documentation</a> · <a href="../">Open Yardarm</a></p>
<h1>Yardarm ${version}: the HTTP API</h1>
<p>The same as a document: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1). The <a href="reference/routes.html">reference
of the routes</a> has an example of each.</p>
<nav>${tags.map((tag) => `<a href="#${slug(tag)}">${escapeHtml(tag)}</a>`).join(' ')}</nav>
${tags.map((tag) => section(tag, table)).join('\n')}
</html>`;
}

function section(tag: string, table: RouteTable): string {
  const tagged = (Object.entries(table) as [RouteKey, RouteSpec][]).filter(([, spec]) => spec.tag === tag);
  return `<h2 id="${slug(tag)}">${escapeHtml(tag)}</h2>\n${tagged.map(([key, spec]) => article(key, spec)).join('\n')}`;
}

function article(key: RouteKey, spec: RouteSpec): string {
  const facts: [string, string][] = [
    ['Who', describeAccess(spec)],
    ['Query', spec.query === undefined ? '' : Object.keys(spec.query.shape).join(', ')],
    ['Answers', Object.keys(spec.answers).join(', ')],
    ['Refuses with', statusesOf(spec).join(', ')],
    ['Records', spec.emits.join(', ')],
  ];
  const rows = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<article><h3>${escapeHtml(key)}</h3><p>${escapeHtml(spec.summary)}. ${escapeHtml(spec.description ?? '')}</p><dl>${rows.join('')}</dl></article>`;
}

function slug(tag: string): string {
  return encodeURIComponent(tag.toLowerCase().replaceAll(' ', '-'));
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
