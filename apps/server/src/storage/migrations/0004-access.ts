import type { Dialect } from './dialect.ts';

export function access({ id, int, text, end, engine }: Dialect): readonly string[] {
  return [
    `create table roles (id ${id}, name ${text} not null unique, type ${text} not null, description ${text} not null) ${end}`,
    `insert into roles (id, name, type, description) values
      (1, 'Admin', 'root', 'May do everything.'),
      (2, 'Editor', 'root', 'May change flags, projects and what belongs to them, but not who has access.'),
      (3, 'Viewer', 'root', 'May look at everything and change nothing.')`,
    // Rows with ids of their own do not move the generator on PostgreSQL.
    ...(engine === 'postgres' ? ['alter table roles alter column id restart with 4'] : []),
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
      created_at ${int} not null
    ) ${end}`,
    `create table sessions (
      id ${id},
      user_id ${int} not null references users (id) on delete cascade,
      secret_hash ${text} not null unique,
      created_at ${int} not null,
      expires_at ${int} not null
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
  ];
}
