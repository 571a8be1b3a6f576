import type { Dialect } from './dialect.ts';

/**
 * Lets the root role "On call" read signals, unless an administrator has changed what it may do. Without it, the person
 * on call does not see which alerts fire without effect.
 */
export function onCallReadsSignals(_dialect: Dialect): readonly string[] {
  return [
    `insert into role_permissions (role_id, permission, environment)
      select r.id, 'READ_SIGNALS', null from roles r
      where r.name = 'On call' and r.type = 'root-custom'
      and (select count(*) from role_permissions p where p.role_id = r.id) = 3
      and (select count(*) from role_permissions p where p.role_id = r.id and p.environment is null
        and p.permission in ('READ_ACTIONS', 'FREEZE_AUTOMATION', 'OVERRIDE_AUTOMATION')) = 3`,
  ];
}
