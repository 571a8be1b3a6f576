import { readFileSync, writeFileSync } from 'node:fs';
import {
  environmentPermissions,
  type Permission,
  permissionsWithoutEffect,
  projectPermissions,
  type RouteKey,
  type RouteSpec,
  rootPermissions,
  routes,
} from '@yardarm/contract';
import type { Setting } from '../apps/server/src/config/kinds.ts';
import { settings } from '../apps/server/src/config/settings.ts';
import { isInMatrix, matrixColumns, matrixRows, mayCall } from '../apps/server/src/features/access/matrix.ts';
import { describeAccess, statusesOf } from '../apps/server/src/features/system/openapi.ts';
import { answerDifferences, callDifferences } from './compatibility/answers.ts';
import { reasons } from './compatibility/reasons.ts';
import { refused } from './compatibility/specification.ts';
import { terraformDifferences, terraformOperations } from './compatibility/terraform.ts';
import { unleashAnswers } from './compatibility/unleash-answers.ts';
import { actionsPage } from './pages/actions.ts';
import { statePage } from './pages/state.ts';

// The reference pages are made from what the server itself runs on, so they cannot tell anything else.
// `npm run docs` writes them; a test fails while they are not what this makes.

/** Every generated page, by its path from here. */
export const pages: Readonly<Record<string, () => string>> = {
  'reference/settings.md': settingsPage,
  'reference/routes.md': routesPage,
  'reference/actions.md': actionsPage,
  'reference/state.md': statePage,
  'compatibility.md': compatibilityPage,
  'reference/permissions.md': permissionsPage,
};

function settingsPage(): string {
  const rows = Object.values(settings as Record<string, Setting<unknown>>).map((setting) => {
    const [name, ...others] = setting.names;
    const fallback = setting.secret || setting.default === undefined ? '' : String(setting.default);
    const also = others.length === 0 ? '' : ` Also \`${others.join('`, `')}\`.`;
    const meaning = `${setting.meaning}${also}${setting.secret ? ' Secret.' : ''}`;
    return `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${plain(setting.takes)} | ${plain(meaning)} |`;
  });
  return `# Settings

Set as environment variables, or as lines of \`NAME=value\` in a file that \`--config\` or \`YARDARM_CONFIG\` names; the environment
beats the file. Every name that does not begin with \`YARDARM_\` is also taken with that prefix in front, and with the prefix in
place of \`UNLEASH_\`. Any of them with \`_FILE\` at its end names a file that holds the value, for secrets. A value that cannot be
read, an unknown name in the file, or an unknown variable that begins with \`YARDARM_\` stops the start, which tells all mistakes
at once. \`npm run yardarm -- config\` prints what is in force.

| Name | Default | Takes | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** Text with no star in it that Markdown would read as emphasis. */
const plain = (text: string) => text.replaceAll('*', '\\*');

/** Answers of every route that the tables do not repeat: they come from the guards, before the handler. */
const anyRoute = `"Refuses with" leaves out what most routes may answer:

- 403 to a token that is not of the kind that opens the route, and to a browser that has a session and sends a change from another origin
- 429 with \`Retry-After\` to an address that has sent too many wrong tokens (\`YARDARM_BAD_TOKEN_RATE_LIMIT_PER_MINUTE\`), where a route takes a token
- 403 to a body larger than \`YARDARM_MAX_BODY_BYTES\` of a caller who may change flags nowhere, and 429 while another such body of the same
  account is under way, where a route takes larger ones: imports, exports and state as code
- 503 to any method but GET and HEAD in maintenance, where a route asks for a signed-in caller or a permission; only ending the maintenance goes on.
  SDKs, signals and logging in are served as ever
- 503 with \`Retry-After\` while the database cannot take a change
- 500 for what nobody foresaw; the log has more under the \`id\` of the answer, which is its \`X-Request-Id\` too`;

function routesPage(): string {
  const table = Object.entries(routes) as [RouteKey, RouteSpec][];
  const tags = [...new Set(table.map(([, spec]) => spec.tag))].sort();
  const sections = tags.map((tag) => {
    const rows = table.filter(([, spec]) => spec.tag === tag).map(([key, spec]) => routeRow(key, spec));
    return `## ${tag}\n\n| Route | Who may | Answers | Refuses with | Records |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Routes

Who may call each route, what it answers, and the events it records. The same with every field is served by a running Yardarm
at \`/docs/openapi\` and \`/docs/openapi.json\`.

${anyRoute}

${sections.join('\n')}`;
}

function permissionsPage(): string {
  const table = (Object.entries(routes) as [RouteKey, RouteSpec][]).filter(([, spec]) => isInMatrix(spec));
  const tags = [...new Set(table.map(([, spec]) => spec.tag))].sort();
  const head = `| Route | ${matrixColumns.map(({ name }) => name).join(' | ')} |\n|---|${matrixColumns.map(() => '---|').join('')}`;
  const sections = tags.map((tag) => {
    const rows = table
      .filter(([, spec]) => spec.tag === tag)
      .flatMap(([key, spec]) =>
        matrixRows(spec).map((check) => {
          const cells = matrixColumns.map((column) => (mayCall(column, key, spec, check) ? 'yes' : ''));
          return `| \`${key}\`${check === undefined ? '' : ` ${check.where}`} | ${cells.join(' | ')} |`;
        }),
      );
    return `## ${tag}\n\n${head}\n${rows.join('\n')}\n`;
  });
  return `# Permissions

Which of the roles that come with Yardarm opens which route. Admin, Editor and Viewer hold for the whole instance. Owner, Member and
Reader are given in a project: their columns are about a Viewer who has that role in the project that the request is about. In an
open project every Editor has the rights of a Member; in a protected or private one an Editor has none but those of roles given there.
Whom a private project is hidden from gets the answer of one that does not exist. Where a line goes on after the route, what is
needed depends on what is asked for. Roles of your own grant any of the permissions at the end.

${sections.join('\n')}
${permissionsTable()}`;
}

/** Effects of permissions besides opening routes. */
const permissionNotes: Partial<Record<Permission, string>> = {
  ADMIN: 'Everything but BREAK_GLASS_CHANGE_REQUEST',
  SKIP_CHANGE_REQUEST: 'Changing directly what is reviewed there',
  BREAK_GLASS_CHANGE_REQUEST: 'Changing directly, with a reason, what is reviewed there; ADMIN does not imply it',
};

function permissionsTable(): string {
  const asked = (Object.values(routes) as RouteSpec[]).map(({ access, checks = [], parts = [] }) => [
    ...(typeof access === 'object' ? [access.permission].flat() : []),
    ...[...checks, ...parts].flatMap(({ permission }) => permission),
  ]);
  const rows = [
    ...rootPermissions.map((permission) => [permission, 'for the instance'] as const),
    ...projectPermissions.map((permission) => [permission, 'in a project'] as const),
    ...environmentPermissions.map((permission) => [permission, 'in an environment of a project'] as const),
  ].map(([permission, held]) => {
    const count = asked.filter((permissions) => permissions.includes(permission)).length;
    const nothing = permissionsWithoutEffect[permission];
    if (nothing !== undefined && count > 0) throw new Error(`${permission} opens routes`);
    const note = nothing === undefined ? permissionNotes[permission] : `Nothing: ${nothing}`;
    const opens = note ?? `${count} ${count === 1 ? 'route' : 'routes'}`;
    if (opens === '0 routes') throw new Error(`nothing says what ${permission} is for`);
    return `| ${permission} | ${held} | ${opens} |`;
  });
  return `## What roles may grant

UPDATE_PROJECT grants all that begins with PROJECT_ as well, and ADMIN everything. Permissions that open nothing are accepted and kept; the role editor does not offer them. [Routes](routes.md) tells which route asks for which.

| Permission | Held | Opens |
|---|---|---|
${rows.join('\n')}
`;
}

function routeRow(key: RouteKey, spec: RouteSpec): string {
  const records = spec.emits.map((type) => `\`${type}\``).join(', ');
  return `| \`${key}\`: ${spec.summary} | ${describeAccess(spec)} | ${Object.keys(spec.answers).join(', ')} | ${statusesOf(spec).join(', ')} | ${records} |`;
}

/** Method and path with the names of parameters left out, which clients do not see. */
const shape = (key: string) => key.replaceAll(/:\w+/g, ':');

function compatibilityPage(): string {
  const served = new Set(Object.keys(routes).map(shape));
  const theirs = readFileSync(new URL('compatibility/unleash-routes.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const rows = theirs.map((key) => ({ key, answer: served.has(shape(key)) ? undefined : reasonFor(key) }));
  const leftOut = rows.filter(({ answer }) => answer !== undefined).length;
  const lines = rows.map(
    ({ key, answer }) => `| \`${key}\` | ${answer === undefined ? 'yes' : `left out: ${answer.why}`} |`,
  );
  return `# Unleash's routes

Every route that Unleash's server is known to have, open source and enterprise, and whether Yardarm serves it: ${rows.length - leftOut} it does,
${leftOut} are left out. Yardarm is not affiliated with Unleash.

| Route | Served |
|---|---|
${lines.join('\n')}

${terraformSection(served)}
${specificationSection()}
${answersSection()}`;
}

function answersSection(): string {
  const rows = answerDifferences.map(
    ({ call, fields, why }) => `| \`${call}\` | ${fields.map((field) => `\`${field}\``).join(', ')} | ${why} |`,
  );
  return `## Answers

A test holds ${Object.keys(unleashAnswers).length} answers against the fields and types that Unleash 8.2 answers. These fields are missing or of another type:

| Call | Fields | Why |
|---|---|---|
${rows.join('\n')}

What was recorded of other calls and stays different:

${callDifferences.map((line) => `- ${line}`).join('\n')}
`;
}

function specificationSection(): string {
  const rows = refused.map(
    ({ rule, why, flags }) => `| ${rule} | ${why} | ${flags.map((name) => `\`${name}\``).join(', ')} |`,
  );
  return `## Client specification

Yardarm evaluates every case of Unleash's client specification as it says. The administration API refuses these flags of it:

| Rule | Why | Flags of the specification |
|---|---|---|
${rows.join('\n')}
`;
}

function terraformSection(served: ReadonlySet<string>): string {
  const paths = new Set(terraformOperations.map((key) => key.slice(key.indexOf(' ') + 1)));
  const answered = terraformOperations.filter((key) => served.has(shape(key))).length;
  return `## Terraform

The client of Unleash's official Terraform provider can make ${terraformOperations.length} calls on ${paths.size} paths. Yardarm serves ${answered} of them. A test takes every
resource and data source through its life as the provider does, and holds each answer against what that client decodes and the
provider reads. What is different:

${terraformDifferences.map((line) => `- ${line}`).join('\n')}
`;
}

function reasonFor(key: string) {
  const path = key.slice(key.indexOf(' ') + 1);
  const reason = reasons.find(({ paths }) => paths.test(path));
  if (reason === undefined) throw new Error(`nothing says why ${key} is not served`);
  return reason;
}

if (import.meta.main) {
  for (const [path, make] of Object.entries(pages)) writeFileSync(new URL(path, import.meta.url), make());
}

/** The page as it stands in the repository. */
export function committedPage(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
