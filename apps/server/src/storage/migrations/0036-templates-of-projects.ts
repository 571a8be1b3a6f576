import type { Dialect } from './dialect.ts';

/** Lets a release template belong to a project. */
export function templatesOfProjects({ text }: Dialect): readonly string[] {
  // On delete: a process of the version before deletes a project without its templates (docs/adr, 88).
  return [`alter table release_templates add column project ${text} references projects (id) on delete cascade`];
}
