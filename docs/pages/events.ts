import {
  type EventClass,
  type EventType,
  eventLabels,
  type RouteKey,
  type RouteSpec,
  routes,
  typesOfEventClass,
} from '@yardarm/contract';

const classTexts: Readonly<Record<EventClass, string>> = {
  changes: 'Changes of flags, projects, people, automation and settings.',
  'sign-in': 'Logins and the ends of sessions.',
  refusals: 'Refused changes and failed logins, counted per account and minute.',
  operations: 'What operators do with the installation.',
};

/** Returns the page of event types: each with its label and the routes that record it. */
export function eventsPage(): string {
  const classes = Object.entries(typesOfEventClass) as [EventClass, readonly EventType[]][];
  const parts = classes.map(
    ([name, types]) => `## Class ${name}

${classTexts[name]}

| Type | Label | Recorded by |
|---|---|---|
${types.map((type) => row(type)).join('\n')}`,
  );
  return `# Event types

Each change is recorded as an event, in the same transaction. The log is at \`GET /api/admin/events\`, forward at
\`GET /api/admin/events/feed\` ([Event feed](../guides/event-feed.md)). Each class has a retention of its own
([Auditing](../guides/auditing.md)). Types without a route are recorded by background work: a schedule, an action or the end
of a time. The JSON Schema of each type is at \`GET /docs/event-types/:type\`.

${parts.join('\n\n')}
`;
}

function row(type: EventType): string {
  const keys = (Object.entries(routes) as [RouteKey, RouteSpec][])
    .filter(([, spec]) => spec.emits.includes(type))
    .map(([key]) => `\`${key}\``);
  const shown = keys.length > 4 ? [...keys.slice(0, 3), `${keys.length - 3} more`] : keys;
  const label = eventLabels[type] === type ? '' : eventLabels[type];
  return `| \`${type}\` | ${label} | ${shown.join(', ')} |`;
}
