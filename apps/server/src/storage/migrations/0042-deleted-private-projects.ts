import type { Dialect } from './dialect.ts';

/**
 * Remembers private projects that were deleted, so that their events stay hidden from those who could not see the
 * project. Projects deleted before are found by their events: the last one that holds the mode says whether the project
 * was private.
 */
export function deletedPrivateProjects({ engine, text, end }: Dialect): readonly string[] {
  const mode = engine === 'postgres' ? `u.data::json ->> 'mode'` : `json_extract(u.data, '$.mode')`;
  return [
    `create table deleted_private_projects (id ${text} primary key) ${end}`,
    `insert into deleted_private_projects (id)
      select distinct d.project from events d
      where d.type = 'project-deleted' and d.project is not null
      and not exists (select 1 from projects p where p.id = d.project)
      and (
        select ${mode} from events u
        where u.project = d.project and u.type in ('project-created', 'project-updated') and u.id < d.id
        order by u.id desc limit 1
      ) = 'private'`,
  ];
}
