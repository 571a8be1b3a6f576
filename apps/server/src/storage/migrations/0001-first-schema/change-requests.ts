import type { Dialect } from '../dialect.ts';

/**
 * Creates change control, change requests and uses of break glass. Flags, strategies, segments and authors have no
 * foreign keys, so that a request stays readable after they are deleted. A use of break glass outlives its project for
 * the same reason.
 */
export function changeRequests({ id, int, text, end }: Dialect): readonly string[] {
  const done = `created_by_user_id ${int} not null,
      created_by ${text} not null,
      created_at ${int} not null`;
  const ofRequest = `request_id ${int} not null references change_requests (id) on delete cascade`;
  return [
    `create table change_request_environments (
      project ${text} not null references projects (id) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      required_approvals ${int} not null,
      primary key (project, environment)
    ) ${end}`,
    'create index change_request_environments_by_environment on change_request_environments (environment)',
    `create table change_requests (
      id ${id},
      project ${text} not null references projects (id) on delete cascade,
      environment ${text} not null,
      state ${text} not null,
      title ${text},
      timestamps ${text} not null,
      scheduled_at ${int},
      schedule_status ${text},
      schedule_reason ${text},
      scheduled_by_user_id ${int},
      scheduled_by ${text},
      ${done}
    ) ${end}`,
    'create index change_requests_by_project on change_requests (project, state)',
    'create index change_requests_by_creator on change_requests (created_by_user_id)',
    "create index change_requests_by_schedule on change_requests (scheduled_at) where schedule_status = 'pending'",
    `create unique index change_requests_one_draft on change_requests
      (project, environment, created_by_user_id, created_by) where state = 'Draft'`,
    `create table change_request_changes (
      id ${id},
      ${ofRequest},
      action ${text} not null,
      feature_name ${text},
      target ${text} not null,
      payload ${text} not null,
      base ${text},
      ${done}
    ) ${end}`,
    'create index change_request_changes_by_request on change_request_changes (request_id)',
    'create index change_request_changes_by_target on change_request_changes (target)',
    'create index change_request_changes_by_feature on change_request_changes (feature_name)',
    `create table change_request_reviews (
      ${ofRequest},
      approved ${int} not null,
      ${done},
      primary key (request_id, created_by_user_id, created_by)
    ) ${end}`,
    `create table change_request_comments (
      id ${id},
      ${ofRequest},
      text ${text} not null,
      ${done}
    ) ${end}`,
    'create index change_request_comments_by_request on change_request_comments (request_id)',
    `create table change_request_approvers (
      ${ofRequest},
      user_id ${int} not null references users (id) on delete cascade,
      primary key (request_id, user_id)
    ) ${end}`,
    'create index change_request_approvers_by_user on change_request_approvers (user_id)',
    `create table break_glass_uses (
      id ${id},
      project ${text} not null,
      environments ${text} not null,
      reason ${text} not null,
      changes ${text} not null,
      created_by_user_id ${int} not null,
      created_by ${text} not null,
      created_at ${int} not null,
      acknowledged_by_user_id ${int},
      acknowledged_by ${text},
      acknowledged_at ${int}
    ) ${end}`,
    'create index break_glass_uses_open on break_glass_uses (id) where acknowledged_at is null',
  ];
}
