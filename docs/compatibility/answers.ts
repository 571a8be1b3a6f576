/** Fields of an answer of Unleash that are missing in Yardarm or of another type, with the reason. */
export interface AnswerDifference {
  readonly call: string;
  readonly fields: readonly string[];
  readonly why: string;
}

/** Fields of the recorded shapes that the answers lack; tests/conformance/unleash-answers.test.ts compares them. */
export const answerDifferences: readonly AnswerDifference[] = [
  {
    call: 'GET /api/admin/instance-admin/statistics',
    fields: ['.maxConstraints', '.maxConstraintValues', '.sum'],
    why: "Figures and a checksum for Unleash's telemetry. Yardarm has no telemetry.",
  },
  {
    call: 'GET /api/admin/user-admin',
    fields: ['.users[].inviteLink'],
    why: 'Only the hash of a link is stored. The answer that creates the user or resets the password has the link.',
  },
  {
    call: 'GET /api/admin/api-tokens',
    fields: ['.tokens[].secret'],
    why: 'Only the hash of a token is stored, unless `YARDARM_READABLE_SECRETS` is set.',
  },
  {
    call: 'GET /api/admin/metrics/applications',
    fields: ['.applications[].createdBy', '.applications[].environment', '.applications[].project'],
    why: 'An application has several projects and environments, which `usage` names. Applications register by themselves.',
  },
  {
    call: 'GET /api/admin/context',
    fields: ['[].createdAt'],
    why: 'It is null for the context fields that come with Yardarm.',
  },
  {
    call: 'GET /api/admin/context?include=root',
    fields: ['[].createdAt'],
    why: 'It is null for the context fields that come with Yardarm.',
  },
];

/** Differences of calls whose answers are not compared field by field, with the reason. */
export const callDifferences: readonly string[] = [
  'All errors have `id`, `name` and `message`, and `details` only for errors of a field. A path that exists without the method is answered 405, not 404.',
  'Refusals: a strategy with a segment that does not exist is 400 (Unleash: 404), a patch of a path that does not exist is 400 (200), and flags of a project that does not exist are 404 (200). Deleting a tag that the flag does not have, or an archived flag that does not exist, is 404 (200), so that typing errors show.',
  'Accepted: deleting the dependencies of a flag without any is 200 (Unleash: 404), and a `DELETE` of a favorite needs no content type (415). Variants of an environment can be changed (403: deprecated).',
  'Switching a flag answers the flag, and deleting a strategy has no body. Unleash does it the other way around.',
  "Integrations of the kinds `new-relic` and `teamsworkflow` are refused: `teams` posts to a workflow. `username`, `emojiIcon`, `defaultChannel` and `customHeaders` of `slack` and `bodyTemplate` of `datadog` are refused too. An integration that Unleash lists has `*****` in place of its secrets, so the secret has to be entered again. `placeholder` of a parameter, and `deprecated`, `alerts`, `tagTypes` and `installation` of a provider, are about Unleash's own integrations. An integration has no `createdAt`: its event `addon-config-created` has the time.",
  'A safeguard has the further field `status`, and its metric the options `minutes` and `dividedBy`. One with the same metric, source, aggregation, labels and operator is replaced. A metric that no SDK has reported is refused.',
  'Impact metrics at `/internal-backstage/impact/metrics` need a token. They are kept for a day, so a query for a week or a month has the last day. Series of a query have `metric` (the label of the group) and `data` (pairs of Unix seconds and value).',
  'A chart of an impact metric has the further fields `source` and `groupBy`, and no `mode`. A flag has 20 at most, the instance 50.',
  'The Prometheus server of external metrics is set by `YARDARM_PROMETHEUS_URL`: `POST /api/admin/impact-metrics/external-source` is not served, and `…/validate` asks the server of the settings, whatever the body. `prometheusAPIAvailable` of `ui-config` says whether one is set.',
  'A release plan has the further fields `progress`, `maxHalts` and `shadow`; its `releasePlanTemplateId` is null when it was made without a template. Its milestones have `approvedAt` and `approvedByUserId`, and `transitionCondition` can have `hours`, `evaluations` and `approval`. A flag has one plan in an environment, which starts even while the flag is off there. Strategies have no `milestoneId`: the plan tells which it runs. Lists of flags have `milestoneName`, `milestoneOrder` (from 0) and `totalMilestones`, and a single flag has `releasePlans`, too. The paths with `release_plans` are served as well.',
  'A release template has the further field `project`: null, as in Unleash, for all projects. `GET /api/admin/release-plan-templates` has the filter `project`.',
  '`GET /api/admin/user` has no `activeSessions` and `deletedSessions`: the answer to the login has them. The permissions of a user (`/api/admin/user-admin/:id/permissions`) have the roles that give them, not `overview.groups`.',
  'The event `features-exported` keeps an export of up to 100,000 characters. Of a longer export it keeps the names of the flags: events are kept for ever.',
  'Tags of events have no `color`; it belongs to the tag, not to the event. `links[].links[].id` is not in an export, since an import makes new ids.',
  'A change that changes nothing records no event, and other changes record one event for each changed object: tags of a new flag, the variants of a clone, the segments of a strategy, an environment switched off, a password that was set.',
  "The data of events of flags, context fields, segments, tag types, tokens, users and invitations holds the complete object with Yardarm's fields. It holds no secret, and no name of a secret.",
];
