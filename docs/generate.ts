import { readFileSync, writeFileSync } from 'node:fs';
import {
  environmentPermissions,
  everyProjectPermissions,
  type Permission,
  permissionsWithoutEffect,
  projectPermissions,
  type RouteKey,
  type RouteSpec,
  rootPermissions,
  routes,
} from '@yardarm/contract';
import { allowedValues, type Setting } from '../apps/server/src/config/setting-types.ts';
import { settings } from '../apps/server/src/config/settings.ts';
import {
  isInMatrix,
  matrixColumns,
  matrixRows,
  mayCall,
} from '../apps/server/src/features/people/access/permission-matrix.ts';
import { answerDifferences, callDifferences } from './compatibility/answers.ts';
import { reasons } from './compatibility/reasons.ts';
import { refused } from './compatibility/specification.ts';
import { terraformDifferences, terraformOperations } from './compatibility/terraform.ts';
import { unleashAnswers } from './compatibility/unleash-answers.ts';
import { eventDifferences, writeDifferences } from './compatibility/write-differences.ts';
import { actionsPage } from './pages/actions.ts';
import { commandLinePage } from './pages/command-line.ts';
import { eventsPage } from './pages/events.ts';
import { metricsPage } from './pages/metrics.ts';
import { routesPage } from './pages/routes.ts';
import { sdksGuide } from './pages/sdk-snippets.ts';
import { senderPages } from './pages/senders.ts';
import { statePage } from './pages/state.ts';

// Generates the reference pages from the settings, routes and permissions that the server runs on.
// `npm run docs` writes the pages; a test fails while the committed pages differ.

/** The functions that make the generated pages, and the guide with a generated part, by path below docs. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'reference/settings.md': settingsPage,
  'reference/routes.md': routesPage,
  'reference/actions.md': actionsPage,
  'reference/state.md': statePage,
  'reference/events.md': eventsPage,
  'reference/command-line.md': commandLinePage,
  'reference/metrics.md': metricsPage,
  'compatibility.md': compatibilityPage,
  'reference/permissions.md': permissionsPage,
  'guides/sdks.md': sdksGuide,
  ...senderPages,
};

function settingsPage(): string {
  const rows = Object.values<Setting>(settings).map((setting) => {
    const [name, ...others] = setting.names;
    const fallback = setting.secret ? '' : String(setting.value.parse(undefined) ?? '');
    const also = others.length === 0 ? '' : ` Also \`${others.join('`, `')}\`.`;
    const meaning = `${setting.meaning}${also}${setting.secret ? ' Secret.' : ''}`;
    return `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${plain(allowedValues(setting))} | ${plain(meaning)} |`;
  });
  return `# Settings

Set them as environment variables, or as lines of \`NAME=value\` in a file that \`--config\` or \`YARDARM_CONFIG\` names. The
environment has precedence over the file. Names that do not begin with \`YARDARM_\` are also accepted with that prefix, and with the
prefix in place of \`UNLEASH_\`. For secrets, any name with \`_FILE\` appended reads the value from a file. The server does not start
with an invalid value, an unknown name in the file, or an unknown variable that begins with \`YARDARM_\`, and reports all of them at
once. \`yardarm config\` prints the current values.

| Name | Default | Takes | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** Escapes stars, which Markdown would read as emphasis. */
const plain = (text: string) => text.replaceAll('*', '\\*');

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

Which built-in role may call which route. Admin, Editor and Viewer are root roles, for the whole instance. Owner, Member and Reader are
project roles: their columns show a Viewer with that role in the project of the request. In an open project every Editor has the
permissions of a Member; in a protected or private project an Editor has only the permissions of project roles. A private project is
answered as missing (404) to users who do not see it. Text after a route names the part of the request that needs the permission. Custom
roles can grant any of the permissions at the end.

${sections.join('\n')}
${permissionsTable()}`;
}

/** Rights that a permission gives in addition to opening routes. */
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
    if (nothing !== undefined && count > 0)
      throw new Error(`${permission} is in permissionsWithoutEffect but opens routes`);
    const note = nothing === undefined ? permissionNotes[permission] : `Nothing: ${nothing}`;
    const opens = note ?? `${count} ${count === 1 ? 'route' : 'routes'}`;
    if (opens === '0 routes')
      throw new Error(`${permission} opens no route: add it to permissionsWithoutEffect or permissionNotes`);
    const everywhere = everyProjectPermissions.includes(permission) ? '; by a root role, in every project' : '';
    return `| ${permission} | ${held}${everywhere} | ${opens} |`;
  });
  return `## Permissions of roles

UPDATE_PROJECT implies the permissions that begin with PROJECT_, and ADMIN implies all. Permissions without an effect are accepted and stored; the role editor does not offer them. [Routes](routes.md) shows the permission of each route.

| Permission | Held | Opens |
|---|---|---|
${rows.join('\n')}
`;
}

/** Returns method and path of a route without the names of its parameters, which clients do not see. */
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

The known routes of Unleash's server, open source and enterprise. Yardarm serves ${rows.length - leftOut} of them and leaves out
${leftOut}. Yardarm is not affiliated with Unleash.

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
  const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');
  const changeRows = writeDifferences.map(({ call, status, events, why }) => {
    const event = events === undefined ? [] : [events.length === 0 ? 'no event' : code(events)];
    return `| \`${call}\` | ${[...(status === undefined ? [] : [status]), ...event].join(', ')} | ${why} |`;
  });
  const keyRows = eventDifferences.map(({ types, keys, why }) => `| ${code(types)} | ${code(keys)} | ${why} |`);
  return `## Answers

A test compares ${Object.keys(unleashAnswers).length} answers with the fields and types of Unleash 8.2. These fields are missing or of another type:

| Call | Fields | Why |
|---|---|---|
${rows.join('\n')}

Another test sends recorded changes in order, and compares their status, the types of their events, and the keys of the event data. These changes differ:

| Change | Yardarm | Why |
|---|---|---|
${changeRows.join('\n')}

Keys of event data that are missing:

| Events | Keys | Why |
|---|---|---|
${keyRows.join('\n')}

Other recorded differences that stay:

${callDifferences.map((line) => `- ${line}`).join('\n')}
`;
}

function specificationSection(): string {
  const rows = refused.map(
    ({ rule, why, flags }) => `| ${rule} | ${why} | ${flags.map((name) => `\`${name}\``).join(', ')} |`,
  );
  return `## Client specification

Yardarm evaluates every case of Unleash's client specification as specified. The admin API refuses these flags of the specification:

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
resource and data source through its lifecycle as the provider does, and checks each answer against the decoding rules of that client
and the fields the provider reads. Differences:

${terraformDifferences.map((line) => `- ${line}`).join('\n')}
`;
}

function reasonFor(key: string) {
  const path = key.slice(key.indexOf(' ') + 1);
  const reason = reasons.find(({ paths }) => paths.test(path));
  if (reason === undefined) throw new Error(`docs/compatibility/reasons.ts gives no reason why ${key} is not served`);
  return reason;
}

if (import.meta.main) {
  for (const [path, make] of Object.entries(pages)) writeFileSync(new URL(path, import.meta.url), await make());
}

/** Returns the committed page. */
export function committedPage(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
