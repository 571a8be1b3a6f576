import type { Dialect } from './dialect.ts';

/**
 * Lets the root role "On call" hold flags off and at earlier milestones, and pause release plans, unless an
 * administrator has changed what it may do.
 */
export function onCallLowersExposure(_dialect: Dialect): readonly string[] {
  const before = "'READ_ACTIONS', 'FREEZE_AUTOMATION', 'OVERRIDE_AUTOMATION', 'READ_SIGNALS'";
  return [
    `insert into role_permissions (role_id, permission, environment)
      select r.id, 'LOWER_EXPOSURE', null from roles r
      where r.name = 'On call' and r.type = 'root-custom'
      and (select count(*) from role_permissions p where p.role_id = r.id) = 4
      and (select count(*) from role_permissions p where p.role_id = r.id and p.environment is null
        and p.permission in (${before})) = 4`,
  ];
}
