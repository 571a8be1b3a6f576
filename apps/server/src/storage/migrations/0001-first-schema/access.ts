import type { Dialect } from '../dialect.ts';

/** Creates roles, accounts, their tokens and sessions, groups and project roles. */
export function access({ id, int, text, end, engine }: Dialect): readonly string[] {
  return [
    `create table roles (id ${id}, name ${text} not null unique, type ${text} not null, description ${text} not null) ${end}`,
    `insert into roles (id, name, type, description) values
      (1, 'Admin', 'root', 'May do everything.'),
      (2, 'Editor', 'root', 'May change flags, projects and what belongs to them, but not who has access.'),
      (3, 'Viewer', 'root', 'May look at everything and change nothing.'),
      (4, 'Owner', 'project', 'May do everything in the project, and say who else may.'),
      (5, 'Member', 'project', 'May create and change flags of the project.'),
      (6, 'Reader', 'project', 'May look at the project, also when it is private.')`,
    // On PostgreSQL an insert with explicit ids does not advance the identity column.
    ...(engine === 'postgres' ? ['alter table roles alter column id restart with 7'] : []),
    `create table users (
      id ${id},
      kind ${text} not null,
      username ${text} unique,
      email ${text} unique,
      name ${text},
      root_role_id ${int} not null references roles (id),
      password_hash ${text},
      login_attempts ${int} not null,
      seen_at ${int},
      created_at ${int} not null,
      sso_since ${int}
    ) ${end}`,
    'create index users_by_root_role on users (root_role_id)',
    `create table sessions (
      id ${id},
      user_id ${int} not null references users (id) on delete cascade,
      secret_hash ${text} not null unique,
      created_at ${int} not null,
      expires_at ${int} not null,
      id_token ${text},
      device ${text},
      address ${text},
      seen_at ${int}
    ) ${end}`,
    'create index sessions_by_user on sessions (user_id, id)',
    'create index sessions_by_expiry on sessions (expires_at)',
    `create table personal_tokens (
      id ${id},
      user_id ${int} not null references users (id) on delete cascade,
      description ${text} not null,
      secret_hash ${text} not null unique,
      created_at ${int} not null,
      expires_at ${int} not null,
      seen_at ${int},
      unique (user_id, description)
    ) ${end}`,
    `create table api_tokens (
      id ${id},
      name ${text} not null,
      type ${text} not null,
      secret_hash ${text} not null unique,
      environment ${text} not null,
      created_at ${int} not null,
      expires_at ${int},
      seen_at ${int},
      sealed_secret ${text}
    ) ${end}`,
    'create index api_tokens_by_name on api_tokens (name)',
    `create table api_token_projects (
      token_id ${int} not null references api_tokens (id) on delete cascade,
      project ${text} not null,
      primary key (token_id, project)
    ) ${end}`,
    'create index api_token_projects_by_project on api_token_projects (project)',
    // Permissions of custom roles. Those of the built-in roles are fixed in the code.
    `create table role_permissions (
      role_id ${int} not null references roles (id) on delete cascade,
      permission ${text} not null,
      environment ${text} references environments (name) on delete cascade
    ) ${end}`,
    'create index role_permissions_by_role on role_permissions (role_id)',
    'create index role_permissions_by_environment on role_permissions (environment)',
    `create table user_groups (
      id ${id},
      name ${text} not null unique,
      description ${text},
      mappings_sso ${text} not null,
      root_role_id ${int} references roles (id),
      created_by ${text} not null,
      created_at ${int} not null
    ) ${end}`,
    'create index user_groups_by_root_role on user_groups (root_role_id)',
    `create table group_users (
      group_id ${int} not null references user_groups (id) on delete cascade,
      user_id ${int} not null references users (id) on delete cascade,
      created_by ${text} not null,
      joined_at ${int} not null,
      primary key (group_id, user_id)
    ) ${end}`,
    'create index group_users_by_user on group_users (user_id, group_id)',
    `create table project_user_roles (
      project ${text} not null references projects (id) on delete cascade,
      user_id ${int} not null references users (id) on delete cascade,
      role_id ${int} not null references roles (id),
      added_at ${int} not null,
      primary key (project, user_id, role_id)
    ) ${end}`,
    'create index project_user_roles_by_user on project_user_roles (user_id)',
    'create index project_user_roles_by_role on project_user_roles (role_id)',
    `create table project_group_roles (
      project ${text} not null references projects (id) on delete cascade,
      group_id ${int} not null references user_groups (id) on delete cascade,
      role_id ${int} not null references roles (id),
      added_at ${int} not null,
      primary key (project, group_id, role_id)
    ) ${end}`,
    'create index project_group_roles_by_group on project_group_roles (group_id)',
    'create index project_group_roles_by_role on project_group_roles (role_id)',
  ];
}
