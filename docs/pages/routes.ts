import { readFileSync } from 'node:fs';
import { type Access, type RouteKey, type RouteSpec, routes, routesBySubject } from '@yardarm/contract';
import { describeAccess, statusesOf } from '../../apps/server/src/features/platform/system/openapi.ts';
import { formatJson } from './format-json.ts';
import type { RouteExample } from './route-examples.ts';

const table = Object.entries(routes) as [RouteKey, RouteSpec][];
const subjects = Object.entries(routesBySubject);
/** Returns the subject that has the most routes of a group. */
function subjectOf(tag: string): string {
  const counts = subjects.map(([subject, specs]) => {
    const count = Object.values(specs).filter((spec) => spec.tag === tag).length;
    return { subject, count };
  });
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).subject;
}

/** The groups of routes by subject, top first. */
const groups = subjects.map(([subject]) => {
  const own = new Set(table.map(([, spec]) => spec.tag).filter((tag) => subjectOf(tag) === subject));
  return { subject, tags: [...own].sort() };
});
const tags = groups.flatMap((group) => group.tags);
const routesOf = (tag: string) => table.filter(([, spec]) => spec.tag === tag);
const fileOf = (tag: string) => `routes/${tag.toLowerCase().replaceAll(' ', '-')}.md`;

/** Examples by route, which a test recorded (tests/walk/examples.test.ts). */
const examples: Readonly<Partial<Record<string, RouteExample>>> = JSON.parse(
  readFileSync(new URL('route-examples.json', import.meta.url), 'utf8'),
);

/** Statuses that any route can answer, because the guards before the handler send them. The tables leave them out. */
const anyRoute = `"Refuses with" leaves out statuses that most routes can answer:

- 403 for a token of the wrong kind, and for a browser session that sends a change from another origin
- 429 with \`Retry-After\` for an address that sent too many wrong tokens (\`YARDARM_BAD_TOKEN_RATE_LIMIT_PER_MINUTE\`), on routes that take a token
- On routes for large bodies (imports, exports, state as code): 403 for a body larger than \`YARDARM_MAX_BODY_BYTES\` from a caller who may
  not change flags in any project, and 429 while another large body of the same account is being handled
- 503 in maintenance for all methods except GET and HEAD, on routes that need a signed-in caller or a permission, except ending the
  maintenance. SDKs, signals and logins are served as usual
- 503 with \`Retry-After\` while the database is unavailable
- 500 for an unexpected error; the log has the details under the \`id\` of the answer, which is also its \`X-Request-Id\``;

/** Returns the list of all routes as it is in the repository, where the pages of its groups are not. */
export function routesPage(): string {
  return listOfRoutes((text) => text);
}

/** Returns a link to the section of a group in the list of all routes. */
const toSection = (tag: string) => `[${tag}](#${tag.toLowerCase().replaceAll(' ', '-')})`;

function listOfRoutes(linked: (text: string, to: string) => string): string {
  const sectionOf = (tag: string) => {
    const rows = routesOf(tag).map(
      ([key, spec]) => `| ${linked(`\`${key}\``, `${fileOf(tag)}#${anchorOf(spec)}`)} | ${summaryOf(spec)} |`,
    );
    return `## ${linked(tag, fileOf(tag))}\n\n| Route | What it does |\n|---|---|\n${rows.join('\n')}\n`;
  };
  const sections = tags.map(sectionOf);
  const index = groups.map((group) => `| \`${group.subject}\` | ${group.tags.map(toSection).join(', ')} |`);
  return `# Routes

In the documentation that Yardarm serves at \`/docs\`, the page of each group says for each of its routes who may call it, which
statuses it answers, which events it records, and has an example. A running Yardarm lists the routes at \`/docs/openapi\`, and
describes every field in \`/docs/openapi.json\`.

| Subject of [features](../architecture.md#features) | Groups of routes |
|---|---|
${index.join('\n')}

## The examples

A test recorded them from answers of a server; names, ids and secrets were replaced, and lists cut to two entries. Put in names and
ids of your own: a new server has the project \`default\` only, and neither \`shop\` nor \`new-checkout\`. The examples need the
address of the server in \`YARDARM_URL\`, and a token:

| Variable | Token |
|---|---|
| \`YARDARM_TOKEN\` | of a person or a service account ([how to get one](../guides/state-as-code.md#a-token)) |
| \`API_TOKEN\` | an API token for SDKs, of the type that *Who may* names ([first steps](../guides/first-steps.md#the-first-flag)) |
| \`SIGNAL_TOKEN\` | of a signal endpoint ([signals](../guides/signals.md#create-an-endpoint-and-a-token)) |

## Statuses

${anyRoute}

${sections.join('\n')}`;
}

/**
 * Returns the pages that are in the site only, by path below docs: one for each group of routes, and the list of all
 * routes with links to them.
 */
export function sitePages(): ReadonlyMap<string, string> {
  const groups = tags.map((tag) => [`reference/${fileOf(tag)}`, groupPage(tag)] as const);
  return new Map([['reference/routes.md', listOfRoutes((text, to) => `[${text}](${to})`)], ...groups]);
}

function groupPage(tag: string): string {
  return `# Routes: ${tag}

[All routes](../routes.md), with what [the examples](../routes.md#the-examples) need, and the [statuses](../routes.md#statuses)
that most routes can answer.

${routesOf(tag)
  .map(([key, spec]) => section(key, spec))
  .join('\n')}`;
}

function section(key: RouteKey, spec: RouteSpec): string {
  const records = spec.emits.map((type) => `\`${type}\``).join(', ');
  const facts = [
    ['Who may', describeAccess(spec)],
    ['Answers', Object.keys(spec.answers).join(', ')],
    ['Refuses with', statusesOf(spec).join(', ')],
    ['Records', records],
  ].filter(([, fact]) => fact !== '');
  return `## ${summaryOf(spec)}

\`${key}\`

${spec.description === undefined ? '' : `${spec.description}\n\n`}${facts.map(([title, fact]) => `- **${title}:** ${fact}`).join('\n')}

${exampleOf(key, spec)}`;
}

const summaryOf = ({ summary, aliasOf }: RouteSpec) => `${aliasOf === undefined ? '' : 'Deprecated alias: '}${summary}`;

/** Returns the anchor of the section of a route, as the documentation and GitHub make it from its heading. */
function anchorOf(spec: RouteSpec): string {
  const heading = summaryOf(spec);
  if (routesOf(spec.tag).filter(([, other]) => summaryOf(other) === heading).length > 1)
    throw new Error(`two routes of the group ${spec.tag} have the summary "${heading}"`);
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function exampleOf(key: RouteKey, spec: RouteSpec): string {
  if (spec.aliasOf !== undefined) {
    const route = (routes as Readonly<Record<string, RouteSpec>>)[spec.aliasOf] as RouteSpec;
    return `See the example of [the route](#${anchorOf(route)}).\n`;
  }
  const example = examples[key];
  if (example === undefined) throw new Error(`${key} has no example: tests/walk/examples.test.ts records it`);
  const { status, answer } = example;
  const command = `\`\`\`sh\n${curl(example, key, spec)}\n\`\`\`\n`;
  if (answer === undefined) return `${command}\nThe answer is ${status} without a body.\n`;
  const [language, body] =
    typeof answer === 'string' ? ['text', answer.replaceAll('\r', '').trimEnd()] : ['json', formatJson(answer)];
  return `${command}\nAnswer ${status}:\n\n\`\`\`${language}\n${body}\n\`\`\`\n`;
}

function curl({ request }: RouteExample, key: RouteKey, { access, answers }: RouteSpec): string {
  const { method, path, body, text, headers = {} } = request;
  const streams = Object.values(answers).some(({ kind }) => kind === 'events');
  const sent = body === undefined ? text : formatJson(body);
  const options = [
    ...(key.endsWith('/:secret') ? [] : tokenOf(access)),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(sent === undefined ? [] : [`-d ${quoted(sent)}`]),
  ];
  const chosen = method === (sent === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`;
  return [`curl${streams ? ' -N' : ''}${chosen} "$YARDARM_URL${path}"`, ...options].join(' \\\n  ');
}

/** Returns the option that identifies the caller: none where anybody may call, or where a token is in the URL. */
function tokenOf(access: Access): readonly string[] {
  if (access === 'public' || access === 'stream') return [];
  if (access === 'signal') return ['-H "Authorization: Bearer $SIGNAL_TOKEN"'];
  const isOfSdk = access === 'sdk' || access === 'backend' || access === 'frontend';
  return [`-H "Authorization: $${isOfSdk ? 'API' : 'YARDARM'}_TOKEN"`];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
