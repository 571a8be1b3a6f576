import type { Dialect } from './dialect.ts';

const description = 'May see what automation does in every project, stop it for a flag, and freeze it.';
const permissions = ['READ_ACTIONS', 'FREEZE_AUTOMATION', 'OVERRIDE_AUTOMATION'];

/**
 * Adds the root role "On call", unless a role has the name. It is a custom role, so administrators can change it and
 * delete it.
 */
export function onCallRole(_dialect: Dialect): readonly string[] {
  return [
    `insert into roles (name, type, description)
      select 'On call', 'root-custom', '${description}'
      where not exists (select 1 from roles where lower(name) = 'on call')`,
    ...permissions.map(
      (permission) => `insert into role_permissions (role_id, permission, environment)
        select id, '${permission}', null from roles where name = 'On call' and description = '${description}'`,
    ),
  ];
}
